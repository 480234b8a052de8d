import TestSupport

/// Links between laptops that carry nothing, drawn by a seed so that a failure can be looked at again.
struct MutedLinks {
    struct Link: Hashable {
        var first: Int
        var second: Int
    }

    private(set) var links: Set<Link> = []
    private let count: Int

    /// Mutes this share of all links among laptops 1 to `count`; whoever is left can still reach everyone by way of others.
    init(laptops count: Int, share: Double, seed: UInt64) {
        self.count = count
        var generator = SplitMix(state: seed)
        var candidates = (1...count).flatMap { first in
            (1...count).filter { $0 > first }.map { Link(first: first, second: $0) }
        }
        let wanted = Int((share * Double(candidates.count)).rounded())
        candidates.shuffle(using: &generator)
        for link in candidates where links.count < wanted {
            links.insert(link)
            if !isConnected { links.remove(link) }
        }
    }

    func contains(_ one: Int, _ other: Int) -> Bool {
        links.contains(Link(first: min(one, other), second: max(one, other)))
    }

    /// Whether the links that are left join all laptops.
    var isConnected: Bool {
        var reached: Set<Int> = [1]
        var next = [1]
        while let laptop = next.popLast() {
            for other in 1...count where other != laptop && !contains(laptop, other) {
                if reached.insert(other).inserted { next.append(other) }
            }
        }
        return reached.count == count
    }
}
