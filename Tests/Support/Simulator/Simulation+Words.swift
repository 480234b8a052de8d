import AlbumModel
import SyncEngine

/// What people and readers say about photos meanwhile. It draws from a stream of its own: with no words in a run
/// everything else goes as it would.
extension Simulation {
    /// Somebody says something about a photo that their laptop knows.
    mutating func speak() throws(SimulationFailure) {
        let index = Int.random(in: laptops.indices, using: &wordsRandom)
        let kind = Int.random(in: 0..<13, using: &wordsRandom)
        // The first version has no words for these.
        guard let engine = laptops[index].engine, !laptops[index].speaksFirstVersion else { return }
        let photos = engine.catalog.albums.values.flatMap { album in
            album.livePhotos.map { PhotoKey(album: album.id, blob: $0.key) }
        }
        guard let key = photos.sorted().randomElement(using: &wordsRandom) else { return }
        let other = photos.sorted().randomElement(using: &wordsRandom)!
        // Said in one breath: what follows the first word shares a batch.
        let count = wordsRandom.chance(0.2) ? 3 : 1
        for _ in 0..<count { try contribute(words(kind, key, other, index), index) }
    }

    private mutating func words(_ kind: Int, _ key: PhotoKey, _ other: PhotoKey, _ index: Int) -> Contribution {
        // Few of each, so that laptops meet on one of them.
        let tag = ["Swim", "swim ", "Walk", "été", "e\u{301}te\u{301}"].randomElement(using: &wordsRandom)!
        switch kind {
        case 0, 1: return .photoFacts(key.album, key.blob, facts(key.blob, index))
        case 2: return .caption(key.album, key.blob, wordsRandom.chance(0.2) ? "" : "caption \(wordsRandom.next() % 9)")
        case 3, 4: return .tag(key.album, key.blob, tag)
        case 5: return .untag(key.album, key.blob, tag)
        case 6: return .favourite(key.album, key.blob)
        case 7: return .unfavourite(key.album, key.blob)
        case 8, 9: return .cover(key.album, wordsRandom.chance(0.2) ? nil : key.blob)
        case 10: return .gatheringName("Gathering \(wordsRandom.next() % 9)")
        case 11 where other != key: return .replacement(key, by: other)
        default:
            let contributor = laptops[Int(wordsRandom.next() % UInt64(laptops.count))].id
            let camera = CameraKey(contributor: contributor, make: "Make", model: "Model", serial: "")
            return .cameraClock(key.album, camera, seconds: Int64(wordsRandom.next() % 5) - 2)
        }
    }

    private mutating func facts(_ blob: BlobID, _ index: Int) -> PhotoFacts {
        let offset: Int32? = [nil, 60, 120].randomElement(using: &wordsRandom)!
        let taken = CaptureTime(
            localMilliseconds: Int64(wordsRandom.next() % 1_000_000), offsetMinutes: offset, source: .exif)
        return PhotoFacts(
            readerVersion: UInt32.random(in: 1...3, using: &wordsRandom), kind: .photo, taken: taken,
            camera: Camera(make: "Make", model: "Model"), thumbnail: thumbnail(blob, index),
            problem: wordsRandom.chance(0.3) ? "It ends early." : "")
    }

    /// Two laptops may make the same thumbnail of a photo, or different ones.
    private mutating func thumbnail(_ blob: BlobID, _ index: Int) -> Thumbnail? {
        let content = blob.prefix &+ wordsRandom.next() % 3
        guard wordsRandom.chance(0.7), !laptops[index].isDiskFull else { return nil }
        let picture = SimulatedBlob(content: content, byteCount: 20_000)
        contents[picture.id] = picture
        laptops[index].disk.takeIn(picture.id)
        return Thumbnail(
            blob: picture.id, byteCount: 20_000, size: PixelSize(width: 480, height: 360), mediaType: "image/webp")
    }
}
