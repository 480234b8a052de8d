import Synchronization

/// Memory of pieces that are done with, kept for the next ones of all connections.
///
/// `free` returns to the kernel what a piece took wherever nothing stands behind it, and the next piece would have all of
/// it anew, page by page: of what a receiver spends on a gigabyte a twentieth.
final class PieceMemory: Sendable {
    /// Room for one piece.
    ///
    /// `@unchecked Sendable`: it has one owner at a time, who alone touches the bytes.
    private struct Block: @unchecked Sendable {
        let bytes: UnsafeMutableRawBufferPointer
    }

    private static let blockByteCount = TransportLimits.bulkByteCountMax
    private let countMax: Int
    private let kept = Mutex<[Block]>([])

    /// - Parameter countMax: blocks that are kept.
    init(countMax: Int) {
        self.countMax = countMax
    }

    deinit {
        kept.withLock { kept in
            for block in kept { block.bytes.deallocate() }
        }
    }

    /// How many blocks are kept.
    var keptCount: Int { kept.withLock { $0.count } }

    /// Memory of at least `byteCount` bytes, at most a piece, with any bytes in it; to be handed to ``giveBack(_:)``.
    func take(byteCount: Int) -> UnsafeMutableRawBufferPointer {
        // A thumbnail is not worth a whole block.
        guard byteCount > Self.blockByteCount / 2 else { return Self.allocate(byteCount) }
        // The one that came last: what the processor still has of it need not be fetched.
        let block = kept.withLock { $0.popLast() }
        return block?.bytes ?? Self.allocate(Self.blockByteCount)
    }

    /// Takes back what ``take(byteCount:)`` gave.
    func giveBack(_ bytes: UnsafeMutableRawBufferPointer) {
        let block = Block(bytes: bytes)
        let isKept = kept.withLock { kept in
            guard bytes.count == Self.blockByteCount, kept.count < countMax else { return false }
            kept.append(block)
            return true
        }
        if !isKept { bytes.deallocate() }
    }

    private static func allocate(_ byteCount: Int) -> UnsafeMutableRawBufferPointer {
        // What `malloc` gives. Memory that is to begin with a page would be the kernel's anew each time.
        .allocate(byteCount: byteCount, alignment: 16)
    }
}
