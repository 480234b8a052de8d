import AlbumModel
import TestSupport
import Testing

@testable import FolderEngine

/// What follows once files are placed and taken away, without a disk.
struct PlacingDecisionTests {
    private let now = TestFolder.now
    private let x = FolderPath("A/x.jpg")
    private let y = FolderPath("A/y.jpg")

    /// Of a photo that this program placed.
    private func placed(_ seed: UInt8) -> FileRecord { record(seed, .placed) }

    private func judge(_ files: [FolderPath: FileRecord] = [:]) -> FolderJudge {
        TestFolder.judge(TestFolder.state(files))
    }

    private func looks(_ directives: [FolderDirective]) -> [FolderPath] {
        directives.compactMap { if case .lookAgain(let path) = $0 { path } else { nil } }
    }

    // Shows that a file which got another name is known as the disk shows it now; that one which was written to, or is not the
    // one that was meant, stays what it was.
    @Test func relinkedFilesAreKnownAgain() {
        let x = FolderPath("A/x.jpg")
        var (linked, written) = (record(1).signature, record(1).signature)
        linked.changed += 1
        (written.changed, written.modified) = (written.changed + 1, written.modified + 1)
        for (told, signature, known) in [
            (record(1), linked, linked), (record(1), written, record(1).signature),
            (record(2), linked, record(1).signature),
        ] {
            var judge = TestFolder.judge(TestFolder.state([x: record(1)]))
            let changes = facts(judge.handle(.relinked(x, told, signature), now: TestFolder.now))
            #expect(judge.state.files[x]?.signature == known)
            #expect(changes.contains { $0.kind == .folderFile } == (known != record(1).signature))
        }
    }

    // Shows that a placing ends its reservation, with a record or without one, and that what was noticed meanwhile is looked
    // at only once that is committed.
    @Test func placingsEnd() {
        var judge = judge()
        _ = judge.reserve(x, for: placed(1).photo)
        let isEcho = judge.state.isEcho(x)
        #expect(isEcho)
        let directives = judge.handle(.placed([.init(x, placed(1).photo, .placed(placed(1).signature))]), now: now)
        guard directives.count == 2, case .commit = directives[0] else {
            Issue.record("something comes before the record")
            return
        }
        #expect(looks(directives) == [x] && judge.state.files[x] == placed(1) && judge.state.intents.isEmpty)
        #expect(facts(directives).map(\.kind) == [.folderIntent, .folderFile])
        _ = judge.reserve(y, for: placed(2).photo)
        let failed = judge.handle(.placed([.init(y, placed(2).photo, .failed(isUnavailable: false))]), now: now)
        #expect(facts(failed) == [FactChange(kind: .folderIntent, key: y.bytes, value: nil)])
        #expect(looks(failed).isEmpty && judge.state.files[y] == nil && judge.state.intents.isEmpty)
    }

    // Shows that placings which end together are one commit, each with what came of it, and that the end of a reservation
    // that is over says nothing.
    @Test func placingsOfAGroupEnd() {
        var judge = judge()
        for (path, number) in [(x, 1), (y, 2)] as [(FolderPath, UInt8)] {
            _ = judge.reserve(path, for: placed(number).photo)
        }
        for path in [x, y] {
            let isEcho = judge.state.isEcho(path)
            #expect(isEcho)
        }
        let directives = judge.handle(
            .placed([
                .init(x, placed(1).photo, .placed(placed(1).signature)), .init(y, placed(2).photo, .taken),
                .init(x, placed(3).photo, .placed(placed(3).signature)),
            ]), now: now)
        guard directives.count == 3, case .commit = directives[0] else {
            Issue.record("there is not one commit, or something comes before it")
            return
        }
        #expect(facts(directives).map(\.kind) == [.folderIntent, .folderFile, .folderIntent])
        #expect(looks(directives) == [x, y] && judge.state.files == [x: placed(1)] && judge.state.intents.isEmpty)
    }

