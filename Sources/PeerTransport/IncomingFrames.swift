import NIOCore
import Synchronization

/// What an admitted peer sends: frames taken apart into messages and pieces. On the connection's event loop.
struct IncomingFrames {
    private var reader = FrameReader()
    /// What has come of a message that is not whole.
    private var message: [UInt8] = []
    private var bulkNumber: UInt32 = 0
    private var bulkTarget = IncomingPieces.Target.drop
    /// Whether a message has come whole.
    private(set) var hasMessage = false
    /// What came whole with the bytes that are being looked at.
    private var arrived: [PeerEvent] = []

    /// Takes one step; `false` if the buffer is used up.
    ///
    /// - Parameters:
    ///   - messageByteCountMax: a longer message is a breach.
    ///   - pieces: those that were asked for.
    mutating func take(
        _ buffer: inout ByteBuffer, messageByteCountMax: Int, pieces: borrowing Mutex<IncomingPieces>
    ) throws(ProtocolBreach) -> Bool {
        switch try reader.next(in: &buffer) {
        case .needsMore: return false
        case .message(let byteCount, let ends):
            guard byteCount <= messageByteCountMax - message.count else { throw ProtocolBreach("message too long") }
            takeMessage(from: &buffer, byteCount: byteCount, ends: ends)
        case .bulkBegins(let number, let offset, let byteCount):
            bulkNumber = number
            bulkTarget = try pieces.withLock { pieces throws(ProtocolBreach) in
                try pieces.begin(number: number, offset: offset, byteCount: byteCount)
            }
        case .bulk(let byteCount, let ends): takeBulk(from: &buffer, byteCount: byteCount, ends: ends, pieces)
        }
        return true
    }

    /// Hands out what came whole since the last call.
    mutating func takeArrived() -> [PeerEvent] {
        defer { arrived = [] }
        return arrived
    }

    /// Lets go of what is not whole: nothing more comes.
    mutating func end() {
        message = []
        bulkTarget = .drop
    }

    private mutating func takeMessage(from buffer: inout ByteBuffer, byteCount: Int, ends: Bool) {
        buffer.readWithUnsafeReadableBytes { bytes in
            message.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes.prefix(byteCount)))
            return byteCount
        }
        guard ends else { return }
        arrived.append(.message(message))
        message = []
        hasMessage = true
    }

    private mutating func takeBulk(
        from buffer: inout ByteBuffer, byteCount: Int, ends: Bool, _ pieces: borrowing Mutex<IncomingPieces>
    ) {
        if case .store(let piece, let offset) = bulkTarget {
            buffer.readWithUnsafeReadableBytes { bytes in
                piece.write(UnsafeRawBufferPointer(rebasing: bytes.prefix(byteCount)), at: offset)
                return byteCount
            }
            bulkTarget = .store(piece, offset: offset + byteCount)
        } else {
            buffer.moveReaderIndex(forwardBy: byteCount)
        }
        guard ends else { return }
        bulkTarget = .drop
        if let piece = pieces.withLock({ $0.end(number: bulkNumber) }) {
            arrived.append(.piece(number: bulkNumber, piece))
        }
    }
}
