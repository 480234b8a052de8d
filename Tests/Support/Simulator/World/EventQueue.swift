import AlbumModel

/// Things that will happen, earliest first; of one moment in the order in which they were planned.
struct EventQueue<Event> {
    private struct Entry {
        var at: MonotonicInstant
        var order: UInt64
        var event: Event

        func precedes(_ other: Entry) -> Bool { (at, order) < (other.at, other.order) }
    }

    private var heap: [Entry] = []
    private var nextOrder: UInt64 = 0

    var nextTime: MonotonicInstant? { heap.first?.at }

    mutating func plan(_ event: Event, at: MonotonicInstant) {
        heap.append(Entry(at: at, order: nextOrder, event: event))
        nextOrder += 1
        var child = heap.count - 1
        while child > 0, heap[child].precedes(heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func popFirst() -> (at: MonotonicInstant, event: Event)? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            var parent = 0
            while true {
                var least = parent
                for child in [2 * parent + 1, 2 * parent + 2]
                where child < heap.count && heap[child].precedes(heap[least]) {
                    least = child
                }
                if least == parent { break }
                heap.swapAt(parent, least)
                parent = least
            }
        }
        return (first.at, first.event)
    }
}
