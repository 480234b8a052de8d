import DequeModule

/// How much of what a peer was told it has not read yet, by its answers to questions that were put between: an answer
/// to one shows that it has read everything before.
struct ReadingWindow: Sendable {
    /// Bytes that were told and that no answer covers.
    private(set) var byteCount = 0
    /// Those of them after the last question.
    private(set) var unmarkedByteCount = 0
    /// Questions that are not answered, and how many bytes came before each, after the one before it.
    private var marks: Deque<(number: UInt64, byteCount: Int)> = []

    /// Those of them that a question waits behind.
    var markedByteCount: Int { byteCount - unmarkedByteCount }

    mutating func told(_ count: Int) {
        byteCount += count
        unmarkedByteCount += count
    }

    /// A question leaves.
    mutating func mark(_ number: UInt64) {
        guard unmarkedByteCount > 0 else { return }
        marks.append((number, unmarkedByteCount))
        unmarkedByteCount = 0
    }

    mutating func answered(_ number: UInt64) {
        while let first = marks.first, first.number <= number {
            byteCount -= first.byteCount
            marks.removeFirst()
        }
    }
}
