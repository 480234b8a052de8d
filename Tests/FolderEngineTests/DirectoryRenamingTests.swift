import AlbumModel
import TestSupport
import Testing

@testable import FolderEngine

/// When an album's directory gets the album's new name, and what follows.
struct DirectoryRenamingTests {
    private let album = AlbumName.identifier("A")
    private let a = FolderPath("A")
    private let b = FolderPath("B")
    private let x = FolderPath("A/x.jpg")
    private let deep = FolderPath("A/sub/y.jpg")
    private let later = TestFolder.now + .seconds(60)

    private func entries(_ names: [String]) -> [FolderWalk.Entry] {
        names.map { FolderWalk.Entry(name: Array($0.utf8), kind: .directory) }
    }

    /// The folder was looked through, and album A is called B.
    private func judge(
        _ files: [FolderPath: FileRecord] = [:], named name: String = "B", mounts: KnownMounts = KnownMounts()
    ) -> FolderJudge {
        let known = files.isEmpty ? [x: record(1), deep: record(2, .removed)] : files
        var judge = TestFolder.judge(TestFolder.state(known), mounts: mounts)
        judge.schedule.finishScan(isAvailable: true, after: .seconds(3600), now: TestFolder.now)
        _ = judge.handle(.named([album: AlbumNames(own: name, listed: name)]), now: TestFolder.now)
        return judge
    }

    /// Which directory is handed out.
    private func next(_ judge: inout FolderJudge, now: MonotonicInstant? = nil) -> FolderPath? {
        guard case .rename(.album(album), let directory)? = judge.next(now: now ?? later) else { return nil }
        return directory
    }

    private func begin(
        _ judge: inout FolderJudge, beside names: [String] = ["A"], turns: Set<Turn>? = nil
    ) -> FolderRenaming? {
        let look = FolderRenaming.Look(
            inode: 5, names: DirectoryNames(entries(names), listed: later), type: nil)
        return judge.beginRenaming(.album(album), a, turns: turns ?? judge.turnsOfRenaming(a), look, now: later)
    }

    // Shows the whole way: handed out after a while, begun, and all records moved in the commit that ends the intent.
    @Test func aDirectoryFollowsItsAlbum() throws {
        var judge = judge()
        #expect(judge.nextDeadline == TestFolder.now + .seconds(5) && next(&judge, now: TestFolder.now) == nil)
        #expect(next(&judge) == a && next(&judge) == nil)
        let renaming = try #require(begin(&judge))
        #expect(renaming.target == b && FolderRenaming(fact: (a.bytes, renaming.intent.value!)) == renaming)
        #expect(judge.next(now: later) == nil && judge.nextDeadline == nil)
        let changes = facts(judge.handle(.renamed(renaming, .done(nil)), now: later))
        let moved = FolderPath("B/sub/y.jpg")
        #expect(judge.state.files == [FolderPath("B/x.jpg"): record(1), moved: record(2, .removed)])
        #expect(changes.contains(FactChange(kind: .folderFile, key: x.bytes, value: nil)))
        #expect(changes.contains(FactChange(kind: .folderFile, key: moved.bytes, value: record(2, .removed).bytes)))
        #expect(changes.contains(FactChange(kind: .folderRenaming, key: a.bytes, value: nil)))
        #expect(next(&judge, now: later + .seconds(60)) == nil)
    }

    // Shows that a name that comes while the directory gets another one is given as well.
    @Test func namesThatComeMeanwhileAreGiven() throws {
        var judge = judge()
        #expect(next(&judge) == a)
        let renaming = try #require(begin(&judge))
        _ = judge.handle(.named([album: AlbumNames(own: "C", listed: "C")]), now: later)
        _ = judge.handle(.renamed(renaming, .done(nil)), now: later)
        #expect(next(&judge, now: later + .seconds(9)) == b)
    }

    // Shows that names which are made of the album's stay, whatever their case, and that no album is renamed to its number.
    @Test(arguments: ["a", " A", "A (2)", "a (9)"])
    func fittingNamesStay(_ name: String) {
        let path = FolderPath(name + "/x.jpg")
        var judge = judge([path: record(1)], named: "A")
        #expect(next(&judge) == nil)
        _ = judge.handle(.named([album: AlbumNames(own: "A", listed: "A (3)")]), now: later)
        #expect(next(&judge, now: later + .seconds(60)) == nil)
    }

    // Shows that an album that has a directory of its name keeps the other one as well.
    @Test func oneDirectoryOfTheNameIsEnough() {
        var judge = judge([x: record(1), FolderPath("b/z.jpg"): record(3)])
        #expect(next(&judge) == nil)
    }

    // Shows that what has the name, whatever its case, is not replaced.
    @Test func takenNamesAreLeft() {
        var judge = judge()
        #expect(next(&judge) == a)
        #expect(begin(&judge, beside: ["A", "b", "B (2)"])?.target == FolderPath("B (3)"))
    }

