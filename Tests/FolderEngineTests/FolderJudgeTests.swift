import AlbumModel
import TestSupport
import Testing

@testable import FolderEngine

/// What follows from events and answers, without a disk.
struct FolderJudgeTests {
    private let now = TestFolder.now
    private let x = FolderPath("A/x.jpg")
    private let y = FolderPath("A/y.jpg")
    private let new = FolderPath("A/new.jpg")

    /// With photo 1 at `x` and photo 2 at `y`.
    private func judge(_ adoption: Adoption = .over) -> FolderJudge {
        TestFolder.judge(TestFolder.state([x: record(1), y: record(2)]), adoption)
    }

    private func damage(_ path: FolderPath, of judge: inout FolderJudge) {
        let job = CandidateBook.Job(path: path, isLive: false)
        let seen = FileSignature(inode: 9, byteCount: 10, modified: 0, changed: 1)
        _ = judge.conclude(job, .damaged(seen), now: now)
    }

    /// What follows when both files are seen to be gone.
    private func lose(_ judge: inout FolderJudge) -> [FolderDirective] {
        let check = FolderCheck(.vanished([x: true, y: true]), [x, y])
        let answer = FolderCheck.Answer(sights: [x: .absent, y: .absent], complaint: nil, away: [])
        return judge.handle(.checked(check, answer), now: now)
    }

    // Shows that of damaged files that were deleted together each is put back only while what is known of it is as it was
    // then, and that a failure drops no other record.
    @Test func damageIsPutBackWhileItIsKnown() {
        var judge = judge()
        for path in [x, y] { damage(path, of: &judge) }
        let wanted = lose(&judge).compactMap { directive in
            if case .bringBack(let path, let record) = directive { [path: record] } else { nil }
        }
        #expect(wanted == [[x: record(1)], [y: record(2)]])
        #expect(judge.wantsBack(x, record(1)) && judge.wantsBack(y, record(2)))
        // While the first is put back a member withdraws the second one's photo, and a person puts another one there.
        _ = judge.state.leave(y, record(2).photo)
        #expect(!judge.wantsBack(y, record(2)))
        _ = judge.state.stay(y) + judge.state.drop(y)
        #expect(!judge.wantsBack(y, record(2)))
        _ = judge.state.record(y, record(3))
        #expect(!judge.wantsBack(y, record(2)))
        let nothing = judge.handle(.broughtBack(y, record(2), .failed), now: now)
        #expect(nothing.isEmpty && judge.state.files[y] == record(3))
        // A look at what a person put in its place says that the file is not damaged any more.
        _ = judge.conclude(CandidateBook.Job(path: x, isLive: true), .settled, now: now)
        #expect(!judge.wantsBack(x, record(1)))
        damage(x, of: &judge)
        _ = judge.handle(.broughtBack(x, record(1), .failed), now: now)
        #expect(judge.state.files[x] == nil)
    }

    // Shows that a record that goes is committed before anything else is performed: the next one at its path comes later.
    @Test func recordsGoFirst() {
        var judge = judge()
        damage(x, of: &judge)
        _ = judge.state.leave(y, record(2).photo)
        let directives = lose(&judge)
        let isPutBack = directives.contains { if case .bringBack(x, _) = $0 { true } else { false } }
        #expect(isPutBack && judge.state.files[y] == nil)
        guard case .commit(let changes)? = directives.first else {
            Issue.record("the record's end comes late")
            return
        }
        #expect(changes.contains(FactChange(kind: .folderFile, key: y.bytes, value: nil)))
    }

    // Shows that adoption is over also where the last file that is looked at is one that is being placed.
    @Test func echoesEndAdoption() {
        var judge = judge(.reading(isScanned: true))
        _ = judge.state.reserve(FolderPath("A/z.jpg"), for: record(3).photo)
        _ = judge.next(now: now)
        judge.schedule.finishScan(isAvailable: true, after: .seconds(3600), now: now)
        _ = judge.handle(.noticed([.touched(FolderPath("A/z.jpg"))]), now: now)
        guard case .finish(let work)? = judge.next(now: now) else {
            Issue.record("the placing is not finished")
            return
        }
        let directives = judge.handle(.finished(work), now: now)
        #expect(directives.count == 1 && judge.adoption == .over)
    }

    // MARK: Finds amid a judgement

    private func taken(_ seed: UInt8) -> TakenPhoto {
        TakenPhoto(
            blob: IngestedBlob(id: blobID([seed]), byteCount: 10, pieceList: nil, firstBytes: []),
            mediaType: "image/jpeg", signature: record(seed).signature, isShort: false)
    }

    private func job(_ path: FolderPath) -> CandidateBook.Job { CandidateBook.Job(path: path, isLive: true) }

