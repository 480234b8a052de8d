import NIOCore

/// Finds the frames in a stream of bytes without collecting them: payload is handed on as it comes.
///
/// A value type. It reads headers out of the buffer itself; after a step with a count the caller takes exactly that many
/// bytes from the buffer before it asks again.
struct FrameReader: Sendable {
    enum Step: Hashable, Sendable {
        /// The buffer is used up.
        case needsMore
        /// The next bytes belong to the message under way; `ends` says that it is complete after them.
        case message(byteCount: Int, ends: Bool)
        /// A bulk frame begins; ``bulk(byteCount:ends:)`` steps with `byteCount` bytes in all follow.
        case bulkBegins(number: UInt32, offset: Int, byteCount: Int)
        /// The next bytes belong to the bulk frame under way; `ends` says that it is complete after them.
        case bulk(byteCount: Int, ends: Bool)
    }

    private enum State: Sendable {
        case header
        case bulkHeader(payloadByteCount: Int)
        case message(remaining: Int, isLast: Bool)
        case bulk(remaining: Int)
    }

    private var state = State.header
    /// Bytes of a header that came apart, most significant first, and how many.
    private var head: UInt64 = 0
    private var headByteCount = 0

    /// The next step, or the reason for which the stream cannot go on.
    mutating func next(in buffer: inout ByteBuffer) throws(ProtocolBreach) -> Step {
        while true {
            switch state {
            case .header:
                guard let head = readHead(from: &buffer, byteCount: FrameHeader.byteCount) else { return .needsMore }
                try begin(UInt32(head))
            case .bulkHeader(let payloadByteCount):
                guard let head = readHead(from: &buffer, byteCount: 8) else { return .needsMore }
                let byteCount = payloadByteCount - 8
                state = .bulk(remaining: byteCount)
                return .bulkBegins(
                    number: UInt32(head >> 32), offset: Int(UInt32(truncatingIfNeeded: head)), byteCount: byteCount)
            case .message(let remaining, let isLast):
                let count = min(remaining, buffer.readableBytes)
                guard count > 0 || remaining == 0 else { return .needsMore }
                let ends = count == remaining
                state = ends ? .header : .message(remaining: remaining - count, isLast: isLast)
                return .message(byteCount: count, ends: ends && isLast)
            case .bulk(let remaining):
                let count = min(remaining, buffer.readableBytes)
                guard count > 0 || remaining == 0 else { return .needsMore }
                state = count == remaining ? .header : .bulk(remaining: remaining - count)
                return .bulk(byteCount: count, ends: count == remaining)
            }
        }
    }

    private mutating func begin(_ head: UInt32) throws(ProtocolBreach) {
        let byteCount = Int(head & 0xff_ffff)
        guard byteCount <= FrameHeader.payloadByteCountMax else { throw ProtocolBreach("frame too long") }
        switch FrameKind(rawValue: UInt8(head >> 24)) {
        case .messagePart:
            // A peer that makes no progress must not keep this end busy.
            guard byteCount > 0 else { throw ProtocolBreach("empty part of a message") }
            state = .message(remaining: byteCount, isLast: false)
        case .messageEnd: state = .message(remaining: byteCount, isLast: true)
        case .bulk:
            guard byteCount >= 8 else { throw ProtocolBreach("bulk frame too short") }
            state = .bulkHeader(payloadByteCount: byteCount)
        case .admission: throw ProtocolBreach("admission frame after admission")
        case nil: throw ProtocolBreach("unknown kind of frame")
        }
    }

    /// `byteCount` bytes as a number, once all have come.
    private mutating func readHead(from buffer: inout ByteBuffer, byteCount: Int) -> UInt64? {
        while headByteCount < byteCount {
            guard let byte = buffer.readInteger(as: UInt8.self) else { return nil }
            head = head << 8 | UInt64(byte)
            headByteCount += 1
        }
        defer { (head, headByteCount) = (0, 0) }
        return head
    }
}

/// What a peer did that ends its connection.
struct ProtocolBreach: Error, Hashable {
    /// A constant for the log.
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
