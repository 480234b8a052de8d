import Testing

@testable import AlbumModel

/// What readers found and what people said, folded.
@Suite struct WordsTests {
    private let beach = AlbumName.identifier("Beach")

    private func facts(_ version: UInt32, thumbnail: UInt8? = nil) -> PhotoFacts {
        PhotoFacts(
            readerVersion: version, kind: .photo,
            thumbnail: thumbnail.map {
                Thumbnail(
                    blob: blob($0), byteCount: 9000, size: PixelSize(width: 480, height: 360), mediaType: "image/webp")
            })
    }

    private func photo(_ batches: [Made], _ number: UInt8 = 1) -> Photo {
        fold(batches).photo(photoKey(beach, number)) ?? Photo()
    }

    /// All orders of arrival of facts, words, covers and clocks, with an add and a removal, give one digest.
    @Test func orderOfArrivalDoesNotMatter() {
        var anna = Author(1)
        var ben = Author(2)
        let camera = CameraKey(contributor: anna.device, make: "C", model: "Été", serial: "")
        var decomposed = camera
        decomposed.model = "E\u{301}te\u{301}"
        let first = anna.batch([
            addition(beach, 1), .photoRead(beach, blob(1), facts(1, thumbnail: 8)),
            .photoCaptioned(beach, blob(1), "Sea", replaces: []), .photoTagged(beach, blob(1), "Swim"),
            .cameraClockSet(beach, camera, seconds: 60, replaces: []),
        ])
        let second = ben.batch([
            .photoRead(beach, blob(1), facts(1, thumbnail: 9)),
            .photoCaptioned(beach, blob(1), "Lake", replaces: [dot(first, 2)]),
            .photoUntagged(beach, blob(1), "swim", adds: [dot(first, 3)]), .photoFavoured(beach, blob(1)),
            .cameraClockSet(beach, decomposed, seconds: 90, replaces: [dot(first, 4)]),
        ])
        let third = anna.batch([
            .photoTagged(beach, blob(1), "swim "), .coverChosen(beach, blob(1), replaces: []),
            .photoUnfavoured(beach, blob(1), adds: [dot(second, 3)]),
        ])
        let fourth = ben.batch([.photoRemoved(beach, blob(1), adds: [dot(first)]), addition(beach, 1)])
        let all = [first, second, third, fourth]
        let expected = fold(all)
        for order in permutations(all.indices.map { $0 }) {
            let catalog = fold(order.map { all[$0] })
            #expect(catalog.albums[beach]!.digest == expected.albums[beach]!.digest)
            #expect(catalog.photos(ofThumbnail: blob(9)) == [photoKey(beach, 1)])
            #expect(catalog.photos(ofThumbnail: blob(8)) == [])
            let photo = catalog.photo(photoKey(beach, 1))!
            #expect(photo.tags == ["swim"])
            #expect(photo.caption.shown?.value == "Lake")
            #expect(photo.favouredBy == [])
            #expect(catalog.albums[beach]!.cover.shown?.value == blob(1))
            #expect(catalog.albums[beach]!.cameraClocks[camera]?.shown?.value == 90)
        }
    }

    /// Each kind of word, and only of a live photo, makes another manifest.
    @Test func wordsAreInTheDigest() {
        let camera = CameraKey(contributor: Author(1).device, make: "C", model: "", serial: "")
        let changes: [Change] = [
            .photoRead(beach, blob(1), facts(1)), .photoRead(beach, blob(1), facts(2)),
            .photoCaptioned(beach, blob(1), "Sea", replaces: []), .photoTagged(beach, blob(1), "Swim"),
            .photoTagged(beach, blob(1), "Sea"), .photoFavoured(beach, blob(1)),
            .coverChosen(beach, blob(1), replaces: []), .coverChosen(beach, nil, replaces: []),
            .cameraClockSet(beach, camera, seconds: 1, replaces: []),
            .cameraClockSet(beach, camera, seconds: 2, replaces: []),
        ]
        var digests: Set<[UInt8]> = []
        for change in changes {
            var anna = Author(1)
            digests.insert(fold([anna.batch([addition(beach, 1), change])]).albums[beach]!.digest)
        }
        var anna = Author(1)
        digests.insert(fold([anna.batch([addition(beach, 1), addition(beach, 1)])]).albums[beach]!.digest)
        #expect(digests.count == changes.count + 1)
    }

