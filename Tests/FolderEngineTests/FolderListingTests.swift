import Testing

@testable import FolderEngine

/// What follows from a look through the folder, and what does not.
struct FolderListingTests {
    /// A directory's entries; names that end with a slash are directories.
    private func whole(_ names: String...) -> FolderWalk.Listing {
        .whole(
            names.map { name in
                let isDirectory = name.hasSuffix("/")
                return FolderWalk.Entry(
                    name: Array((isDirectory ? name.dropLast() : name[...]).utf8),
                    kind: isDirectory ? .directory : .noDirectory)
            })
    }

    /// Walks through these directories; what is looked at is there and known, unless `sights` says otherwise.
    private func walk(
        _ directories: [String: FolderWalk.Listing], sights: [String: FolderWalk.Sight] = [:],
        gaps: [String: FolderGaps.Reason] = [:]
    ) -> (listing: FolderListing, listed: [String]) {
        var walk = FolderWalk(gaps: Dictionary(uniqueKeysWithValues: gaps.map { (FolderPath($0.key), $0.value) }))
        var listed: [String] = []
        while let directory = walk.nextDirectory() {
            listed.append(directory.text)
            let result = directories[directory.text] ?? .failed(5, isAbsent: false)
            for path in walk.listed(directory, result) {
                walk.looked(at: path, sights[path.text] ?? .present(isKnown: true, byteCount: 10))
            }
        }
        return (walk.finish(), listed)
    }

    private let files = ["A/x.jpg", "A/deep/y.jpg", "B/z.jpg"].map { FolderPath($0) }

    private func missing(_ listing: FolderListing) -> [String] { listing.missing(of: files).map(\.text) }

    // Shows that a file is missing where its directory was listed without it, or is not listed in its parent any more.
    @Test func wholeListingsShowWhatIsMissing() {
        let all = walk([
            "": whole("A/", "B/"), "A": whole("deep/", "x.jpg"), "A/deep": whole("y.jpg"), "B": whole("z.jpg"),
        ])
        #expect(missing(all.listing).isEmpty && all.listing.gaps.isEmpty && all.listed.count == 4)
        let some = walk(["": whole("A/"), "A": whole("deep/"), "A/deep": whole("y.jpg")])
        #expect(missing(some.listing) == ["A/x.jpg", "B/z.jpg"])
    }

    // Shows that nothing follows from a directory that gives an error, wherever it is, the folder itself included.
    @Test func nothingFollowsFromAnError() {
        let error = FolderWalk.Listing.failed(5, isAbsent: false)
        let deep = walk(["": whole("A/", "B/"), "A": whole("deep/"), "A/deep": error, "B": whole()])
        #expect(missing(deep.listing) == ["A/x.jpg", "B/z.jpg"])
        #expect(deep.listing.gaps == [FolderPath("A/deep"): .unreadable(5)])
        let album = walk(["": whole("A/", "B/"), "A": error, "B": whole("z.jpg")])
        #expect(missing(album.listing).isEmpty && album.listing.mayHold(FolderPath("A/deep/other.jpg")))
        for isAbsent in [false, true] {
            let root = walk(["": .failed(2, isAbsent: isAbsent)])
            #expect(missing(root.listing).isEmpty && root.listing.gaps == [.root: .unreadable(2)])
        }
    }

    // Shows that a directory which went during the walk has lost its files: that is an answer, and no error.
    @Test func directoriesMayGoMeanwhile() {
        let gone = walk(["": whole("A/", "B/"), "A": .failed(2, isAbsent: true), "B": whole("z.jpg")])
        #expect(missing(gone.listing) == ["A/x.jpg", "A/deep/y.jpg"] && gone.listing.gaps.isEmpty)
    }

    // Shows that a name which a listing tells twice is one entry.
    @Test func namesMayBeToldTwice() {
        var walk = FolderWalk(gaps: [:])
        #expect(walk.nextDirectory() == .root)
        let paths = walk.listed(.root, whole("A/", "x.jpg", "A/", "y.jpg", "x.jpg"))
        #expect(paths.map(\.text) == ["x.jpg", "y.jpg"])
        #expect(walk.nextDirectory()?.text == "A" && walk.nextDirectory() == nil)
    }

