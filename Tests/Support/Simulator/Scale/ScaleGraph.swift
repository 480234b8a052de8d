import SyncEngine

/// Who is connected with whom.
public struct ScaleGraph: Sendable {
    private var neighbours: [[Int]]
    private let present: [Int]
    /// Of each device that is there, ascending.
    public private(set) var linkCounts: [Int]

    /// The links that both sides have greeted, among the devices that are there.
    init(_ world: Simulation) {
        let indices = Dictionary(uniqueKeysWithValues: world.laptops.map { ($0.id, $0.index) })
        let sets = world.laptops.map { laptop in
            laptop.isAwake ? (laptop.look(\.connectedDevices) ?? []).compactMap { indices[$0] } : []
        }
        neighbours = sets.enumerated().map { device, others in
            others.filter { sets[$0].contains(device) }.sorted()
        }
        present = world.laptops.filter(\.isAwake).map(\.index)
        linkCounts = []
        linkCounts = present.map { neighbours[$0].count }.sorted()
    }

    public var least: Int { linkCounts.first ?? 0 }
    public var most: Int { linkCounts.last ?? 0 }
    public var median: Int { linkCounts.isEmpty ? 0 : linkCounts[linkCounts.count / 2] }
    public var mean: Double { Double(linkCounts.reduce(0, +)) / Double(max(1, linkCounts.count)) }

    /// The links that lie between those who are furthest from each other; `nil` if somebody cannot be reached.
    public var diameter: Int? {
        var diameter = 0
        for device in present {
            guard let distance = eccentricity(device) else { return nil }
            diameter = max(diameter, distance)
        }
        return diameter
    }

    private func eccentricity(_ start: Int) -> Int? {
        var distances = [Int](repeating: -1, count: neighbours.count)
        var queue = [start]
        distances[start] = 0
        var next = 0
        while next < queue.count {
            let device = queue[next]
            next += 1
            for other in neighbours[device] where distances[other] < 0 {
                distances[other] = distances[device] + 1
                queue.append(other)
            }
        }
        return queue.count == present.count ? distances[queue[queue.count - 1]] : nil
    }
}
