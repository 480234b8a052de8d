import AlbumModel
import TestSupport
import Testing

@testable import FolderEngine

/// What follows from what a power cut, or a disk that was pulled out, left of files.
struct MendingTests {
    private let now = TestFolder.now
    private let x = FolderPath("A/x.jpg")
    private let y = FolderPath("A/y.jpg")

    /// The file that is to be looked at; `nil` once the folder is looked through.
    private func mended(_ directives: [FolderDirective]) -> FolderPath? {
        if case .mend(let path, _)? = directives.last { path } else { nil }
    }

    private func isListing(_ directives: [FolderDirective]) -> Bool {
        if case .list(.root)? = directives.last { true } else { false }
    }

    // Shows that only certain loss and damage are mended, that a photo which is to go gets no file again but leaves no
    // damaged one, and that nothing is done about a file where another photo is known by now.
    @Test func whatIsLeftIsDecided() {
        func verdict(_ remains: Remains, _ change: (inout FolderState) -> Void = { _ in }) -> Remains.Verdict {
            var state = TestFolder.state([x: record(1)], fresh: [x])
            change(&state)
            return TestFolder.judge(state).verdict(on: remains, at: x, record(1))
        }
        #expect(verdict(.nothing) == .place && verdict(.damaged) == .replace && verdict(.unknown) == .wait)
        #expect(verdict(.whole) == .leave && verdict(.other) == .leave)
        let leaving = { (state: inout FolderState) in _ = state.leave(self.x, record(1).photo) }
        #expect(verdict(.nothing, leaving) == .remove && verdict(.damaged, leaving) == .remove)
        #expect(verdict(.unknown, leaving) == .wait)
        #expect(verdict(.damaged) { _ = $0.setAside(x, record(1).photo) } == .leave)
        #expect(verdict(.nothing) { _ = $0.setAside(x, record(1).photo) } == .leave)
        for remains in [Remains.nothing, .damaged, .unknown] {
            #expect(verdict(remains) { _ = $0.record(x, record(2)) } == .leave)
            #expect(verdict(remains) { _ = $0.drop(x) } == .leave)
        }
    }

    // Shows that files are mended one after the other, before anything is listed; that what is mended is suspect no longer,
    // and what nobody can look at is a gap and stays suspect.
    @Test func filesAreMendedBeforeTheFolderIsLookedThrough() {
        let away = FolderPath("A/unknown.jpg")
        var judge = TestFolder.judge(
            TestFolder.state([x: record(1), y: record(2), away: record(3)], fresh: [x, y, away]))
        judge.state.fresh = FreshFiles(
            facts: [x, y, away, FolderPath("A/none.jpg")].map { ($0.bytes, [9]) }, boot: BootID(bytes: [1]))
        _ = judge.next(now: now)
        var directives = judge.handle(
            .surveyed(complaint: nil, MountTable(mounts: [:])), now: now)
        #expect(facts(directives).map(\.key) == [Array("A/none.jpg".utf8)] && mended(directives) == away)
        let early = judge.handle(.mended(x, record(1), .done), now: now)
        #expect(early.isEmpty, "nobody asked for it")
        directives = judge.handle(.mended(away, record(3), .unknown), now: now)
        #expect(mended(directives) == x && facts(directives).isEmpty)
        directives = judge.handle(.mended(x, record(1), .done), now: now)
        #expect(mended(directives) == y && facts(directives).map(\.key) == [x.bytes])
        directives = judge.handle(.mended(y, record(2), .done), now: now)
        #expect(isListing(directives) && judge.state.fresh.suspects == [away] && judge.state.files.count == 3)
        _ = judge.handle(
            .listed(.root, .whole([.init(name: Array("A".utf8), kind: .directory)])), now: now)
        _ = judge.handle(.listed(FolderPath("A"), .whole([])), now: now)
        #expect(judge.gaps.covers(away) && !judge.gaps.covers(x))
    }

