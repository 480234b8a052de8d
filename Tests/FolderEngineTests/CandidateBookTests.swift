import AlbumModel
import Testing

@testable import FolderEngine

struct CandidateBookTests {
    private let path = FolderPath("A/x.jpg")
    private let start = MonotonicInstant(nanoseconds: 1_000_000_000)

    private func signature(_ byteCount: UInt64) -> FileSignature {
        FileSignature(inode: 1, byteCount: byteCount, modified: Int64(byteCount), changed: 0)
    }

    private func seen(
        _ byteCount: UInt64, writer: CandidateBook.Observation.Writer = .none, isShort: Bool = false
    ) -> CandidateBook.Observation {
        CandidateBook.Observation(signature: signature(byteCount), writer: writer, isShort: isShort)
    }

    /// Takes the job that is due, judges what is seen, and reports back.
    private func look(
        _ book: inout CandidateBook, _ observation: CandidateBook.Observation, at seconds: Double
    ) -> CandidateBook.Verdict? {
        let now = start + seconds
        guard let job = book.next(now: now) else { return nil }
        let verdict = book.judge(job.path, observation, now: now)
        book.finish(job.path, verdict == .wait ? .waiting : .settled, now: now)
        return verdict
    }

    // Shows that a complete file is taken at the first look, and forgotten.
    @Test func completeFilesAreTakenAtOnce() {
        var book = CandidateBook(patience: Patience())
        book.notice(path, isLive: true, now: start)
        #expect(look(&book, seen(10), at: 0) == .take(isShort: false))
        #expect(book.count == 0 && book.nextDeadline == nil)
    }

    // Shows that an album has unseen files from a file's notice until a look shows it, and not while it waits for a time.
    @Test func albumsWithUnseenFiles() {
        var book = CandidateBook(patience: Patience())
        book.notice(path, isLive: true, now: start)
        #expect(book.unseenAlbums == [FolderPath("A")] && book.unsettledByteCounts.isEmpty)
        let job = book.next(now: start)
        #expect(job?.path == path && book.unseenAlbums == [FolderPath("A")])
        book.sees(path, signature(10), now: start)
        #expect(book.unseenAlbums.isEmpty && book.unsettledByteCounts == [10])
        book.notice(path, isLive: true, now: start)
        #expect(book.unseenAlbums == [FolderPath("A")] && book.isBeingLookedAt(path))
        book.sees(path, signature(10), now: start)
        #expect(book.unseenAlbums == [FolderPath("A")])
        book.finish(path, .changed, now: start)
        _ = book.next(now: start)
        #expect(book.unseenAlbums == [FolderPath("A")])
        book.sees(path, signature(20), now: start)
        book.finish(path, .changed, now: start)
        #expect(book.unseenAlbums.isEmpty && book.count == 1 && !book.isBeingLookedAt(path))
    }

    // Shows that a file that a writer has open waits for its closing, and is looked at now and then, ever less often.
    @Test func openFilesWait() {
        var book = CandidateBook(patience: Patience())
        book.notice(path, isLive: true, now: start)
        #expect(look(&book, seen(10, writer: .open), at: 0) == .wait)
        #expect(book.nextDeadline == start + .seconds(2))
        #expect(look(&book, seen(10), at: 1) == nil)
        #expect(look(&book, seen(10, writer: .open), at: 2) == .wait)
        #expect(book.nextDeadline == start + .seconds(6))
        book.notice(path, isLive: true, now: start + .seconds(3))
        #expect(look(&book, seen(20), at: 3) == .take(isShort: false))
    }

    // Shows the 5 s rule where the file system cannot tell of writers: from the last change, not from the first sight.
    @Test func unknownWritersAreWaitedFor() {
        var book = CandidateBook(patience: Patience())
        book.notice(path, isLive: true, now: start)
        #expect(look(&book, seen(10, writer: .unknown), at: 0) == .wait)
        #expect(look(&book, seen(20, writer: .unknown), at: 5) == .wait)
        #expect(book.nextDeadline == start + .seconds(10))
        #expect(look(&book, seen(20, writer: .unknown), at: 9.9) == nil)
        #expect(look(&book, seen(20, writer: .unknown), at: 10) == .take(isShort: false))
    }

    // Shows that a file short by its format waits 10 s from its last change, then goes as it is. (A paused copy, a
    // writer that reopens.)
    @Test func shortFilesWaitThenGo() {
        var book = CandidateBook(patience: Patience())
        book.notice(path, isLive: true, now: start)
        #expect(look(&book, seen(10, isShort: true), at: 0) == .wait)
        book.notice(path, isLive: true, now: start + .seconds(8))
        #expect(look(&book, seen(20, isShort: true), at: 8) == .wait)
        // The deadline of before counts no more.
        #expect(look(&book, seen(20, isShort: true), at: 10) == nil)
        #expect(book.nextDeadline == start + .seconds(18))
        #expect(look(&book, seen(20, isShort: true), at: 18) == .take(isShort: true))

        book.notice(path, isLive: true, now: start + .seconds(20))
        #expect(look(&book, seen(20, isShort: true), at: 20) == .wait)
        book.notice(path, isLive: true, now: start + .seconds(21))
        #expect(look(&book, seen(30), at: 21) == .take(isShort: false))
    }

    // Shows that what happens during a look leads to one more look, and that a live event stays live.
    @Test func eventsDuringALookAreKept() {
        var book = CandidateBook(patience: Patience())
        book.notice(path, isLive: false, now: start)
        #expect(book.next(now: start) == CandidateBook.Job(path: path, isLive: false))
        book.notice(path, isLive: true, now: start)
        book.notice(path, isLive: false, now: start)
        #expect(book.next(now: start) == nil)
        book.finish(path, .settled, now: start)
        #expect(book.next(now: start) == CandidateBook.Job(path: path, isLive: true))
        book.finish(path, .settled, now: start)
        #expect(book.count == 0)
    }

    // Shows that failures are tried again, later each time, up to a limit.
    @Test func failuresAreTriedAgain() {
        var book = CandidateBook(patience: Patience())
        book.notice(path, isLive: true, now: start)
        var now = start
        var delays: [Double] = []
        for _ in 0..<7 {
            _ = book.next(now: now)
            book.finish(path, .failed, now: now)
            delays.append(book.nextDeadline!.seconds(since: now))
            now = book.nextDeadline!
        }
        #expect(delays == [2, 4, 8, 16, 32, 60, 60])
    }

    // Shows that thousands of paths are handed out in the order they came, each once.
    @Test func burstsKeepTheirOrder() {
        var book = CandidateBook(patience: Patience())
        let paths = (0..<10_000).map { FolderPath("A/\($0).jpg") }
        for path in paths + paths { book.notice(path, isLive: true, now: start) }
        var order: [FolderPath] = []
        while let job = book.next(now: start) {
            order.append(job.path)
            book.finish(job.path, .settled, now: start)
        }
        #expect(order == paths)
    }

    // Shows that deadlines come in the order of their times, whatever the order they were set in.
    @Test func deadlinesAreSorted() {
        var heap = DeadlineHeap<Int>()
        for number in [5, 3, 9, 1, 7, 3, 8] { heap.insert(number, at: start + .seconds(number)) }
        var order: [Int] = []
        while let next = heap.popFirst(until: start + .seconds(8)) { order.append(next.value) }
        #expect(order == [1, 3, 3, 5, 7, 8])
        #expect(heap.first == start + .seconds(9))
    }
}
