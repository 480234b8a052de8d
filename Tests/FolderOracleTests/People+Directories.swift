import Foundation
import Simulator
import TestSupport

/// What concerns many files at once; nobody else does anything in such a round.
extension People {
    /// All of an album, as its directory is renamed to what no album is called.
    mutating func renameDirectory(at laptop: Laptop) {
        let albums = oracle.albums.indices.filter { oracle.directories(of: $0, on: laptop.number).count == 1 }
        guard let album = draw(albums) else { return }
        let directory = oracle.directories(of: album, on: laptop.number).first!
        let name = DiskPath(random.isOnce(in: 3) ? "E\u{301}te\u{301} \(log.count)" : "Trip \(log.count)")
        note("\(laptop.name): rename directory \(directory) to \(name), album \(album)")
        laptop.hands.move(directory.text, to: name.text)
        oracle.renameDirectory(directory, to: name, of: album, on: laptop.number)
    }

    /// Of an album so small that this is no restored folder.
    mutating func makeDirectoryAgain(at laptop: Laptop) {
        let number = laptop.number
        let small = oracle.files[number].files.filter {
            oracle.fileCount(of: $0.value.album, on: number) <= Self.smallAlbumCount
        }
        guard let directory = draw(Set(small.keys.map(\.parent)).sorted()) else { return }
        note("\(laptop.name): make \(directory) again")
        let inside = small.filter { $0.key.parent == directory }.sorted { $0.key < $1.key }
        laptop.hands.makeDirectoryAgain(directory.text, files: inside.map { ($0.key.text, $0.value.content.bytes) })
    }

    /// The same new photo at each laptop, under different names.
    mutating func dropTwins(at laptops: [Laptop]) {
        guard let album = draw(oracle.albums.indices) else { return }
        let name = oracle.albums[album].names.sorted()[0]
        let key = Oracle.Key(album: album, content: fresh())
        for laptop in laptops {
            let used = oracle.directories(of: album, on: laptop.number).sorted().first
            let path = (used ?? DiskPath(name)).appending("twin \(log.count).jpg")
            note("\(laptop.name): drop twin \(key) at \(path)")
            laptop.hands.drop(key.content.bytes, at: path.text)
            oracle.put(key, at: path, on: laptop.number)
            oracle.photos[key, default: Oracle.Photo()].contributors.insert(laptop.number)
            oracle.photos[key]!.names.insert(path.sharedName)
            oracle.photos[key]!.isOpen = true
        }
    }

    // MARK: Accidents

    struct Accident: Sendable {
        var paths: [DiskPath: PhotoContent]
        var isMeant: Bool
    }

    /// More than half of an album that is not small.
    mutating func deleteMany(at laptop: Laptop) -> Accident? {
        let number = laptop.number
        let albums = oracle.albums.indices.filter { album in
            oracle.fileCount(of: album, on: number) > Self.smallAlbumCount
                && oracle.files[number].files.values.allSatisfy {
                    $0.album != album || oracle.files[number].paths(of: $0).count == 1
                }
        }
        guard let album = draw(albums) else { return nil }
        let files = oracle.files[number].files.filter { $0.value.album == album }
        let paths = files.keys.sorted().shuffled(using: &random).prefix(files.count / 2 + 1)
        let accident = Accident(
            paths: Dictionary(uniqueKeysWithValues: paths.map { ($0, files[$0]!.content) }),
            isMeant: random.isOnce(in: 2))
        note("\(laptop.name): delete \(paths.count) of \(files.count) files of album \(album)")
        for path in paths { laptop.hands.remove(path.text) }
        return accident
    }

    /// What was meant follows now; what was not is there again.
    mutating func decide(_ accident: Accident, at laptop: Laptop) {
        note("\(laptop.name): \(accident.isMeant ? "confirm" : "undo")")
        guard accident.isMeant else { return }
        for path in accident.paths.keys.sorted() { oracle.delete(path, on: laptop.number) }
    }
}
