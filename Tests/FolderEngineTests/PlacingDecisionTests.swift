import AlbumModel
import TestSupport
import Testing

@testable import FolderEngine

/// What follows once files are placed and taken away, without a disk.
struct PlacingDecisionTests {
    private let now = MonotonicInstant(nanoseconds: 1_000_000_000)
    private let x = FolderPath("A/x.jpg")
    private let y = FolderPath("A/y.jpg")

    private func judge() -> FolderJudge {
        FolderJudge(
            root: "/photos", settings: FolderSettings(),
            names: OwnNames(marker: FolderPath(".marker"), passingPrefixes: []), mounts: KnownMounts(), adoption: .over,
            heldID: nil, now: now)
    }

    private func record(_ seed: UInt8, _ origin: FileRecord.Origin = .placed) -> FileRecord {
        FileRecord(
            photo: PhotoKey(album: AlbumName.identifier("A"), blob: blobID([seed])),
            signature: FileSignature(inode: UInt64(seed), byteCount: 10, modified: 0, changed: 0), origin: origin)
    }

    private func state(_ files: [FolderPath: FileRecord] = [:]) -> FolderState {
        var state = FolderState(files: [], gone: [], intents: [], fresh: FreshFiles(boot: BootID(bytes: [1])))
        for (path, record) in files { _ = state.record(path, record) }
        return state
    }

    private func facts(_ directives: [FolderDirective]) -> [FactChange] {
        directives.flatMap { directive -> [FactChange] in
            if case .commit(let changes) = directive { changes } else { [] }
        }
    }

    private func looks(_ directives: [FolderDirective]) -> [FolderPath] {
        directives.compactMap { if case .lookAgain(let path) = $0 { path } else { nil } }
    }

    // Shows that a placing ends its reservation, with a record or without one, and that what was noticed meanwhile is looked
    // at only once that is committed.
    @Test func placingsEnd() {
        var (judge, state) = (judge(), state())
        _ = judge.reserve(x, for: record(1).photo, in: &state)
        let isEcho = state.isEcho(x)
        #expect(isEcho)
        let directives = judge.handle(.placed(x, record(1).photo, .placed(record(1).signature)), in: &state, now: now)
        guard directives.count == 2, case .commit = directives[0] else {
            Issue.record("something comes before the record")
            return
        }
        #expect(looks(directives) == [x] && state.files[x] == record(1) && state.intents.isEmpty)
        #expect(facts(directives).map(\.kind) == [.folderIntent, .folderFile])
        _ = judge.reserve(y, for: record(2).photo, in: &state)
        let failed = judge.handle(.placed(y, record(2).photo, .failed(isUnavailable: false)), in: &state, now: now)
        #expect(facts(failed) == [FactChange(kind: .folderIntent, key: y.bytes, value: nil)])
        #expect(looks(failed).isEmpty && state.files[y] == nil && state.intents.isEmpty)
    }

    // Shows that a file which was put back has its record's photo and origin, and that nothing is recorded over another
    // photo that came to be known there.
    @Test func filesArePutBackAsTheyWere() {
        let dropped = record(1, .dropped)
        var (judge, state) = (judge(), state([x: dropped]))
        let again = FileSignature(inode: 9, byteCount: 10, modified: 0, changed: 3)
        _ = state.reserveAgain(x, for: dropped.photo)
        _ = judge.handle(.putBack(x, dropped, again), in: &state, now: now)
        #expect(state.files[x] == FileRecord(photo: dropped.photo, signature: again, origin: .dropped))
        for signature in [again, nil] {
            _ = state.reserveAgain(x, for: dropped.photo)
            _ = state.record(x, record(2))
            _ = judge.handle(.putBack(x, dropped, signature), in: &state, now: now)
            #expect(state.files[x] == record(2) && state.intents.isEmpty)
        }
    }

    // Shows that a photo which came back while its file went is told of, unless it has another file; and that one which is
    // to go still is not.
    @Test func photosThatCameBackAreTold() {
        for hasCopy in [false, true] {
            let copy = hasCopy ? [y: record(1, .duplicate)] : [:]
            var (judge, state) = (judge(), state([x: record(1)].merging(copy) { $1 }))
            _ = state.leave(x, record(1).photo)
            let still = judge.handle(.takenAway([y: record(2)], [y: .gone]), in: &state, now: now)
            #expect(still.isEmpty)
            _ = judge.handle(.letBack([record(1).photo]), in: &state, now: now)
            let directives = judge.handle(.takenAway([x: record(1)], [x: .gone]), in: &state, now: now)
            let isTold = directives.contains { directive in
                if case .report(.unplaced(record(1).photo.album, record(1).photo.blob)) = directive {
                    true
                } else {
                    false
                }
            }
            #expect(isTold == !hasCopy && state.files[x] == nil)
        }
        var (judge, state) = (judge(), state([x: record(1)]))
        _ = state.leave(x, record(1).photo)
        let gone = judge.handle(.takenAway([x: record(1)], [x: .gone]), in: &state, now: now)
        #expect(!gone.contains { if case .report = $0 { true } else { false } })
    }