    /// The highest reader version is shown; of equal ones the latest; and only the thumbnail of what is shown counts.
    @Test func bestFactsAreShown() {
        var anna = Author(1)
        var ben = Author(2)
        let add = anna.batch([addition(beach, 1)])
        let new = anna.batch([.photoRead(beach, blob(1), facts(2, thumbnail: 7))], clock: 5000)
        let late = ben.batch([.photoRead(beach, blob(1), facts(1, thumbnail: 8))], clock: 9000)
        let again = ben.batch([.photoRead(beach, blob(1), facts(2, thumbnail: 9))], clock: 9001)
        #expect(photo([late, add, new]).facts == facts(2, thumbnail: 7))
        #expect(photo([new, again, add, late]).facts == facts(2, thumbnail: 9))
        #expect(fold([add, new, late, again]).photos(ofThumbnail: blob(7)) == [])
    }

    /// One thumbnail may be that of several photos, and of one photo in several albums; only live ones count.
    @Test func thumbnailsKnowTheirPhotos() {
        let hills = AlbumName.identifier("Hills")
        var anna = Author(1)
        let batch = anna.batch([
            addition(beach, 1), addition(beach, 2), addition(hills, 1), addition(hills, 3),
            .photoRead(beach, blob(1), facts(1, thumbnail: 9)), .photoRead(hills, blob(1), facts(1, thumbnail: 9)),
            .photoRead(beach, blob(2), facts(1, thumbnail: 9)), .photoRead(hills, blob(3), facts(1, thumbnail: 9)),
        ])
        let removal = anna.batch([.photoRemoved(hills, blob(3), adds: [dot(batch, 3)])])
        let all = [photoKey(beach, 1), photoKey(beach, 2), photoKey(hills, 1)].sorted()
        #expect(fold([batch, removal]).photos(ofThumbnail: blob(9)) == all)
        let better = anna.batch([.photoRead(beach, blob(1), facts(2, thumbnail: 8))])
        let rest = [photoKey(beach, 2), photoKey(hills, 1)].sorted()
        #expect(fold([batch, removal, better]).photos(ofThumbnail: blob(9)) == rest)
    }

    /// A tag that was given again meanwhile stays, whatever its case, and shows as it was first written.
    @Test func tagsThatAreGivenAgainStay() {
        var anna = Author(1)
        var ben = Author(2)
        let add = anna.batch([addition(beach, 1), .photoTagged(beach, blob(1), "Été ")])
        let again = ben.batch([.photoTagged(beach, blob(1), "e\u{301}te\u{301}")])
        #expect(photo([add, again]).tags == ["Été"])
        let removal = anna.batch([.photoUntagged(beach, blob(1), "ÉTÉ", adds: photo([add]).tagDots("ÉTÉ"))])
        #expect(photo([removal, again, add]).tags == ["été"])
        let both = anna.batch([.photoUntagged(beach, blob(1), "été", adds: photo([add, again]).tagDots("Été"))])
        #expect(photo([both, add, again]).tags == [])
    }

    /// Captions that were written at once are both there; a later one replaces both.
    @Test func concurrentCaptionsAreKept() {
        var anna = Author(1)
        var ben = Author(2)
        let add = anna.batch([addition(beach, 1)])
        let one = anna.batch([.photoCaptioned(beach, blob(1), "One", replaces: [])], clock: 5000)
        let two = ben.batch([.photoCaptioned(beach, blob(1), "Two", replaces: [])], clock: 6000)
        let conflicts = fold([add, one, two]).conflicts(beach)
        #expect(conflicts.map(\.blob) == [blob(1)])
        #expect(conflicts.map(\.captions) == [["Two", "One"]])
        let last = ben.batch([.photoCaptioned(beach, blob(1), "", replaces: [dot(one), dot(two)])])
        #expect(fold([last, two, add, one]).conflicts(beach) == [])
        #expect(photo([last, two, add, one]).caption.shown?.value == "")
    }

