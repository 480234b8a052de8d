import AlbumModel
import TestSupport
import Testing

@testable import FolderEngine

/// People who ask what waits for them before it is known.
struct HeldQuestionTests {
    private let now = TestFolder.now
    private let x = FolderPath("A/x.jpg")
    private let first = TaskNumber(1)
    private let second = TaskNumber(2)

    /// What is answered, and whether it is known.
    private func answers(_ directives: [FolderDirective]) -> [TaskNumber: Bool] {
        directives.reduce(into: [:]) { answers, directive in
            if case .answer(let task, let isKnown) = directive { answers[task] = isKnown }
        }
    }

    private func limit(_ directives: [FolderDirective]) -> Duration? {
        if case .wait(_, let limit)? = directives.first { limit } else { nil }
    }

    // Shows that who asks has an answer at once where nothing waits, or where it is known what does.
    @Test func whatIsKnownIsToldAtOnce() {
        var judge = TestFolder.judge()
        #expect(answers(judge.handle(.asked(first), now: now)) == [first: true])
        judge = TestFolder.judge(heldID: 5)
        judge.pending.heldLosses.follow([x], firstVersion: 1) { _ in nil }
        #expect(answers(judge.handle(.asked(first), now: now)) == [first: true])
    }

    // Shows that after a start amid a hold all who ask wait until it is judged, and are answered once.
    @Test func othersWaitForTheJudgement() {
        var judge = TestFolder.judge(TestFolder.state([x: record(1)]), heldID: 5)
        for task in [first, second] {
            #expect(limit(judge.handle(.asked(task), now: now)) == FolderSettings().heldPatience)
        }
        guard case .check(let check)? = judge.handle(.judge(newID: 1), now: now).first else {
            Issue.record("not judged")
            return
        }
        let answer = FolderCheck.Answer(sights: [:], complaint: nil, away: [])
        // Nothing is gone, so nothing waits.
        let directives = judge.handle(.checked(check, answer), now: now)
        #expect(answers(directives) == [first: true, second: true] && judge.isHeldKnown)
        // Whoever performs that may be held up.
        for task in [first, second] { #expect(answers(judge.handle(.waited(task), now: now)) == [task: true]) }
    }

    // Shows that nobody waits for longer than that, nor for a folder that stops.
    @Test func nobodyWaitsForEver() {
        var judge = TestFolder.judge(heldID: 5)
        _ = judge.handle(.asked(first), now: now)
        _ = judge.handle(.asked(second), now: now)
        #expect(answers(judge.handle(.waited(first), now: now)) == [first: false])
        #expect(answers(judge.handle(.stopped, now: now)) == [second: false])
        #expect(answers(judge.handle(.asked(first), now: now)) == [first: false], "nobody finds it out any more")
    }
}
