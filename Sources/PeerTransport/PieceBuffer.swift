/// The bytes of one answer.
///
/// `@unchecked Sendable`: the connection's event loop alone writes, and only before it hands the buffer over as an event;
/// from then on nobody writes.
public final class PieceBuffer: @unchecked Sendable {
    private let source: PieceMemory
    /// Perhaps with room behind the answer.
    private let memory: UnsafeMutableRawBufferPointer
    /// How many bytes the answer has.
    public let byteCount: Int

    /// - Parameter source: where the memory comes from, and goes with the last reference.
    init(byteCount: Int, from source: PieceMemory) {
        self.source = source
        self.byteCount = byteCount
        memory = source.take(byteCount: byteCount)
    }

    deinit {
        source.giveBack(memory)
    }

    /// Calls `body` with all bytes; the pointer is good until `body` returns.
    public func withUnsafeBytes<Result, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(rebasing: memory[..<byteCount]))
    }

    /// Copies `bytes` to `offset`; they must fit.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        precondition(offset >= 0 && offset + bytes.count <= byteCount)
        UnsafeMutableRawBufferPointer(rebasing: memory[offset...]).copyMemory(from: bytes)
    }
}
