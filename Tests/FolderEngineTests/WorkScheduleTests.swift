import AlbumModel
import Testing

@testable import FolderEngine

/// Which work comes when, without threads or clocks.
struct WorkScheduleTests {
    private static let start = MonotonicInstant(nanoseconds: 1_000_000_000)
    private let appeared = FolderPath("Beach/new.jpg")
    private let gone = FolderPath("Beach/old.jpg")

    private func schedule(eventCountMax: Int = 100) -> WorkSchedule {
        var judging = Judging()
        judging.quiet = .seconds(5)
        judging.waitMax = .seconds(12)
        return WorkSchedule(
            patience: Patience(), judging: judging, syncInterval: .seconds(30), eventCountMax: eventCountMax,
            now: Self.start)
    }

    /// One whose first scan has found the folder; the next is an hour away.
    private func scanned(eventCountMax: Int = 100) -> WorkSchedule {
        var schedule = schedule(eventCountMax: eventCountMax)
        #expect(schedule.next(now: Self.start) == .scan)
        schedule.finishScan(isAvailable: true, after: .seconds(3600), now: Self.start)
        return schedule
    }

    private func at(_ seconds: Double) -> MonotonicInstant { Self.start + seconds }

    // Shows that nothing but a scan is handed out before a scan has seen the folder, nor once it is away.
    @Test func aFolderThatIsNotThereHasNoWork() {
        var schedule = schedule()
        schedule.noticed(touched: [appeared], vanished: [gone], isLive: true, now: at(0))
        schedule.judgeSoon(now: at(0))
        #expect(schedule.next(now: at(0)) == .scan)
        #expect(schedule.next(now: at(0)) == nil)
        schedule.finishScan(isAvailable: false, after: .seconds(3), now: at(1))
        #expect(schedule.next(now: at(1)) == nil && schedule.deadline == at(4))
        // A scan that is wanted meanwhile does not come before the next look for the marker.
        #expect(schedule.next(now: at(4)) == .scan)
        schedule.rescan(now: at(4))
        schedule.finishScan(isAvailable: false, after: .seconds(3), now: at(5))
        #expect(schedule.deadline == at(8))
        #expect(schedule.next(now: at(8)) == .scan)
        schedule.finishScan(isAvailable: true, after: .seconds(3600), now: at(8))
        #expect(schedule.next(now: at(8)) == .look(CandidateBook.Job(path: appeared, isLive: true)))
    }

    // Shows the order: what appeared is looked at, then what vanished is asked for, and only then a group is judged.
    @Test func judgingComesLast() {
        var schedule = scanned()
        schedule.noticed(touched: [appeared], vanished: [gone], isLive: true, now: at(1))
        schedule.judgeSoon(now: at(1))
        #expect(schedule.next(now: at(1)) == .look(CandidateBook.Job(path: appeared, isLive: true)))
        #expect(schedule.next(now: at(1)) == nil)
        schedule.finish(appeared, .settled, now: at(1))
        #expect(schedule.next(now: at(1)) == .vanished([gone: true]))
        #expect(schedule.next(now: at(1)) == nil)
        schedule.finishVanished()
        #expect(schedule.next(now: at(1)) == .judge)
        schedule.judgeSoon(now: at(1))
        #expect(schedule.next(now: at(1)) == nil)
        schedule.finishJudging()
        #expect(schedule.next(now: at(1)) == .judge)
    }

    // Shows that what vanishes while somebody asks about others is asked about together, once that is over.
    @Test func whatVanishesMeanwhileIsAskedTogether() {
        let (second, third) = (FolderPath("A/second.jpg"), FolderPath("A/third.jpg"))
        var schedule = scanned()
        schedule.noticed(touched: [], vanished: [gone], isLive: true, now: at(1))
        #expect(schedule.next(now: at(1)) == .vanished([gone: true]))
        for path in [second, third] { schedule.noticed(touched: [], vanished: [path], isLive: true, now: at(1)) }
        #expect(schedule.next(now: at(1)) == nil && !schedule.isAtRest)
        schedule.finishVanished()
        #expect(schedule.next(now: at(1)) == .vanished([second: true, third: true]))
    }

    // Shows that whoever ends a piece of work twice does not stop judging.
    @Test func workMayEndTwice() {
        var schedule = scanned()
        schedule.noticed(touched: [], vanished: [gone], isLive: true, now: at(1))
        #expect(schedule.next(now: at(1)) == .vanished([gone: true]))
        schedule.finishVanished()
        schedule.finishVanished()
        schedule.judgeSoon(now: at(1))
        #expect(schedule.next(now: at(1)) == .judge)
    }

    // Shows that each further change puts judging off, and that the first one does not wait for ever.
    @Test func judgingWaitsForQuiet() {
        var schedule = scanned()
        schedule.awaitJudging(now: at(0))
        #expect(schedule.deadline == at(5))
        schedule.awaitJudging(now: at(4))
        #expect(schedule.next(now: at(5)) == nil && schedule.deadline == at(9))
        schedule.awaitJudging(now: at(8.5))
        #expect(schedule.next(now: at(9)) == nil && schedule.deadline == at(12))
        #expect(schedule.next(now: at(12)) == .judge)
        schedule.finishJudging()
        #expect(schedule.next(now: at(100)) == nil)
    }

