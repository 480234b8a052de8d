import AlbumModel
import TestSupport
import Testing

@testable import FolderEngine

/// One look at a file, question by question, without a disk.
struct LookTests {
    private let now = TestFolder.now
    private let x = FolderPath("A/x.jpg")
    private let new = FolderPath("A/new.jpg")
    private let photo = PhotoKey(album: AlbumName.identifier("A"), blob: blobID([1]))
    private let signature = FileSignature(inode: 1, byteCount: 10, modified: 0, changed: 0)
    private let renamed = FileSignature(inode: 1, byteCount: 10, modified: 0, changed: 5)

    /// With a photo at `x`.
    private func judge(_ adoption: Adoption = .over) -> FolderJudge {
        let record = FileRecord(photo: photo, signature: signature, origin: .dropped)
        return TestFolder.judge(TestFolder.state([x: record]), adoption)
    }

    private func job(_ path: FolderPath, isLive: Bool = false) -> CandidateBook.Job {
        CandidateBook.Job(path: path, isLive: isLive)
    }

    private func look(
        _ signature: FileSignature, kind: FileLook.Kind = .file, complaint: String? = nil, away: FolderPath? = nil
    ) -> Result<FileLook, LookError> {
        .success(FileLook(kind: kind, signature: signature, complaint: complaint, away: away))
    }

    private func examination(_ signature: FileSignature) -> FileExamination {
        FileExamination(
            content: .media(.jpeg), observation: .init(signature: signature, writer: .none, isShort: false))
    }

    /// How a look ended; `nil` while it goes on.
    private func outcome(_ directives: [FolderDirective]) -> CandidateBook.Outcome? {
        if case .finish(.look(_, let outcome))? = directives.last { outcome } else { nil }
    }

    private func isExamined(_ directives: [FolderDirective]) -> Bool {
        if case .examine? = directives.last { true } else { false }
    }

    // Shows that nothing is read of a file that is known, is the program's own, is no photo by its name or kind, is in the
    // bare directory of a disk that is away, or in a folder that is not there or whose files wait for adoption.
    @Test func littleIsRead() {
        let cases: [(FolderPath, Result<FileLook, LookError>, Adoption, CandidateBook.Outcome)] = [
            (x, look(signature), .over, .settled),
            (FolderPath("A/.passing-1"), look(renamed), .over, .settled),
            (FolderPath("A/b.tmp"), look(renamed), .over, .settled),
            (FolderPath("A/link.jpg"), look(renamed, kind: .link), .over, .settled),
            (FolderPath("A/pipe.jpg"), look(renamed, kind: .other), .over, .settled),
            (FolderPath("Card/b.jpg"), look(renamed, away: FolderPath("Card")), .over, .settled),
            (new, look(renamed, complaint: "The folder is not there."), .over, .changed),
            (new, look(renamed), .held, .changed),
            (new, .failure(.failed("EIO")), .over, .failed),
            (new, .failure(.unreadable("EACCES")), .over, .settled),
        ]
        for (path, answer, adoption, expected) in cases {
            var judge = judge(adoption)
            let directives = judge.answer(.looked(job(path), answer), now: now)
            #expect(outcome(directives) == expected, "\(path)")
            #expect(judge.state.files.count == 1 && judge.pending.paths.isEmpty)
        }
    }