    // Shows that a file which was put back has its record's photo and origin, and that nothing is recorded over another
    // photo that came to be known there.
    @Test func filesArePutBackAsTheyWere() {
        let dropped = record(1, .dropped)
        var judge = judge([x: dropped])
        let again = FileSignature(inode: 9, byteCount: 10, modified: 0, changed: 3)
        _ = judge.state.reserveAgain(x, for: dropped.photo)
        _ = judge.handle(.putBack(x, dropped, again), now: now)
        #expect(judge.state.files[x] == FileRecord(photo: dropped.photo, signature: again, origin: .dropped))
        for signature in [again, nil] {
            _ = judge.state.reserveAgain(x, for: dropped.photo)
            _ = judge.state.record(x, placed(2))
            _ = judge.handle(.putBack(x, dropped, signature), now: now)
            #expect(judge.state.files[x] == placed(2) && judge.state.intents.isEmpty)
        }
    }

    // Shows that a photo which came back while its file went is told of, unless it has another file; and that one which is
    // to go still is not.
    @Test func photosThatCameBackAreTold() {
        for hasCopy in [false, true] {
            let copy = hasCopy ? [y: record(1, .duplicate)] : [:]
            var judge = judge([x: placed(1)].merging(copy) { $1 })
            _ = judge.state.leave(x, placed(1).photo)
            let still = judge.handle(.takenAway([y: placed(2)], [y: .gone]), now: now)
            #expect(still.isEmpty)
            _ = judge.handle(.letBack([placed(1).photo]), now: now)
            let directives = judge.handle(.takenAway([x: placed(1)], [x: .gone]), now: now)
            let isTold = directives.contains { directive in
                if case .report(.unplaced(placed(1).photo.album, placed(1).photo.blob)) = directive {
                    true
                } else {
                    false
                }
            }
            #expect(isTold == !hasCopy && judge.state.files[x] == nil)
        }
        var judge = judge([x: placed(1)])
        _ = judge.state.leave(x, placed(1).photo)
        let gone = judge.handle(.takenAway([x: placed(1)], [x: .gone]), now: now)
        #expect(!gone.contains { if case .report = $0 { true } else { false } })
    }

    // Shows that a photo which came back is told of before its file's record goes: where that cannot be committed, all behind
    // it is left, and the photo would have no file until the next start.
    @Test func photosThatCameBackAreToldFirst() {
        var judge = judge([x: placed(1)])
        _ = judge.state.leave(x, placed(1).photo)
        _ = judge.handle(.letBack([placed(1).photo]), now: now)
        let directives = judge.handle(.takenAway([x: placed(1)], [x: .gone]), now: now)
        guard directives.count == 2, case .report(.unplaced) = directives[0], case .commit = directives[1] else {
            Issue.record("\(directives)")
            return
        }
    }

    // Shows that a file which this program placed, of which a crash kept the record, goes once it is seen where its photo
    // has left the album or is hidden: no person put it there. One that an event tells of is a person's.
    @Test func whatACrashLeftGoes() {
        let taken = TakenPhoto(
            blob: IngestedBlob(id: blobID([1]), byteCount: 10, pieceList: nil, firstBytes: []),
            mediaType: "image/jpeg", signature: placed(1).signature, isShort: false)
        let album = placed(1).photo.album
        for (standing, isLive) in [
            (PhotoStanding.hidden, false), (.removed, false), (.present, false), (.hidden, true),
        ] {
            var judge = TestFolder.judge(
                FolderState(
                    files: [], gone: [], intents: [(key: x.bytes, value: placed(1).photo.bytes)],
                    fresh: FreshFiles(boot: BootID(bytes: [1]))))
            _ = judge.next(now: now)
            judge.schedule.finishScan(isAvailable: true, after: .seconds(3600), now: now)
            let job = CandidateBook.Job(path: x, isLive: isLive)
            let directives = judge.answer(.standing(taken, job, standing, album), now: now)
            let goes = standing != .present && !isLive
            #expect(judge.state.isLeaving(x) == goes && judge.state.interrupted.isEmpty && judge.state.files[x] != nil)
            let isShown = directives.contains { if case .report(.returned) = $0 { true } else { false } }
            #expect(isShown == (standing == .hidden && isLive))
            guard goes else { continue }
            guard case .takeAway(let files, _)? = judge.next(now: now) else {
                Issue.record("not taken away")
                continue
            }
            #expect(files == [x: placed(1)] && judge.next(now: now) == nil)
        }
    }