    // Shows that what is put off is judged ever more rarely while nothing changes, and soon once a file is settled.
    @Test func whatIsPutOffWaitsForAChange() {
        var schedule = scanned()
        schedule.awaitJudging(now: at(0))
        var times: [Double] = []
        for second in stride(from: 0, through: 1500, by: 2.5) {
            guard schedule.next(now: at(second)) == .judge else { continue }
            times.append(second)
            schedule.putOffJudging(true, now: at(second))
            schedule.finishJudging()
        }
        #expect(times == [5, 10, 20, 40, 80, 160, 320, 620, 920, 1220])
        schedule.noticed(touched: [appeared], vanished: [], isLive: true, now: at(1501))
        guard case .look? = schedule.next(now: at(1501)) else {
            Issue.record("there is nothing to look at")
            return
        }
        schedule.finish(appeared, .settled, now: at(1501))
        #expect(schedule.next(now: at(1506)) == .judge)
        schedule.putOffJudging(false, now: at(1506))
        schedule.finishJudging()
        #expect(schedule.next(now: at(3500)) == nil && !schedule.isJudgingPutOff)
    }

    // Shows that nothing is judged while somebody looks through the folder, and that a scan wanted meanwhile comes at once.
    @Test func nothingIsJudgedDuringAScan() {
        var schedule = scanned()
        schedule.rescan(now: at(1))
        schedule.judgeSoon(now: at(1))
        #expect(schedule.next(now: at(1)) == .scan)
        #expect(schedule.next(now: at(1)) == nil && schedule.deadline == nil && !schedule.isLookedThrough)
        schedule.rescan(now: at(2))
        schedule.rescan(within: .seconds(1), now: at(2))
        schedule.finishScan(isAvailable: true, after: .seconds(3600), now: at(3))
        #expect(schedule.next(now: at(3)) == .scan)
        schedule.finishScan(isAvailable: true, after: .seconds(3600), now: at(4))
        #expect(schedule.next(now: at(4)) == .judge && schedule.isLookedThrough)
    }

    // Shows that a gap brings the next scan forward, and never puts one off.
    @Test func scansAreBroughtForward() {
        var schedule = scanned()
        schedule.rescan(within: .seconds(5), now: at(0))
        schedule.rescan(within: .seconds(60), now: at(1))
        #expect(schedule.deadline == at(5))
        #expect(schedule.unsettled(now: at(4)).isScanComplete)
        #expect(!schedule.unsettled(now: at(5)).isScanComplete)
    }

    // Shows that a file's size is known from the scan that found it on, which says nothing to those who judge, and that what
    // a look shows counts more. Catches sizes that are lost between the scan and the look.
    @Test func sizesAreKnownFromTheScanOn() {
        var schedule = scanned()
        schedule.noticed(touched: [appeared, gone], vanished: [], isLive: false, now: at(1))
        schedule.lists([appeared: 3_000_000])
        func byteCount(_ path: FolderPath) -> UInt64? { schedule.unsettled(now: at(1)).paths[path]?.byteCount }
        #expect(byteCount(appeared) == 3_000_000 && byteCount(gone) == nil)
        #expect(schedule.unsettledByteCounts.isEmpty)
        schedule.sees(
            appeared, FileSignature(inode: 1, byteCount: 4_000_000, modified: 0, changed: 0), now: at(2))
        #expect(byteCount(appeared) == 4_000_000)
    }

    // Shows that more paths than fit are left to a scan instead of being forgotten.
    @Test func whatDoesNotFitIsScannedFor() {
        for isVanished in [false, true] {
            var schedule = scanned(eventCountMax: 2)
            let paths = (0..<3).map { FolderPath("A/\($0).jpg") }
            schedule.noticed(
                touched: isVanished ? [] : paths, vanished: isVanished ? paths : [], isLive: true, now: at(1))
            #expect(schedule.next(now: at(1)) == .scan)
        }
    }

    // Shows that a word about a vanished path stays, whatever is found by looking.
    @Test func whatAnEventToldStaysTold() {
        var schedule = scanned()
        schedule.noticed(touched: [], vanished: [gone], isLive: true, now: at(1))
        schedule.noticed(touched: [], vanished: [gone, appeared], isLive: false, now: at(1))
        schedule.noticed(touched: [], vanished: [FolderPath("A/z")], isLive: true, isVanishTold: false, now: at(1))
        schedule.foundAbsent(gone, isTold: false, now: at(1))
        #expect(schedule.next(now: at(1)) == .vanished([gone: true, appeared: false, FolderPath("A/z"): false]))
    }

    // Shows that new files are synced once for all that came in the interval, also while the folder is away.
    @Test func syncsAreShared() {
        var schedule = schedule()
        schedule.awaitSync(now: at(0))
        schedule.awaitSync(now: at(20))
        #expect(schedule.next(now: at(0)) == .scan)
        #expect(schedule.next(now: at(29)) == nil && schedule.deadline == at(30))
        #expect(schedule.next(now: at(30)) == .synchronize)
        schedule.awaitSync(now: at(31))
        #expect(schedule.next(now: at(62)) == nil)
        schedule.finishSync(isWantedAgain: true, now: at(62))
        #expect(schedule.next(now: at(62)) == .synchronize)
        schedule.finishSync(isWantedAgain: false, now: at(63))
        #expect(schedule.deadline == nil)
    }
}
