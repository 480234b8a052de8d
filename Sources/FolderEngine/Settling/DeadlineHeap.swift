import AlbumModel

/// Values with times, the earliest first.
struct DeadlineHeap<Value: Comparable & Sendable>: Sendable {
    private var nodes: [(time: MonotonicInstant, value: Value)] = []

    var first: MonotonicInstant? { nodes.first?.time }

    mutating func insert(_ value: Value, at time: MonotonicInstant) {
        nodes.append((time, value))
        var child = nodes.count - 1
        while child > 0, isBefore(child, (child - 1) / 2) {
            nodes.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// The earliest, if its time has come.
    mutating func popFirst(until now: MonotonicInstant) -> (value: Value, time: MonotonicInstant)? {
        guard let top = nodes.first, top.time <= now else { return nil }
        nodes.swapAt(0, nodes.count - 1)
        nodes.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < nodes.count && isBefore(child, least) {
                least = child
            }
            if least == parent { break }
            nodes.swapAt(parent, least)
            parent = least
        }
        return (top.value, top.time)
    }

    private func isBefore(_ left: Int, _ right: Int) -> Bool {
        (nodes[left].time, nodes[left].value) < (nodes[right].time, nodes[right].value)
    }
}