    // Shows that a directory with another album's files, one on a disk of its own and one of which a part cannot be looked at
    // stay as they are.
    @Test func someDirectoriesStay() {
        var other = record(3)
        other.photo.album = AlbumName.identifier("C")
        var shared = judge([x: record(1), deep: record(2), FolderPath("A/z.jpg"): other])
        #expect(next(&shared) == nil)
        let card = MountIdentity(fileSystem: 7, rootInode: 2)
        let fact = (key: FolderPath("A/sub").bytes, value: card.bytes)
        var mounted = judge(mounts: KnownMounts(facts: [fact]))
        #expect(next(&mounted) == nil)
        var broken = judge()
        broken.gaps.add(FolderPath("A/sub"), .unanswered)
        #expect(next(&broken) == nil && broken.nextDeadline == TestFolder.now + .seconds(3600))
    }

    // Shows that nothing is renamed while files come there, or something of it waits; and that it is once that is over.
    @Test func somebodyAtWorkIsWaitedFor() {
        var copying = judge()
        _ = copying.handle(.noticed([.touched(FolderPath("A/new.jpg"))]), now: later)
        guard case .look(let job)? = copying.next(now: later) else {
            Issue.record("nothing is looked at")
            return
        }
        #expect(copying.next(now: later) == nil)
        _ = copying.handle(.looked(job, .failure(.absent)), now: later)
        _ = copying.handle(.finished(.look(job, .settled)), now: later)
        if case .check(let check)? = copying.next(now: later) {
            _ = copying.handle(.checked(check, FolderCheck.Answer.none), now: later)
            _ = copying.handle(.finished(.vanished), now: later)
        }
        #expect(next(&copying, now: later + .seconds(1)) == nil)
        #expect(next(&copying, now: later + .seconds(30)) == a)

        var waiting = judge()
        _ = waiting.pending.insert(x, .absent, isExplained: true)
        #expect(next(&waiting) == nil)
        waiting.pending.remove(x)
        #expect(next(&waiting, now: later + .seconds(600)) == a)
    }

    // Shows that what happened between the two steps is seen: a file came to be known, or to be on its way.
    @Test func whatComesInBetweenIsSeen() {
        var judge = judge()
        #expect(next(&judge) == a)
        #expect(begin(&judge, turns: [.photo(record(1).photo.blob)]) == nil)
        _ = judge.reserve(FolderPath("A/z.jpg"), for: record(3).photo)
        #expect(begin(&judge) == nil)
        _ = judge.handle(.notRenamed, now: later)
        #expect(judge.state.renaming == nil && judge.nextDeadline != nil)
    }

    // Shows that a directory that cannot be renamed keeps no other one from its album's name.
    @Test func othersNeedNotWait() {
        var other = record(3)
        other.photo.album = AlbumName.identifier("C")
        var judge = judge([x: record(1), FolderPath("C/z.jpg"): other])
        _ = judge.handle(.named([other.photo.album: AlbumNames(own: "D", listed: "D")]), now: TestFolder.now)
        var tried: Set<AlbumID> = []
        for count in 1...2 {
            let now = later + .seconds(600 * count)
            guard case .rename(.album(let album), _)? = judge.next(now: now) else {
                Issue.record("no directory is handed out")
                return
            }
            tried.insert(album)
            _ = judge.handle(.notRenamed, now: now)
        }
        #expect(tried == [album, other.photo.album])
    }

    // Shows that nothing gets a name in the directory, or at its new one, meanwhile; nor is taken away.
    @Test func namesAreNotFreeMeanwhile() throws {
        var judge = judge()
        #expect(next(&judge) == a)
        let renaming = try #require(begin(&judge))
        #expect(judge.reserve(FolderPath("A/z.jpg"), for: record(3).photo) == .directoryUnfit)
        #expect(judge.reserve(FolderPath("B/z.jpg"), for: record(3).photo) == .directoryUnfit)
        _ = judge.handle(.unwanted([record(1).photo]), now: later)
        #expect(judge.verdict(on: .absent, at: x, record(1)) == .later)
        _ = judge.handle(.renamed(renaming, .unchanged), now: later)
        #expect(judge.verdict(on: .absent, at: x, record(1)) == .gone && judge.state.files[x] == record(1))
    }

    // Shows that the file of a photo that left its album meanwhile goes under its new name, and that one whose photo came back
    // as well is looked at there; nothing is left of the intent under the former name.
    @Test(arguments: [false, true]) func whatIsToGoGoesUnderTheNewName(isBack: Bool) throws {
        var judge = judge()
        #expect(next(&judge) == a)
        let renaming = try #require(begin(&judge))
        let (photo, target) = (record(1).photo, FolderPath("B/x.jpg"))
        _ = judge.handle(.unwanted([photo]), now: later)
        if isBack { _ = judge.handle(.letBack([photo]), now: later) }
        let changes = facts(judge.handle(.renamed(renaming, .done(nil)), now: later))
        #expect(judge.state.leaving == [target: photo])
        #expect(judge.state.isLeaving(target) == !isBack && judge.state.isReturning(target) == isBack)
        let intent = judge.state.intentToLeave(target)
        #expect(changes.contains(intent))
        #expect(changes.contains(FactChange(kind: .folderLeaving, key: x.bytes, value: nil)))
        #expect(judge.verdict(on: .absent, at: x, record(1)) == .overtaken)
        guard case .takeAway(let files, let intents)? = judge.next(now: later) else {
            Issue.record("nothing is taken away")
            return
        }
        #expect(files == [target: record(1)] && intents == [intent])
    }

