import AlbumModel
import TestSupport
import Testing

@testable import FolderEngine

/// How many files of one directory get their photos' names by one listing of it.
struct SharedListingTests {
    private let first = FolderPath("A/1.jpg")
    private let later = TestFolder.now + .seconds(60)

    private func names(_ names: [String], listed: MonotonicInstant? = nil) -> DirectoryNames {
        let entries = names.map { FolderWalk.Entry(name: Array($0.utf8), kind: .noDirectory) }
        return DirectoryNames(entries, listed: listed ?? later)
    }

    /// Three photos whose files get other names, of which the last one wants the name that the first one has.
    private func judge() -> FolderJudge {
        let files = Dictionary(uniqueKeysWithValues: (1...3).map { (FolderPath("A/\($0).jpg"), record($0, .placed)) })
        var judge = TestFolder.judge(TestFolder.state(files))
        judge.schedule.finishScan(isAvailable: true, after: .seconds(3600), now: TestFolder.now)
        let names = ["y.jpg", "Y.jpg", "1.jpg"].enumerated().map { number, name in
            (record(UInt8(number + 1)).photo, PhotoName(shared: name, deviceName: "Anna"))
        }
        _ = judge.handle(.photosNamed(Dictionary(uniqueKeysWithValues: names)), now: TestFolder.now)
        return judge
    }

    /// Begins to rename a file, with the names that the engine knows, or that a listing shows.
    private func begin(
        _ seed: UInt8, _ judge: inout FolderJudge, listing: DirectoryNames? = nil
    ) throws -> FolderRenaming {
        let (path, subject) = (FolderPath("A/\(seed).jpg"), FolderRenaming.Subject.photo(record(seed).photo))
        judge.renamings.handOut(now: later)
        let known = listing ?? judge.namesBeside(path, now: later)
        let names = try #require(known, "\(path)'s directory is to be listed")
        let look = FolderRenaming.Look(inode: UInt64(seed), names: names, type: .jpeg)
        let renaming = judge.beginRenaming(subject, path, turns: judge.turnsOfRenaming(path), look, now: later)
        return try #require(renaming, "\(path) is not renamed")
    }

    // Shows that what was renamed counts in the listing: its new name is taken, its former one free.
    @Test func oneListingIsEnough() throws {
        var judge = judge()
        #expect(judge.namesBeside(first, now: later) == nil)
        let y = try begin(1, &judge, listing: names(["1.jpg", "2.jpg", "3.jpg"]))
        #expect(y.target == FolderPath("A/y.jpg"))
        // Its events may come before its end is known, or behind it.
        _ = judge.handle(.noticed([.vanished(first), .touched(y.target)]), now: later)
        _ = judge.handle(.renamed(y, .done(nil)), now: later)
        let known = try #require(judge.namesBeside(FolderPath("A/2.jpg"), now: later))
        #expect(known.contains("y.jpg".utf8) && !known.contains("Y.jpg".utf8) && !known.contains("1.jpg".utf8))
        #expect(known.isTaken("Y.JPG") && !known.isTaken("1.jpg"))
        comeToRest(&judge)
        let other = try begin(2, &judge)
        #expect(other.target == FolderPath("A/Y (Anna).jpg"))
        _ = judge.handle(.renamed(other, .done(nil)), now: later)
        _ = judge.handle(.noticed([.vanished(FolderPath("A/2.jpg")), .touched(other.target)]), now: later)
        comeToRest(&judge)
        let last = try begin(3, &judge)
        #expect(last.target == first)
        _ = judge.handle(.renamed(last, .done(nil)), now: later)
        #expect(judge.listings.count == 0)
    }

    // Shows that for a file that was placed since a directory was listed, of which no event ends the listing, it is listed
    // again: else the file would seem to be gone, and put off all renamings.
    @Test func filesPlacedSinceAreListed() throws {
        var judge = judge()
        let renaming = try begin(1, &judge, listing: names(["1.jpg", "2.jpg"]))
        _ = judge.handle(.renamed(renaming, .done(nil)), now: later)
        #expect(judge.namesBeside(FolderPath("A/2.jpg"), now: later) != nil)
        #expect(judge.namesBeside(FolderPath("A/3.jpg"), now: later) == nil)
    }

