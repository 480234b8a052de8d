import TestSupport
import Testing

@testable import AlbumModel

private let beach = AlbumName.identifier("Beach")

/// One member may send very much about one thing. Whatever it is, no step of the fold looks at all of it, and what is shown
/// and written elsewhere is bounded.
@Suite struct HeavyFoldTests {
    /// What somebody may send very much of.
    enum Kind: CaseIterable, Sendable {
        case captions, captionChain, names, adds, addsAndRemovals, removalsOfMany, tags, sameTag, favours, covers
        case clocks, cameras, deviceNames, gatheringNames, albumsOfOneName, namesOfOneAlbum, unnamedAlbums
        case replacementChain, replacementFan, replacementFunnel, facts, albumsOfOnePhoto, photosOfOneThumbnail
        case comments, commentsTakenBack, guestAdds, guestFavours, guestNames, guestRevocations, guestEpochs, guestDoors
    }

    private static let changeCount = 5000

    private static func album(_ number: Int) -> AlbumID {
        AlbumID(bytes: [7] + [UInt8](repeating: 0, count: 7) + BigEndian.bytes(UInt64(number)))!
    }

    private static func key(_ number: Int) -> PhotoKey {
        PhotoKey(
            album: beach,
            blob: BlobID(bytes: [9] + [UInt8](repeating: 0, count: 23) + BigEndian.bytes(UInt64(number)))!)
    }

    private static func facts(_ number: Int, thumbnail: Int) -> PhotoFacts {
        PhotoFacts(
            readerVersion: UInt32(number + 1), kind: .photo,
            taken: CaptureTime(
                localMilliseconds: Int64(number), offsetMinutes: Int32(number % 2000 - 1000), source: .exif),
            camera: Camera(make: "C", model: "\(number)"),
            thumbnail: Thumbnail(
                blob: key(1_000_000 + thumbnail).blob, byteCount: 1, size: PixelSize(width: 1, height: 1),
                mediaType: "image/webp"))
    }

    private static func added(_ key: PhotoKey) -> Change {
        .photoAdded(
            PhotoAddition(
                album: key.album, blob: key.blob, byteCount: 1, pieceListHash: nil, name: "a.jpg",
                mediaType: "image/jpeg", modified: 0))
    }