    /// Judges that `x` is gone, up to the directive that has the agent withdraw it.
    private func withdraw(_ judge: inout FolderJudge) throws -> [Judgement.Step] {
        let check = FolderCheck(.vanished([x: true]), [x])
        let gone = FolderCheck.Answer(sights: [x: .absent], complaint: nil, away: [])
        _ = judge.answer(.checked(check, gone), now: now)
        return try settle(judge.handle(.judge(newID: 1), now: now), gone, &judge)
    }

    /// What follows from a judgement's first question.
    private func settle(
        _ directives: [FolderDirective], _ answer: FolderCheck.Answer, _ judge: inout FolderJudge,
        albums: [FolderPath: AlbumID] = [:]
    ) throws -> [Judgement.Step] {
        guard case .check(let check)? = directives.first else { throw NoSteps() }
        var next = judge.handle(.checked(check, answer), now: now)
        if case .identify? = next.first { next = judge.handle(.identified(albums), now: now) }
        if case .inquire? = next.first {
            next = judge.handle(.evidence(older: [], withdrawn: [], goneDirectories: []), now: now)
        }
        guard case .settle(_, let steps)? = next.first else { throw NoSteps() }
        return steps
    }

    private struct NoSteps: Error {}

    // Shows that a loss is not told while its photo is being found elsewhere, and is judged once more instead, as often as
    // that happens; and that a find of another photo changes nothing.
    @Test func findsOvertakeLosses() throws {
        var judge = judge()
        let steps = try withdraw(&judge)
        let new = FolderPath("B/new.jpg")
        _ = judge.conclude(job(new), .taken(taken(3)), now: now)
        #expect(steps.count == 1 && !judge.isOvertaken(steps))
        _ = judge.conclude(job(new), .taken(taken(1)), now: now)
        #expect(judge.isOvertaken(steps))
        let again = judge.handle(.overtaken, now: now)
        let gone = FolderCheck.Answer(sights: [x: .absent], complaint: nil, away: [])
        #expect(throws: NoSteps.self) { try settle(again, gone, &judge) }
        #expect(judge.pending.paths[x] == .absent && judge.state.files[x] == record(1))
        _ = judge.handle(.finished(.look(job(new), .settled)), now: now)
        // By the time of the next judgement that file has gone, too.
        let both = FolderCheck.Answer(sights: [x: .absent, new: .absent], complaint: nil, away: [])
        let third = judge.handle(.judge(newID: 1), now: now)
        #expect(throws: NoSteps.self) { try settle(third, both, &judge) }
        let later = try settle(judge.handle(.judge(newID: 1), now: now), gone, &judge)
        #expect(later == steps && !judge.isOvertaken(later))
        // A look shows the file where it was.
        _ = judge.conclude(job(x), .settled, now: now)
        #expect(judge.isOvertaken(later))
    }

    // Shows that a photo whose file is empty waits for a person, also where an event told of it: a save that a full disk
    // refused leaves it so. Other bytes that are no photo are a person's doing. Catches an empty file that is taken for a word.
    @Test(arguments: [UInt64(0), 5]) func emptiedFilesWaitForAPerson(byteCount: UInt64) throws {
        var judge = judge()
        let left = FileSignature(inode: 1, byteCount: byteCount, modified: 1, changed: 1)
        _ = judge.conclude(job(x), .noPhoto("it is no photo", left), now: now)
        guard case .check(let check)? = judge.handle(.judge(newID: 7), now: now).first else { throw NoSteps() }
        let seen = FolderCheck.Answer(sights: [x: .present(left)], complaint: nil, away: [])
        let decided = judge.handle(.checked(check, seen), now: now)
        let isRemoval = decided.contains { if case .settle = $0 { true } else { false } }
        #expect(isRemoval == (byteCount > 0))
        #expect(judge.pending.held?.reason == (byteCount > 0 ? nil : .unexplained))
        #expect(judge.pending.heldLosses.paths == (byteCount > 0 ? [] : [x]) && judge.state.files[x] == record(1))
    }