    // Shows that a file of which a look shows not even the size may be any of its album, until a scan can look at it; one that
    // is absent may not.
    @Test func filesThatGiveNoAnswerAreGaps() {
        for (error, isGap) in [
            (LookError.failed("EIO"), true), (.unreadable("EACCES"), true), (.absent, false), (.changed, false),
        ] {
            var judge = judge()
            _ = judge.next(now: now)
            judge.schedule.finishScan(isAvailable: true, after: .seconds(3600), now: now)
            _ = judge.answer(.looked(job(new, isLive: true), .failure(error)), now: now)
            #expect(judge.gaps.covers(new) == isGap && judge.gaps.mayHideMove(of: x) == isGap)
            #expect(judge.gaps.mayHideMove(of: FolderPath("B/x.jpg")) == false)
            if isGap { #expect(judge.nextDeadline == now + FolderSettings().gapFirst) }
        }
    }

    // Shows that a file with other bytes under the same size and time counts as damaged only while it is the file that was
    // looked at and the photo that it was compared with, and never where an event says that somebody saved it.
    @Test func damageIsOfOneFile() throws {
        var judge = judge()
        let live = judge.answer(.looked(job(x, isLive: true), look(renamed)), now: now)
        #expect(isExamined(live))
        let asked = judge.answer(.looked(job(x), look(renamed)), now: now)
        guard case .compare(let comparison)? = asked.last else { throw NoQuestion() }
        #expect(comparison.reason == .damage && comparison.photo == photo)
        for answer in [FileComparison.Answer.same(renamed), .blobAbsent] {
            #expect(isExamined(judge.answer(.compared(comparison, .success(answer)), now: now)))
        }
        let other = judge.answer(.compared(comparison, .success(.other(signature))), now: now)
        #expect(outcome(other) == .changed && !judge.damaged.contains(x, seen: renamed))
        let failed = judge.answer(.compared(comparison, .failure(.failed("EIO"))), now: now)
        #expect(outcome(failed) == .failed)
        _ = judge.answer(.compared(comparison, .success(.other(renamed))), now: now)
        #expect(judge.damaged.contains(x, seen: renamed))
        judge = self.judge()
        let second = FileRecord(
            photo: PhotoKey(album: photo.album, blob: blobID([2])), signature: signature, origin: .dropped)
        _ = judge.state.record(x, second)
        _ = judge.answer(.compared(comparison, .success(.other(renamed))), now: now)
        #expect(!judge.damaged.contains(x, seen: renamed))
    }

    // Shows that a file under another name is followed once its bytes are known to be the photo's, and taken for a copy
    // where the first one is there still; and that nothing follows where the folder is not there, or the path got another
    // photo meanwhile.
    @Test func otherNamesAreFollowed() throws {
        func check(_ judge: inout FolderJudge) throws -> FolderCheck {
            let asked = judge.answer(.looked(job(new), look(renamed)), now: now)
            guard case .compare(let comparison)? = asked.last else { throw NoQuestion() }
            #expect(comparison.reason == .otherName(x))
            let different = judge.answer(.compared(comparison, .success(.other(renamed))), now: now)
            #expect(isExamined(different))
            let same = judge.answer(.compared(comparison, .success(.same(renamed))), now: now)
            guard case .check(let check)? = same.last, check.paths == [x] else { throw NoQuestion() }
            return check
        }
        func answer(_ sight: PendingChanges.Sight, complaint: String? = nil) -> FolderCheck.Answer {
            FolderCheck.Answer(sights: [x: sight], complaint: complaint, away: [])
        }
        var judge = judge()
        let question = try check(&judge)
        let away = judge.answer(.checked(question, answer(.absent, complaint: "away")), now: now)
        #expect(outcome(away) == .changed && judge.pending.paths.isEmpty)
        _ = judge.answer(.checked(question, answer(.absent)), now: now)
        #expect(judge.pending.paths[x] == .absent && judge.pending.paths[new]?.found?.id == photo.blob)
        judge = self.judge()
        _ = judge.answer(.checked(try check(&judge), answer(.present(nil))), now: now)
        #expect(judge.state.files[new]?.origin == .duplicate && judge.pending.paths.isEmpty)
        judge = self.judge()
        let late = try check(&judge)
        let placed = FileRecord(
            photo: PhotoKey(album: photo.album, blob: blobID([3])), signature: renamed, origin: .placed)
        _ = judge.state.record(new, placed)
        let nothing = judge.answer(.checked(late, answer(.absent)), now: now)
        #expect(outcome(nothing) == .changed && judge.state.files[new] == placed && judge.pending.paths.isEmpty)
    }

    // Shows that a new file is taken in by the signature under which it was looked at, and by no other.
    @Test func oneFileIsTaken() throws {
        var judge = judge()
        judge.schedule.noticed(touched: [new], vanished: [], isLive: true, now: now)
        while let directive = judge.next(now: now) {
            if case .look = directive { break }
        }
        let seen = FileSignature(inode: 7, byteCount: 20, modified: 1, changed: 1)
        #expect(isExamined(judge.answer(.looked(job(new), look(seen)), now: now)))
        let other = judge.answer(.examined(job(new), seen, .success(examination(renamed))), now: now)
        #expect(outcome(other) == .changed)
        let taking = judge.answer(.examined(job(new), seen, .success(examination(seen))), now: now)
        guard case .importFile(let file)? = taking.last else { throw NoQuestion() }
        #expect(file.signature == seen)
        #expect(outcome(judge.answer(.imported(file, .failure(.changed)), now: now)) == .changed)
        let blob = IngestedBlob(id: blobID([2]), byteCount: 20, pieceList: nil, firstBytes: [])
        let found = judge.answer(.imported(file, .success(blob)), now: now)
        guard case .askStanding(let taken, _)? = found.last else { throw NoQuestion() }
        #expect(taken.signature == seen && taken.blob == blob)
    }

    private struct NoQuestion: Error {}
}
