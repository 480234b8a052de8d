import NIOCore

/// A frame on the wire: one byte kind, three bytes payload length (most significant first), payload.
enum FrameKind: UInt8, Sendable {
    case admission = 0
    /// A part of a message; more follow.
    case messagePart = 1
    case messageEnd = 2
    /// Four bytes number of the request, four bytes offset in the answer, bytes.
    case bulk = 3
}

enum FrameHeader {
    static let byteCount = 4
    static let payloadByteCountMax = TransportLimits.frameByteCountMax - byteCount
}

/// A bulk frame's header: the frame's own, the request's number, the offset in the answer.
enum BulkHeader {
    static let byteCount = FrameHeader.byteCount + 8
    static let dataByteCountMax = TransportLimits.frameByteCountMax - byteCount
}

extension ByteBuffer {
    mutating func writeFrameHeader(_ kind: FrameKind, payloadByteCount: Int) {
        precondition(payloadByteCount <= FrameHeader.payloadByteCountMax)
        writeInteger(UInt32(kind.rawValue) << 24 | UInt32(payloadByteCount))
    }

    mutating func writeBulkHeader(number: UInt32, offset: Int, byteCount: Int) {
        writeFrameHeader(.bulk, payloadByteCount: byteCount + BulkHeader.byteCount - FrameHeader.byteCount)
        writeInteger(number)
        writeInteger(UInt32(offset))
    }
}
