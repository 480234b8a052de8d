import AlbumModel
import TestSupport
import Testing

@testable import FolderEngine

/// What follows where a person says that what waits for them was not meant.
struct UndoingTests {
    private let now = MonotonicInstant(nanoseconds: 1_000_000_000)
    private let x = FolderPath("A/x.jpg")
    private let y = FolderPath("A/y.jpg")
    private let z = FolderPath("A/z.jpg")

    private func record(_ seed: UInt8) -> FileRecord {
        FileRecord(
            photo: PhotoKey(album: AlbumName.identifier("A"), blob: blobID([seed])),
            signature: FileSignature(inode: UInt64(seed), byteCount: 10, modified: 0, changed: 0), origin: .dropped)
    }

    /// A group of two known files, and one that nothing is known of any more, waits.
    private func held() -> (FolderJudge, FolderState) {
        var judge = FolderJudge(
            root: "/photos", settings: FolderSettings(),
            names: OwnNames(marker: FolderPath(".marker"), passingPrefixes: []), mounts: KnownMounts(),
            adoption: .over, heldID: 5, now: now)
        var state = FolderState(files: [], gone: [], intents: [], fresh: FreshFiles(boot: BootID(bytes: [1])))
        _ = state.record(x, record(1)) + state.record(y, record(2))
        for path in [x, y] { _ = judge.pending.insert(path, .absent, isExplained: false) }
        judge.pending.heldPaths = [x, y, z]
        return (judge, state)
    }

    private func isOver(_ directives: [FolderDirective]) -> Bool {
        guard directives.count == 2, case .commit(let changes) = directives[0], case .hold(nil) = directives[1] else {
            return false
        }
        return changes == [FactChange(kind: .folderHeld, key: [], value: nil)]
    }

    // Shows that nothing waits any more once every file is back, and that this is durable before it is told.
    @Test func undoingEndsOnceAllIsBack() {
        var (judge, state) = held()
        #expect(judge.undoing(in: state).map(\.path) == [x, y])
        for (path, record) in judge.undoing(in: state) {
            #expect(judge.wantsBack(path, record, for: .undoing, in: state))
            _ = judge.handle(.undone(path, record, .done), in: &state, now: now)
        }
        #expect(judge.pending.paths.isEmpty)
        #expect(isOver(judge.handle(.undoingEnded, in: &state, now: now)))
        #expect(judge.pending.held == nil && judge.pending.heldPaths.isEmpty)
        #expect(judge.handle(.undoingEnded, in: &state, now: now).isEmpty)
    }

    // Shows that a file which could not be put back goes on waiting, with what is held, and may be tried again.
    @Test(arguments: [FolderInput.BringingBack.failed, .unavailable])
    func whatFailsGoesOnWaiting(outcome: FolderInput.BringingBack) {
        var (judge, state) = held()
        _ = judge.handle(.undone(x, record(1), .done), in: &state, now: now)
        _ = judge.handle(.undone(y, record(2), outcome), in: &state, now: now)
        #expect(judge.handle(.undoingEnded, in: &state, now: now).isEmpty)
        #expect(judge.pending.held != nil && judge.undoing(in: state).map(\.path) == [y])
        #expect(judge.pending.paths[y] == .absent && judge.pending.paths[x] == nil)
    }

    // Shows that a photo that left its album meanwhile, or another one that is known there by now, is not put back, and that
    // neither keeps the rest waiting.
    @Test func whatIsNotWantedAnyMoreIsLeft() {
        var (judge, state) = held()
        _ = state.leave(x, record(1).photo)
        _ = state.record(y, record(3))
        for (path, record) in [(x, record(1)), (y, record(2))] {
            #expect(!judge.wantsBack(path, record, for: .undoing, in: state))
            _ = judge.handle(.undone(path, record, .unwanted), in: &state, now: now)
        }
        #expect(isOver(judge.handle(.undoingEnded, in: &state, now: now)))
    }

    // Shows that nothing is undone before it is known what waits.
    @Test func nothingIsUndoneUnseen() {
        var (judge, state) = held()
        judge.pending.heldPaths = []
        #expect(!judge.isHeldKnown && judge.undoing(in: state).isEmpty)
        judge.pending.held = nil
        #expect(judge.isHeldKnown && judge.handle(.undoingEnded, in: &state, now: now).isEmpty)
    }
}