    // Shows that an entry that cannot be told or looked at is a gap, and that one that just went is looked at again.
    @Test func entriesHaveSights() {
        let entries = [
            FolderWalk.Entry(name: Array("A".utf8), kind: .unknown(5)),
            FolderWalk.Entry(name: Array("B".utf8), kind: .directory),
        ]
        let seen = walk(
            ["": .whole(entries), "B": whole("z.jpg", "new.jpg", "went.jpg", ".potluck-placing-1")],
            sights: [
                "B/z.jpg": .failed(13), "B/new.jpg": .present(isKnown: false, byteCount: 20), "B/went.jpg": .absent,
                "B/.potluck-placing-1": .own,
            ])
        #expect(missing(seen.listing).isEmpty)
        #expect(seen.listing.gaps == [FolderPath("A"): .unreadable(5), FolderPath("B/z.jpg"): .unreadable(13)])
        #expect(seen.listing.unsettled.map(\.text) == ["B/new.jpg", "B/went.jpg"])
        #expect(seen.listing.byteCounts == [FolderPath("B/new.jpg"): 20])
        #expect(!seen.listing.mayHold(FolderPath("B/.potluck-placing-1")))
    }

    // Shows that the bare directory of a disk that is away is not looked into.
    @Test func disksThatAreAwayAreGaps() {
        let away = walk(["": whole("A/", "B/"), "B": whole("z.jpg")], gaps: ["A": .away])
        #expect(away.listed == ["", "B"] && missing(away.listing).isEmpty)
        #expect(away.listing.gaps == [FolderPath("A"): .away])
    }

    // Shows that directories that hold no photos by their name are looked at and not entered.
    @Test func junkIsNotEntered() {
        let junk = walk(["": whole("@eaDir/", ".hidden/", "A/"), "A": whole("x.jpg")])
        #expect(junk.listed == ["", "A"] && junk.listing.mayHold(FolderPath("@eaDir")))
    }

    // Shows that another disk than the one that was there has not been looked at.
    @Test func otherDisksMayHoldPhotos() {
        var gaps = FolderGaps(delayFirst: .seconds(5), delayMax: .seconds(300))
        gaps.found([FolderPath("A"): .away])
        #expect(!gaps.hasUnseen)
        gaps.found([FolderPath("A"): .otherDisk])
        #expect(gaps.hasUnseen)
    }

    // Shows that the wait for the next look doubles while there are gaps, and begins anew after a look without.
    @Test func gapsAreLookedAtAgain() {
        var gaps = FolderGaps(delayFirst: .seconds(5), delayMax: .seconds(12))
        #expect(gaps.delay == nil)
        gaps.add(FolderPath("A"), .unreadable(5))
        gaps.add(FolderPath("A/deep"), .away)
        #expect(gaps.delay == .seconds(5) && gaps.reasons.count == 1 && gaps.covers(FolderPath("A/deep/x.jpg")))
        for seconds in [10, 12, 12] {
            gaps.found([FolderPath("B"): .away])
            #expect(gaps.delay == .seconds(seconds))
        }
        gaps.found([:])
        #expect(gaps.delay == nil && !gaps.covers(FolderPath("B/x.jpg")))
    }

    // Shows that files of a disk that is away are one gap, and that others make a gap of their directory.
    @Test func unreachableFilesAreGaps() {
        var gaps = FolderGaps(delayFirst: .seconds(5), delayMax: .seconds(300))
        gaps.add(
            unreachable: ["A/card/x.jpg", "A/card/deep/y.jpg", "A/z.jpg"].map { FolderPath($0) },
            away: [FolderPath("A/card")])
        #expect(gaps.reasons == [FolderPath("A/card"): .away, FolderPath("A"): .unanswered])
    }

    // Shows that a disk is suspected once something else is seen at its place, and a directory that gave an error is not.
    @Test func disksReturn() {
        var gaps = FolderGaps(delayFirst: .seconds(5), delayMax: .seconds(300))
        gaps.found([FolderPath("A"): .away, FolderPath("B"): .otherDisk, FolderPath("C"): .unreadable(5)])
        #expect(gaps.returned([:]) == [FolderPath("A"), FolderPath("B")])
        #expect(gaps.returned([FolderPath("A"): .away, FolderPath("B"): .otherDisk]).isEmpty)
        #expect(gaps.returned([FolderPath("A"): .otherDisk]) == [FolderPath("A"), FolderPath("B")])
    }
}
