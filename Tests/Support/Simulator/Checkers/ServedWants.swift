import AlbumModel
import SyncEngine

/// Nothing is known and never fetched: no laptop goes on wanting what a connected honest one has, and none wants what its
/// person does not.
enum ServedWants {
    static func isKept(_ simulation: Simulation) -> Bool { flaw(simulation) == nil }

    static func check(_ simulation: Simulation) throws(SimulationFailure) {
        if let failure = flaw(simulation) { throw failure }
    }

    private static func flaw(_ simulation: Simulation) -> SimulationFailure? {
        let laptops = simulation.honest
        for laptop in laptops {
            guard let connected = laptop.look({ $0.connectedDevices }),
                let wanted = laptop.look({ Array($0.wantedBlobs) }), let catalog = laptop.look({ $0.catalog })
            else { continue }
            let others = laptops.filter { connected.contains($0.id) }
            for blob in wanted.sorted() {
                guard Choices.areWanted(blob, by: laptop, catalog) else {
                    let sentence = "laptop \(laptop.index) wants \(blob.hex.prefix(8)), which its person does not"
                    return SimulationFailure(.unserved, sentence)
                }
                guard let holder = others.first(where: { $0.disk.holdsGood(blob) }),
                    WholeBlobs.isDescribed(blob, simulation.contents, catalog)
                else { continue }
                let sentence = "laptop \(laptop.index) wants \(blob.hex.prefix(8)), which laptop \(holder.index) has"
                return SimulationFailure(.unserved, sentence)
            }
        }
        return nil
    }
}

/// What people decided about photos on their own laptops, read from the disk without the engine.
enum Choices {
    /// Whether a laptop is to hold a blob: as a photo that somebody there wants, or as a thumbnail.
    static func areWanted(_ blob: BlobID, by laptop: Laptop, _ catalog: Catalog) -> Bool {
        let keys = catalog.liveAlbums(of: blob).map { PhotoKey(album: $0, blob: blob) }
        if keys.isEmpty || !catalog.photos(ofThumbnail: blob).isEmpty { return true }
        let isLeftOut = keys.allSatisfy { self.isLeftOut($0, by: laptop, catalog) }
        return !isLeftOut && !keys.allSatisfy { laptop.disk.hidden.contains($0) }
    }

    private static func isLeftOut(_ key: PhotoKey, by laptop: Laptop, _ catalog: Catalog) -> Bool {
        guard !laptop.disk.fetching.asked.contains(key) else { return false }
        switch laptop.disk.fetching[key.album] {
        case .all: return false
        case .none: return true
        case .own:
            let authors = catalog.photo(key)?.adds.map(\.author) ?? []
            let own = catalog.formerDevices(of: laptop.id).union([laptop.id])
            return own.isDisjoint(with: authors)
        }
    }
}