    /// Each person has a favour of their own.
    @Test func favoursArePersonal() {
        var anna = Author(1)
        var ben = Author(2)
        let add = anna.batch([addition(beach, 1), .photoFavoured(beach, blob(1)), .photoFavoured(beach, blob(1))])
        let other = ben.batch([.photoFavoured(beach, blob(1))])
        #expect(photo([other, add]).favouredBy == [anna.device, ben.device])
        let dots = photo([other, add]).favourDots { $0 == anna.device }
        let withdrawal = anna.batch([.photoUnfavoured(beach, blob(1), adds: dots)])
        #expect(photo([withdrawal, other, add]).favouredBy == [ben.device])
    }

    /// What was said about a photo that was removed counts again when it is added again.
    @Test func wordsOutliveARemoval() {
        var anna = Author(1)
        let add = anna.batch([
            addition(beach, 1), .photoTagged(beach, blob(1), "Swim"), .photoRead(beach, blob(1), facts(1)),
        ])
        let removal = anna.batch([.photoRemoved(beach, blob(1), adds: [dot(add)])])
        let again = anna.batch([addition(beach, 1)])
        #expect(fold([add, removal]).albums[beach]!.liveCount == 0)
        #expect(photo([add, removal, again]).tags == ["Swim"])
        #expect(photo([add, removal, again]).facts == facts(1))
    }

    /// Whoever follows the catalog is told which photos changed, and how.
    @Test func differencesTellWhatChanged() {
        var anna = Author(1)
        var catalog = Catalog()
        func apply(_ changes: [Change]) -> CatalogDifference {
            let made = anna.batch(changes)
            return catalog.apply(made.batch, id: made.id, author: made.device, received: 1)
        }
        let key = photoKey(beach, 1)
        let added = apply([addition(beach, 1)])
        #expect(added.photos == [key] && added.readPhotos == [] && added.wordedPhotos == [])
        let read = apply([.photoRead(beach, blob(1), facts(1))])
        #expect(read.photos == [] && read.readPhotos == [key] && read.albums == [beach])
        let tagged = apply([.photoTagged(beach, blob(1), "Swim")])
        #expect(tagged.photos == [] && tagged.wordedPhotos == [key] && tagged.addedPhotos == [])
        #expect(tagged.allPhotos == [key])
        #expect(apply([.coverChosen(beach, nil, replaces: [])]).albums == [beach])
    }

    /// A photo without facts and words costs two machine words for them.
    @Test func absentWordsCostLittle() {
        #expect(MemoryLayout<Boxed<PhotoWords>?>.size == MemoryLayout<Int>.size)
        #expect(MemoryLayout<Boxed<Photo.Reading>?>.size == MemoryLayout<Int>.size)
        #expect(MemoryLayout<Photo>.size <= 6 * MemoryLayout<Int>.size)
    }
}

/// What facts and words may not hold makes them a no-op, and clipping makes facts that may be sent.
@Suite struct WordLimitsTests {
    private let beach = AlbumName.identifier("Beach")