    // Shows that the events of a renaming are no person's: a file that went in that moment was seen by nobody, and one whose
    // bytes the disk has changed is not taken for an edit.
    @Test func itsEventsAreNobodysDoing() throws {
        var judge = judge()
        #expect(next(&judge) == a)
        let renaming = try #require(begin(&judge))
        let (target, new) = (FolderPath("B/x.jpg"), FolderPath("B/new.jpg"))
        _ = judge.handle(
            .noticed([.directoryVanished(a), .touched(target), .touched(new)]), now: later)
        _ = judge.handle(.renamed(renaming, .done(nil)), now: later)
        var jobs: [CandidateBook.Job] = []
        while case .look(let job)? = judge.next(now: later) { jobs.append(job) }
        #expect(jobs.first { $0.path == target }?.isLive == false && jobs.first { $0.path == new }?.isLive == true)
        for job in jobs {
            _ = judge.handle(.looked(job, .failure(.changed)), now: later)
            _ = judge.handle(.finished(.look(job, .settled)), now: later)
        }
        guard case .check(let check)? = judge.next(now: later), case .vanished(let paths) = check.reason else {
            Issue.record("nobody asks what is gone")
            return
        }
        #expect(paths == [target: false, FolderPath("B/sub/y.jpg"): false])
    }

    // Shows what is made of a crash: by inodes, else by files; what nobody can tell stays open, and a gap.
    @Test func crashesAreSettled() {
        let renaming = FolderRenaming(.album(album), former: a, target: b, inode: 5)
        func outcome(_ former: NameSight, _ target: NameSight) -> FolderRenaming.Outcome {
            renaming.outcome(former: former, target: target)
        }
        let (same, other) = (
            NameSight.present(inode: 5, isKnown: true), NameSight.present(inode: 6, isKnown: true)
        )
        #expect(outcome(same, .absent) == .unchanged && outcome(same, other) == .unchanged)
        for former in [.absent, other, .unknown] { #expect(outcome(former, same) == .done(nil)) }
        #expect(outcome(.absent, other) == .done(nil) && outcome(other, other) == .unchanged)
        #expect(outcome(.absent, .present(inode: 6, isKnown: false)) == .unchanged)
        #expect(outcome(.unknown, .absent) == .unknown && outcome(.absent, .unknown) == .unknown)
    }

    // Shows that a start and, where that could not look, a scan settle what a crash left.
    @Test(arguments: [true, false]) func lastsOverCrashes(isSeenAtStart: Bool) throws {
        let renaming = FolderRenaming(.album(album), former: a, target: b, inode: 5)
        let journal: [FactKind: [[UInt8]: [UInt8]]] = [
            .folderFile: [x.bytes: record(1).bytes], .folderFresh: [x.bytes: [1]],
            .folderGone: [record(3).photo.bytes: FolderPath("A/z.jpg").bytes],
            .folderLeaving: [x.bytes: record(1).photo.bytes],
            .folderRenaming: [renaming.intent.key: renaming.intent.value!],
        ]
        var start = FolderStart(boot: BootID(bytes: [1])) { kind in (journal[kind] ?? [:]).map { ($0.key, $0.value) } }
        #expect(start.renaming?.renaming == renaming && start.renaming?.files == [x: record(1)])
        var findings = FolderStart.Findings()
        let done = (former: NameSight.absent, target: NameSight.present(inode: 5, isKnown: true))
        findings.renamed = isSeenAtStart ? done : nil
        _ = start.settle(findings)
        var judge = TestFolder.judge(start.state)
        if !isSeenAtStart {
            judge.scan.phase = .recognising
            let asked = judge.handle(.recognised([], MountTable(mounts: [:])), now: later)
            guard case .recogniseRenaming(renaming, let files)? = asked.last else {
                Issue.record("nobody asks")
                return
            }
            #expect(files == [x: record(1)])
            let answer = FolderInput.renamingRecognised(renaming, former: done.former, target: done.target)
            guard case .list(let first)? = judge.handle(answer, now: later).last else {
                Issue.record("the scan does not go on")
                return
            }
            #expect(first == .root)
        }
        let target = FolderPath("B/x.jpg")
        #expect(judge.state.files == [target: record(1)] && judge.state.fresh.paths == [target])
        #expect(judge.state.gone == [record(3).photo: FolderPath("B/z.jpg")] && judge.state.renaming == nil)
        #expect(judge.state.leaving == [target: record(1).photo])
    }
}
