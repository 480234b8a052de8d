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
        _ = judge.handle(.looked(job, .damaged(seen)), in: &state, now: now)
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
        _ = judge.handle(.looked(CandidateBook.Job(path: x, isLive: true), .settled), in: &state, now: now)
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
}