    // Shows that a file which this program placed, of which a crash kept the record, goes once it is seen where its photo
    // has left the album or is hidden: no person put it there. One that an event tells of is a person's.
    @Test func whatACrashLeftGoes() {
        let taken = TakenPhoto(
            blob: IngestedBlob(id: blobID([1]), byteCount: 10, pieceList: nil, firstBytes: []),
            mediaType: "image/jpeg", signature: record(1).signature, isShort: false)
        let album = record(1).photo.album
        for (standing, isLive) in [
            (PhotoStanding.hidden, false), (.removed, false), (.present, false), (.hidden, true),
        ] {
            var judge = judge()
            var state = FolderState(
                files: [], gone: [], intents: [(key: x.bytes, value: record(1).photo.bytes)],
                fresh: FreshFiles(boot: BootID(bytes: [1])))
            _ = judge.next(in: &state, now: now)
            judge.schedule.finishScan(isAvailable: true, after: .seconds(3600), now: now)
            let job = CandidateBook.Job(path: x, isLive: isLive)
            let directives = judge.handle(.standing(taken, job, standing, album), in: &state, now: now)
            let goes = standing != .present && !isLive
            #expect(state.isLeaving(x) == goes && state.interrupted.isEmpty && state.files[x] != nil)
            let isShown = directives.contains { if case .report(.returned) = $0 { true } else { false } }
            #expect(isShown == (standing == .hidden && isLive))
            guard goes else { continue }
            guard case .takeAway(let files)? = judge.next(in: &state, now: now) else {
                Issue.record("not taken away")
                continue
            }
            #expect(files == [x: record(1)] && judge.next(in: &state, now: now) == nil)
        }
    }

    // Shows that files of unwanted photos are taken away once that is committed, all but those that list as removed; that a
    // file which is gone leaves no record and no deletion by a person; and that one which stays is looked at like any.
    @Test func unwantedFilesAreTakenAway() {
        let files = [x: record(1), y: record(2), FolderPath("A/z.jpg"): record(3, .removed)]
        var (judge, state) = (judge(), state(files))
        let directives = judge.handle(.unwanted(files.values.map(\.photo)), in: &state, now: now)
        guard directives.count == 2, case .commit = directives[0], case .takeAway(let taken) = directives[1] else {
            Issue.record("not taken away")
            return
        }
        #expect(taken == [x: record(1), y: record(2)] && Set(state.leaving.keys) == [x, y])
        let ended = judge.handle(.takenAway(taken, [x: .gone, y: .left]), in: &state, now: now)
        #expect(state.files[x] == nil && state.files[y] == nil && state.leaving.isEmpty && state.gone.isEmpty)
        #expect(looks(ended) == [y])
        let none = judge.handle(.unwanted([record(9).photo]), in: &state, now: now)
        #expect(none.isEmpty)
    }

    // Shows that what was begun goes on after a start, but for photos that are wanted again and for damaged files on their
    // way to the quarantine.
    @Test func takingAwayGoesOn() {
        var (judge, state) = (judge(), state([x: record(1), y: record(2)]))
        _ = state.leave(x, record(1).photo) + state.setAside(y, record(2).photo)
        guard case .takeAway(let files)? = judge.handle(.started, in: &state, now: now).last else {
            Issue.record("not resumed")
            return
        }
        #expect(files == [x: record(1)])
        let facts = facts(judge.handle(.letBack([record(1).photo]), in: &state, now: now))
        #expect(facts == [FactChange(kind: .folderLeaving, key: x.bytes, value: nil)])
        #expect(judge.handle(.started, in: &state, now: now).isEmpty)
    }

    // Shows that a file goes only where it holds its photo, nobody writes to it, no look says that it is gone, and it is
    // still to go.
    @Test func onlyThePhotosFileGoes() {
        var (judge, state) = (judge(), state([x: record(1)]))
        _ = state.leave(x, record(1).photo)
        let seen = FileSignature(inode: 9, byteCount: 10, modified: 0, changed: 3)
        func verdict(_ writer: CandidateBook.Observation.Writer, holdsPhoto: Bool = true) -> LeavingFile.Verdict {
            self.verdict(.file(seen, writer, holdsPhoto: holdsPhoto), judge, state)
        }
        #expect(verdict(.none) == .removed(seen) && verdict(.unknown) == .removed(seen))
        #expect(verdict(.open) == .left && verdict(.none, holdsPhoto: false) == .left)
        #expect(self.verdict(.absent, judge, state) == .gone && self.verdict(.unknown, judge, state) == .later)
        #expect(self.verdict(.notFile, judge, state) == .left)
        _ = judge.pending.insert(x, .absent, isExplained: false)
        #expect(verdict(.none) == .later && self.verdict(.absent, judge, state) == .gone)
        _ = judge.handle(.letBack([record(1).photo]), in: &state, now: now)
        #expect(verdict(.none) == .overtaken)
    }

    private func verdict(_ file: LeavingFile, _ judge: FolderJudge, _ state: FolderState) -> LeavingFile.Verdict {
        judge.verdict(on: file, at: x, record(1), in: state)
    }

    // Shows that an answer about a path of which something else is known by now changes nothing, and that a file which went
    // though its photo may be here again leaves no record.
    @Test func lateAnswersChangeNothing() {
        var (judge, state) = (judge(), state([x: record(1)]))
        let files = [x: record(1)]
        _ = state.leave(x, record(1).photo)
        _ = state.record(x, record(2))
        #expect(judge.handle(.takenAway(files, [x: .gone]), in: &state, now: now).isEmpty)
        #expect(judge.handle(.takenAway(files, [x: .left]), in: &state, now: now).isEmpty)
        #expect(state.files[x] == record(2))
        state = self.state(files)
        #expect(judge.handle(.takenAway(files, [x: .left]), in: &state, now: now).isEmpty && state.files[x] != nil)
        _ = judge.handle(.takenAway(files, [x: .gone]), in: &state, now: now)
        #expect(state.files.isEmpty && state.gone.isEmpty)
    }
}
