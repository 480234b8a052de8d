import AlbumModel
import TestSupport
import Testing

@testable import FolderEngine

/// When a placed file gets its photo's new name, and what follows.
struct FileRenamingTests {
    private let former = FolderPath("A/x.jpg")
    private let target = FolderPath("A/y.jpg")
    private let later = TestFolder.now + .seconds(60)

    /// The folder was looked through, and a photo is called by this name.
    private func judge(
        _ files: [FolderPath: FileRecord] = [:], named name: String = "y.jpg", mounts: KnownMounts = KnownMounts()
    ) -> FolderJudge {
        let known = files.isEmpty ? [former: record(1, .placed)] : files
        var judge = TestFolder.judge(TestFolder.state(known), mounts: mounts)
        judge.schedule.finishScan(isAvailable: true, after: .seconds(3600), now: TestFolder.now)
        call(name, &judge, now: TestFolder.now)
        return judge
    }

    private func call(
        _ name: String, isSuccessor: Bool = false, _ judge: inout FolderJudge, now: MonotonicInstant
    ) {
        let names = [record(1).photo: PhotoName(shared: name, deviceName: "Anna", isSuccessor: isSuccessor)]
        _ = judge.handle(.photosNamed(names), now: now)
    }

    /// Which file is handed out.
    private func next(_ judge: inout FolderJudge, now: MonotonicInstant? = nil) -> FolderPath? {
        guard case .rename(.photo(record(1).photo), let path)? = judge.next(now: now ?? later) else { return nil }
        return path
    }

    private func begin(
        _ judge: inout FolderJudge, at path: FolderPath? = nil, beside names: [String] = ["x.jpg"],
        turns: Set<Turn>? = nil, type: MediaType? = .jpeg, now: MonotonicInstant? = nil
    ) -> FolderRenaming? {
        let path = path ?? former
        let entries = names.map { FolderWalk.Entry(name: Array($0.utf8), kind: .noDirectory) }
        let now = now ?? later
        let look = FolderRenaming.Look(inode: 1, names: DirectoryNames(entries, listed: now), type: type)
        return judge.beginRenaming(
            .photo(record(1).photo), path, turns: turns ?? judge.turnsOfRenaming(path), look, now: now)
    }

