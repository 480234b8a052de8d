package import AlbumModel
import DequeModule

/// Names a task of the shell that waits for its turn, or for an answer. No two have the same one.
package struct TaskNumber: Hashable, Comparable, Sendable {
    private let value: UInt64

    package init(_ value: UInt64) { self.value = value }

    package static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

/// What a task has for itself alone while it is under way.
package enum Turn: Hashable, Sendable {
    /// One group is judged, or put back, at a time.
    case judging
    /// Finding, placing and taking away the same bytes must not overlap: each asks first whether the other has a file.
    case photo(BlobID)
}

/// The tasks that are under way, and those that wait for their turn.
///
/// A task has all its turns or none, in the order in which it asked, so no two wait for each other. A task that has a
/// photo's turn **must not** ask for another, not even that of judging.
package struct TurnTable: Sendable {
    /// waiting → under way → over; a task may also end while it waits.
    private struct Entry {
        let turns: Set<Turn>
        var isUnderWay = false
    }

    private var entries: [TaskNumber: Entry] = [:]
    /// The tasks that asked for a turn, in this order: the first one has it, or is the next to have it.
    private var queues: [Turn: Deque<TaskNumber>] = [:]

    package init() {}

    /// Whether a task has this turn, or waits for it.
    package func isTaken(_ turn: Turn) -> Bool { queues[turn] != nil }

    /// A task asks. One that has asked already gets nothing more.
    ///
    /// - Returns: the task, if it may begin.
    package mutating func add(_ task: TaskNumber, _ turns: Set<Turn>) -> [TaskNumber] {
        if entries[task] != nil { return [] }
        entries[task] = Entry(turns: turns)
        for turn in turns { queues[turn, default: []].append(task) }
        return begin([task])
    }

    /// A task is over, or does not wait any more. Of a task that is not known nothing follows.
    ///
    /// - Returns: those that may begin, ordered.
    package mutating func remove(_ task: TaskNumber) -> [TaskNumber] {
        guard let entry = entries.removeValue(forKey: task) else { return [] }
        var next: Set<TaskNumber> = []
        for turn in entry.turns {
            if queues[turn]?.first == task {
                queues[turn]?.removeFirst()
            } else {
                queues[turn]?.removeAll { $0 == task }
            }
            if let first = queues[turn]?.first { next.insert(first) } else { queues[turn] = nil }
        }
        return begin(next.sorted())
    }

    private mutating func begin(_ tasks: [TaskNumber]) -> [TaskNumber] {
        let free = tasks.filter { task in
            guard let entry = entries[task], !entry.isUnderWay else { return false }
            return entry.turns.allSatisfy { queues[$0]?.first == task }
        }
        for task in free { entries[task]?.isUnderWay = true }
        return free
    }
}
