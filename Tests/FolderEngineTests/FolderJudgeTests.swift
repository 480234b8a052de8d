import AlbumModel
import TestSupport
import Testing

@testable import FolderEngine

/// What follows from events and answers, without a disk.
struct FolderJudgeTests {
    private let now = MonotonicInstant(nanoseconds: 1_000_000_000)
    private let x = FolderPath("A/x.jpg")
    private let y = FolderPath("A/y.jpg")

    private func judge(adoption: Adoption = .over) -> FolderJudge {
        FolderJudge(
            root: "/photos", settings: FolderSettings(),
            names: OwnNames(marker: FolderPath(".marker"), passingPrefixes: []), mounts: KnownMounts(),
            adoption: adoption, heldID: nil, now: now)
    }

    private func record(_ seed: UInt8) -> FileRecord {
        FileRecord(
            photo: PhotoKey(album: AlbumName.identifier("A"), blob: blobID([seed])),
            signature: FileSignature(inode: UInt64(seed), byteCount: 10, modified: 0, changed: 0), origin: .dropped)
    }

    /// With photo 1 at `x` and photo 2 at `y`.
    private func state() -> FolderState {
        var state = FolderState(files: [], gone: [], intents: [], fresh: FreshFiles(boot: BootID(bytes: [1])))
        _ = state.record(x, record(1)) + state.record(y, record(2))
        return state
    }

    private func damage(_ path: FolderPath, of judge: inout FolderJudge, in state: inout FolderState) {
        let job = CandidateBook.Job(path: path, isLive: false)
        let seen = FileSignature(inode: 9, byteCount: 10, modified: 0, changed: 1)
        _ = judge.conclude(job, .damaged(seen), in: &state, now: now)
    }

    /// What follows when both files are seen to be gone.
    private func lose(_ judge: inout FolderJudge, _ state: inout FolderState) -> [FolderDirective] {
        let check = FolderCheck(.vanished([x: true, y: true]), [x, y])
        let answer = FolderCheck.Answer(sights: [x: .absent, y: .absent], complaint: nil, away: [])
        return judge.handle(.checked(check, answer), in: &state, now: now)
    }

    // Shows that of damaged files that were deleted together each is put back only while what is known of it is as it was
    // then, and that a failure drops no other record.
    @Test func damageIsPutBackWhileItIsKnown() {
        var (judge, state) = (judge(), state())
        for path in [x, y] { damage(path, of: &judge, in: &state) }
        let wanted = lose(&judge, &state).compactMap { directive in
            if case .bringBack(let path, let record) = directive { [path: record] } else { nil }
        }
        #expect(wanted == [[x: record(1)], [y: record(2)]])
        #expect(judge.wantsBack(x, record(1), in: state) && judge.wantsBack(y, record(2), in: state))
        // While the first is put back a member withdraws the second one's photo, and a person puts another one there.
        _ = state.leave(y, record(2).photo)
        #expect(!judge.wantsBack(y, record(2), in: state))
        _ = state.stay(y) + state.drop(y)
        #expect(!judge.wantsBack(y, record(2), in: state))
        _ = state.record(y, record(3))
        #expect(!judge.wantsBack(y, record(2), in: state))
        let nothing = judge.handle(.broughtBack(y, record(2), .failed), in: &state, now: now)
        #expect(nothing.isEmpty && state.files[y] == record(3))
        // A look at what a person put in its place says that the file is not damaged any more.
        _ = judge.conclude(CandidateBook.Job(path: x, isLive: true), .settled, in: &state, now: now)
        #expect(!judge.wantsBack(x, record(1), in: state))
        damage(x, of: &judge, in: &state)
        _ = judge.handle(.broughtBack(x, record(1), .failed), in: &state, now: now)
        #expect(state.files[x] == nil)
    }

    // Shows that a record that goes is committed before anything else is performed: the next one at its path comes later.
    @Test func recordsGoFirst() {
        var (judge, state) = (judge(), state())
        damage(x, of: &judge, in: &state)
        _ = state.leave(y, record(2).photo)
        let directives = lose(&judge, &state)
        let isPutBack = directives.contains { if case .bringBack(x, _) = $0 { true } else { false } }
        #expect(isPutBack && state.files[y] == nil)
        guard case .commit(let changes)? = directives.first else {
            Issue.record("the record's end comes late")
            return
        }
        #expect(changes.contains(FactChange(kind: .folderFile, key: y.bytes, value: nil)))
    }