    // Shows that a photo which a person deleted and puts there again is wanted before its album has it: a crash in between
    // leaves none that nobody places. That it is back is told all the same.
    @Test func deletedPhotosThatComeBackAreWantedFirst() {
        let photo = placed(1).photo
        let taken = TakenPhoto(
            blob: IngestedBlob(id: photo.blob, byteCount: 10, pieceList: nil, firstBytes: []),
            mediaType: "image/jpeg", signature: placed(1).signature, isShort: false)
        var judge = TestFolder.judge(
            FolderState(
                files: [], gone: [(key: photo.bytes, value: y.bytes)], intents: [],
                fresh: FreshFiles(boot: BootID(bytes: [1]))))
        let job = CandidateBook.Job(path: x, isLive: true)
        let directives = judge.answer(.standing(taken, job, .removed, photo.album), now: now)
        guard directives.count == 2, case .commit(let changes) = directives[0], case .contribute = directives[1] else {
            Issue.record("\(directives)")
            return
        }
        #expect(changes == [FactChange(kind: .folderGone, key: photo.bytes, value: nil)])
        #expect(judge.state.gone.isEmpty)
        let end = judge.handle(.contributed(taken, job, photo.album), now: now)
        #expect(end.contains { if case .report(.returned) = $0 { true } else { false } })
    }

