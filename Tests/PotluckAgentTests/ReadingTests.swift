import AlbumModel
import SyncEngine
import Testing

@testable import PotluckAgent

/// Which photos are read, and when.
@Suite struct ReadingQueueTests {
    private func key(_ number: UInt8) -> PhotoKey {
        PhotoKey(
            album: AlbumID(bytes: [UInt8](repeating: 1, count: 16))!,
            blob: BlobID(bytes: [UInt8](repeating: number, count: 32))!)
    }

    private func photo(_ number: Int) -> PhotoKey {
        PhotoKey(
            album: AlbumID(bytes: [UInt8](repeating: 1, count: 16))!,
            blob: BlobID(bytes: [UInt8](repeating: UInt8(number >> 8), count: 31) + [UInt8(number & 255)])!)
    }

    private func order(_ number: UInt64) -> ClockReading { ClockReading(microseconds: number) }
    private func at(_ seconds: UInt64) -> MonotonicInstant { MonotonicInstant(nanoseconds: seconds * 1_000_000_000) }

    /// The newest photo is read first, each once, and no more at a time than there are workers.
    @Test func theNewestGoesFirst() {
        var queue = ReadingQueue(concurrency: 2)
        for number in [2, 5, 1, 4, 3, 4] as [UInt8] { queue.add(key(number), order: order(UInt64(number))) }
        #expect([queue.next(now: at(1)), queue.next(now: at(1)), queue.next(now: at(1))] == [key(5), key(4), nil])
        queue.add(key(5), order: order(9))
        queue.finish(key(4))
        #expect([queue.next(now: at(1)), queue.next(now: at(1))] == [key(3), nil])
        queue.remove(key(2))
        queue.finish(key(3))
        queue.finish(key(5))
        #expect([queue.next(now: at(1)), queue.next(now: at(1))] == [key(1), nil])
    }

    /// More photos than can be read as they come are shared first: none is read until a second passes without another, and
    /// the service asks once for when that is.
    @Test func aRushIsSharedFirst() {
        var queue = ReadingQueue(concurrency: 1000)
        for number in 0..<150 { queue.add(photo(number), order: order(UInt64(number)), cameAt: at(100)) }
        #expect(queue.next(now: at(100)) == photo(149))
        #expect(queue.delay(now: at(100)) == nil)
        queue.add(photo(150), order: order(150), cameAt: at(100))
        #expect(queue.next(now: at(100)) == nil)
        #expect(queue.delay(now: at(100)) == 1)
        #expect(queue.delay(now: at(100)) == nil)
        queue.add(photo(151), order: order(151), cameAt: at(100) + 0.5)
        queue.endDelay()
        #expect(queue.next(now: at(101)) == nil)
        #expect(queue.delay(now: at(101)) == 0.5)
        #expect(queue.next(now: at(102)) == photo(151))
        // What came before is no part of the next rush, and what is read for others begins none.
        queue.add(photo(152), order: order(152), cameAt: at(103))
        for number in 200..<600 { queue.add(photo(number), order: order(UInt64(number))) }
        #expect(queue.next(now: at(103)) == photo(599))
    }

    /// While others fetch more pieces than a gigabit network carries, nothing is read, until a second passes without any.
    @Test func photosLeaveBeforeTheyAreRead() {
        var queue = ReadingQueue(concurrency: 1)
        queue.add(photo(1), order: order(1), cameAt: at(100))
        for _ in 0..<149 { queue.noteServing(now: at(100)) }
        #expect(queue.next(now: at(100)) == photo(1))
        queue.finish(photo(1))
        queue.add(photo(2), order: order(2))
        queue.noteServing(now: at(100))
        #expect(queue.next(now: at(100)) == nil)
        #expect(queue.delay(now: at(100)) == 1)
        queue.endDelay()
        #expect(queue.next(now: at(101)) == photo(2))
    }

    /// A rush that does not end keeps photos from being read for ten seconds.
    @Test func aRushIsNotWaitedForForLong() {
        var pace = ReadingPace()
        var delays: [Double] = []
        for half in 0..<24 {
            let now = at(100) + Double(half) / 2
            for _ in 0..<400 { pace.noteSharing(now: now) }
            delays.append(pace.delay(now: now))
        }
        #expect(delays == [Double](repeating: 1, count: 19) + [0.5, 0, 0, 0, 0])
    }

    /// A photo of somebody else is read after ten minutes by the first of its holders, after twenty by the second.
    @Test func othersPhotosWait() {
        var queue = ReadingQueue(concurrency: 1)
        queue.leave(key(1), now: at(100))
        queue.leave(key(2), now: at(100))
        queue.leave(key(1), now: at(500))
        let rank = { (photo: PhotoKey) in photo == self.key(1) ? 0 : 1 }
        #expect(queue.overdue(now: at(699), rank: rank) == [])
        #expect(queue.overdue(now: at(700), rank: rank) == [key(1)])
        #expect(queue.overdue(now: at(1300), rank: rank) == [key(1), key(2)])
        queue.remove(key(1))
        #expect(queue.overdue(now: at(1300), rank: rank) == [key(2)])
    }

    /// Facts of the first few photos are told at once. Those that come soon after plan a batch for when the next may be
    /// told, those that follow join it, and a hundred need not wait.
    @Test func factsShareABatch() {
        var outbox = FactsOutbox()
        let facts = PhotoFacts(readerVersion: 1, kind: .photo)
        for number in 0..<UInt8(FactsOutbox.burst) {
            #expect(outbox.add(key(number), facts, now: at(10)) == .tellNow)
            #expect(outbox.take().count == 1)
        }
        let steps = (0..<100).map { outbox.add(key(UInt8($0)), facts, now: at(10)) }
        #expect(steps == [.tellLater(seconds: 1)] + [FactsOutbox.Step](repeating: .nothing, count: 98) + [.tellNow])
        #expect(outbox.take().count == 100)
        #expect(outbox.take().isEmpty)
        #expect(outbox.add(key(1), facts, now: at(10) + 0.25) == .tellLater(seconds: 0.75))
        #expect(outbox.take().count == 1)
        #expect(outbox.add(key(1), facts, now: at(12)) == .tellNow)
        #expect(outbox.add(key(2), facts, now: at(12)) == .tellNow)
        #expect(outbox.take().count == 2)
    }
}
