import AlbumModel
import NIOCore
import TestSupport
import Testing

@testable import PeerTransport

struct FrameReaderTests {
    /// What a stream says, with the bytes of each message and bulk frame put together.
    private enum Item: Hashable {
        case message([UInt8])
        case bulk(number: UInt32, offset: Int, [UInt8])
    }

    private func items(_ parts: [[UInt8]]) throws -> [Item] {
        var reader = FrameReader()
        var items: [Item] = []
        var message: [UInt8] = []
        var bulk: (number: UInt32, offset: Int, bytes: [UInt8]) = (0, 0, [])
        for part in parts {
            var buffer = ByteBuffer(bytes: part)
            reading: while true {
                switch try reader.next(in: &buffer) {
                case .needsMore: break reading
                case .message(let byteCount, let ends):
                    message += buffer.readBytes(length: byteCount)!
                    guard ends else { continue }
                    items.append(.message(message))
                    message = []
                case .bulkBegins(let number, let offset, _): bulk = (number, offset, [])
                case .bulk(let byteCount, let ends):
                    bulk.bytes += buffer.readBytes(length: byteCount)!
                    if ends { items.append(.bulk(number: bulk.number, offset: bulk.offset, bulk.bytes)) }
                }
            }
            #expect(buffer.readableBytes == 0)
        }
        return items
    }

    /// Frames mean the same wherever the stream is cut, headers included; bulk may stand inside a message.
    @Test func framesSurviveEveryCut() throws {
        let bulk = frame(.bulk, BigEndian.bytes(UInt32(7)) + BigEndian.bytes(UInt32(65_524)) + [1, 2, 3])
        let stream = frame(.messagePart, [1, 2]) + bulk + frame(.messageEnd, [3]) + frame(.messageEnd, [])
        let expected: [Item] = [
            .bulk(number: 7, offset: 65_524, [1, 2, 3]), .message([1, 2, 3]), .message([]),
        ]
        #expect(try items([stream]) == expected)
        #expect(try items(stream.map { [$0] }) == expected)
        for cut in stream.indices {
            #expect(try items([Array(stream[..<cut]), Array(stream[cut...])]) == expected)
        }
    }

    /// What no agent sends ends the stream.
    @Test(arguments: [
        frame(.admission, []), frame(.messagePart, []), frame(.bulk, [0, 0, 0, 0, 0, 0, 0]), [4, 0, 0, 0],
        [2, 1, 0, 0], [2, 0xff, 0xff, 0xff],
    ])
    func malformedFramesEndTheStream(_ bytes: [UInt8]) {
        #expect(throws: ProtocolBreach.self) { try items([bytes]) }
    }

    /// No bytes crash the reader or make it report more than there is; the seed is printed with a failure.
    @Test(arguments: 0..<50)
    func noiseIsHarmless(_ seed: Int) {
        var generator = SplitMix(state: UInt64(seed))
        let noise = (0..<2_000).map { _ in
            // Small numbers make for frames that are nearly right.
            UInt8.random(in: 0...(Bool.random(using: &generator) ? 3 : 255), using: &generator)
        }
        // Only that it ends matters.
        _ = try? items([noise])
    }
}
