/// Which of the aligned cameras are believed: alignment says how they differ, not who is right.
struct Frame {
    enum Belief: Hashable {
        /// Seconds to add, in the believed cameras' time.
        case known(Int)
        /// No telling who is right; seconds to add to agree with the largest group.
        case unknown(Int)

        var seconds: Int {
            switch self {
            case .known(let seconds), .unknown(let seconds): seconds
            }
        }
    }

    /// For aligned cameras only.
    private(set) var beliefs: [Int: Belief] = [:]

    /// - Parameters:
    ///   - shifts: of the aligned cameras.
    ///   - pins: the shifts that GPS calls for, of some of them.
    ///   - ties: pairs of cameras that photographed the same moments.
    ///   - weight: how much a camera's word counts that its clock is right as it is.
    init(shifts: [Int: Int], pins: [Int: Int], ties: [(Int, Int)], weight: (Int) -> Int) {
        for members in Self.components(shifts.keys.sorted(), ties) {
            let pinned = members.compactMap { index in pins[index].map { (index, (shifts[index] ?? 0) - $0) } }
            let isPinned = !pinned.isEmpty
            // How far the common time of the aligned cameras lies behind that of those who are believed.
            let groups =
                isPinned ? Self.groups(pinned) { _ in 2 } : Self.groups(members.map { ($0, shifts[$0] ?? 0) }, weight)
            guard let first = groups.first else { continue }
            let next = groups.count > 1 ? groups[1].weight : 0
            let isBelieved = first.weight >= 2 && first.weight >= 2 * next
            for member in members {
                let seconds = (shifts[member] ?? 0) - first.centre
                beliefs[member] = isBelieved ? .known(seconds) : .unknown(seconds)
            }
        }
    }

    private struct Group {
        var first: Int
        var weight: Int
        var centre: Int
    }

    /// Cameras that call for the same shift, within the tolerance of the group's middle; the weightiest group first.
    private static func groups(_ members: [(index: Int, shift: Int)], _ weight: (Int) -> Int) -> [Group] {
        var rest = members.sorted { ($0.shift, $0.index) < ($1.shift, $1.index) }
        var groups: [Group] = []
        let width = 2 * Int(ClockLimits.toleranceSeconds)
        while !rest.isEmpty {
            var best = (range: 0..<0, weight: -1)
            for start in rest.indices {
                let end = rest.lastIndex { $0.shift - rest[start].shift <= width } ?? start
                let sum = rest[start...end].reduce(0) { $0 + weight($1.index) }
                if sum > best.weight { best = (start..<(end + 1), sum) }
            }
            let group = rest[best.range]
            let centre = group[group.startIndex + group.count / 2].shift
            groups.append(Group(first: group.map(\.index).min() ?? 0, weight: best.weight, centre: centre))
            rest.removeSubrange(best.range)
        }
        return groups.sorted { ($1.weight, $0.first) < ($0.weight, $1.first) }
    }

    /// Sets of cameras that are tied to each other, directly or through others.
    private static func components(_ members: [Int], _ ties: [(Int, Int)]) -> [[Int]] {
        var parents = Dictionary(uniqueKeysWithValues: members.map { ($0, $0) })
        func root(_ member: Int) -> Int {
            var member = member
            while let parent = parents[member], parent != member { member = parent }
            return member
        }
        for (left, right) in ties {
            let (low, high) = (min(root(left), root(right)), max(root(left), root(right)))
            parents[high] = low
        }
        let sets = Dictionary(grouping: members) { root($0) }
        return sets.sorted { $0.key < $1.key }.map(\.value)
    }
}
