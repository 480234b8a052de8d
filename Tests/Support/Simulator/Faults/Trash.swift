import AlbumModel
import SyncEngine

/// Thirty days later: a removed photo goes from a laptop's trash, where another laptop is proved to keep it. Or somebody
/// takes it out and into its album again.
enum Trash {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        guard let index = simulation.anyRunning(&random) else { return }
        let laptop = simulation.laptops[index]
        guard let key = laptop.disk.trash.keys.sorted().randomElement(using: &random),
            let photo = laptop.look({ $0.catalog.photo(key) }) ?? nil, !photo.isLive,
            laptop.disk.blobs.contains(key.blob)
        else { return }
        if random.chance(0.3) { return try restore(&simulation, key, photo, index) }
        let wall = simulation.wall(index)
        guard laptop.look({ $0.catalog.mentions(of: key.blob).dots.isEmpty }) == true,
            laptop.look({ !$0.log.leftOut.contains(key.blob) }) == true,
            !laptop.disk.trash.keys.contains(where: { $0 != key && $0.blob == key.blob }),
            // Asked anew, as an agent does: what was proved when the removal came says nothing of today.
            let copies = laptop.look({ $0.copies(wall: wall) }),
            laptop.disk.trash[key]!.contains(where: { $0 < laptop.id && copies.isHolder($0, of: key.blob) }),
            // The store keeps what was taken in since an album last named it.
            !simulation.oracle.isAdding(key.blob, on: index)
        else { return }
        simulation.laptops[index].disk.trash[key] = nil
        simulation.lose([key.blob], index)
        try simulation.feed(index, laptop.life, .blobLost(key.blob))
    }

    private static func restore(
        _ simulation: inout Simulation, _ key: PhotoKey, _ photo: Photo, _ index: Int
    ) throws(SimulationFailure) {
        guard let content = simulation.contents[key.blob] else { return }
        let file = PhotoFile(
            blob: key.blob, byteCount: content.byteCount, pieceList: content.list, name: photo.shownName,
            mediaType: "image/jpeg", modified: 1_700_000_000_000_000_000)
        try simulation.contribute(.photoInAlbum(key.album, file), index)
    }
}

extension Simulation {
    /// What leaves its albums lies in the trash of everyone who has it, with the names of those who did then.
    mutating func followTrash(_ difference: CatalogDifference, _ index: Int) {
        for key in difference.addedPhotos { laptops[index].disk.trash[key] = nil }
        let removed = difference.removedPhotos.filter { laptops[index].disk.blobs.contains($0.blob) }
        guard !removed.isEmpty else { return }
        let wall = wall(index)
        guard let copies = laptops[index].look({ $0.copies(wall: wall) }) else { return }
        for key in removed { laptops[index].disk.trash[key] = copies.holders(of: key.blob) }
    }
}