    // Shows that a file that is written over whenever it is judged keeps the others from being judged a few times only, and
    // is then judged later, by itself.
    @Test func restlessFilesAreLeftOut() throws {
        var judge = TestFolder.judge(
            TestFolder.state([x: record(1), y: record(2), FolderPath("A/z.jpg"): record(3)]))
        /// What is at `x`, which is no photo, and changes.
        func written(_ time: Int64) -> FileSignature {
            FileSignature(inode: 1, byteCount: 5, modified: time, changed: time)
        }
        func notice(_ time: Int64) {
            _ = judge.pending.insert(x, .other(written(time)), isExplained: true)
        }
        _ = judge.pending.insert(y, .absent, isExplained: true)
        notice(0)
        var next = judge.handle(.judge(newID: 1), now: now)
        for time in 0..<Int64(FolderJudge.JudgingRound.anewCountMax) {
            let both = FolderCheck.Answer(sights: [x: .present(written(time)), y: .absent], complaint: nil, away: [])
            let steps = try settle(next, both, &judge)
            #expect(steps.count == 2 && !judge.isOvertaken(steps))
            notice(time + 1)
            #expect(judge.isOvertaken(steps))
            next = judge.handle(.overtaken, now: now)
        }
        let last = Int64(FolderJudge.JudgingRound.anewCountMax)
        let both = FolderCheck.Answer(sights: [x: .present(written(last)), y: .absent], complaint: nil, away: [])
        let steps = try settle(next, both, &judge)
        notice(last + 1)
        #expect(steps.map(\.lost.path) == [y] && !judge.isOvertaken(steps))
        _ = judge.handle(.settled([:]), now: now)
        #expect(judge.state.files[y] == nil && judge.state.files[x] == record(1))
        #expect(Array(judge.pending.paths.keys) == [x] && judge.schedule.isJudgingPutOff)
    }

    /// Judges a move from `x` to album B, up to the directive that has the agent take the photo along.
    private func move(
        _ judge: inout FolderJudge, albums: [FolderPath: AlbumID] = [:]
    ) throws -> [Judgement.Step] {
        let target = FolderPath("B/x.jpg")
        let directives = judge.conclude(job(target), .taken(taken(1)), now: now)
        guard case .check(let check)? = directives.first else { throw NoSteps() }
        let gone = FolderCheck.Answer(sights: [x: .absent], complaint: nil, away: [])
        _ = judge.answer(.checked(check, gone), now: now)
        _ = judge.handle(.finished(.look(job(target), .settled)), now: now)
        return try settle(judge.handle(.judge(newID: 1), now: now), moved, &judge, albums: albums)
    }

    /// What is seen where the move was.
    private var moved: FolderCheck.Answer {
        FolderCheck.Answer(
            sights: [x: .absent, FolderPath("B/x.jpg"): .present(record(1).signature)], complaint: nil, away: [])
    }

    // Shows that a move out of an album is not told while its photo is being found there, and waits with its target.
    @Test func findsOvertakeMoves() throws {
        var judge = judge()
        let steps = try move(&judge)
        #expect(steps.contains(where: \.isMove) && !judge.isOvertaken(steps))
        _ = judge.conclude(job(FolderPath("C/x.jpg")), .taken(taken(1)), now: now)
        #expect(!judge.isOvertaken(steps))
        _ = judge.conclude(job(FolderPath("A/again.jpg")), .taken(taken(1)), now: now)
        #expect(judge.isOvertaken(steps))
        let again = judge.handle(.overtaken, now: now)
        #expect(throws: NoSteps.self) { try settle(again, moved, &judge) }
        #expect(judge.pending.paths.keys.sorted().contains(FolderPath("B/x.jpg")) && judge.state.files[x] == record(1))
    }

    // Shows that a photo which a person deleted from an album, and moves or writes over another one there, is wanted before
    // its album has it: a crash in between leaves none that nobody places.
    @Test func deletedPhotosThatMoveBackAreWantedFirst() throws {
        let albums = [FolderPath("B"): AlbumName.identifier("B")]
        let inB = PhotoKey(album: albums.values.first!, blob: blobID([1]))
        let overY = PhotoKey(album: record(2).photo.album, blob: blobID([3]))
        for photo in [inB, overY] {
            var judge = judge()
            let lost = [(FolderPath("B/gone.jpg"), photo, isGone: true)]
            let gone = FileRecord(photo: photo, signature: record(1).signature, origin: .dropped)
            _ = judge.state.record(lost[0].0, gone) + judge.state.settle(FolderState.Settlement(left: lost))
            #expect(judge.handle(.settling, now: now).isEmpty && judge.state.gone[photo] != nil, "nothing is judged")
            if photo == inB {
                _ = try move(&judge, albums: albums)
            } else {
                _ = judge.hold([(y, .photo(taken(3).found(isLive: true)))], now: now)
                let answer = FolderCheck.Answer(
                    sights: [y: .present(record(3).signature)], complaint: nil, away: [])
                _ = try settle(judge.handle(.judge(newID: 1), now: now), answer, &judge)
            }
            guard case .commit(let changes)? = judge.handle(.settling, now: now).first else {
                Issue.record("still deleted")
                continue
            }
            #expect(changes == [FactChange(kind: .folderGone, key: photo.bytes, value: nil)])
            #expect(judge.state.gone.isEmpty && judge.handle(.settling, now: now).isEmpty)
        }
    }

