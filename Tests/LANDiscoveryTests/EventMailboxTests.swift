import SyncEngine
import Testing

@testable import LANDiscovery

@Suite struct EventMailboxTests {
    @Test func aSlowReaderGetsTheNewestOfEachDevice() async {
        // Shows the coalescing: a thousand unread events become one per device and one about discovery, in the order
        // in which they first came up, and nothing that holds is missing.
        let mailbox = EventMailbox()
        mailbox.put(.available)
        for round in 1...500 {
            mailbox.put(found(2, ["10.0.0.2:\(round)"]))
            mailbox.put(found(3, ["10.0.0.3:\(round)"]))
        }
        mailbox.put(.unavailable(reason: "gone"))
        mailbox.put(.lost(devicePrefix: prefix(3)))
        mailbox.finish()
        mailbox.put(.available)
        var read: [DiscoveryEvent] = []
        while let event = await mailbox.next() { read.append(event) }
        #expect(
            read == [.unavailable(reason: "gone"), found(2, ["10.0.0.2:500"]), .lost(devicePrefix: prefix(3))])
    }

    @Test(.timeLimit(.minutes(1))) func aWaitingReaderIsServedAndEndsWithItsTask() async {
        // Shows both ways in which waiting ends: by an event, and by cancellation.
        let mailbox = EventMailbox()
        await withTaskGroup(of: [DiscoveryEvent].self) { group in
            let (served, servedContinuation) = AsyncStream<Void>.makeStream()
            group.addTask {
                var read: [DiscoveryEvent] = []
                while let event = await mailbox.next() {
                    read.append(event)
                    servedContinuation.yield()
                }
                return read
            }
            mailbox.put(.available)
            for await _ in served { break }
            group.cancelAll()
            #expect(await group.next() == [.available])
        }
    }

    @Test func requestsWaitOnceEach() {
        // Shows that the inbox stays small while the queue is blocked, and sends for somebody only once.
        var inbox = DiscoveryInbox()
        var sentCount = inbox.put(.refresh) ? 1 : 0
        for number in 0..<10_000 {
            let requests: [DiscoveryInbox.Request] = [
                .refresh, .resolve(devicePrefix: [UInt8(number >> 8), UInt8(number & 255)]),
                .look(except: [[UInt8(number & 255)]]),
            ]
            for request in requests where inbox.put(request) { sentCount += 1 }
        }
        #expect(sentCount == 1)
        let inputs = inbox.takeAll()
        #expect(inputs.count == 2 + DiscoveryInbox.deviceCountMax)
        #expect(inputs.first == .refreshRequested)
        let isSentAgain = inbox.put(.start)
        #expect(isSentAgain)
        let later = inbox.takeAll()
        #expect(later == [.start])
    }
}