    /// - Parameter last: the change before.
    private static func change(_ kind: Kind, _ number: Int, last: Dot, sender: DeviceID) -> [Change] {
        let (photo, text) = (blob(1), "Text \(number)")
        let camera = CameraKey(
            contributor: sender, make: "C", model: "\(kind == .cameras ? number : 0)", serial: "")
        switch kind {
        case .captions: return [.photoCaptioned(beach, photo, text, replaces: [])]
        case .captionChain: return [.photoCaptioned(beach, photo, text, replaces: [last])]
        case .names: return [.photoNamed(beach, photo, name: text, replaces: [])]
        case .adds: return [addition(beach, 1)]
        case .addsAndRemovals:
            return [number % 2 == 0 ? addition(beach, 1) : .photoRemoved(beach, photo, adds: [last])]
        case .removalsOfMany:
            guard number % CatalogLimits.dotCountMax == 0 else { return [addition(beach, 1)] }
            let sequences = UInt64(number)..<UInt64(number + CatalogLimits.dotCountMax)
            let dots = sequences.map { Dot(replica: last.replica, sequence: $0, branch: last.branch) }
            return [.photoRemoved(beach, photo, adds: dots)]
        case .tags: return [.photoTagged(beach, photo, text)]
        case .sameTag: return [.photoTagged(beach, photo, "Swim")]
        case .favours: return [.photoFavoured(beach, photo)]
        case .covers: return [.coverChosen(beach, key(number).blob, replaces: [])]
        case .clocks, .cameras: return [.cameraClockSet(beach, camera, seconds: Int64(number + 1), replaces: [])]
        case .deviceNames: return [.deviceNamed(text)]
        case .gatheringNames: return [.gatheringNamed(text, replaces: [])]
        // Each new one comes before all others.
        case .albumsOfOneName: return [.albumNamed(album(changeCount - number), name: "Beach", replaces: [])]
        case .namesOfOneAlbum: return [.albumNamed(beach, name: text, replaces: [])]
        case .unnamedAlbums: return [added(PhotoKey(album: album(changeCount - number), blob: key(number).blob))]
        case .replacementChain:
            return [
                .photoReplaced(key(number), by: key(number + 1)), .photoFavoured(beach, key(number + 1).blob),
                .photoFavoured(beach, key(0).blob),
            ]
        case .replacementFan:
            return [
                .photoReplaced(key(0), by: key(number + 1)), .photoFavoured(beach, key(number + 1).blob),
                .photoFavoured(beach, key(0).blob),
            ]
        case .replacementFunnel:
            return [
                .photoReplaced(key(number + 1), by: key(0)), .photoFavoured(beach, key(number + 1).blob),
                .photoFavoured(beach, key(0).blob),
            ]
        case .facts: return [.photoRead(beach, photo, facts(number, thumbnail: number))]
        case .albumsOfOnePhoto:
            let album = album(changeCount - number)
            return [
                added(PhotoKey(album: album, blob: photo)), .photoRead(album, photo, facts(number, thumbnail: 0)),
            ]
        case .photosOfOneThumbnail:
            return [added(key(number)), .photoRead(beach, key(number).blob, facts(number, thumbnail: 0))]
        case .comments, .commentsTakenBack, .guestAdds, .guestFavours, .guestNames, .guestRevocations, .guestEpochs,
            .guestDoors:
            return [changeOfGuests(kind, number, last: last)]
        }
    }

    /// Each by, or of, another guest.
    private static func changeOfGuests(_ kind: Kind, _ number: Int, last: Dot) -> Change {
        let (photo, guest) = (blob(1), GuestID(bytes: Array(key(number).blob.bytes.suffix(16)))!)
        switch kind {
        case .comments: return .photoCommented(beach, photo, "Text \(number)", guest: guest)
        case .commentsTakenBack:
            guard number % 2 == 0 else { return .photoUncommented(beach, photo, comments: [last]) }
            return .photoCommented(beach, photo, "Text \(number)", guest: guest)
        case .guestAdds:
            return .photoAdded(
                PhotoAddition(
                    album: beach, blob: photo, byteCount: 1, pieceListHash: nil, name: "a.jpg",
                    mediaType: "image/jpeg", modified: 0, guest: guest))
        case .guestFavours: return .photoFavoured(beach, photo, guest: guest)
        case .guestNames: return .guestNamed(guest, name: "Guest \(number)")
        case .guestRevocations: return .guestRevoked(guest)
        case .guestEpochs: return .guestEpochRaised(UInt64(1 + number))
        default: return .guestDoorMoved(port: UInt16(number))
        }
    }

