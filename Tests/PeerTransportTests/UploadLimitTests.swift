import NIOCore
import Testing

@testable import PeerTransport

/// What is served keeps to a rate, over all connections and fairly among them.
@Suite(.timeLimit(.minutes(1)))
struct UploadLimitTests {
    /// Ten connections that always have a frame ready share a rate: in sum it is kept, and each has its tenth.
    @Test func connectionsTakeTurns() {
        let limit = UploadLimit()
        limit.set(1_000_000)
        let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
        var turns = [UploadLimit.Turn?](repeating: nil, count: 10)
        var sent = [Int](repeating: 0, count: 10)
        for millisecond in 0..<10_000 {
            let now = start + .milliseconds(Int64(millisecond))
            for connection in turns.indices {
                while limit.ask(&turns[connection], byteCount: 50_000, now: now) == .oneFrame {
                    sent[connection] += 50_000
                }
            }
        }
        #expect((9_900_000...10_100_000).contains(sent.reduce(0, +)), "\(sent)")
        #expect(sent.allSatisfy { (950_000...1_050_000).contains($0) }, "\(sent)")
    }

    /// Whoever waits under an old rate asks anew under the new one, and without a limit nobody waits.
    @Test func changesCountAtOnce() {
        let limit = UploadLimit()
        let now = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
        var turn: UploadLimit.Turn?
        #expect(limit.ask(&turn, byteCount: 50_000, now: now) == .unlimited)
        limit.set(10)
        #expect(limit.ask(&turn, byteCount: 50_000, now: now) == .oneFrame)
        #expect(limit.ask(&turn, byteCount: 50_000, now: now) == .wait(.seconds(1)))
        limit.set(1_000_000_000)
        #expect(limit.ask(&turn, byteCount: 50_000, now: now) == .oneFrame)
        limit.set(nil)
        #expect(limit.ask(&turn, byteCount: 50_000, now: now) == .unlimited)
    }

    /// A real connection sends a megabyte in no less time than the rate allows, every byte right, and a message that is
    /// sent meanwhile does not wait for it.
    @Test func bulkKeepsToTheRateAndMessagesDoNot() async throws {
        try await Site.run { acceptor in
            try await Site.run { dialler in
                acceptor.transport.limitUploads(2_000_000)
                let asking = try await dialler.transport.dial([acceptor.address], expecting: nil)
                let serving = try #require(await acceptor.nextInbound())
                let source = MemorySource(pattern(1 << 20))
                asking.expect(number: 1, byteCount: 1 << 20)
                let begin = ContinuousClock.now
                serving.serve(number: 1, from: source, offset: 0, byteCount: 1 << 20, class: .original)
                serving.send([7])
                #expect(try await asking.nextMessage() == [7])
                #expect(try await asking.nextPiece().bytes == source.bytes)
                #expect(ContinuousClock.now - begin > .milliseconds(400))
            }
        }
    }
}