    private static let wrongFacts: [PhotoFacts] = {
        func facts(_ change: (inout PhotoFacts) -> Void) -> PhotoFacts {
            var facts = PhotoFacts(readerVersion: 1, kind: .photo)
            change(&facts)
            return facts
        }
        let long = String(repeating: "é", count: 200)
        let thumbnail = Thumbnail(
            blob: blob(9), byteCount: 1, size: PixelSize(width: 1, height: 1), mediaType: "image/webp")
        func wrongThumbnail(_ change: (inout Thumbnail) -> Void) -> PhotoFacts {
            var thumbnail = thumbnail
            change(&thumbnail)
            return facts { $0.thumbnail = thumbnail }
        }
        return [
            facts { $0.size = PixelSize(width: 0, height: 5) },
            facts { $0.taken = CaptureTime(localMilliseconds: .max, offsetMinutes: nil, source: .exif) },
            facts { $0.taken = CaptureTime(localMilliseconds: 0, offsetMinutes: 1440, source: .exif) },
            facts { $0.gpsMilliseconds = .min }, facts { $0.camera.make = long }, facts { $0.camera.lens = long },
            facts { $0.contentIdentifier = long }, facts { $0.burstIdentifier = long }, facts { $0.problem = long },
            facts {
                $0.place = Place(
                    latitudeMicrodegrees: 90_000_001, longitudeMicrodegrees: 0, altitudeCentimetres: nil)
            },
            facts {
                $0.place = Place(
                    latitudeMicrodegrees: 0, longitudeMicrodegrees: -180_000_001, altitudeCentimetres: nil)
            },
            facts { $0.place = Place(latitudeMicrodegrees: 0, longitudeMicrodegrees: 0, altitudeCentimetres: .max) },
            facts { $0.durationMilliseconds = .max }, facts { $0.movingPart = 5..<5 },
            facts { $0.movingPart = 5 ..< .max },
            wrongThumbnail { $0.byteCount = 1 << 20 + 1 }, wrongThumbnail { $0.byteCount = 0 },
            wrongThumbnail { $0.size.width = 5000 }, wrongThumbnail { $0.mediaType = "text/html" },
        ]
    }()

    @Test(arguments: wrongFacts)
    func wrongFactsAreWithoutEffect(facts: PhotoFacts) {
        var anna = Author(1)
        let read = Change.photoRead(beach, blob(1), facts)
        #expect(!CatalogLimits.isValid(read))
        #expect(fold([anna.batch([read])]).photo(photoKey(beach, 1)) == nil)
        #expect(CatalogLimits.isValid(.photoRead(beach, blob(1), facts.clipped())))
    }

    @Test func versionZeroIsNone() {
        #expect(!CatalogLimits.isValid(.photoRead(beach, blob(1), PhotoFacts(readerVersion: 0, kind: .photo))))
    }

    /// Cut texts end with a whole character.
    @Test func textsAreCutBetweenCharacters() {
        var facts = PhotoFacts(readerVersion: 1, kind: .photo)
        facts.problem = "x" + String(repeating: "é", count: 200)
        #expect(facts.clipped().problem == "x" + String(repeating: "é", count: 127))
    }

    @Test func wrongWordsAreWithoutEffect() {
        let dots = (1...1025).map { Dot(replica: Author(1).replica, sequence: UInt64($0), branch: 1) }
        let camera = CameraKey(contributor: Author(1).device, make: "C", model: "", serial: "")
        var longCamera = camera
        longCamera.serial = String(repeating: "x", count: 257)
        let key = blob(1)
        let wrong: [Change] = [
            .photoCaptioned(beach, key, String(repeating: "x", count: 4097), replaces: []),
            .photoCaptioned(beach, key, "", replaces: dots), .photoTagged(beach, key, " \n"),
            .photoTagged(beach, key, String(repeating: "x", count: 101)),
            .photoUntagged(beach, key, "x", adds: dots), .photoUnfavoured(beach, key, adds: dots),
            .coverChosen(beach, key, replaces: dots), .cameraClockSet(beach, camera, seconds: .min, replaces: []),
            .cameraClockSet(beach, longCamera, seconds: 0, replaces: []),
        ]
        for change in wrong {
            var anna = Author(1)
            #expect(!CatalogLimits.isValid(change))
            #expect(fold([anna.batch([change])]).albums.isEmpty)
        }
        #expect(CatalogLimits.isValid(.photoTagged(beach, key, " " + String(repeating: "x", count: 100) + " ")))
        #expect(CatalogLimits.isValid(.photoCaptioned(beach, key, String(repeating: "x", count: 4096), replaces: [])))
    }
}
