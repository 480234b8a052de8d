import Synchronization
import Testing

@testable import PeerTransport

@Suite(.timeLimit(.minutes(1)))
struct PeerEventsTests {
    /// The queue is full by count or by bytes, says once when it is half empty again, and gives all events in order.
    @Test func fullQueueDrainsOnce() async {
        var limits = TransportLimits()
        limits.eventCountMax = 4
        let drained = Atomic(0)
        let queue = PeerEventQueue(limits: limits) { drained.add(1, ordering: .relaxed) }
        for number in 0..<4 { queue.push(.serveFailed(number: UInt32(number))) }
        #expect(queue.isFull)
        queue.finish()
        var numbers: [UInt32] = []
        for await case .serveFailed(let number) in PeerEvents(queue: queue) {
            numbers.append(number)
            #expect(queue.isFull == (numbers.count < 2))
        }
        #expect(numbers == [0, 1, 2, 3])
        #expect(drained.load(ordering: .relaxed) == 1)
    }

    /// A few big events fill the queue as well.
    @Test func queueIsFullByBytes() {
        let queue = PeerEventQueue(limits: TransportLimits(), isGreeted: true) {}
        for _ in 0..<4 {
            #expect(!queue.isFull)
            queue.push(.message([UInt8](repeating: 0, count: 1 << 20)))
        }
        #expect(queue.isFull)
    }

    /// What came at one time is there at one time, also for a consumer that waited, in order and up to a number.
    @Test func whatCameTogetherIsTakenTogether() async {
        let queue = PeerEventQueue(limits: TransportLimits()) {}
        async let first = queue.next(isolation: nil)
        queue.push((1...4).map { .serveFailed(number: $0) })
        guard case .serveFailed(1) = await first else {
            Issue.record("another event, or none")
            return
        }
        func numbers(_ events: [PeerEvent]) -> [UInt32] {
            events.compactMap { if case .serveFailed(let number) = $0 { number } else { nil } }
        }
        #expect(numbers(queue.takeWaiting(countMax: 2)) == [2, 3])
        #expect(numbers(queue.takeWaiting(countMax: 2)) == [4])
        #expect(queue.takeWaiting(countMax: 2).isEmpty)
    }

    /// A full queue says that it has room also where many events are taken at once.
    @Test func takingManyDrains() {
        var limits = TransportLimits()
        limits.eventCountMax = 4
        let drained = Atomic(0)
        let queue = PeerEventQueue(limits: limits, isGreeted: true) { drained.add(1, ordering: .relaxed) }
        queue.push((0..<4).map { .serveFailed(number: $0) })
        #expect(queue.isFull)
        #expect(queue.takeWaiting(countMax: 9).count == 4)
        #expect(!queue.isFull)
        #expect(drained.load(ordering: .relaxed) == 1)
    }

    /// After the first event nothing is read until whoever took it asks for more: the greeting is judged by then.
    @Test func nothingIsReadBeforeTheGreetingIsJudged() async {
        let drained = Atomic(0)
        let queue = PeerEventQueue(limits: TransportLimits()) { drained.add(1, ordering: .relaxed) }
        #expect(!queue.isFull)
        // The second came with the same read.
        queue.push([.message([1]), .message([2])])
        #expect(queue.isFull)
        _ = await queue.next(isolation: nil)
        #expect(queue.takeWaiting(countMax: 9).count == 1)
        #expect(queue.isFull)
        #expect(drained.load(ordering: .relaxed) == 0)
        async let third = queue.next(isolation: nil)
        // The queue has room a moment before it says so.
        let deadline = ContinuousClock.now + .seconds(20)
        while drained.load(ordering: .relaxed) == 0, ContinuousClock.now < deadline { await Task.yield() }
        #expect(!queue.isFull)
        #expect(drained.load(ordering: .relaxed) == 1)
        queue.push(.message([3]))
        guard case .message([3]) = await third else {
            Issue.record("another event, or none")
            return
        }
        #expect(!queue.isFull)
    }

    /// Of long messages few are taken at a time, of pieces as many as there are.
    @Test func takingIsBoundedByBytes() {
        let queue = PeerEventQueue(limits: TransportLimits(), isGreeted: true) {}
        queue.push(.piece(number: 1, PieceBuffer(byteCount: 100_000, from: PieceMemory(countMax: 0))))
        for _ in 0..<4 { queue.push(.message([UInt8](repeating: 0, count: 100_000))) }
        #expect(queue.takeWaiting(countMax: 9, messageByteCountMax: 150_000).count == 3)
        #expect(queue.takeWaiting(countMax: 9, messageByteCountMax: 150_000).count == 2)
    }

    /// A consumer that waits gets the event that comes, and is let go when its task is cancelled, before or meanwhile.
    @Test func waitingConsumerIsServedOrLetGo() async {
        let queue = PeerEventQueue(limits: TransportLimits()) {}
        async let next = queue.next(isolation: nil)
        queue.push(.serveFailed(number: 3))
        guard case .serveFailed(3) = await next else {
            Issue.record("another event, or none")
            return
        }
        let waiting = Task { await queue.next(isolation: nil) == nil }
        waiting.cancel()
        #expect(await waiting.value)
    }
}
