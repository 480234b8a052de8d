import AlbumModel
import SyncEngine

/// What people do meanwhile.
extension Simulation {
    /// Somebody does something with photos.
    mutating func edit() throws(SimulationFailure) {
        let index = Int.random(in: laptops.indices, using: &peopleRandom)
        let kind = Int.random(in: 0..<10, using: &peopleRandom)
        guard let engine = laptops[index].engine, let contribution = contribution(kind, index, engine) else { return }
        try contribute(contribution, index)
    }

    mutating func contribute(_ contribution: Contribution, _ index: Int) throws(SimulationFailure) {
        let token = nextToken
        nextToken += 1
        oracle.began(contribution, token: token, by: laptops[index])
        try feed(index, laptops[index].life, .contribute(token: token, contribution))
    }

    private mutating func contribution(_ kind: Int, _ index: Int, _ engine: Engine) -> Contribution? {
        let photos = engine.catalog.albums.values.flatMap { album in
            album.livePhotos.map { PhotoKey(album: album.id, blob: $0.key) }
        }
        switch kind {
        case 0...2:
            guard let key = photos.sorted().randomElement(using: &peopleRandom) else { return drop(index) }
            if kind == 2 { return .photoName(key.album, key.blob, "name \(peopleRandom.next() % 100).jpg") }
            return kind == 1 ? .photoRemoval(key.album, key.blob) : .photoWithdrawal(key.album, key.blob)
        case 3 where !engine.catalog.albums.isEmpty:
            let album = engine.catalog.albums.keys.sorted().randomElement(using: &peopleRandom)!
            return .albumName(album, "Album \(peopleRandom.next() % 4)")
        default: return drop(index)
        }
    }

    /// Two laptops may drop the same bytes, and different bytes under one name.
    private mutating func drop(_ index: Int) -> Contribution? {
        let sizes: [UInt64] = [1, 20_000, 1 << 20, (1 << 20) + 1, 4_000_000, 12_000_000]
        let content = peopleRandom.chance(0.3) ? peopleRandom.next() % 5 : peopleRandom.next()
        let size = content < 5 ? sizes[Int(content)] : sizes.randomElement(using: &peopleRandom)!
        let album = "Album \(peopleRandom.next() % 4)"
        let name = "IMG_\(peopleRandom.next() % 10).JPG"
        guard !laptops[index].isDiskFull else { return nil }
        let blob = SimulatedBlob(content: content, byteCount: size)
        var file = takeIn(blob, called: name, index)
        if laptops[index].lies.contains(.claims) { file = FalseClaims.distort(file, blob, &liarRandom) }
        return .photo(albumName: album, file)
    }

    /// The bytes of a person's file are in a laptop's store.
    mutating func takeIn(_ blob: SimulatedBlob, called name: String, _ index: Int) -> PhotoFile {
        contents[blob.id] = blob
        laptops[index].disk.takeIn(blob.id)
        return PhotoFile(
            blob: blob.id, byteCount: blob.byteCount, pieceList: blob.list, name: name, mediaType: "image/jpeg",
            modified: 1_700_000_000_000_000_000)
    }
}
