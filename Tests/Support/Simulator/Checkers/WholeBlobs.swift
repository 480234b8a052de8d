import AlbumModel
import SyncEngine

/// Every live photo of which a good copy was left is whole on every honest laptop whose person wants it, its thumbnail on
/// all, and nothing is left in staging.
enum WholeBlobs {
    static func check(_ simulation: Simulation) throws(SimulationFailure) {
        let catalog = simulation.honest[0].engine!.catalog
        let expected = expected(simulation, catalog)
        for laptop in simulation.honest {
            let missing = expected.subtracting(laptop.disk.blobs).filter { Choices.areWanted($0, by: laptop, catalog) }
            if let blob = missing.min() {
                let reason = laptop.engine!.missingReason(blob).map { "\($0)" } ?? "not even wanted"
                throw SimulationFailure(.missingBlob, "laptop \(laptop.index) lacks \(blob.hex.prefix(8)): \(reason)")
            }
            if let blob = laptop.disk.staging.keys.filter({ laptop.disk.blobs.contains($0) }).min() {
                let sentence = "laptop \(laptop.index) holds \(blob.hex.prefix(8)) and left it in staging"
                throw SimulationFailure(.leftInStaging, sentence)
            }
        }
    }

    /// - Parameter engine: one of those that agree.
    static func isComplete(_ simulation: Simulation, by engine: Engine) -> Bool {
        let expected = expected(simulation, engine.catalog)
        return simulation.honest.allSatisfy { laptop in
            expected.allSatisfy {
                laptop.disk.blobs.contains($0) || !Choices.areWanted($0, by: laptop, engine.catalog)
            }
        }
    }

    /// Blobs that everyone who wants them must come to hold: of live photos that some contributor described rightly.
    private static func expected(_ simulation: Simulation, _ catalog: Catalog) -> Set<BlobID> {
        var expected: Set<BlobID> = []
        for album in catalog.albums.values {
            for (blob, photo) in album.livePhotos {
                for blob in [blob, photo.facts?.thumbnail?.blob].compactMap(\.self)
                where simulation.healable.contains(blob) && isDescribed(blob, simulation.contents, catalog) {
                    expected.insert(blob)
                }
            }
        }
        return expected
    }

    /// Whether somebody who names a blob tells its size and pieces as they are.
    static func isDescribed(_ blob: BlobID, _ contents: [BlobID: SimulatedBlob], _ catalog: Catalog) -> Bool {
        guard let content = contents[blob] else { return false }
        let isPhoto = catalog.liveAdds(of: blob).contains {
            content.fits(byteCount: $0.byteCount, pieceListHash: $0.pieceListHash)
        }
        if isPhoto { return true }
        return catalog.photos(ofThumbnail: blob).contains { key in
            let byteCount = catalog.photo(key)?.facts?.thumbnail?.byteCount
            return byteCount.map { content.fits(byteCount: UInt64($0), pieceListHash: nil) } ?? false
        }
    }
}
