import AlbumModel
import TestSupport
import Testing

@testable import FolderEngine

/// What follows where a person says that what waits for them was not meant.
struct UndoingTests {
    private let now = TestFolder.now
    private let x = FolderPath("A/x.jpg")
    private let y = FolderPath("A/y.jpg")
    private let z = FolderPath("A/z.jpg")

    /// A group of two known files, and one that nothing is known of any more, waits.
    private func held() -> FolderJudge {
        let state = TestFolder.state([x: record(1), y: record(2)])
        var judge = TestFolder.judge(state, heldID: 5)
        for path in [x, y] { _ = judge.pending.insert(path, .absent, isExplained: false) }
        judge.pending.heldLosses.follow([x, y, z], firstVersion: 1) { _ in nil }
        return judge
    }

    private func isOver(_ directives: [FolderDirective]) -> Bool {
        guard directives.count == 2, case .commit(let changes) = directives[0], case .hold(nil) = directives[1] else {
            return false
        }
        return changes == [FactChange(kind: .folderHeld, key: [], value: nil)]
    }

    // Shows that nothing waits any more once every file is back, and that this is durable before it is told.
    @Test func undoingEndsOnceAllIsBack() {
        var judge = held()
        #expect(judge.undoing().map(\.path) == [x, y])
        for (path, record) in judge.undoing() {
            #expect(judge.wantsBack(path, record, for: .undoing))
            _ = judge.handle(.undone(path, record, .done), now: now)
        }
        #expect(judge.pending.paths.isEmpty)
        #expect(isOver(judge.handle(.undoingEnded, now: now)))
        #expect(judge.pending.held == nil && judge.pending.heldLosses.isEmpty)
        #expect(judge.handle(.undoingEnded, now: now).isEmpty)
    }

    // Shows that a file which could not be put back goes on waiting, with what is held, and may be tried again.
    @Test(arguments: [FolderInput.BringingBack.failed, .unavailable])
    func whatFailsGoesOnWaiting(outcome: FolderInput.BringingBack) {
        var judge = held()
        _ = judge.handle(.undone(x, record(1), .done), now: now)
        _ = judge.handle(.undone(y, record(2), outcome), now: now)
        #expect(judge.handle(.undoingEnded, now: now).isEmpty)
        #expect(judge.pending.held != nil && judge.undoing().map(\.path) == [y])
        #expect(judge.pending.paths[y] == .absent && judge.pending.paths[x] == nil)
    }

    // Shows that a photo that left its album meanwhile, or another one that is known there by now, is not put back, and that
    // neither keeps the rest waiting.
    @Test func whatIsNotWantedAnyMoreIsLeft() {
        var judge = held()
        _ = judge.state.leave(x, record(1).photo)
        _ = judge.state.record(y, record(3))
        for (path, record) in [(x, record(1)), (y, record(2))] {
            #expect(!judge.wantsBack(path, record, for: .undoing))
            _ = judge.handle(.undone(path, record, .unwanted), now: now)
        }
        #expect(isOver(judge.handle(.undoingEnded, now: now)))
    }

    // Shows that nothing is undone before it is known what waits.
    @Test func nothingIsUndoneUnseen() {
        var judge = held()
        judge.pending.heldLosses.removeAll()
        #expect(!judge.isHeldKnown && judge.undoing().isEmpty)
        judge.pending.held = nil
        #expect(judge.isHeldKnown && judge.handle(.undoingEnded, now: now).isEmpty)
    }
}
