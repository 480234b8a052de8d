import AlbumModel
import TestSupport
import Testing

@testable import FolderEngine

/// Which values facts get where tasks commit them in another order than they were decided in.
struct FactOrderTests {
    private let x = FolderPath("A/x.jpg")
    private let y = FolderPath("A/y.jpg")
    private let card = FolderPath("Card")

    /// What a journal has after these commits.
    private func journal(_ commits: [[FactChange]], _ judge: FolderJudge) -> Set<FactChange> {
        var facts: [FactChange: FactChange] = [:]
        for change in commits.flatMap({ judge.newest($0) }) {
            facts[FactChange(kind: change.kind, key: change.key, value: nil)] = change
        }
        return Set(facts.values.filter { $0.value != nil })
    }

    // Shows that the journal ends with what was decided last, whichever of two commits comes last.
    @Test func theNewestValueStands() {
        typealias Decision = (inout FolderState) -> [FactChange]
        let (one, two) = (record(1), record(2))
        let lost = FolderState.Settlement(left: [(x, one.photo, isGone: true)])
        let pairs: [(Decision, Decision)] = [
            ({ $0.record(x, one) }, { $0.drop(x) + $0.fresh.synced($0.fresh.noted) }),
            ({ $0.drop(x) }, { $0.record(x, two) }),
            ({ $0.record(x, one) + $0.settle(lost) }, { $0.letBack(one.photo) }),
            ({ $0.record(x, one) + $0.leave(x, one.photo) }, { $0.stay(x) }),
            ({ $0.record(x, one) + $0.stay(x) }, { $0.setAside(x, one.photo) }),
            ({ $0.reserveAgain(y, for: one.photo) }, { $0.release(y).changes }),
            ({ $0.fresh.synced(1) }, { [$0.fresh.note(y)] }),
        ]
        for (index, (first, second)) in pairs.enumerated() {
            var state = TestFolder.state()
            let decided = [first(&state), second(&state)]
            let inOrder = Set(
                Dictionary(grouping: decided.flatMap(\.self)) { [$0.kind.rawValue, "\($0.key)"] }
                    .values.map { $0.last! }.filter { $0.value != nil })
            #expect(journal(decided, TestFolder.judge(state)) == inOrder, "\(index)")
            #expect(journal(decided.reversed(), TestFolder.judge(state)) == inOrder, "\(index)")
        }
    }

    // Shows that a commit which comes late, and has what was decided since, has all of it: a crash right after leaves no record
    // without the intent to take its file away, none that a power cut may take without a note, and no end of a record without
    // a person's deletion.
    @Test func whatBelongsTogetherComesTogether() {
        let one = record(1)
        var state = TestFolder.state()
        let begun = state.record(x, one) + state.leave(x, one.photo)
        let intent = [state.intentToLeave(x)]
        _ = state.drop(x)
        #expect(journal(begun + intent, before: state).allSatisfy { $0.kind == .folderFresh })
        #expect(journal(begun, then: intent, before: state).allSatisfy { $0.kind == .folderFresh })
        var renewed = TestFolder.state()
        let dropped = renewed.record(x, one) + renewed.drop(x)
        _ = renewed.record(x, record(2))
        let kinds = Set(journal(dropped, before: renewed).map(\.kind))
        #expect(kinds == [.folderFile, .folderFresh])
        var deleted = TestFolder.state()
        let recorded = deleted.record(x, one)
        _ = deleted.settle(FolderState.Settlement(left: [(x, one.photo, isGone: true)]))
        #expect(journal(recorded, before: deleted).map(\.kind).contains(.folderGone))
    }

    /// What a journal has that got these facts as they were decided, and then the late ones, before what state has by now.
    private func journal(
        _ first: [FactChange], then late: [FactChange]? = nil, before state: FolderState
    ) -> Set<FactChange> {
        var facts: [FactChange: FactChange] = [:]
        for change in (late == nil ? [] : first) + TestFolder.judge(state).newest(late ?? first) {
            facts[FactChange(kind: change.kind, key: change.key, value: nil)] = change
        }
        return Set(facts.values.filter { $0.value != nil })
    }

    // Shows the same of what waits for a person and of the disks in the folder; and that facts of others stay as they are.
    @Test func facts() {
        var judge = TestFolder.judge(heldID: 5)
        let late = [
            FactChange(kind: .folderHeld, key: [], value: nil),
            FactChange(kind: .folderMount, key: card.bytes, value: [1]),
            FactChange(kind: Adoption.fact, key: [], value: [1]),
        ]
        let held = FactChange(kind: .folderHeld, key: [], value: BigEndian.bytes(5 as UInt64))
        #expect(
            judge.newest(late) == [
                held, FactChange(kind: .folderMount, key: card.bytes, value: nil), late[2],
            ])
        judge.pending.held = nil
        #expect(judge.newest([held]) == [late[0]])
    }
}
