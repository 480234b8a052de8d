import Testing

@testable import AlbumModel

private let albums = [AlbumName.identifier("Beach"), AlbumName.identifier("Hills")]

/// What a few lines make of changes, going through all of them each time.
private struct Reference {
    struct Said {
        var dot: Dot
        var clock: ClockReading
        var author: DeviceID
        var change: Change
    }

    var changes: [Said] = []

    init(_ batches: [Made]) {
        for made in batches {
            for (offset, change) in made.batch.changes.enumerated() {
                changes.append(
                    Said(
                        dot: dot(made, UInt64(offset)), clock: made.batch.clock, author: made.device, change: change))
            }
        }
        changes.sort { ($0.clock, $0.dot) < ($1.clock, $1.dot) }
    }

    /// What stands of some changes, the first in time first.
    private func standing<Value>(_ said: (Said) -> (value: Value?, takes: [Dot])?) -> [(Said, Value)] {
        let all = changes.compactMap { change in said(change).map { (change, $0) } }
        let taken = Set(all.flatMap { change, said in said.takes.filter { $0 != change.dot } })
        return all.compactMap { change, said in
            guard let value = said.value, !taken.contains(change.dot) else { return nil }
            return (change, value)
        }
    }

    func adds(_ key: PhotoKey) -> [Dot] {
        standing { change -> (value: Bool?, takes: [Dot])? in
            switch change.change {
            case .photoAdded(let add) where add.album == key.album && add.blob == key.blob: (true, [])
            case .photoRemoved(key.album, key.blob, let adds): (nil, adds)
            default: nil
            }
        }.map(\.0.dot)
    }

    func contributors(_ key: PhotoKey) -> [DeviceID] {
        let live = Set(adds(key))
        var seen: Set<DeviceID> = []
        return changes.filter { live.contains($0.dot) }.map(\.author).filter { seen.insert($0).inserted }
    }

    func names(_ key: PhotoKey) -> [String] {
        standing { change -> (value: String?, takes: [Dot])? in
            switch change.change {
            case .photoAdded(let add) where add.album == key.album && add.blob == key.blob: (add.name, [])
            case .photoNamed(key.album, key.blob, let name, let replaces): (name, replaces)
            default: nil
            }
        }.map(\.1)
    }

    func captions(_ key: PhotoKey) -> [String] {
        standing { change -> (value: String?, takes: [Dot])? in
            guard case .photoCaptioned(key.album, key.blob, let text, let replaces) = change.change else { return nil }
            return (text, replaces)
        }.map(\.1)
    }

    func tags(_ key: PhotoKey) -> [(dot: Dot, tag: String)] {
        standing { change -> (value: String?, takes: [Dot])? in
            switch change.change {
            case .photoTagged(key.album, key.blob, let tag): (tag, [])
            case .photoUntagged(key.album, key.blob, _, let adds): (nil, adds)
            default: nil
            }
        }.map { ($0.0.dot, $0.1) }
    }

    func favourers(_ key: PhotoKey) -> Set<DeviceID> {
        Set(
            standing { change -> (value: Bool?, takes: [Dot])? in
                switch change.change {
                case .photoFavoured(key.album, key.blob, nil): (true, [])
                case .photoUnfavoured(key.album, key.blob, let adds, nil): (nil, adds)
                default: nil
                }
            }.map(\.0.author))
    }

    func covers(_ album: AlbumID) -> [BlobID?] {
        standing { change -> (value: BlobID??, takes: [Dot])? in
            guard case .coverChosen(album, let blob, let replaces) = change.change else { return nil }
            return (.some(blob), replaces)
        }.map(\.1)
    }

    func clocks(_ album: AlbumID, _ camera: CameraKey) -> [Int64] {
        standing { change -> (value: Int64?, takes: [Dot])? in
            guard case .cameraClockSet(album, camera, let seconds, let replaces) = change.change else { return nil }
            return (seconds, replaces)
        }.map(\.1)
    }
}

/// However much is said of one photo or album, in whatever order it comes, the fold is what a few lines make of it.
@Suite struct FoldReferenceTests {
    private static let cameras = (1...3).map {
        CameraKey(contributor: Author($0).device, make: "C", model: "", serial: "")
    }

    /// Batches of six people who say much of a few photos, and take back what they or others said.
    private func story(_ random: inout TestRandom) -> [Made] {
        var authors = (1...6).map { Author(UInt8($0)) }
        var story: [Made] = []
        for _ in 0..<130 {
            let known = story.flatMap { made in made.batch.changes.indices.map { dot(made, UInt64($0)) } }
            let changes = (0..<Int.random(in: 1...4, using: &random)).map { _ in change(known, &random) }
            let author = Int.random(in: 0..<authors.count, using: &random)
            story.append(authors[author].batch(changes, clock: UInt64.random(in: 1...60, using: &random)))
        }
        return story
    }