    /// Judges that `x` is at `new` by now, of which the album does not show the photo any more, up to the directive that has
    /// the agent do what it means.
    private func findWithdrawn(_ judge: inout FolderJudge) throws {
        let found = PendingChanges.Now.photo(taken(1).found(isLive: true))
        _ = judge.hold([(x, .absent), (new, found)], now: now)
        let sights = [x: PendingChanges.Sight.absent, new: .present(record(1).signature)]
        let answer = FolderCheck.Answer(sights: sights, complaint: nil, away: [])
        guard case .check(let check)? = judge.handle(.judge(newID: 1), now: now).first else {
            throw NoSteps()
        }
        _ = judge.handle(.checked(check, answer), now: now)
        let asked = judge.handle(.identified([FolderPath("A"): AlbumName.identifier("A")]), now: now)
        guard case .inquire(let questions)? = asked.first else { throw NoSteps() }
        #expect(questions.renamed == [new: blobID([1])])
        _ = judge.handle(.evidence(older: [], withdrawn: [new], goneDirectories: []), now: now)
    }

    // Shows that a file of a photo that its album lost is looked at as a new one, whatever its record was.
    @Test func withdrawnPhotosAreFoundAnew() throws {
        var judge = judge()
        try findWithdrawn(&judge)
        _ = judge.handle(.settled([:]), now: now)
        #expect(judge.state.files[x] == nil && judge.state.files[new] == nil && judge.pending.paths.isEmpty)
        #expect(judge.schedule.unsettled(below: FolderPath("A")).contains(new))
    }

    // Shows that a photo which others removed, and brought back while that was judged, does not count as deleted by a person:
    // it would have no file for ever.
    @Test func photosThatOthersBringBackAmidAJudgementArePlaced() throws {
        var judge = judge()
        try findWithdrawn(&judge)
        guard case .takeAway(let files, _)? = judge.handle(.unwanted([record(1).photo]), now: now).first else {
            throw NoSteps()
        }
        _ = judge.handle(.takenAway(files, [x: .gone]), now: now)
        _ = judge.handle(.letBack([record(1).photo]), now: now)
        _ = judge.handle(.settled([:]), now: now)
        #expect(judge.state.isWanted(record(1).photo))
    }

    // Shows that a name is not free for placing while another photo is being found there.
    @Test func findsKeepTheirNames() {
        var judge = judge()
        _ = judge.conclude(job(new), .taken(taken(3)), now: now)
        #expect(judge.reserve(new, for: record(4).photo) == .taken)
        _ = judge.handle(.finished(.look(job(new), .settled)), now: now)
        #expect(judge.reserve(new, for: record(4).photo) != .taken)
    }

    // Shows that a photo which comes to a path where another one waits to be judged waits as well: recorded at once, it
    // would be taken for what came first.
    @Test func findsComeAfterWhatWaits() throws {
        var judge = judge()
        _ = judge.conclude(job(x), .absent, now: now)
        let moved = judge.conclude(job(new), .taken(taken(1)), now: now)
        guard case .check(let check)? = moved.first else { throw NoSteps() }
        let gone = FolderCheck.Answer(sights: [x: .absent], complaint: nil, away: [])
        _ = judge.answer(.checked(check, gone), now: now)
        #expect(judge.pending.paths[new]?.found?.id == blobID([1]))
        _ = judge.conclude(job(new), .taken(taken(3)), now: now)
        #expect(judge.pending.paths[new]?.found?.id == blobID([3]) && judge.state.files[new] == nil)
    }

    // Shows that a scan hands the sizes of the new files on. Catches a status that counts thousands of files with no bytes.
    @Test func scansKnowTheSizesOfNewFiles() {
        var judge = judge()
        _ = judge.next(now: now)
        _ = judge.handle(.surveyed(complaint: nil, MountTable(mounts: [:])), now: now)
        let entry = FolderWalk.Entry(name: Array("new.jpg".utf8), kind: .noDirectory)
        _ = judge.handle(.listed(.root, .whole([entry])), now: now)
        let path = FolderPath("new.jpg")
        let signature = FileSignature(inode: 9, byteCount: 4_000_000, modified: 0, changed: 0)
        _ = judge.handle(.sighted([path: .present(signature)]), now: now)
        #expect(judge.schedule.unsettled(now: now).paths[path]?.byteCount == 4_000_000)
    }

    // Shows that a file on a disk of which nobody can tell whether it is mounted is looked for by a scan, soon.
    @Test func unseenFilesAreLookedForAgain() {
        var judge = judge()
        _ = judge.next(now: now)
        judge.schedule.finishScan(isAvailable: true, after: .seconds(3600), now: now)
        let file = FolderPath("Card/new.jpg")
        _ = judge.conclude(job(file), .away(FolderPath("Card")), now: now)
        #expect(judge.gaps.covers(file) && judge.nextDeadline == now + FolderSettings().gapFirst)
    }
}
