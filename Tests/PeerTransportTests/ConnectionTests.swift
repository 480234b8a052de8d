import NIOCore
import SyncEngine
import TestSupport
import Testing

@testable import PeerTransport

@Suite(.serialized, .timeLimit(.minutes(1)))
struct ConnectionTests {
    /// Messages of every size arrive whole and in order in both directions; the longest takes 17 frames.
    @Test func messagesArriveInOrder() async throws {
        try await Site.connected { dialled, accepted in
            let sizes = [0, 1, 65_532, 65_533, 300_000, TransportLimits.messageByteCountMax, 2]
            for size in sizes {
                dialled.send(pattern(size))
                accepted.send(pattern(size, seed: 1))
            }
            for size in sizes {
                let (forth, back) = try await (accepted.nextMessage(), dialled.nextMessage())
                #expect(forth == pattern(size))
                #expect(back == pattern(size, seed: 1))
            }
        }
    }

    /// Each end knows the other by its key and its address.
    @Test func endsKnowEachOther() async throws {
        try await Site.connected { dialled, accepted in
            #expect(dialled.dialled && !accepted.dialled)
            #expect(dialled.remoteAddress == accepted.localAddress)
            #expect(dialled.localAddress == accepted.remoteAddress)
            #expect(DeviceIdentity.deviceID(publicKeyDER: dialled.publicKeyDER) == dialled.device)
            #expect(dialled.device != accepted.device)
        }
    }

    /// Answers of all sizes, from the middle of their source too, arrive byte for byte in aligned memory.
    @Test func piecesArriveWhole() async throws {
        try await Site.connected { asking, serving in
            let source = MemorySource(pattern(1 << 20))
            let ranges = [0..<0, 0..<1, 5..<65_529, 5..<65_530, 100..<1 << 20, 0..<1 << 20]
            for (number, range) in ranges.enumerated() {
                asking.expect(number: UInt32(number), byteCount: range.count)
                serving.serve(
                    number: UInt32(number), from: source, offset: UInt64(range.lowerBound), byteCount: range.count,
                    class: .original)
            }
            for (number, range) in ranges.enumerated() {
                let piece = try await asking.nextPiece()
                #expect(piece.number == UInt32(number))
                #expect(piece.bytes == Array(source.bytes[range]))
            }
            #expect(asking.bytesReceived > 2 << 20)
        }
    }

