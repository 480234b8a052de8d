import AlbumModel
import SyncEngine

/// What people and readers say about photos meanwhile. It draws from a stream of its own: with no words in a run
/// everything else goes as it would.
extension Simulation {
    /// Somebody says something about a photo that their laptop knows.
    mutating func speak() throws(SimulationFailure) {
        let index = Int.random(in: laptops.indices, using: &wordsRandom)
        let kind = Int.random(in: 0..<10, using: &wordsRandom)
        // The first version has no words for these.
        guard let engine = laptops[index].engine, !laptops[index].speaksFirstVersion else { return }
        let photos = engine.catalog.albums.values.flatMap { album in
            album.livePhotos.map { PhotoKey(album: album.id, blob: $0.key) }
        }
        guard let key = photos.sorted().randomElement(using: &wordsRandom) else { return }
        try contribute(words(kind, key), index, engine)
    }

    private mutating func words(_ kind: Int, _ key: PhotoKey) -> Contribution {
        // Few of each, so that laptops meet on one of them.
        let tag = ["Swim", "swim ", "Walk", "été", "e\u{301}te\u{301}"].randomElement(using: &wordsRandom)!
        switch kind {
        case 0, 1: return .photoFacts(key.album, key.blob, facts())
        case 2: return .caption(key.album, key.blob, wordsRandom.chance(0.2) ? "" : "caption \(wordsRandom.next() % 9)")
        case 3, 4: return .tag(key.album, key.blob, tag)
        case 5: return .untag(key.album, key.blob, tag)
        case 6: return .favourite(key.album, key.blob)
        case 7: return .unfavourite(key.album, key.blob)
        case 8: return .cover(key.album, wordsRandom.chance(0.2) ? nil : key.blob)
        default:
            let contributor = laptops[Int(wordsRandom.next() % UInt64(laptops.count))].id
            let camera = CameraKey(contributor: contributor, make: "Make", model: "Model", serial: "")
            return .cameraClock(key.album, camera, seconds: Int64(wordsRandom.next() % 5) - 2)
        }
    }

    private mutating func facts() -> PhotoFacts {
        PhotoFacts(
            readerVersion: UInt32.random(in: 1...3, using: &wordsRandom), kind: .photo,
            taken: CaptureTime(
                localMilliseconds: Int64(wordsRandom.next() % 1_000_000),
                offsetMinutes: [nil, 60, 120].randomElement(
                    using: &wordsRandom)!, source: .exif),
            camera: Camera(make: "Make", model: "Model"), problem: wordsRandom.chance(0.3) ? "It ends early." : "")
    }
}
