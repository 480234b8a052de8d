import NIOCore

/// The answers that this end asked for: where their bytes go, and that nothing else comes.
struct IncomingPieces: Sendable {
    /// Where a bulk frame's bytes go.
    enum Target: Sendable {
        case store(PieceBuffer, offset: Int)
        case drop
    }

    private struct Expectation: Sendable {
        let byteCount: Int
        var receivedByteCount = 0
        /// Made when the first byte comes, so that a request which is refused costs nothing.
        var buffer: PieceBuffer?
    }

    private let forgottenCountMax: Int
    private let memory: PieceMemory
    private var expected: [UInt32: Expectation] = [:]
    /// How many bytes may still come for a number that nobody wants any more.
    private var forgotten: [UInt32: Int] = [:]
    private var forgottenInOrder = CircularBuffer<UInt32>()

    /// - Parameter memory: which the answers are put into.
    init(limits: TransportLimits, memory: PieceMemory) {
        forgottenCountMax = limits.forgottenCountMax
        self.memory = memory
    }

    mutating func expect(number: UInt32, byteCount: Int) {
        precondition((0...TransportLimits.bulkByteCountMax).contains(byteCount), "an answer is at most a piece")
        precondition(expected[number] == nil, "a number is used once")
        expected[number] = Expectation(byteCount: byteCount)
    }

    mutating func forget(number: UInt32) {
        guard let expectation = expected.removeValue(forKey: number) else { return }
        forgotten[number] = expectation.byteCount - expectation.receivedByteCount
        forgottenInOrder.append(number)
        if forgottenInOrder.count > forgottenCountMax { forgotten[forgottenInOrder.removeFirst()] = nil }
    }

    /// Takes a bulk frame's header. An answer comes in order and without gaps.
    mutating func begin(number: UInt32, offset: Int, byteCount: Int) throws(ProtocolBreach) -> Target {
        guard var expectation = expected[number] else {
            try dropForgotten(number: number, byteCount: byteCount)
            return .drop
        }
        guard offset == expectation.receivedByteCount, byteCount <= expectation.byteCount - offset else {
            throw ProtocolBreach("bulk data beside the range that was asked for")
        }
        guard byteCount > 0 || expectation.byteCount == 0 else { throw ProtocolBreach("empty bulk frame") }
        let buffer = expectation.buffer ?? PieceBuffer(byteCount: expectation.byteCount, from: memory)
        expectation.buffer = buffer
        expectation.receivedByteCount += byteCount
        expected[number] = expectation
        return .store(buffer, offset: offset)
    }

    /// Takes the end of a bulk frame; gives the answer if that was its last and it is still wanted.
    mutating func end(number: UInt32) -> PieceBuffer? {
        guard let expectation = expected[number], expectation.receivedByteCount == expectation.byteCount else {
            return nil
        }
        expected[number] = nil
        return expectation.buffer
    }

    /// Lets go of all buffers.
    mutating func removeAll() {
        expected.removeAll()
        forgotten.removeAll()
        forgottenInOrder.removeAll()
    }

    private mutating func dropForgotten(number: UInt32, byteCount: Int) throws(ProtocolBreach) {
        guard let remaining = forgotten[number] else { throw ProtocolBreach("bulk data that nobody asked for") }
        guard byteCount <= remaining, byteCount > 0 || remaining == 0 else {
            throw ProtocolBreach("bulk data beside the range that was asked for")
        }
        forgotten[number] = byteCount == remaining ? nil : remaining - byteCount
    }
}