    /// What was noticed is looked at, and is as it is known.
    private func comeToRest(_ judge: inout FolderJudge) {
        while case .some(let work) = judge.schedule.next(now: later) {
            switch work {
            case .look(let job): judge.schedule.finish(job.path, .settled, now: later)
            case .vanished: judge.schedule.finishVanished()
            default: break
            }
        }
    }

    // Shows that a listing ends with a name that somebody else takes or gives up, with a file that is taken away, with a
    // scan, with a renaming of which nobody knows what became, or that was not possible, when renamings are put off, and
    // after a while; and that there is none where not everything is watched. In another directory it stays.
    @Test(arguments: Change.allCases) func aListingEnds(_ change: Change) throws {
        var judge = judge()
        let renaming = try begin(1, &judge, listing: names(["1.jpg", "2.jpg", "3.jpg", "other.jpg"]))
        let outcome: FolderRenaming.Outcome =
            switch change {
            case .notRenamed: .unchanged
            case .unknown: .unknown
            default: .done(nil)
            }
        _ = judge.handle(.renamed(renaming, outcome), now: later)
        let path = FolderPath("A/2.jpg")
        var now = later
        switch change {
        case .nothing, .notRenamed, .unknown: break
        case .newName: _ = judge.handle(.noticed([.touched(FolderPath("A/new.jpg"))]), now: later)
        case .newNameElsewhere: _ = judge.handle(.noticed([.touched(FolderPath("A/sub/new.jpg"))]), now: later)
        case .knownName: _ = judge.handle(.noticed([.touched(path)]), now: later)
        case .lostName: _ = judge.handle(.noticed([.vanished(FolderPath("A/other.jpg"))]), now: later)
        case .takenAway:
            let taken = FolderPath("A/3.jpg")
            _ = judge.handle(.unwanted([record(3).photo]), now: later)
            _ = judge.handle(.takenAway([taken: record(3, .placed)], [taken: .gone]), now: later)
        case .scan:
            _ = judge.beginWalk()
            _ = judge.handle(.listed(.root, .whole([])), now: later)
        case .time: now = later + .seconds(5)
        case .begunInVain:
            judge.renamings.handOut(now: later)
            _ = judge.handle(.notRenamed, now: later)
        case .putOff:
            for seed in 2...3 { _ = judge.pending.insert(FolderPath("A/\(seed).jpg"), .absent, isExplained: true) }
            #expect(judge.next(now: later) == nil && judge.renamings.deadline == later + .seconds(5))
        case .unwatched: judge.scan.toldLimit = "too many directories"
        }
        #expect((judge.namesBeside(path, now: now) != nil) == change.isListingKept)
    }

    enum Change: CaseIterable {
        case nothing, newNameElsewhere, knownName
        case newName, lostName, takenAway, scan, time, unwatched, notRenamed, unknown, begunInVain, putOff

        var isListingKept: Bool { [.nothing, .newNameElsewhere, .knownName].contains(self) }
    }

    // Shows that listings are bounded, and that those that are over make room.
    @Test func listingsAreBounded() {
        var listings = SharedListings(lifetime: .seconds(5))
        func path(_ number: Int) -> FolderPath { FolderPath("A/\(number)") }
        for number in 0..<SharedListings.countMax {
            let listed = number == 0 ? later : later + .seconds(4)
            listings.keep(names([], listed: listed), of: path(number), now: listed)
        }
        let (soon, new) = (later + .seconds(5), path(SharedListings.countMax))
        listings.keep(names([], listed: soon), of: new, now: soon)
        #expect(listings.count == SharedListings.countMax)
        #expect(listings.names(in: path(1), now: soon) != nil && listings.names(in: path(0), now: soon) == nil)
        listings.keep(names([], listed: soon), of: path(0), now: soon)
        #expect(listings.count <= SharedListings.countMax && listings.names(in: path(0), now: soon) != nil)
    }

    // Shows that two spellings of one name are two entries: while one is left, the name is taken.
    @Test func spellingsAreCounted() {
        var names = names(["x.jpg", "X.jpg"])
        names.rename("X.jpg".utf8, to: "z.jpg".utf8)
        #expect(names.isTaken("X.JPG") && names.contains("x.jpg".utf8) && !names.contains("X.jpg".utf8))
        names.rename("x.jpg".utf8, to: "w.jpg".utf8)
        #expect(!names.isTaken("x.jpg") && names.isTaken("W.jpg") && names.isTaken("Z.jpg"))
    }
}