    // Shows the whole way: handed out after a while, begun, and the record moved in the commit that ends the intent, with the
    // times that the file has since. What else is in the directory stays.
    @Test func aFileFollowsItsPhoto() throws {
        var judge = judge([former: record(1, .placed), FolderPath("A/z.jpg"): record(2, .placed)])
        #expect(judge.nextDeadline == TestFolder.now + .seconds(5) && next(&judge, now: TestFolder.now) == nil)
        #expect(next(&judge) == former && next(&judge) == nil)
        let renaming = try #require(begin(&judge))
        #expect(renaming.target == target)
        #expect(FolderRenaming(fact: (former.bytes, renaming.intent.value!)) == renaming)
        #expect(judge.next(now: later) == nil && judge.nextDeadline == nil)
        var moved = record(1, .placed)
        moved.signature.changed = 9
        let changes = facts(judge.handle(.renamed(renaming, .done(moved.signature)), now: later))
        #expect(judge.state.files == [target: moved, FolderPath("A/z.jpg"): record(2, .placed)])
        #expect(
            changes == [
                FactChange(kind: .folderFile, key: former.bytes, value: nil),
                FactChange(kind: .folderFile, key: target.bytes, value: moved.bytes),
                FactChange(kind: .folderRenaming, key: former.bytes, value: nil),
            ])
        // It has its name: nothing more comes of the same one.
        call("y.jpg", &judge, now: later)
        #expect(next(&judge, now: later + .seconds(60)) == nil && judge.nextDeadline == later + .seconds(3540))
    }

    // Shows that what a person writes into the file in that moment is not recorded as the photo.
    @Test func whatIsWrittenMeanwhileIsSeen() throws {
        var judge = judge()
        #expect(next(&judge) == former)
        let renaming = try #require(begin(&judge))
        var written = record(1).signature
        written.modified = 7
        _ = judge.handle(.renamed(renaming, .done(written)), now: later)
        #expect(judge.state.files == [target: record(1, .placed)])
    }

    // Shows that names which placing makes of the photo's stay, so that nothing is renamed twice: whatever their case, with
    // what tells it from others, with the extension of its bytes, without what a file system cannot hold.
    @Test(
        arguments: [
            ("A/X.JPG", "x.jpg"), ("A/x (Anna).jpg", "x.jpg"), ("A/x.jpg", "x.png"), ("A/x.jpeg", "x.jpeg"),
            ("A/\(String(repeating: "x", count: 150)).jpg", String(repeating: "x", count: 300)),
            ("A/x_y.jpg", "x:y.jpg"), ("A/_CON.jpg", "CON.jpg"), ("A/Photo.jpg", "..."),
        ])
    func fittingNamesStay(path: String, name: String) {
        var judge = judge([FolderPath(path): record(1, .placed)], named: name)
        #expect(next(&judge) == nil)
    }

    // Shows that each name is mapped to one that fits: however odd, it is given once. One is cut by its bytes, of one the
    // last letter is one character with the dot of the extension.
    @Test(arguments: [
        "y", "a/b.jpg", "nul", "Ünï.JPG", "  .y. ", String(repeating: "long ", count: 90), "y.heic", "{}.jpg",
        String(repeating: "漢", count: 90), "a\u{0D4E}",
    ])
    func namesAreMappedOnce(_ name: String) throws {
        var judge = judge(named: name)
        #expect(next(&judge) == former)
        let renaming = try #require(begin(&judge))
        _ = judge.handle(.renamed(renaming, .done(nil)), now: later)
        call(name, &judge, now: later)
        #expect(next(&judge, now: later + .seconds(60)) == nil && judge.state.files.keys.contains(renaming.target))
    }

    // Shows that each of the names to try fits, so that no file goes from one to the other and back for ever.
    @Test(arguments: [String(repeating: "漢", count: 70), String(repeating: "漢", count: 90), "a\u{0D4E}"])
    func allNamesToTryFit(_ shared: String) {
        let name = PhotoName(shared: shared, deviceName: String(repeating: "デ", count: 20))
        let (directory, blob) = (FolderPath("A"), record(1).photo.blob)
        for text in name.names(in: directory, of: blob, .jpeg) {
            #expect(name.fits(directory.appending(text.utf8), of: blob))
        }
    }

    // Shows that what is called so by a person is never renamed: their own file, one that was there, and a placed one to
    // which they gave a name; nor is one of which they made a copy, until that is gone.
    @Test(arguments: [FileRecord.Origin.dropped, .adopted, .duplicate, .removed, .named])
    func whatPeopleNamedStays(_ origin: FileRecord.Origin) {
        var own = judge([former: record(1, origin)])
        #expect(next(&own) == nil)
        let copy = FolderPath("A/mine.jpg")
        var copied = judge([former: record(1, .placed), copy: record(1, .duplicate)])
        #expect(next(&copied) == nil && copied.renamings.photos.count == 1)
        _ = copied.state.drop(copy)
        copied.renamings.checkPhotos(now: later)
        #expect(next(&copied, now: later + .seconds(9)) == former)
    }

    // Shows that a file in a directory that has another album's files as well, one on a disk of its own, one in the folder
    // itself, one that nobody can look at, and one that the disk damaged stay as they are.
    @Test func someFilesStay() {
        var other = record(3)
        other.photo.album = AlbumName.identifier("C")
        var shared = judge([former: record(1, .placed), FolderPath("A/z.jpg"): other])
        #expect(next(&shared) == nil)
        let card = MountIdentity(fileSystem: 7, rootInode: 2)
        var mounted = judge(mounts: KnownMounts(facts: [(key: FolderPath("A").bytes, value: card.bytes)]))
        #expect(next(&mounted) == nil)
        var bare = judge([FolderPath("x.jpg"): record(1, .placed)])
        #expect(next(&bare) == nil)
        var broken = judge()
        broken.gaps.add(former, .unanswered)
        #expect(next(&broken) == nil)
        var damaged = judge()
        damaged.damaged.insert(former, seen: record(2).signature, known: record(1).signature)
        #expect(next(&damaged) == nil)
    }

    // Shows that a file follows soon once another album's file is taken out of its directory, which no person did and nobody
    // judges.
    @Test func filesFollowOnceTheyAreAlone() {
        let path = FolderPath("A/z.jpg")
        var other = record(3)
        other.photo.album = AlbumName.identifier("C")
        var judge = judge([former: record(1, .placed), path: other])
        #expect(next(&judge) == nil)
        _ = judge.handle(.unwanted([other.photo]), now: later)
        _ = judge.handle(.takenAway([path: other], [path: .gone]), now: later)
        #expect(next(&judge, now: later + .seconds(5)) == former)
    }

    // Shows that a taken name is left, whether the disk has it, folder state, or somebody who is about to place a photo there.
    @Test func takenNamesAreLeft() {
        var onDisk = judge()
        #expect(next(&onDisk) == former)
        #expect(begin(&onDisk, beside: ["x.jpg", "Y.JPG"])?.target == FolderPath("A/y (Anna).jpg"))
        var known = judge([former: record(1, .placed), FolderPath("A/Y.jpg"): record(2)])
        #expect(next(&known) == former && begin(&known)?.target == FolderPath("A/y (Anna).jpg"))
        var reserved = judge()
        #expect(next(&reserved) == former)
        _ = reserved.reserve(target, for: record(3).photo)
        #expect(begin(&reserved)?.target == FolderPath("A/y (Anna).jpg"))
        var strange = judge()
        #expect(next(&strange) == former && begin(&strange, type: nil) == nil)
    }

    // Shows that nothing is renamed while something about the file waits: for a look, a person, or to go; nor without the
    // photo's turn.
    @Test func somebodyAtWorkIsWaitedFor() {
        var waiting = judge()
        _ = waiting.pending.insert(former, .absent, isExplained: true)
        #expect(next(&waiting) == nil)
        waiting.pending.remove(former)
        #expect(next(&waiting, now: later + .seconds(600)) == former)
        #expect(begin(&waiting, turns: []) == nil)
        _ = waiting.handle(.unwanted([record(1).photo]), now: later)
        #expect(begin(&waiting) == nil)
        _ = waiting.handle(.notRenamed, now: later)
        #expect(waiting.state.renaming == nil && waiting.nextDeadline != nil)
    }

    /// What may wait at a path.
    enum Waiting: CaseIterable {
        case judging, looking, leaving, sync

        fileprivate func begin(at path: FolderPath, _ judge: inout FolderJudge, now: MonotonicInstant) {
            switch self {
            case .judging: _ = judge.pending.insert(path, .absent, isExplained: true)
            case .looking:
                judge.schedule.noticed(touched: [path], vanished: [], isLive: false, now: now)
                _ = judge.schedule.next(now: now)
                judge.schedule.finish(path, .failed, now: now)
            case .leaving: _ = judge.state.leave(path, record(1).photo)
            case .sync: judge.state.fresh = FreshFiles(facts: [(path.bytes, [9])], boot: BootID(bytes: [1]))
            }
        }
    }

    // Shows that a file waits for what waits at either of its names, whatever that is, and not for what waits elsewhere in
    // its directory.
    @Test(arguments: Waiting.allCases) func onlyItsOwnNamesMatter(_ waiting: Waiting) {
        for path in [former, target, FolderPath("A/z.jpg")] {
            var judge = judge()
            #expect(next(&judge) == former)
            waiting.begin(at: path, &judge, now: later)
            #expect((begin(&judge) == nil) == [former, target].contains(path))
        }
        var placing = judge()
        #expect(next(&placing) == former)
        _ = placing.reserveAgain(former, record(1, .placed))
        #expect(begin(&placing) == nil)
    }

    // Shows that a new name waits for none that cannot be given: of those there may be many, which are tried ever later.
    @Test func newNamesComeFirst() {
        var judge = judge([former: record(1, .placed), FolderPath("A/z.jpg"): record(2, .placed)])
        #expect(next(&judge) == former)
        _ = judge.handle(.notRenamed, now: later)
        _ = judge.handle(.photosNamed([record(2).photo: PhotoName(shared: "w.jpg", deviceName: "Anna")]), now: later)
        guard case .rename(.photo(record(2).photo), _)? = judge.next(now: later + .seconds(60)) else {
            Issue.record("the one that failed is tried first")
            return
        }
    }

    // Shows that a file that could not be renamed for long is tried soon where it is to have yet another name, and where what
    // kept it from the one that it should have may be over: attempts were put off ever longer by then.
    @Test(arguments: [true, false]) func whatMayBeOverIsTriedSoon(isNamedAgain: Bool) throws {
        var judge = judge()
        _ = judge.pending.insert(former, .absent, isExplained: true)
        var now = later
        for _ in 0..<7 {
            #expect(next(&judge, now: now) == nil)
            now = try #require(judge.nextDeadline)
        }
        #expect(next(&judge, now: now) == nil && judge.nextDeadline == now + .seconds(300))
        judge.pending.remove(former)
        if isNamedAgain {
            call("w.jpg", &judge, now: now)
        } else {
            guard case .check(let check)? = judge.handle(.judge(newID: 1), now: now).first else {
                Issue.record("nobody asks what waits")
                return
            }
            _ = judge.handle(.checked(check, FolderCheck.Answer(sights: [:], complaint: nil, away: [])), now: now)
        }
        #expect(judge.nextDeadline == now + .seconds(5) && next(&judge, now: now + .seconds(5)) == former)
    }

    // Shows that a new name that has to wait for a moment is tried again soon, however long others could not be given.
    @Test func othersPutNoNewNameOff() throws {
        let other = FolderPath("A/z.jpg")
        var judge = judge([former: record(1, .placed), other: record(2, .placed)])
        var now = later
        for _ in 0..<7 {
            #expect(next(&judge, now: now) == former)
            _ = judge.handle(.notRenamed, now: now)
            now = try #require(judge.nextDeadline)
        }
        _ = judge.pending.insert(other, .absent, isExplained: true)
        _ = judge.handle(.photosNamed([record(2).photo: PhotoName(shared: "w.jpg", deviceName: "Anna")]), now: now)
        let first = now + .seconds(5)
        for _ in 0..<2 {
            #expect(next(&judge, now: first) == former)
            _ = judge.handle(.notRenamed, now: first)
        }
        judge.pending.remove(other)
        #expect(judge.nextDeadline == first + .seconds(5))
        guard case .rename(.photo(record(2).photo), other)? = judge.next(now: first + .seconds(5)) else {
            Issue.record("the new name waits for the one that cannot be given")
            return
        }
    }

    // Shows that a name that is given up before its turn is not given.
    @Test func theLastNameCounts() {
        var judge = judge()
        call("x.jpg", &judge, now: later)
        #expect(next(&judge) == nil)
        call("y.jpg", &judge, now: later)
        call("w.jpg", &judge, now: later)
        #expect(next(&judge, now: later + .seconds(9)) == former)
        #expect(judge.renamings.photos == [record(1).photo: PhotoName(shared: "w.jpg", deviceName: "Anna")])
    }

    // Shows that a name that comes while the file gets another one is given as well, also the one that it had.
    @Test(arguments: ["x.jpg", "z.jpg"]) func namesThatComeMeanwhileAreGiven(_ name: String) throws {
        var judge = judge()
        #expect(next(&judge) == former)
        let renaming = try #require(begin(&judge))
        call(name, &judge, now: later)
        _ = judge.handle(.renamed(renaming, .done(nil)), now: later)
        #expect(next(&judge, now: later + .seconds(9)) == target)
    }

    // MARK: Photos that took another one's place

    private let noted = FolderPath("A/x (Anna).jpg")

    /// A photo took the place of another one, whose file still has the name of both.
    private func succession(at path: FolderPath? = nil) -> FolderJudge {
        var judge = judge([path ?? noted: record(1, .placed), former: record(2, .placed)], named: "x.jpg")
        call("x.jpg", isSuccessor: true, &judge, now: TestFolder.now)
        return judge
    }

    private func takeFormerAway(_ judge: inout FolderJudge) {
        _ = judge.handle(.unwanted([record(2).photo]), now: later)
        _ = judge.handle(.takenAway([former: record(2, .placed)], [former: .gone]), now: later)
    }

    // Shows that an edited photo gets the name of the one that it replaces once that one's file is taken away, when it is
    // named then, and not before; and that it keeps it.
    @Test func anEditLosesItsNote() throws {
        var judge = succession()
        #expect(judge.renamings.photos.isEmpty && judge.renamings.deadline == nil)
        takeFormerAway(&judge)
        call("x.jpg", isSuccessor: true, &judge, now: later)
        #expect(judge.renamings.deadline == later + .seconds(5))
        #expect(next(&judge, now: later + .seconds(5)) == noted)
        let renaming = try #require(begin(&judge, at: noted, beside: ["x (Anna).jpg"]))
        #expect(renaming.target == former)
        _ = judge.handle(.renamed(renaming, .done(nil)), now: later)
        #expect(judge.state.files == [former: record(1, .placed)] && judge.renamings.photos.isEmpty)
        call("x.jpg", isSuccessor: true, &judge, now: later)
        #expect(judge.renamings.photos.isEmpty && judge.renamings.deadline == nil)
    }

    // Shows that a photo that took nobody's place keeps its note, and so does a file that a person put there.
    @Test func othersKeepTheirNotes() {
        var judge = succession()
        takeFormerAway(&judge)
        call("x.jpg", &judge, now: later)
        #expect(judge.renamings.photos.isEmpty)
        var own = self.judge([noted: record(1, .dropped)], named: "x.jpg")
        call("x.jpg", isSuccessor: true, &own, now: later)
        #expect(own.renamings.photos.isEmpty)
    }

    // Shows that a photo keeps its note, and is not tried for ever, where something that is no photo has the name; and where
    // a photo has come to have it before its turn.
    @Test func aTakenNameLeavesTheNote() {
        var judge = succession()
        takeFormerAway(&judge)
        call("x.jpg", isSuccessor: true, &judge, now: later)
        #expect(next(&judge, now: later + .seconds(5)) == noted)
        #expect(begin(&judge, at: noted, beside: ["x (Anna).jpg", "X.JPG"], now: later + .seconds(5)) == nil)
        _ = judge.handle(.notRenamed, now: later)
        #expect(judge.renamings.photos.isEmpty && judge.renamings.deadline == nil)

        call("x.jpg", isSuccessor: true, &judge, now: later)
        _ = judge.reserve(FolderPath("A/X.jpg"), for: record(3).photo)
        #expect(next(&judge, now: later + .seconds(60)) == nil && judge.renamings.photos.isEmpty)
    }

    // Shows that a name that only a listing of before has, made for another file, is tried for once more: the file that had
    // it may have been taken away between that listing and its turn, and nobody tells of that again.
    @Test func aListingOfBeforeKeepsNoNote() throws {
        var judge = succession()
        takeFormerAway(&judge)
        call("x.jpg", isSuccessor: true, &judge, now: later)
        let due = later + .seconds(5)
        #expect(next(&judge, now: due) == noted)
        #expect(begin(&judge, at: noted, beside: ["x.jpg", "x (Anna).jpg"], now: later) == nil)
        _ = judge.handle(.notRenamed, now: due)
        let again = try #require(judge.nextDeadline)
        #expect(again == due + .seconds(5) && next(&judge, now: again) == noted)
        let renaming = try #require(begin(&judge, at: noted, beside: ["x (Anna).jpg"], now: again))
        #expect(renaming.target == former)
    }

    // Shows that a photo gets the best name that is free, and never a later one than it has.
    @Test func notesOnlyGetShorter() throws {
        let name = PhotoName(shared: "x.jpg", deviceName: "Anna")
        let names = Array(name.names(in: FolderPath("A"), of: record(1).photo.blob, .jpeg))
        let long = FolderPath("A/" + names[2])
        #expect(names[...1] == ["x.jpg", "x (Anna).jpg"] && names[2].hasPrefix("x (Anna "))
        var judge = succession(at: long)
        takeFormerAway(&judge)
        call("x.jpg", isSuccessor: true, &judge, now: later)
        #expect(next(&judge, now: later + .seconds(5)) == long)
        let renaming = try #require(begin(&judge, at: long, beside: ["x.jpg", names[2]]))
        #expect(renaming.target == noted)
        _ = judge.handle(.renamed(renaming, .done(nil)), now: later)
        #expect(next(&judge, now: later + .seconds(5)) == noted)
        #expect(begin(&judge, at: noted, beside: ["x.jpg", "x (Anna).jpg"], now: later + .seconds(5)) == nil)
        _ = judge.handle(.notRenamed, now: later)
        #expect(judge.renamings.deadline == nil && judge.state.files.keys.contains(noted))
    }

    // Shows that both names are kept free meanwhile, and that the file of a photo that left its album then goes under its new
    // name.
    @Test func nothingElseHappensMeanwhile() throws {
        var judge = judge()
        #expect(next(&judge) == former)
        let renaming = try #require(begin(&judge))
        #expect(judge.reserve(target, for: record(3).photo) == .taken)
        #expect(judge.reserve(FolderPath("A/z.jpg"), for: record(3).photo) != .directoryUnfit)
        _ = judge.handle(.unwanted([record(1).photo]), now: later)
        #expect(judge.verdict(on: .absent, at: former, record(1, .placed)) == .later)
        _ = judge.handle(.renamed(renaming, .done(nil)), now: later)
        #expect(judge.state.leaving == [target: record(1).photo] && judge.state.isLeaving(target))
    }

    // Shows that what is known of the file goes with it, and what is known of others stays.
    @Test func whatIsKnownOfTheFileFollows() throws {
        let (other, leaving) = (FolderPath("A/z.txt"), FolderPath("A/z.jpg"))
        var judge = judge([former: record(1, .placed), leaving: record(2)])
        for path in [former, other] {
            _ = judge.skipped.insert(path, "it is no photo")
            judge.pending.renew(path, now: later)
        }
        _ = judge.state.leave(leaving, record(2).photo)
        #expect(next(&judge) == former)
        let renaming = try #require(begin(&judge))
        let changes = facts(judge.handle(.renamed(renaming, .done(nil)), now: later))
        #expect(judge.skipped.files.map(\.path) == [other.text])
        #expect(judge.pending.renewed(since: later) == [target, other])
        #expect(judge.state.leaving == [leaving: record(2).photo])
        #expect(changes.map(\.kind) == [.folderFile, .folderFile, .folderRenaming])
    }

    // Shows that the events of a renaming are no person's: the file is looked at once, as a scan does, also where only its
    // vanishing was told; and nobody asks whether it is gone, which would list its directory.
    @Test(arguments: [true, false]) func itsEventsAreNobodysDoing(isTargetTold: Bool) throws {
        var judge = judge()
        let job = try lookAfterRenaming(&judge, told: [.vanished(former)] + (isTargetTold ? [.touched(target)] : []))
        #expect(job.path == target && !job.isLive)
        let look = FileLook(kind: .file, signature: record(1).signature, complaint: nil, away: nil)
        for case .finish(let work) in judge.handle(.looked(job, .success(look)), now: later) {
            _ = judge.handle(.finished(work), now: later)
        }
        #expect(judge.next(now: later) == nil && judge.schedule.isAtRest)
        #expect(judge.pending.paths.isEmpty && judge.state.files[target]?.origin == .placed)
    }

    // Shows that a file that is not seen under its new name is asked about.
    @Test func aFileThatIsNotSeenIsAskedAbout() throws {
        var judge = judge()
        let job = try lookAfterRenaming(&judge, told: [.vanished(former), .touched(target)])
        _ = judge.handle(.looked(job, .failure(.absent)), now: later)
        _ = judge.handle(.finished(.look(job, .settled)), now: later)
        guard case .check(let check)? = judge.next(now: later), case .vanished(let paths) = check.reason else {
            Issue.record("nobody asks what is gone")
            return
        }
        #expect(paths == [target: false])
        let gone = FolderCheck.Answer(sights: [target: .absent], complaint: nil, away: [])
        _ = judge.handle(.checked(check, gone), now: later)
        #expect(judge.pending.paths == [target: .absent])
    }

    /// The look that follows where these events come while a file gets its name.
    private func lookAfterRenaming(_ judge: inout FolderJudge, told events: [FolderEvent]) throws -> CandidateBook.Job {
        #expect(next(&judge) == former)
        let renaming = try #require(begin(&judge))
        _ = judge.handle(.noticed(events), now: later)
        _ = judge.handle(.renamed(renaming, .done(nil)), now: later)
        var look: CandidateBook.Job?
        if case .look(let job)? = judge.next(now: later) { look = job }
        return try #require(look)
    }

    // Shows that where not everything is watched the folder is looked through for a file that a person took away, and not
    // for each that gets its name.
    @Test(arguments: [true, false]) func noScanFollowsARenaming(isOurs: Bool) {
        var judge = judge()
        judge.scan.toldLimit = "too many directories"
        #expect(next(&judge) == former)
        let renaming = isOurs ? begin(&judge) : nil
        #expect((renaming != nil) == isOurs)
        _ = judge.handle(.noticed([.vanished(former)]), now: later)
        if let renaming { _ = judge.handle(.renamed(renaming, .done(nil)), now: later) }
        if case .survey? = judge.next(now: later) {
            #expect(!isOurs)
        } else {
            #expect(isOurs)
        }
    }

    // Shows that a start at which nobody can tell what became of a renaming leaves a file alone that was to go.
    @Test func filesThatAreToGoWaitForTheirNames() {
        let renaming = FolderRenaming(.photo(record(1).photo), former: former, target: target, inode: 1)
        let journal: [FactKind: [[UInt8]: [UInt8]]] = [
            .folderFile: [former.bytes: record(1, .placed).bytes],
            .folderLeaving: [former.bytes: record(1).photo.bytes],
            .folderRenaming: [renaming.intent.key: renaming.intent.value!],
        ]
        var start = FolderStart(boot: BootID(bytes: [1])) { kind in (journal[kind] ?? [:]).map { ($0.key, $0.value) } }
        var findings = FolderStart.Findings()
        findings.renamed = (former: .absent, target: .unknown)
        findings.leaving = [former: .absent]
        #expect(start.settle(findings).isEmpty)
        #expect(start.state.files.keys.contains(former) && start.state.isLeaving(former))
    }

    // Shows that a start, and where that could not look, a scan settle what a crash left: the record is under the name that
    // the file has, and an intent of a later version is let be.
    @Test(arguments: [true, false]) func lastsOverCrashes(isDone: Bool) throws {
        let renaming = FolderRenaming(.photo(record(1).photo), former: former, target: target, inode: 1)
        let journal: [FactKind: [[UInt8]: [UInt8]]] = [
            .folderFile: [former.bytes: record(1, .placed).bytes],
            .folderRenaming: [renaming.intent.key: renaming.intent.value!],
        ]
        var start = FolderStart(boot: BootID(bytes: [1])) { kind in (journal[kind] ?? [:]).map { ($0.key, $0.value) } }
        #expect(start.renaming?.renaming == renaming && start.renaming?.files == [former: record(1, .placed)])
        let file = NameSight.present(inode: 1, isKnown: true)
        var findings = FolderStart.Findings()
        findings.renamed = isDone ? (former: .absent, target: file) : (former: file, target: .absent)
        _ = start.settle(findings)
        #expect(start.state.files == [isDone ? target : former: record(1, .placed)] && start.state.renaming == nil)
        #expect(FolderRenaming(fact: (former.bytes, [3] + renaming.intent.value!.dropFirst())) == nil)
    }
}
