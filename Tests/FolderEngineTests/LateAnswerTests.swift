import AlbumModel
import TestSupport
import Testing

@testable import FolderEngine

/// Answers about files that come late, twice or never.
struct LateAnswerTests {
    private let now = TestFolder.now
    private let new = FolderPath("A/new.jpg")
    private let seen = FileSignature(inode: 7, byteCount: 10, modified: 0, changed: 0)

    /// A folder that was looked through, in which one file came.
    private func judge() -> FolderJudge {
        var judge = TestFolder.judge()
        _ = judge.next(now: now)
        judge.schedule.finishScan(isAvailable: true, after: .seconds(3600), now: now)
        judge.schedule.noticed(touched: [new], vanished: [], isLive: true, now: now)
        return judge
    }

    private func job(_ judge: inout FolderJudge, at time: MonotonicInstant) throws -> CandidateBook.Job {
        while let directive = judge.next(now: time) { if case .look(let job) = directive { return job } }
        throw NoLook()
    }

    private struct NoLook: Error {}

    private func look(_ job: CandidateBook.Job) -> FolderInput {
        .looked(job, .success(FileLook(kind: .file, signature: seen, complaint: nil, away: nil)))
    }

    // Shows that the second answer to a question says nothing, whatever it is, and neither does one that nobody asked for.
    @Test func whatIsAnsweredTwiceIsNothing() throws {
        var judge = judge()
        let job = try job(&judge, at: now)
        let absent = FolderInput.looked(job, .failure(.absent))
        #expect(judge.handle(.notContributed(job, "full"), now: now).isEmpty, "nobody asked")
        #expect(!judge.handle(look(job), now: now).isEmpty)
        #expect(judge.handle(look(job), now: now).isEmpty && judge.handle(absent, now: now).isEmpty)
        let blob = IngestedBlob(id: blobID([1]), byteCount: 10, pieceList: nil, firstBytes: [])
        let file = FileImport(job: job, signature: seen, type: .jpeg, isShort: false)
        #expect(judge.handle(.imported(file, .success(blob)), now: now).isEmpty, "it was not read yet")
        #expect(judge.looks.finds.isEmpty && judge.state.files.isEmpty)
    }

    // Shows that an answer to an earlier look at the same path says nothing to the next one, and that neither does its end.
    @Test func earlierLooksSayNothing() throws {
        var judge = judge()
        let first = try job(&judge, at: now)
        _ = judge.handle(.looked(first, .failure(.failed("EIO"))), now: now)
        let end = FolderInput.finished(.look(first, .failed))
        _ = judge.handle(end, now: now)
        judge.schedule.noticed(touched: [new], vanished: [], isLive: true, now: now)
        let second = try job(&judge, at: now + .seconds(600))
        #expect(first != second)
        #expect(judge.handle(.looked(first, .failure(.absent)), now: now).isEmpty)
        #expect(judge.handle(end, now: now).isEmpty && judge.schedule.isBeingLookedAt(new))
        #expect(!judge.handle(look(second), now: now).isEmpty)
    }

    // Shows that a look that has no answer, because what followed from it failed, may be ended, and is begun once more.
    @Test func looksWithoutAnswerEnd() throws {
        var judge = judge()
        let job = try job(&judge, at: now)
        _ = judge.handle(look(job), now: now)
        _ = judge.handle(.finished(.look(job, .failed)), now: now)
        #expect(!judge.schedule.isBeingLookedAt(new))
        let again = try self.job(&judge, at: now + .seconds(600))
        #expect(again.path == new && again != job)
    }

    // Shows that an answer that nothing is at a path says nothing of a file that a look found there after the question, and
    // that the question is asked once more.
    @Test func filesFoundSinceStay() throws {
        var judge = judge()
        let job = try job(&judge, at: now)
        judge.schedule.noticed(touched: [], vanished: [new], isLive: true, now: now)
        _ = judge.handle(.finished(.look(job, .settled)), now: now)
        _ = judge.handle(.finished(.look(try self.job(&judge, at: now), .settled)), now: now)
        let check = try check(&judge)
        let found = PendingChanges.Found(
            id: blobID([1]), blob: nil, mediaType: "image/jpeg", signature: seen, isShort: false, isLive: true)
        _ = judge.hold([(new, .photo(found))], now: now)
        let answer = FolderCheck.Answer(sights: [new: .absent], complaint: nil, away: [])
        _ = judge.handle(.checked(check, answer), now: now) + judge.handle(.finished(.vanished), now: now)
        #expect(judge.pending.paths[new]?.found == found)
        let again = try self.check(&judge)
        _ = judge.handle(.checked(again, answer), now: now)
        #expect(judge.pending.paths[new] == nil, "it went since")
    }

    private func check(_ judge: inout FolderJudge) throws -> FolderCheck {
        while let directive = judge.next(now: now) {
            if case .check(let check) = directive { return check }
        }
        throw NoLook()
    }

    // Shows that what a placing or a putting back came to is told once: by the second time something else may be known.
    @Test func outcomesAreToldOnce() {
        var judge = TestFolder.judge()
        _ = judge.reserve(new, for: record(1).photo)
        let placed = FolderInput.placed([.init(new, record(1).photo, .placed(seen))])
        #expect(!judge.handle(placed, now: now).isEmpty)
        _ = judge.state.drop(new)
        #expect(judge.handle(placed, now: now).isEmpty && judge.state.files[new] == nil)
        _ = judge.state.record(new, record(1))
        _ = judge.reserveAgain(new, record(1))
        #expect(!judge.handle(.putBack(new, record(1), seen), now: now).isEmpty)
        let again = judge.state.files
        #expect(judge.handle(.putBack(new, record(1), record(1).signature), now: now).isEmpty)
        #expect(judge.state.files == again)
    }
}
