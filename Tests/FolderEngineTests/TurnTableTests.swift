import AlbumModel
import TestSupport
import Testing

@testable import FolderEngine

/// Which tasks are under way, and which wait.
struct TurnTableTests {
    private let a = Turn.photo(blobID([1]))
    private let b = Turn.photo(blobID([2]))
    private let tasks = (1...5).map { TaskNumber($0) }

    // Shows that tasks of one photo go one after the other, in the order in which they asked, and others at once.
    @Test func onePhotoAtATime() {
        var table = TurnTable()
        #expect(table.add(tasks[0], [a]) == [tasks[0]])
        #expect(table.add(tasks[2], [a]).isEmpty && table.add(tasks[1], [a]).isEmpty)
        #expect(table.add(tasks[3], [b]) == [tasks[3]] && table.add(tasks[4], []) == [tasks[4]])
        #expect(table.remove(tasks[0]) == [tasks[2]])
        #expect(table.remove(tasks[2]) == [tasks[1]])
        #expect(table.remove(tasks[1]).isEmpty && !table.isTaken(a) && table.isTaken(b))
    }

    // Shows that a task has several turns at once or none, that none overtakes it meanwhile, and that two which want the same
    // turns do not wait for each other.
    @Test func severalTurnsComeTogether() {
        var table = TurnTable()
        #expect(table.add(tasks[0], [b]) == [tasks[0]])
        #expect(table.add(tasks[1], [a, b]).isEmpty && table.add(tasks[2], [b, a]).isEmpty)
        #expect(table.add(tasks[3], [a]).isEmpty, "it came later")
        #expect(table.remove(tasks[0]) == [tasks[1]])
        #expect(table.remove(tasks[1]) == [tasks[2]])
        #expect(table.remove(tasks[2]) == [tasks[3]])
    }

    // Shows that nothing follows from what is told twice, or of a task that nobody knows, and that one which waits may give up.
    @Test func whatIsToldTwiceIsNothing() {
        var table = TurnTable()
        #expect(table.add(tasks[0], [a]) == [tasks[0]])
        #expect(table.add(tasks[0], [b]).isEmpty && !table.isTaken(b))
        #expect(table.add(tasks[1], [a, b]).isEmpty && table.add(tasks[2], [a]).isEmpty)
        #expect(table.remove(tasks[4]).isEmpty)
        #expect(table.add(tasks[3], [b]).isEmpty)
        #expect(table.remove(tasks[1]) == [tasks[3]], "of what it waited for, one is free")
        #expect(table.remove(tasks[1]).isEmpty)
        #expect(table.remove(tasks[0]) == [tasks[2]] && table.remove(tasks[0]).isEmpty)
    }

    // Shows that no order in which tasks ask and end has two at work on one photo, or one that waits for ever.
    @Test func everyTaskHasItsTurn() {
        var random = SplitMix(state: 1)
        for _ in 0..<200 {
            var table = TurnTable()
            var wanted: [TaskNumber: Set<Turn>] = [:]
            var underWay: Set<TaskNumber> = []
            func begin(_ begun: [TaskNumber]) {
                for task in begun {
                    let others = underWay.flatMap { wanted[$0]! }
                    #expect(wanted[task]!.isDisjoint(with: others))
                    #expect(underWay.insert(task).inserted)
                }
            }
            for number in 1...30 {
                let turns = Set(
                    (0..<Int.random(in: 1...3, using: &random)).map { _ in
                        Turn.photo(blobID([UInt8.random(in: 0..<5, using: &random)]))
                    })
                wanted[TaskNumber(UInt64(number))] = turns
                begin(table.add(TaskNumber(UInt64(number)), turns))
                if Bool.random(using: &random), let task = underWay.sorted().randomElement(using: &random) {
                    underWay.remove(task)
                    begin(table.remove(task))
                }
            }
            while let task = underWay.sorted().randomElement(using: &random) {
                underWay.remove(task)
                wanted[task] = nil
                begin(table.remove(task))
            }
            #expect((0..<5).allSatisfy { !table.isTaken(.photo(blobID([$0]))) })
        }
    }
}
