import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// Nothing that a peer lacked or got wrong once is held against it for ever.
@Suite struct LeaseTests {
    private static let start = MonotonicInstant(nanoseconds: 1_000_000_000)
    private let anna = LinkID(number: 1)
    private let blob = file(1).blob

    private func scheduler(claims: Int = 1) -> PullScheduler {
        var scheduler = PullScheduler(own: DeviceID(bytes: [UInt8](repeating: 9, count: 32))!, limits: EngineLimits())
        scheduler.linkOpened(anna, device: DeviceID(bytes: [UInt8](repeating: 1, count: 32))!)
        scheduler.want(
            blob, blobClass: .original, urgency: .zero,
            claims: (0..<claims).map { BlobClaim(byteCount: UInt64(1000 + $0), pieceListHash: nil) })
        scheduler.setHolder(anna, of: blob, true)
        return scheduler
    }

    /// What is asked at a moment.
    private func asked(_ scheduler: inout PullScheduler, at now: MonotonicInstant) -> UInt32? {
        var random = TestRandom()
        for _ in 0..<8 {
            for directive in scheduler.assign(now: now, using: &random) {
                if case .request(_, let request) = directive { return request.number }
            }
        }
        return nil
    }

    /// A refusal moves on, and the same peer is asked again: first after seconds, then after pauses that double, and
    /// sooner where it only could not read. The scheduler says itself when.
    @Test(arguments: [false, true])
    func aRefusalEnds(isPassing: Bool) throws {
        let limits = EngineLimits()
        let pauses = isPassing ? limits.unreadableSeconds : limits.deniedSeconds
        var scheduler = scheduler()
        var now = Self.start
        var expected = pauses.lowerBound
        for _ in 0..<12 {
            let number = try #require(asked(&scheduler, at: now))
            let (lacking, _) = scheduler.refused(number, link: anna, isPassing: isPassing, now: now)
            #expect(lacking == (isPassing ? nil : blob))
            #expect(asked(&scheduler, at: now) == nil)
            #expect(scheduler.reason(for: blob) == .nobodyConnected)
            let next = try #require(scheduler.nextDeadline)
            #expect(abs(next.seconds(since: now) - expected) < 0.001)
            #expect(asked(&scheduler, at: now + (expected - 0.01)) == nil)
            now = next
            expected = min(2 * expected, pauses.upperBound)
        }
    }

    /// News that the peer has it ends the wait at once.
    @Test func newsEndsTheWait() throws {
        var scheduler = scheduler()
        let number = try #require(asked(&scheduler, at: Self.start))
        _ = scheduler.refused(number, link: anna, now: Self.start)
        scheduler.setHolder(anna, of: blob, true)
        #expect(asked(&scheduler, at: Self.start) != nil)
    }

    /// With two contradicting claims a refusal is held against the claim; both are tried again when that has ended.
    @Test func everyClaimIsTriedAgain() throws {
        var scheduler = scheduler(claims: 2)
        var now = Self.start
        for _ in 0..<2 {
            let number = try #require(asked(&scheduler, at: now))
            _ = scheduler.refused(number, link: anna, now: now)
        }
        #expect(asked(&scheduler, at: now) == nil)
        // Other deadlines come before; the scheduler names them all.
        var number: UInt32?
        while number == nil {
            now = try #require(scheduler.nextDeadline)
            guard now.seconds(since: Self.start) <= EngineLimits().condemnedSeconds.lowerBound else { break }
            number = asked(&scheduler, at: now)
        }
        #expect(number != nil)
    }

    /// A wrong whole is tried again too, after long.
    @Test func aRejectedClaimIsTriedAgain() throws {
        var scheduler = scheduler()
        let number = try #require(asked(&scheduler, at: Self.start))
        _ = scheduler.pieceStored(number, .stored, now: Self.start)
        scheduler.commitRejected(blob, now: Self.start)
        #expect(scheduler.reason(for: blob) == .rejected)
        let again = try #require(scheduler.nextDeadline)
        #expect(again.seconds(since: Self.start) == EngineLimits().rejectedSeconds.lowerBound)
        #expect(asked(&scheduler, at: again) != nil)
    }

    /// A chain sample about a replica that went apart is exchanged again on one connection, not only once.
    @Test func samplesAreExchangedAgain() throws {
        let limits = EngineLimits()
        var network = try TestNetwork.pair()
        let log = network.nodes[0].engine.log
        let replica = try #require(network.nodes[0].engine.storing.own.id)
        var session = PeerSession(
            device: network.nodes[1].engine.device, dialled: false, limits: limits, now: Self.start)
        let hello = Hello(
            versions: WireLimits.protocolVersions, run: [UInt8](repeating: 1, count: 16), port: 1, foldLevel: 2)
        _ = session.received(.hello(hello), log: log, own: nil, now: Self.start)
        let sequence = try #require(log.heads(of: replica).first).sequence
        func samples(at now: MonotonicInstant) -> Int {
            let vector = VersionVector(heads: [replica: [Head(sequence: sequence, branch: 77)]])
            return session.received(.vector(vector), log: log, own: nil, now: now).count {
                if case .send(.chainSample) = $0 { true } else { false }
            }
        }
        #expect(samples(at: Self.start) == 1)
        #expect(samples(at: Self.start + 1) == 0)
        #expect(samples(at: Self.start + limits.sampleInterval) == 1)
        network.settle()
    }

    /// The queue gives the most urgent first, whatever joined and left meanwhile, and does not grow beyond what waits.
    @Test func queueKeepsItsOrder() {
        var random = TestRandom(state: 5)
        var queue = WantQueue()
        var model: [BlobID: WantPriority] = [:]
        for _ in 0..<20_000 {
            let number = UInt8.random(in: 0...255, using: &random)
            let priority = WantPriority(
                blobClass: number % 3 == 0 ? .thumbnail : .original, age: UInt64(number % 7), byteCount: 5,
                blob: file(number).blob)
            switch UInt8.random(in: 0..<3, using: &random) {
            case 0:
                queue.insert(priority)
                model[priority.blob] = priority
            case 1:
                queue.remove(priority.blob)
                model[priority.blob] = nil
            default:
                let first = queue.first()
                #expect(first == model.values.min())
                if let first {
                    queue.remove(first.blob)
                    model[first.blob] = nil
                }
            }
            #expect(queue.count == model.count)
        }
    }
}