    // Shows that a file which cannot be put back loses its record, and that this is no person's deletion; one whose disk
    // went away keeps it, but while files are adopted; and that nothing is dropped of another photo that is known there by now.
    @Test func whatCannotBePutBackIsNotDeleted() {
        func records(
            after outcome: FolderInput.Mending, _ adoption: Adoption = .over, over other: FileRecord? = nil
        ) -> FolderState {
            var judge = TestFolder.judge(TestFolder.state([x: record(1)], fresh: [x]), adoption)
            _ = judge.next(now: now)
            _ = judge.handle(.surveyed(complaint: nil, MountTable(mounts: [:])), now: now)
            if let other { _ = judge.state.record(x, other) }
            _ = judge.handle(.mended(x, record(1), outcome), now: now)
            return judge.state
        }
        let failed = records(after: .failed)
        #expect(failed.files.isEmpty && failed.gone.isEmpty && failed.fresh.suspects.isEmpty)
        let unavailable = records(after: .unavailable)
        #expect(unavailable.files == [x: record(1)] && unavailable.fresh.suspects == [x])
        #expect(records(after: .unavailable, .reading(isScanned: false)).files.isEmpty)
        #expect(records(after: .failed, over: record(2)).files == [x: record(2)])
    }

    // Shows that a lost file of a photo which was to go is put back where the photo comes back to its album before that, and
    // is nobody's deletion meanwhile.
    @Test func photosThatComeBackAreMended() {
        var judge = TestFolder.judge(TestFolder.state([x: record(1)], fresh: [x]))
        _ = judge.state.leave(x, record(1).photo)
        _ = judge.next(now: now)
        _ = judge.handle(.surveyed(complaint: nil, MountTable(mounts: [:])), now: now)
        let directives = judge.handle(.mended(x, record(1), .gone), now: now)
        #expect(isListing(directives) && judge.state.fresh.suspects == [x] && judge.state.files == [x: record(1)])
        _ = judge.handle(.letBack([record(1).photo]), now: now)
        let answer = FolderCheck.Answer(sights: [x: .absent], complaint: nil, away: [])
        _ = judge.handle(.checked(FolderCheck(.vanished([x: false]), [x]), answer), now: now)
        #expect(judge.pending.paths.isEmpty && judge.state.files == [x: record(1)])
        #expect(judge.verdict(on: .nothing, at: x, record(1)) == .place)
    }

    // Shows that what a disk may have lost that went away is durable: neither a restart of this program nor one while the
    // disk is away makes its losses a person's doing.
    @Test(arguments: [false, true]) func lossesOfPulledDisksOutliveRestarts(isBack: Bool) {
        var judge = TestFolder.judge(TestFolder.state())
        let recorded = judge.state.record(x, record(1))
        _ = judge.next(now: now)
        var directives = judge.handle(
            .surveyed(complaint: "The folder is not there.", nil), now: now)
        if isBack {
            _ = judge.handle(.finished(.scan), now: now)
            // A look that was under way has ended meanwhile.
            directives += [.commit(judge.state.record(y, record(2)))]
            _ = judge.next(now: now + .seconds(10))
            directives += judge.handle(.surveyed(complaint: nil, MountTable(mounts: [:])), now: now)
        }
        var values: [FactKind: [[UInt8]: [UInt8]]] = [:]
        for change in recorded + facts(directives) { values[change.kind, default: [:]][change.key] = change.value }
        let next = FolderStart(boot: BootID(bytes: [1])) { kind in
            (values[kind] ?? [:]).map { ($0.key, $0.value) }
        }
        #expect(next.state.fresh.suspects == (isBack ? [x, y] : [x]) && next.state.fresh.isEmpty)
    }

    // Shows that a sync which could not be done leaves the files as they are, and that one which ends late says nothing of
    // files that came since, or whose disk went away meanwhile.
    @Test func onlyWhatWasSyncedIsSafe() {
        var judge = TestFolder.judge(TestFolder.state())
        _ = judge.state.record(x, record(1))
        let noted = judge.state.fresh.noted
        let failed = judge.handle(.synchronized(noted: noted, missed: nil), now: now)
        #expect(failed.isEmpty && judge.state.fresh.paths == [x])
        _ = judge.state.record(y, record(2))
        let away = judge.handle(.synchronized(noted: noted, missed: [x]), now: now)
        #expect(away.isEmpty && judge.state.fresh.paths == [x, y])
        let done = judge.handle(.synchronized(noted: noted, missed: []), now: now)
        #expect(
            facts(done) == [FactChange(kind: .folderFresh, key: x.bytes, value: nil)] && judge.state.fresh.paths == [y])
        _ = judge.state.fresh.suspectAll()
        let late = judge.handle(.synchronized(noted: judge.state.fresh.noted, missed: []), now: now)
        #expect(late.isEmpty && judge.state.fresh.suspects == [y])
    }
}
