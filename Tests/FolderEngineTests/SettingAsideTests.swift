import AlbumModel
import TestSupport
import Testing

@testable import FolderEngine

/// What becomes of files whose bytes the disk has lost.
struct SettingAsideTests {
    private let now = TestFolder.now
    private let x = FolderPath("A/x.jpg")
    private let y = FolderPath("A/y.jpg")

    /// With photo 1 at `x`, and in another file at `y`.
    private func judge() -> FolderJudge {
        var copy = record(1, .duplicate)
        copy.signature.inode = 9
        return TestFolder.judge(TestFolder.state([x: record(1), y: copy]))
    }

    private func isSetAside(_ path: FolderPath, _ judge: FolderJudge) -> Bool {
        judge.state.settingAside.contains(path) && judge.state.isLeaving(path)
    }

    // Shows that of a photo's files only the very one goes that is damaged, with an intent to commit first; and none that is to
    // go already.
    @Test func onlyTheDamagedFileGoes() {
        var judge = judge()
        let directives = judge.handle(.damaged(blobID([1]), inode: 1), now: now)
        guard directives.count == 1, case .setAside(x, record(1), let intent) = directives[0] else {
            Issue.record("not set aside: \(directives)")
            return
        }
        #expect(intent.map(\.kind) == [.folderLeaving] && isSetAside(x, judge) && !isSetAside(y, judge))
        #expect(judge.handle(.damaged(blobID([1]), inode: 1), now: now).isEmpty)
        #expect(judge.handle(.damaged(blobID([2]), inode: 1), now: now).isEmpty)
    }

    // Shows that a file which was moved is not known any more, and is nobody's removal; that one which stays is known as
    // before; and that one of which nobody knows is left to the next start, and is no removal meanwhile.
    @Test(arguments: [FolderInput.SettingAside.moved, .stayed, .unknown])
    func outcomesAreFollowed(outcome: FolderInput.SettingAside) {
        var judge = judge()
        _ = judge.handle(.damaged(blobID([1]), inode: 1), now: now)
        let changes = facts(judge.handle(.setAside(x, record(1), outcome), now: now))
        #expect((judge.state.files[x] == nil) == (outcome == .moved))
        #expect(isSetAside(x, judge) == (outcome == .unknown) && changes.isEmpty == (outcome == .unknown))
        #expect(judge.state.gone.isEmpty && judge.pending.paths.isEmpty)
        let check = FolderCheck(.vanished([x: true]), [x])
        let absent = FolderCheck.Answer(sights: [x: .absent], complaint: nil, away: [])
        _ = judge.handle(.checked(check, absent), now: now)
        #expect((judge.pending.paths[x] == .absent) == (outcome == .stayed))
    }

    // Shows that an outcome that comes twice, or of a file of which something else is known by now, changes nothing.
    @Test func lateOutcomesChangeNothing() {
        var judge = judge()
        _ = judge.handle(.damaged(blobID([1]), inode: 1), now: now)
        _ = judge.handle(.setAside(x, record(1), .moved), now: now)
        _ = judge.state.record(x, record(1))
        #expect(judge.handle(.setAside(x, record(1), .moved), now: now).isEmpty && judge.state.files[x] == record(1))
        _ = judge.handle(.damaged(blobID([1]), inode: 1), now: now)
        _ = judge.state.record(x, record(2))
        #expect(judge.handle(.setAside(x, record(1), .moved), now: now).isEmpty && judge.state.files[x] == record(2))
    }

    // Shows that what a look took of a file that went to the quarantine meanwhile is nobody's find.
    @Test func looksAtFilesThatWentFindNothing() {
        var judge = judge()
        let job = judge.looks.begin(CandidateBook.Job(path: x, isLive: true))
        _ = judge.handle(.damaged(blobID([1]), inode: 1), now: now)
        _ = judge.handle(.setAside(x, record(1), .moved), now: now)
        let taken = TakenPhoto(
            blob: IngestedBlob(id: blobID([1]), byteCount: 10, pieceList: nil, firstBytes: []),
            mediaType: "image/jpeg", signature: record(1).signature, isShort: false)
        let directives = judge.conclude(job, .taken(taken), now: now)
        guard case .finish(.look(_, .changed))? = directives.first else {
            Issue.record("found: \(directives)")
            return
        }
    }
}
