/// The bytes of one answer.
///
/// `@unchecked Sendable`: the connection's event loop alone writes, and only before it hands the buffer over as an event;
/// from then on nobody writes.
public final class PieceBuffer: @unchecked Sendable {
    /// What `malloc` gives. Memory that is to begin with a page glibc takes from the kernel for each mebibyte anew, and
    /// gives it back: 256 page faults, for half the time that hashing takes.
    private static let alignment = 16
    private let memory: UnsafeMutableRawBufferPointer

    /// How many bytes the answer has.
    public var byteCount: Int { memory.count }

    init(byteCount: Int) {
        memory = .allocate(byteCount: byteCount, alignment: Self.alignment)
    }

    deinit {
        memory.deallocate()
    }

    /// Calls `body` with all bytes; the pointer is good until `body` returns.
    public func withUnsafeBytes<Result, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(memory))
    }

    /// Copies `bytes` to `offset`; they must fit.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        precondition(offset >= 0 && offset + bytes.count <= memory.count)
        UnsafeMutableRawBufferPointer(rebasing: memory[offset...]).copyMemory(from: bytes)
    }
}
