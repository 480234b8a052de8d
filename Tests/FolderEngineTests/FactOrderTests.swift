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