    // Shows that files of unwanted photos are taken away once that is committed, whoever begins with it, all but those that
    // list as removed; that a file which is gone leaves no record and no deletion by a person; and that one which stays is
    // looked at like any.
    @Test func unwantedFilesAreTakenAway() {
        let files = [x: placed(1), y: placed(2), FolderPath("A/z.jpg"): record(3, .removed)]
        var judge = judge(files)
        let directives = judge.handle(.unwanted(files.values.map(\.photo)), now: now)
        guard directives.count == 1, case .takeAway(let taken, let intents) = directives[0] else {
            Issue.record("not taken away")
            return
        }
        let expected = [x: placed(1), y: placed(2)].sorted { $0.key < $1.key }.map { path, record in
            FactChange(kind: .folderLeaving, key: path.bytes, value: record.photo.bytes)
        }
        #expect(intents == expected)
        // A scan that finds something back goes on with what is not committed yet.
        guard case .takeAway(taken, intents)? = judge.handle(.started, now: now).last else {
            Issue.record("taken away without its intent")
            return
        }
        #expect(taken == [x: placed(1), y: placed(2)] && Set(judge.state.leaving.keys) == [x, y])
        let ended = judge.handle(.takenAway(taken, [x: .gone, y: .left]), now: now)
        #expect(
            judge.state.files[x] == nil && judge.state.files[y] == nil && judge.state.leaving.isEmpty
                && judge.state.gone.isEmpty)
        #expect(looks(ended) == [y])
        let none = judge.handle(.unwanted([placed(9).photo]), now: now)
        #expect(none.isEmpty)
    }

    // Shows that what else follows is committed with the intents, and not before: where that fails, nobody would hand in the
    // end of the files.
    @Test func unwantedPhotosShareACommit() {
        let deleted = placed(3).photo
        let mayBePlaced = FactChange(kind: .folderGone, key: deleted.bytes, value: nil)
        var judge = TestFolder.judge(
            FolderState(
                files: [(key: x.bytes, value: placed(1).bytes)], gone: [(key: deleted.bytes, value: y.bytes)],
                intents: [], fresh: FreshFiles(boot: BootID(bytes: [1]))))
        var alone = judge
        let directives = judge.handle(.unwanted([deleted, placed(1).photo]), now: now)
        guard directives.count == 1, case .takeAway([x: placed(1)], let intents) = directives[0] else {
            Issue.record("\(directives)")
            return
        }
        let intent = FactChange(kind: .folderLeaving, key: x.bytes, value: placed(1).photo.bytes)
        #expect(intents == [mayBePlaced, intent])
        #expect(facts(alone.handle(.unwanted([deleted]), now: now)) == [mayBePlaced])
    }

    // Shows that nobody asks whether a file is gone that is just being taken away, and that one which vanished is asked about
    // after the end unless it is known to be this program's doing.
    @Test(arguments: [FolderInput.TakingAway.gone, .left, nil])
    func ownTakingAwayIsNotAskedAbout(_ outcome: FolderInput.TakingAway?) {
        var judge = scanned([x: placed(1), y: placed(2)])
        guard case .takeAway(let files, _)? = judge.handle(.unwanted([placed(1).photo]), now: now).last else {
            Issue.record("not taken away")
            return
        }
        _ = judge.handle(.noticed([.vanished(x), .vanished(y)]), now: now)
        #expect(vanished(judge.next(now: now)) == [y] && judge.next(now: now) == nil)
        judge.schedule.finishVanished()
        _ = judge.handle(.noticed([.vanished(x)]), now: now)
        #expect(judge.next(now: now) == nil && judge.schedule.isAtRest)
        _ = judge.handle(.takenAway(files, outcome.map { [x: $0] } ?? [:]), now: now)
        #expect(vanished(judge.next(now: now)) == (outcome == .gone ? nil : [x]))
    }

    // Shows that a file which a person puts where one was to be taken away is asked about as any.
    @Test func whatReplacesALeavingFileIsAskedAbout() {
        var judge = scanned([x: placed(1)])
        _ = judge.handle(.unwanted([placed(1).photo]), now: now)
        _ = judge.state.record(x, record(2))
        _ = judge.handle(.noticed([.vanished(x)]), now: now)
        #expect(vanished(judge.next(now: now)) == [x])
    }

    private func scanned(_ files: [FolderPath: FileRecord]) -> FolderJudge {
        var judge = judge(files)
        _ = judge.next(now: now)
        judge.schedule.finishScan(isAvailable: true, after: .seconds(3600), now: now)
        return judge
    }

    private func vanished(_ directive: FolderDirective?) -> [FolderPath]? {
        if case .check(let check)? = directive, case .vanished = check.reason { check.paths } else { nil }
    }

    // Shows that what was begun goes on after a start, but for damaged files on their way to the quarantine.
    @Test func takingAwayGoesOn() {
        var judge = judge([x: placed(1), y: placed(2)])
        _ = judge.state.leave(x, placed(1).photo) + judge.state.setAside(y, placed(2).photo)
        guard case .takeAway(let files, _)? = judge.handle(.started, now: now).last else {
            Issue.record("not resumed")
            return
        }
        #expect(files == [x: placed(1)])
    }

    // Shows that the file of a photo which is wanted again is looked at before the intent to take it away ends: it may be
    // gone, also by a run that a crash ended, and that is no person's deletion. One that is set aside stays set aside.
    @Test func filesOfPhotosThatCameBackAreLookedAt() {
        let returning = FactChange(kind: .folderLeaving, key: x.bytes, value: placed(1).photo.bytes + [2])
        for outcome in [FolderInput.TakingAway.gone, .stays, .left] {
            var former = judge([x: placed(1), y: placed(2)])
            _ = former.state.leave(x, placed(1).photo) + former.state.setAside(y, placed(2).photo)
            let begun = facts(former.handle(.letBack([placed(1).photo, placed(2).photo]), now: now))
            #expect(begun == [returning] && former.state.settingAside == [y])
            #expect(facts(former.handle(.letBack([placed(1).photo]), now: now)).isEmpty)
            // A crash.
            let state = FolderState(
                files: [(x.bytes, placed(1).bytes), (y.bytes, placed(2).bytes)], gone: [], intents: [],
                leaving: [(x.bytes, returning.value!), (y.bytes, placed(2).photo.bytes + [1])],
                fresh: FreshFiles(boot: BootID(bytes: [1])))
            for state in [former.state, state] {
                var judge = TestFolder.judge(state)
                guard case .takeAway([x: placed(1)], _)? = judge.handle(.started, now: now).last else {
                    Issue.record("not looked at")
                    continue
                }
                // As a scan finds it on a disk that is back.
                var scanned = judge
                let held = scanned.hold([(x, .absent)], now: now)
                #expect(scanned.state.files[x] == nil && scanned.pending.paths.isEmpty && scanned.state.gone.isEmpty)
                #expect(held.contains { if case .report(.unplaced) = $0 { true } else { false } })
                let seen = FileSignature(inode: 9, byteCount: 10, modified: 0, changed: 3)
                #expect(verdict(.file(seen, .none, holdsPhoto: true), judge) == .stays)
                #expect(verdict(.absent, judge) == .gone && verdict(.unknown, judge) == .later)
                #expect(verdict(.notFile, judge) == .stays)
                let ended = judge.handle(.takenAway([x: placed(1)], [x: outcome]), now: now)
                let isTold = ended.contains { if case .report(.unplaced) = $0 { true } else { false } }
                #expect((judge.state.files[x] == nil) == (outcome == .gone) && isTold == (outcome == .gone))
                #expect(judge.state.leaving == [y: placed(2).photo] && judge.state.gone.isEmpty)
                #expect(looks(ended) == (outcome == .gone ? [] : [x]))
            }
        }
        var judge = judge([x: placed(1)])
        _ = judge.next(now: now)
        judge.schedule.finishScan(isAvailable: true, after: .seconds(3600), now: now)
        _ = judge.state.leave(x, placed(1).photo)
        _ = judge.handle(.letBack([placed(1).photo]), now: now)
        guard case .takeAway([x: placed(1)], _)? = judge.next(now: now) else {
            Issue.record("not looked at soon")
            return
        }
        // It is to go once more.
        guard case .takeAway? = judge.handle(.unwanted([placed(1).photo]), now: now).last else {
            Issue.record("not taken away")
            return
        }
        #expect(judge.state.isLeaving(x) && !judge.state.isReturning(x))
    }

    // Shows that a file goes only where it holds its photo, nobody writes to it, no look says that it is gone, and it is
    // still to go.
    @Test func onlyThePhotosFileGoes() {
        var judge = judge([x: placed(1)])
        _ = judge.state.leave(x, placed(1).photo)
        let seen = FileSignature(inode: 9, byteCount: 10, modified: 0, changed: 3)
        func verdict(_ writer: CandidateBook.Observation.Writer, holdsPhoto: Bool = true) -> LeavingFile.Verdict {
            self.verdict(.file(seen, writer, holdsPhoto: holdsPhoto), judge)
        }
        #expect(verdict(.none) == .removed(seen) && verdict(.unknown) == .removed(seen))
        #expect(verdict(.open) == .left && verdict(.none, holdsPhoto: false) == .left)
        #expect(self.verdict(.absent, judge) == .gone && self.verdict(.unknown, judge) == .later)
        #expect(self.verdict(.notFile, judge) == .left)
        _ = judge.pending.insert(x, .absent, isExplained: false)
        #expect(verdict(.none) == .later && self.verdict(.absent, judge) == .gone)
        _ = judge.state.stay(x)
        #expect(verdict(.none) == .overtaken)
    }

    private func verdict(_ file: LeavingFile, _ judge: FolderJudge) -> LeavingFile.Verdict {
        judge.verdict(on: file, at: x, placed(1))
    }

    // Shows that an answer about a path of which something else is known by now changes nothing, and that a file which went
    // though its photo may be here again leaves no record.
    @Test func lateAnswersChangeNothing() {
        var judge = judge([x: placed(1)])
        let files = [x: placed(1)]
        _ = judge.state.leave(x, placed(1).photo)
        _ = judge.state.record(x, placed(2))
        #expect(judge.handle(.takenAway(files, [x: .gone]), now: now).isEmpty)
        #expect(judge.handle(.takenAway(files, [x: .left]), now: now).isEmpty)
        #expect(judge.state.files[x] == placed(2))
        judge = self.judge(files)
        #expect(judge.handle(.takenAway(files, [x: .left]), now: now).isEmpty && judge.state.files[x] != nil)
        _ = judge.handle(.takenAway(files, [x: .gone]), now: now)
        #expect(judge.state.files.isEmpty && judge.state.gone.isEmpty)
    }
}