    /// Thousands of changes of one kind take a second or two; what looks at all that is there takes minutes.
    @Test(.slow, .timeLimit(.minutes(1)), arguments: Kind.allCases) func everyKindIsBounded(_ kind: Kind) throws {
        var sender = Author(1)
        var catalog = Catalog()
        func apply(_ made: Made) -> CatalogDifference {
            catalog.apply(made.batch, id: made.id, author: made.device, received: 5_000_000)
        }
        let first = sender.batch([.albumNamed(beach, name: "Beach", replaces: []), addition(beach, 1)])
        _ = apply(first)
        var last = dot(first, 1)
        for number in 0..<Self.changeCount {
            let changes = Self.change(kind, number, last: last, sender: sender.device)
            let made = sender.batch(changes, clock: UInt64(number + 2000))
            last = dot(made, UInt64(changes.count - 1))
            let difference = apply(made)
            #expect(difference.albums.count <= CatalogLimits.numberedAlbumCountMax + 1)
            // A batch names two photos at most, one of which others took the place of.
            #expect(difference.allPhotos.count <= CatalogLimits.replacementCountMax + 2)
            // What others ask of each change, without what is bounded and takes long.
            for key in difference.allPhotos.prefix(2) { checkAsked(catalog, key) }
            for album in difference.albums.prefix(2) {
                #expect(catalog.shownName(album) != nil && catalog.albums[album]?.digest.count == 32)
            }
        }
        for key in [photoKey(beach, 1), Self.key(0), Self.key(Self.changeCount)] { checkShown(catalog, key) }
        #expect((catalog.albums[beach]?.shownClocks.count ?? 0) <= CatalogLimits.shownClockCountMax)
        #expect(catalog.gatheringName.alternatives.count <= CatalogLimits.alternativeCountMax)
        #expect(catalog.gatheringName.currentDots.count <= CatalogLimits.dotCountMax)
        #expect(catalog.guestNames.count <= CatalogLimits.namedGuestCountMax)
        #expect(catalog.guestDoor(of: sender.device) == (kind == .guestDoors ? UInt16(Self.changeCount - 1) : nil))
        #expect(catalog.guestEpoch == (kind == .guestEpochs ? UInt64(Self.changeCount) : 0))
        let showsMany = kind == .albumsOfOnePhoto || kind == .photosOfOneThumbnail
        #expect(catalog.cameras.count <= (showsMany ? Self.changeCount : 1))
    }

    private func checkAsked(_ catalog: Catalog, _ key: PhotoKey) {
        guard let photo = catalog.photo(key) else { return }
        var hasher = ManifestHasher()
        photo.update(&hasher, key.blob)
        #expect(hasher.byteCount < 16_384)
        #expect(photo.isLive == (photo.firstContributor != nil))
        #expect(photo.caption.writes.isEmpty == (photo.caption.shown == nil))
        #expect(catalog.liveAlbums(of: key.blob, max: 1).count <= 1)
        if let thumbnail = photo.facts?.thumbnail?.blob {
            #expect(catalog.photos(ofThumbnail: thumbnail, max: 1).count <= 1)
        }
    }

    private func checkShown(_ catalog: Catalog, _ key: PhotoKey) {
        checkAsked(catalog, key)
        guard let photo = catalog.photo(key) else { return }
        #expect(photo.tags.count <= CatalogLimits.shownTagCountMax)
        #expect(photo.contributors.count <= CatalogLimits.contributorCountMax)
        #expect(photo.contributingPeople.count <= CatalogLimits.contributorCountMax)
        #expect(photo.favouringGuests.count <= CatalogLimits.favouringGuestCountMax)
        #expect(photo.comments.count <= CatalogLimits.shownCommentCountMax)
        #expect(catalog.favourers(of: key).count <= CatalogLimits.favourerCountMax)
        #expect(photo.caption.alternatives.count <= CatalogLimits.alternativeCountMax)
        #expect(photo.name.alternatives.count <= CatalogLimits.alternativeCountMax)
        #expect(photo.tagDots("Swim").count <= CatalogLimits.dotCountMax)
        #expect(photo.caption.currentDots.count <= CatalogLimits.dotCountMax)
        #expect(catalog.newestAdd(of: key.blob) != nil || !photo.isLive)
        let sampleMax = CatalogLimits.sampleAddCountMax
        #expect(catalog.liveAdds(of: key.blob, max: sampleMax).count <= sampleMax)
        if let thumbnail = photo.facts?.thumbnail?.blob {
            #expect(catalog.photos(ofThumbnail: thumbnail, max: sampleMax).count <= sampleMax)
        }
    }

