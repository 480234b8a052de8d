import NIOCore

@testable import PeerTransport

/// The frames of one connection, collected as a connection never does it.
struct FrameStream: Equatable {
    enum Frame: Equatable {
        case message([UInt8])
        case bulk(number: UInt32, offset: Int, [UInt8])
    }

    /// All that came whole.
    private(set) var frames: [Frame] = []
    /// Why the stream could not go on.
    private(set) var breach: ProtocolBreach?

    private var message: [UInt8] = []
    private var bulk: (number: UInt32, offset: Int, bytes: [UInt8])?

    static func == (a: Self, b: Self) -> Bool { a.frames == b.frames && a.breach == b.breach }

    /// Reads a stream that arrives in parts of at most so many bytes.
    init(_ bytes: [UInt8], partByteCount: Int) {
        var reader = FrameReader()
        for start in stride(from: 0, to: bytes.count, by: partByteCount) {
            var buffer = ByteBuffer(bytes: bytes[start..<min(start + partByteCount, bytes.count)])
            do throws(ProtocolBreach) {
                while case let step = try reader.next(in: &buffer), step != .needsMore { take(step, &buffer) }
            } catch {
                breach = error
                return
            }
        }
    }

    private mutating func take(_ step: FrameReader.Step, _ buffer: inout ByteBuffer) {
        switch step {
        case .needsMore: break
        case .message(let byteCount, let ends):
            message += buffer.readBytes(length: byteCount)!
            if ends {
                frames.append(.message(message))
                message = []
            }
        case .bulkBegins(let number, let offset, _): bulk = (number, offset, [])
        case .bulk(let byteCount, let ends):
            bulk!.bytes += buffer.readBytes(length: byteCount)!
            if ends, let whole = bulk {
                frames.append(.bulk(number: whole.number, offset: whole.offset, whole.bytes))
                bulk = nil
            }
        }
    }

    /// The frames as this end writes them, each message in one part.
    var encoded: [UInt8] {
        var buffer = ByteBuffer()
        for frame in frames {
            switch frame {
            case .message(let bytes):
                buffer.writeFrameHeader(.messageEnd, payloadByteCount: bytes.count)
                buffer.writeBytes(bytes)
            case .bulk(let number, let offset, let bytes):
                buffer.writeBulkHeader(number: number, offset: offset, byteCount: bytes.count)
                buffer.writeBytes(bytes)
            }
        }
        return Array(buffer: buffer)
    }
}
