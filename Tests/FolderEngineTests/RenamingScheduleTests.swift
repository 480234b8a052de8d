import AlbumModel
import TestSupport
import Testing

@testable import FolderEngine

/// When directories and files are compared with the names that they should have.
struct RenamingScheduleTests {
    private static let a = FolderPath("A")
    private static let b = FolderPath("B")
    private static let now = TestFolder.now
    private static let later = now + .seconds(60)
    private static let schedule = RenamingSchedule(
        delayFirst: .seconds(5), delayMax: .seconds(60), waitMax: .seconds(15))

    private func name(_ seed: UInt8, _ schedule: inout RenamingSchedule, second: Int) {
        let name = PhotoName(shared: "\(seed).jpg", deviceName: "Anna")
        schedule.name([record(seed).photo: name], now: Self.now + .seconds(second))
    }

    // Shows that names that stream in put the first one off for a while, and not for ever: nor those that are left after an
    // attempt that failed, nor the next one after a renaming.
    @Test func newNamesPutNoRenamingOffForEver() {
        var schedule = Self.schedule
        for (second, due) in [(0, 5), (4, 9), (8, 13), (12, 15), (14, 15)] {
            name(UInt8(second), &schedule, second: second)
            #expect(schedule.deadline == Self.now + .seconds(due), "after \(second) s")
        }
        schedule.putOff(now: Self.now + .seconds(15))
        #expect(schedule.deadline == Self.now + .seconds(20))
        for (second, due) in [(19, 24), (23, 28), (27, 32), (31, 34)] {
            name(UInt8(second), &schedule, second: second)
            #expect(schedule.deadline == Self.now + .seconds(due), "after \(second) s")
        }
        schedule.handOut(now: Self.now + .seconds(34))
        schedule.begin([], now: Self.now + .seconds(34))
        name(36, &schedule, second: 36)
        schedule.end(.photo(record(0).photo), now: Self.now + .seconds(37))
        name(38, &schedule, second: 38)
        #expect(schedule.deadline! <= Self.now + .seconds(38))
    }

    // Shows that a name that comes when nothing waits has its time, however long ago the last one came.
    @Test func aFirstNameWaits() {
        var schedule = Self.schedule
        name(1, &schedule, second: 0)
        schedule.settle(.photo(record(1).photo))
        #expect(schedule.deadline == nil)
        name(2, &schedule, second: 60)
        #expect(schedule.deadline == Self.later + .seconds(5))
    }

    // Shows that one that could not be renamed is looked at again when its name is told once more.
    @Test func aNameThatIsToldAgainIsTried() {
        var schedule = Self.schedule
        name(1, &schedule, second: 0)
        schedule.settle(.photo(record(1).photo))
        name(1, &schedule, second: 60)
        #expect(schedule.deadline == Self.later + .seconds(5))
    }

    // Shows that one that cannot be renamed holds up no other, and that only a few are tried at a time where all fail.
    @Test(arguments: [3, 40]) func failuresHoldUpNoOther(count: Int) {
        var schedule = Self.schedule
        for seed in 1...count { name(UInt8(seed), &schedule, second: 0) }
        let due = Self.now + .seconds(5)
        let attemptCount = min(count, RenamingSchedule.failureCountMax)
        var tried: Set<FolderRenaming.Subject> = []
        for attempt in 1...attemptCount {
            #expect(schedule.deadline == due, "attempt \(attempt)")
            tried.insert(schedule.next()!)
            schedule.handOut(now: due)
            schedule.end(nil, now: due)
        }
        #expect(tried.count == attemptCount)
        #expect(schedule.deadline == due + .seconds(5))
    }

    // Shows that directories are remembered up to a bound, those that became quiet make room, and where there are none each
    // directory counts as one that is not, for a while.
    @Test func stirredDirectoriesAreBounded() {
        var schedule = Self.schedule
        let countMax = RenamingSchedule.stirredCountMax
        func path(_ number: Int) -> FolderPath { FolderPath("\(number)") }
        for number in 0..<countMax { schedule.stir(path(number), now: Self.now) }
        #expect(schedule.stirred.count == countMax)
        #expect(!schedule.isQuiet(path(0), now: Self.now) && schedule.isQuiet(Self.a, now: Self.now))

        let full = Self.now + .seconds(1)
        schedule.stir(path(0), now: full)
        #expect(schedule.stirred.count == countMax && schedule.isQuiet(Self.a, now: full))
        schedule.stir(path(countMax), now: full)
        #expect(schedule.stirred.count <= countMax)
        for directory in [path(0), path(1), path(countMax), Self.a] {
            #expect(!schedule.isQuiet(directory, now: full + .seconds(4)), "\(directory)")
            #expect(schedule.isQuiet(directory, now: full + .seconds(5)), "\(directory)")
        }

        for number in 0..<countMax { schedule.stir(path(number), now: Self.later) }
        schedule.stir(path(0), now: Self.later + .seconds(4))
        schedule.stir(Self.b, now: Self.later + .seconds(5))
        #expect(schedule.stirred.keys.sorted() == [path(0), Self.b].sorted())
        #expect(
            schedule.isQuiet(Self.a, now: Self.later + .seconds(5))
                && !schedule.isQuiet(path(0), now: Self.later + .seconds(5)))
    }
}