    /// A message that is sent after 64 MiB of originals and a thumbnail arrives before most of them.
    @Test func controlAndThumbnailsOvertakeBulk() async throws {
        try await Site.connected { asking, serving in
            let source = MemorySource(pattern(1 << 20))
            for number in 0..<65 { asking.expect(number: UInt32(number), byteCount: number == 64 ? 10 : 1 << 20) }
            for number in 0..<64 {
                serving.serve(number: UInt32(number), from: source, offset: 0, byteCount: 1 << 20, class: .original)
            }
            serving.serve(number: 64, from: source, offset: 0, byteCount: 10, class: .thumbnail)
            serving.send([1])
            var originalCount = 0
            var placeOfMessage: Int?
            var placeOfThumbnail: Int?
            while originalCount < 64 || placeOfMessage == nil || placeOfThumbnail == nil {
                switch try #require(await asking.nextEvent()) {
                case .message: placeOfMessage = originalCount
                case .piece(64, _): placeOfThumbnail = originalCount
                case .piece: originalCount += 1
                case .serveFailed: throw Unexpected()
                }
            }
            #expect(try #require(placeOfMessage) < 16)
            #expect(try #require(placeOfThumbnail) < 16)
        }
    }

    /// A peer that sends what nobody asked for, or more than was asked for, is a liar and is cut off.
    @Test(arguments: [(1, 10), (0, 11)])
    func lyingPeerIsCutOff(_ lie: (number: UInt32, byteCount: Int)) async throws {
        try await Site.connected { asking, lying in
            asking.expect(number: 0, byteCount: 10)
            lying.serve(
                number: lie.number, from: MemorySource(pattern(20)), offset: 0, byteCount: lie.byteCount,
                class: .original)
            await lying.untilEnd()
            await asking.untilEnd()
            #expect(asking.closeReason?.contains("bulk data") == true)
        }
    }

    /// A forgotten answer is dropped, a cancelled one stops, and what was asked for besides arrives all the same.
    @Test func forgottenAndCancelledAnswersDisturbNobody() async throws {
        try await Site.connected { asking, serving in
            let source = MemorySource(pattern(1 << 20))
            for number in 0..<3 { asking.expect(number: UInt32(number), byteCount: 1 << 20) }
            asking.forget(number: 0)
            asking.forget(number: 1)
            for number in 0..<3 {
                serving.serve(number: UInt32(number), from: source, offset: 0, byteCount: 1 << 20, class: .original)
            }
            serving.cancelServe(number: 1)
            let piece = try await asking.nextPiece()
            #expect(piece.number == 2)
            #expect(piece.bytes == source.bytes)
        }
    }

    /// An answer that cannot be read is told to the one who serves; the connection goes on.
    @Test func unreadableAnswerIsTold() async throws {
        try await Site.connected { asking, serving in
            asking.expect(number: 0, byteCount: 100)
            serving.serve(number: 0, from: MemorySource([1]), offset: 0, byteCount: 100, class: .original)
            guard case .serveFailed(0) = await serving.nextEvent() else { throw Unexpected() }
            asking.forget(number: 0)
            serving.send([7])
            #expect(try await asking.nextMessage() == [7])
        }
    }

    /// Closing in the midst of an answer ends both sides and lets go of the files.
    @Test func closeDuringServe() async throws {
        try await Site.connected { asking, serving in
            let (released, continuation) = AsyncStream.makeStream(of: Void.self)
            var source: WatchedSource? = WatchedSource { continuation.finish() }
            for number in 0..<32 { asking.expect(number: UInt32(number), byteCount: 1 << 20) }
            for number in 0..<32 {
                serving.serve(number: UInt32(number), from: source!, offset: 0, byteCount: 1 << 20, class: .original)
            }
            source = nil
            _ = try await asking.nextPiece()
            asking.close("enough")
            await asking.untilEnd()
            await serving.untilEnd()
            for await _ in released {}
            #expect(asking.closeReason == "enough")
            // After the end all calls do nothing.
            serving.send([1])
            serving.serve(number: 99, from: MemorySource([]), offset: 0, byteCount: 0, class: .original)
            serving.close("again")
        }
    }

    /// What was sent before a close arrives.
    @Test func messagesBeforeACloseArrive() async throws {
        try await Site.connected { dialled, accepted in
            for number in 0..<100 { dialled.send([UInt8(number)]) }
            dialled.close("done")
            for number in 0..<100 {
                let message = try await accepted.nextMessage()
                #expect(message == [UInt8(number)])
            }
            #expect(await accepted.nextEvent() == nil)
        }
    }

    /// Events that nobody takes stop the reading at the limit; when they are taken all the rest comes.
    @Test func slowConsumerSlowsThePeerDown() async throws {
        try await Site.connected { slow, sending in
            let limits = TransportLimits()
            for number in 0..<14 { sending.send(pattern(1 << 20, seed: UInt8(number))) }
            try await eventually { slow.bytesReceived >= limits.eventByteCountMax }
            for number in 0..<14 {
                let waitingMax = UInt64(number << 20 + limits.eventByteCountMax + 2 * limits.receiveByteCountMax)
                if number == 0 { #expect(slow.bytesReceived <= waitingMax) }
                let message = try await slow.nextMessage()
                #expect(message == pattern(1 << 20, seed: UInt8(number)))
            }
        }
    }

    /// A peer that does not read does not fill this end's memory: the connection ends.
    @Test func unreadMessagesEndTheConnection() async throws {
        var limits = TransportLimits()
        limits.controlByteCountMax = 2 << 20
        try await Site.connected(limits: limits) { _, sending in
            for _ in 0..<40 { sending.send(pattern(1 << 20)) }
            await sending.untilEnd()
            #expect(sending.closeReason == "the peer does not read its messages")
        }
    }

    /// A peer that asks for more answers than may wait loses its connection.
    @Test func tooManyRequestsEndTheConnection() async throws {
        var limits = TransportLimits()
        limits.serveCountMax = 8
        try await Site.connected(limits: limits) { _, serving in
            let source = MemorySource(pattern(1 << 20))
            // The peer expects none of these, so the connection ends in one way or the other; only memory matters.
            for number in 0..<100 {
                serving.serve(number: UInt32(number), from: source, offset: 0, byteCount: 1 << 20, class: .original)
            }
            await serving.untilEnd()
            #expect(serving.closeReason != nil)
        }
    }

    /// A member that sends noise instead of frames is cut off and nothing else happens.
    @Test(arguments: 0..<20)
    func noiseAfterAdmissionIsHarmless(_ seed: Int) async throws {
        try await Site.run { site in
            let identity = DeviceIdentity()
            let raw = try await RawPeer.connect(to: site, .certificate(identity))
            try await raw.admit(identity: identity, secrets: .test(1))
            let connection = try #require(await site.nextInbound())
            var generator = SplitMix(state: UInt64(seed))
            raw.send((0..<5_000).map { _ in UInt8.random(in: 0...255, using: &generator) } + [9, 0, 0, 0])
            raw.channel.close(promise: nil)
            await connection.untilEnd()
        }
    }
}

/// Says when nobody holds it any more.
private final class WatchedSource: PieceSource {
    private let whenReleased: @Sendable () -> Void

    init(whenReleased: @escaping @Sendable () -> Void) {
        self.whenReleased = whenReleased
    }

    deinit {
        whenReleased()
    }

    func read(at offset: UInt64, into target: UnsafeMutableRawBufferPointer) throws -> Int {
        target.initializeMemory(as: UInt8.self, repeating: 7)
        return target.count
    }
}