    // Shows that adoption is over also where the last file that is looked at is one that is being placed.
    @Test func echoesEndAdoption() {
        var (judge, state) = (judge(adoption: .reading(isScanned: true)), state())
        _ = state.reserve(FolderPath("A/z.jpg"), for: record(3).photo)
        _ = judge.next(in: &state, now: now)
        judge.schedule.finishScan(isAvailable: true, after: .seconds(3600), now: now)
        _ = judge.handle(.noticed([.touched(FolderPath("A/z.jpg"))]), in: &state, now: now)
        guard case .finish(let work)? = judge.next(in: &state, now: now) else {
            Issue.record("the placing is not finished")
            return
        }
        let directives = judge.handle(.finished(work), in: &state, now: now)
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
    private func withdraw(_ judge: inout FolderJudge, _ state: inout FolderState) throws -> [Judgement.Step] {
        let check = FolderCheck(.vanished([x: true]), [x])
        let gone = FolderCheck.Answer(sights: [x: .absent], complaint: nil, away: [])
        _ = judge.handle(.checked(check, gone), in: &state, now: now)
        return try settle(judge.handle(.judge(newID: 1), in: &state, now: now), gone, &judge, &state)
    }

    /// What follows from a judgement's first question.
    private func settle(
        _ directives: [FolderDirective], _ answer: FolderCheck.Answer, _ judge: inout FolderJudge,
        _ state: inout FolderState
    ) throws -> [Judgement.Step] {
        guard case .check(let check)? = directives.first else { throw NoSteps() }
        var next = judge.handle(.checked(check, answer), in: &state, now: now)
        if case .identify? = next.first { next = judge.handle(.identified([:]), in: &state, now: now) }
        if case .inquire? = next.first {
            next = judge.handle(.evidence(older: [], withdrawn: [], goneDirectories: []), in: &state, now: now)
        }
        guard case .settle(_, let steps)? = next.first else { throw NoSteps() }
        return steps
    }

    private struct NoSteps: Error {}

    // Shows that a loss is not told while its photo is being found elsewhere, and is judged once more instead, as often as
    // that happens; and that a find of another photo changes nothing.
    @Test func findsOvertakeLosses() throws {
        var (judge, state) = (judge(), state())
        let steps = try withdraw(&judge, &state)
        let new = FolderPath("B/new.jpg")
        _ = judge.conclude(job(new), .taken(taken(3)), in: &state, now: now)
        #expect(steps.count == 1 && !judge.isOvertaken(steps))
        _ = judge.conclude(job(new), .taken(taken(1)), in: &state, now: now)
        #expect(judge.isOvertaken(steps))
        let again = judge.handle(.overtaken, in: &state, now: now)
        let gone = FolderCheck.Answer(sights: [x: .absent], complaint: nil, away: [])
        #expect(throws: NoSteps.self) { try settle(again, gone, &judge, &state) }
        #expect(judge.pending.paths[x] == .absent && state.files[x] == record(1))
        _ = judge.handle(.finished(.look(new, .settled)), in: &state, now: now)
        // By the time of the next judgement that file has gone, too.
        let both = FolderCheck.Answer(sights: [x: .absent, new: .absent], complaint: nil, away: [])
        let third = judge.handle(.judge(newID: 1), in: &state, now: now)
        #expect(throws: NoSteps.self) { try settle(third, both, &judge, &state) }
        let later = try settle(judge.handle(.judge(newID: 1), in: &state, now: now), gone, &judge, &state)
        #expect(later == steps && !judge.isOvertaken(later))
        // A look shows the file where it was.
        _ = judge.conclude(job(x), .settled, in: &state, now: now)
        #expect(judge.isOvertaken(later))
    }

    /// Judges a move from `x` to album B, up to the directive that has the agent take the photo along.
    private func move(_ judge: inout FolderJudge, _ state: inout FolderState) throws -> [Judgement.Step] {
        let target = FolderPath("B/x.jpg")
        let directives = judge.conclude(job(target), .taken(taken(1)), in: &state, now: now)
        guard case .check(let check)? = directives.first else { throw NoSteps() }
        let gone = FolderCheck.Answer(sights: [x: .absent], complaint: nil, away: [])
        _ = judge.handle(.checked(check, gone), in: &state, now: now)
        _ = judge.handle(.finished(.look(target, .settled)), in: &state, now: now)
        return try settle(judge.handle(.judge(newID: 1), in: &state, now: now), moved, &judge, &state)
    }

    /// What is seen where the move was.
    private var moved: FolderCheck.Answer {
        FolderCheck.Answer(
            sights: [x: .absent, FolderPath("B/x.jpg"): .present(record(1).signature)], complaint: nil, away: [])
    }

    // Shows that a move out of an album is not told while its photo is being found there, and waits with its target.
    @Test func findsOvertakeMoves() throws {
        var (judge, state) = (judge(), state())
        let steps = try move(&judge, &state)
        #expect(steps.contains(where: \.isMove) && !judge.isOvertaken(steps))
        _ = judge.conclude(job(FolderPath("C/x.jpg")), .taken(taken(1)), in: &state, now: now)
        #expect(!judge.isOvertaken(steps))
        _ = judge.conclude(job(FolderPath("A/again.jpg")), .taken(taken(1)), in: &state, now: now)
        #expect(judge.isOvertaken(steps))
        let again = judge.handle(.overtaken, in: &state, now: now)
        #expect(throws: NoSteps.self) { try settle(again, moved, &judge, &state) }
        #expect(judge.pending.paths.keys.sorted().contains(FolderPath("B/x.jpg")) && state.files[x] == record(1))
    }

    // Shows that a file of a photo that its album lost is looked at as a new one, whatever its record was.
    @Test func withdrawnPhotosAreFoundAnew() throws {
        var (judge, state) = (judge(), state())
        let new = FolderPath("A/new.jpg")
        let found = PendingChanges.Now.photo(taken(1).found(isLive: true))
        _ = judge.hold([(x, .absent), (new, found)], in: &state, now: now)
        let sights = [x: PendingChanges.Sight.absent, new: .present(record(1).signature)]
        let answer = FolderCheck.Answer(sights: sights, complaint: nil, away: [])
        guard case .check(let check)? = judge.handle(.judge(newID: 1), in: &state, now: now).first else {
            throw NoSteps()
        }
        _ = judge.handle(.checked(check, answer), in: &state, now: now)
        let asked = judge.handle(.identified([FolderPath("A"): AlbumName.identifier("A")]), in: &state, now: now)
        guard case .inquire(let questions)? = asked.first else { throw NoSteps() }
        #expect(questions.renamed == [new: blobID([1])])
        _ = judge.handle(.evidence(older: [], withdrawn: [new], goneDirectories: []), in: &state, now: now)
        _ = judge.handle(.settled([:]), in: &state, now: now)
        #expect(state.files[x] == nil && state.files[new] == nil && judge.pending.paths.isEmpty)
        #expect(judge.schedule.unsettled(below: FolderPath("A")).contains(new))
    }

    // Shows that a name is not free for placing while another photo is being found there.
    @Test func findsKeepTheirNames() {
        var (judge, state) = (judge(), state())
        let new = FolderPath("A/new.jpg")
        _ = judge.conclude(job(new), .taken(taken(3)), in: &state, now: now)
        #expect(judge.reserve(new, for: record(4).photo, in: &state) == .taken)
        _ = judge.handle(.finished(.look(new, .settled)), in: &state, now: now)
        #expect(judge.reserve(new, for: record(4).photo, in: &state) != .taken)
    }

    // Shows that a photo which comes to a path where another one waits to be judged waits as well: recorded at once, it
    // would be taken for what came first.
    @Test func findsComeAfterWhatWaits() throws {
        var (judge, state) = (judge(), state())
        let new = FolderPath("A/new.jpg")
        _ = judge.conclude(job(x), .absent, in: &state, now: now)
        let moved = judge.conclude(job(new), .taken(taken(1)), in: &state, now: now)
        guard case .check(let check)? = moved.first else { throw NoSteps() }
        let gone = FolderCheck.Answer(sights: [x: .absent], complaint: nil, away: [])
        _ = judge.handle(.checked(check, gone), in: &state, now: now)
        #expect(judge.pending.paths[new]?.found?.id == blobID([1]))
        _ = judge.conclude(job(new), .taken(taken(3)), in: &state, now: now)
        #expect(judge.pending.paths[new]?.found?.id == blobID([3]) && state.files[new] == nil)
    }

    // Shows that a file on a disk of which nobody can tell whether it is mounted is looked for by a scan, soon.
    @Test func unseenFilesAreLookedForAgain() {
        var (judge, state) = (judge(), state())
        _ = judge.next(in: &state, now: now)
        judge.schedule.finishScan(isAvailable: true, after: .seconds(3600), now: now)
        let file = FolderPath("Card/new.jpg")
        _ = judge.conclude(job(file), .away(FolderPath("Card")), in: &state, now: now)
        #expect(judge.gaps.covers(file) && judge.nextDeadline == now + FolderSettings().gapFirst)
    }
}