    /// Of many captions the latest are listed, of many tags the first; the others are there and come after.
    @Test func whatIsNotShownIsKept() throws {
        var anna = Author(1)
        let count = CatalogLimits.dotCountMax + 10
        var made = [anna.batch([addition(beach, 1)])]
        for number in 1...count {
            made.append(
                anna.batch([
                    .photoCaptioned(beach, blob(1), "\(number)", replaces: []),
                    .photoTagged(beach, blob(1), "\(number % 200)"),
                ]))
        }
        var catalog = fold(made.reversed())
        var photo = try #require(catalog.photo(photoKey(beach, 1)))
        #expect(photo.caption.writes.count == count)
        #expect(photo.caption.distinctValues == (count - 63...count).reversed().map { "\($0)" })
        #expect(catalog.conflicts(beach).map(\.captions.count) == [CatalogLimits.alternativeCountMax])
        #expect(photo.tags.count == CatalogLimits.shownTagCountMax)
        #expect(photo.tags == photo.tags.sorted())
        // A new caption names as many as it may, and the next one those that were left.
        for rest in [10, 0] {
            let dots = photo.caption.currentDots
            let last = anna.batch([.photoCaptioned(beach, blob(1), "Sea", replaces: dots)])
            catalog.apply(last.batch, id: last.id, author: last.device, received: 5_000_000)
            photo = try #require(catalog.photo(photoKey(beach, 1)))
            #expect(photo.caption.shown?.value == "Sea")
            #expect(photo.caption.writes.count == rest + 1)
        }
    }
}

/// Albums of one name are told apart, the same on every device, and a new one renames few others.
@Suite struct SharedNameTests {
    private static func album(_ number: Int) -> AlbumID {
        AlbumID(bytes: [UInt8](repeating: 0, count: 8) + BigEndian.bytes(UInt64(number)))!
    }

    /// The first 99 have numbers, all others their IDs, and each is found by what it is listed as.
    @Test func manyAreToldApart() throws {
        var anna = Author(1)
        let made = (1...120).map { anna.batch([.albumNamed(Self.album($0), name: "Beach", replaces: [])]) }
        var random = TestRandom(state: 3)
        let catalog = fold(made.shuffled(using: &random))
        let names = try (1...120).map { try #require(catalog.shownName(Self.album($0))) }
        #expect(names[0] == "Beach" && names[1] == "Beach (2)" && names[98] == "Beach (99)")
        #expect(names[99] == "Beach (\(Self.album(100).hex))")
        #expect(Set(names).count == 120)
        for (number, name) in names.enumerated() {
            #expect(catalog.albumID(named: name) == Self.album(number + 1))
            #expect(catalog.albumID(named: " \(name.uppercased())") == Self.album(number + 1))
        }
        // Nobody is listed so.
        for name in ["Beach (1)", "Beach (02)", "Beach (100)", "Beach (121)", "Beach ()", "(2)", "Beach (2) (2)"] {
            #expect(catalog.albumID(named: name) == AlbumName.identifier(name))
        }
    }

    /// Whoever follows a difference learns of every album that is listed by another name, and of few others.
    @Test func differencesNameTheRenamed() throws {
        var anna = Author(1)
        var catalog = Catalog()
        var random = TestRandom(state: 5)
        var named: [AlbumID: Dot] = [:]
        for step in 0..<200 {
            let album = Self.album(Int.random(in: 1...150, using: &random))
            let name = step % 4 == 3 ? "Hills \(step)" : "Beach"
            let before = catalog.albums.keys.reduce(into: [:]) { $0[$1] = catalog.shownName($1) }
            let made = anna.batch([.albumNamed(album, name: name, replaces: named[album].map { [$0] } ?? [])])
            named[album] = dot(made)
            let difference = catalog.apply(made.batch, id: made.id, author: made.device, received: 5_000_000)
            let renamed = catalog.albums.keys.filter { catalog.shownName($0) != before[$0] }
            #expect(difference.albums.isSuperset(of: renamed))
            #expect(difference.albums.count <= CatalogLimits.numberedAlbumCountMax + 1)
        }
    }
}