    private func change(_ known: [Dot], _ random: inout TestRandom) -> Change {
        let album = albums.randomElement(using: &random)!
        let number = UInt8.random(in: 1...2, using: &random)
        let text = ["One", "Two", "two", "Three"].randomElement(using: &random)!
        // Seldom, so that much stands.
        let count = Int.random(in: 0..<4, using: &random) == 0 ? 12 : 0
        let dots = Array(known.shuffled(using: &random).prefix(count))
        switch Int.random(in: 0..<11, using: &random) {
        case 0, 1: return addition(album, number, name: text)
        case 2: return .photoRemoved(album, blob(number), adds: dots)
        case 3: return .photoNamed(album, blob(number), name: text, replaces: dots)
        case 4, 5: return .photoCaptioned(album, blob(number), text, replaces: dots)
        case 6: return .photoTagged(album, blob(number), text)
        case 7: return .photoUntagged(album, blob(number), text, adds: dots)
        case 8: return .photoFavoured(album, blob(number))
        case 9:
            return Bool.random(using: &random)
                ? .photoUnfavoured(album, blob(number), adds: dots)
                : .coverChosen(album, [nil, blob(number)].randomElement(using: &random)!, replaces: dots)
        default:
            let camera = Self.cameras.randomElement(using: &random)!
            return .cameraClockSet(album, camera, seconds: Int64(dots.count + Int(number)), replaces: dots)
        }
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>) func foldIsTheReference(_ seed: UInt64) throws {
        var random = TestRandom(state: seed)
        let story = story(&random)
        let reference = Reference(story)
        let catalog = fold(story.shuffled(using: &random))
        let other = fold(story.shuffled(using: &random))
        for album in albums {
            #expect(catalog.albums[album]?.digest == other.albums[album]?.digest)
            #expect(catalog.albums[album]?.cover.writes.map(\.value) ?? [] == reference.covers(album))
            for camera in Self.cameras {
                let register = catalog.albums[album]?.cameraClocks[camera]
                #expect(register?.writes.map(\.value) ?? [] == reference.clocks(album, camera))
            }
            let clocks = catalog.albums[album]?.shownClocks ?? []
            for (camera, seconds) in clocks { #expect(reference.clocks(album, camera).last == seconds) }
            #expect(clocks.count == Self.cameras.count { !reference.clocks(album, $0).isEmpty })
            for number in 1...2 as ClosedRange<UInt8> {
                let key = photoKey(album, number)
                let photo = catalog.photo(key) ?? Photo()
                #expect(photo == other.photo(key) ?? Photo())
                try check(photo, key, reference)
            }
        }
        for number in 1...2 as ClosedRange<UInt8> {
            let live = albums.filter { !reference.adds(photoKey($0, number)).isEmpty }.sorted()
            #expect(catalog.liveAlbums(of: blob(number)) == live)
            #expect(catalog.liveAlbums(of: blob(number), max: 1) == Array(live.prefix(1)))
            let adds = Set(live.flatMap { reference.adds(photoKey($0, number)) })
            #expect(Set(catalog.liveAdds(of: blob(number)).map(\.dot)) == adds)
            #expect(Set(catalog.liveAdds(of: blob(number), max: 6).map(\.dot)).isSubset(of: adds))
            #expect(catalog.newestAdd(of: blob(number)) == nil ? adds.isEmpty : !adds.isEmpty)
        }
    }

    private func check(_ photo: Photo, _ key: PhotoKey, _ reference: Reference) throws {
        let adds = reference.adds(key)
        #expect(photo.adds.map(\.dot) == adds)
        #expect(photo.isLive == !adds.isEmpty)
        #expect(photo.contributors == reference.contributors(key))
        #expect(photo.firstContributor == reference.contributors(key).first)
        for number in 1...6 as ClosedRange<UInt8> {
            let device = Author(number).device
            let isContributor = !photo.adds(by: device, max: 1).isEmpty
            #expect(isContributor == reference.contributors(key).contains(device))
            #expect(photo.adds(by: device, max: 99).map(\.dot) == photo.adds.filter { $0.author == device }.map(\.dot))
        }
        for dot in adds { #expect(photo.add(dot)?.dot == dot && !photo.isWithdrawn(dot)) }
        for dot in photo.withdrawnAdds { #expect(photo.isWithdrawn(dot) && photo.add(dot) == nil) }
        #expect(photo.name.writes.map(\.value) == reference.names(key))
        #expect(photo.shownName == reference.names(key).last ?? "")
        let captions = reference.captions(key)
        #expect(photo.caption.writes.map(\.value) == captions)
        #expect(photo.caption.shown?.value == captions.last)
        var seen: Set<String> = []
        #expect(photo.caption.distinctValues == captions.reversed().filter { seen.insert($0).inserted })
        let tags = reference.tags(key)
        let keys = Set(tags.map { TagName.key($0.tag) })
        #expect(photo.tags.map { TagName.key($0) } == keys.sorted())
        for tag in photo.tags {
            let same = tags.filter { TagName.key($0.tag) == TagName.key(tag) }
            #expect(tag == same.first?.tag)
            #expect(photo.tagDots(tag) == same.map(\.dot))
        }
        #expect(photo.favouredBy == reference.favourers(key).sorted())
    }
}
