import AlbumModel
import Testing

/// The fold is a function of the set of batches, with the conflict rules of the design.
@Suite struct CatalogTests {
    private let beach = AlbumName.identifier("Beach")

    /// All orders of arrival of adds, removals, renames and concurrent edits give one digest.
    @Test func orderOfArrivalDoesNotMatter() {
        var anna = Author(1)
        var ben = Author(2)
        let named = anna.batch([.albumNamed(beach, name: "Beach", replaces: []), addition(beach, 1)])
        let removed = ben.batch([.photoRemoved(beach, blob(1), adds: [dot(named, 1)])])
        let again = ben.batch([addition(beach, 1), addition(beach, 2, name: "b.jpg")])
        let renamed = ben.batch([.albumNamed(beach, name: "Strand", replaces: [dot(named)])])
        let concurrent = anna.batch([.albumNamed(beach, name: "Plage", replaces: [dot(named)])])
        let all = [named, removed, again, renamed, concurrent]
        let expected = fold(all).albums[beach]!.digest
        for order in permutations(all.indices.map { $0 }) {
            #expect(fold(order.map { all[$0] }).albums[beach]!.digest == expected)
        }
    }

    /// A removal takes only the adds that it names: a concurrent add wins.
    @Test func concurrentAddWinsOverRemoval() {
        var anna = Author(1)
        var ben = Author(2)
        let first = anna.batch([addition(beach, 1)])
        let concurrent = ben.batch([addition(beach, 1)])
        let removal = anna.batch([.photoRemoved(beach, blob(1), adds: [dot(first)])])
        let catalog = fold([removal, first, concurrent])
        #expect(catalog.albums[beach]!.photos[blob(1)]!.contributors == [ben.device])
    }

    /// An add that was withdrawn before it arrived never shows: a peer that was away cannot bring a photo back.
    @Test func removalMayComeBeforeTheAdd() {
        var anna = Author(1)
        let add = anna.batch([addition(beach, 1)])
        let removal = anna.batch([.photoRemoved(beach, blob(1), adds: [dot(add)])])
        #expect(fold([removal, add]).albums[beach]!.liveCount == 0)
    }

    /// Identical bytes from two people are one photo of two contributors, the earlier one first.
    @Test func identicalBytesAreOnePhoto() {
        var anna = Author(1, clock: 2000)
        var ben = Author(2, clock: 1000)
        let photo = fold([anna.batch([addition(beach, 1)]), ben.batch([addition(beach, 1)])]).albums[beach]!
            .photos[blob(1)]!
        #expect(photo.contributors == [ben.device, anna.device])
    }

    /// Different bytes under one name are two photos.
    @Test func equalNamesAreTwoPhotos() {
        var anna = Author(1)
        let catalog = fold([anna.batch([addition(beach, 1), addition(beach, 2)])])
        #expect(catalog.albums[beach]!.liveCount == 2)
    }

    /// Concurrent names are all kept; the one with the highest clock is shown.
    @Test func concurrentNamesAreKept() {
        var anna = Author(1)
        var ben = Author(2)
        let named = anna.batch([.albumNamed(beach, name: "Beach", replaces: [])])
        let one = anna.batch([.albumNamed(beach, name: "One", replaces: [dot(named)])], clock: 5000)
        let two = ben.batch([.albumNamed(beach, name: "Two", replaces: [dot(named)])], clock: 6000)
        let album = fold([two, named, one]).albums[beach]!
        #expect(album.name.writes.map(\.value).sorted() == ["One", "Two"])
        #expect(album.ownName == "Two")
    }

    /// Two albums that come to have one name stay two, and are told apart in lists.
    @Test func equalShownNamesAreNumbered() {
        var anna = Author(1)
        let hills = AlbumName.identifier("Hills")
        let named = anna.batch([
            .albumNamed(beach, name: "Beach", replaces: []), .albumNamed(hills, name: "Hills", replaces: []),
        ])
        let renamed = anna.batch([.albumNamed(hills, name: "BEACH", replaces: [dot(named, 1)])])
        let catalog = fold([named, renamed])
        #expect(
            Set([catalog.shownName(beach)!, catalog.shownName(hills)!].map { $0.hasSuffix(" (2)") }) == [true, false])
        // The ID of "Hills" now belongs to an album of another name, so a new one gets another.
        #expect(catalog.albumID(named: "Hills") == AlbumName.identifier("Hills", ordinal: 2))
    }

    /// Directories that differ in case, normalisation or outer space are one album.
    @Test(arguments: [("Été", "E\u{301}te\u{301}"), ("BEACH", "beach"), (" Trip ", "trip"), ("STRASSE", "straße")])
    func namesThatLookAlikeAreOneAlbum(first: String, second: String) {
        #expect(AlbumName.identifier(first) == AlbumName.identifier(second))
    }

    /// What a change may not hold makes it a no-op, and never a trap.
    @Test func invalidChangesAreWithoutEffect() {
        var anna = Author(1)
        let long = String(repeating: "x", count: 2000)
        let empty = PhotoAddition(
            album: beach, blob: blob(1), byteCount: 0, pieceListHash: nil, name: "a", mediaType: "", modified: 0)
        var huge = empty
        huge.byteCount = .max
        huge.pieceListHash = blob(9)
        var listless = empty
        listless.byteCount = 5_000_000
        let catalog = fold([
            anna.batch([
                .albumNamed(beach, name: long, replaces: []), .photoAdded(empty), .photoAdded(huge),
                .photoAdded(listless), .unknown(kind: 99, payload: [1, 2, 3]), .deviceNamed(""),
            ])
        ])
        #expect(catalog.albums.isEmpty)
    }

    /// A device's own latest word is its name, whatever arrives late.
    @Test func latestDeviceNameStands() {
        var anna = Author(1)
        let first = anna.batch([.deviceNamed("Laptop")])
        let second = anna.batch([.deviceNamed("Grandma's laptop")])
        #expect(fold([second, first]).deviceName(anna.device) == "Grandma's laptop")
    }
}

/// Readings order changes after those seen, and a wrong clock elsewhere does not spread.
@Suite struct HybridClockTests {
    @Test func readingsOnlyGrow() {
        var clock = HybridClock()
        let first = clock.next(wall: 5000)
        let second = clock.next(wall: 10)
        #expect(first < second)
    }

    @Test func observedReadingsAreFollowed() {
        var clock = HybridClock()
        clock.observe(ClockReading(microseconds: 9000), wall: 5000)
        #expect(clock.next(wall: 5000) > ClockReading(microseconds: 9000))
    }

    /// The last reading of all, as only a home that somebody prepared has it, stays the last.
    @Test func readingsEnd() {
        var clock = HybridClock()
        clock.resume(from: ClockReading(microseconds: .max))
        #expect(clock.next(wall: 5000) == ClockReading(microseconds: .max))
    }

    @Test func farFutureIsNotFollowed() {
        var clock = HybridClock()
        clock.observe(ClockReading(microseconds: 5000 + HybridClock.leadMax + 1), wall: 5000)
        #expect(clock.next(wall: 5000) == ClockReading(microseconds: 5001))
    }
}
