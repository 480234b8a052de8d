import AlbumModel
import SyncEngine

/// Every live photo of which a good copy was left is whole on every honest laptop, its thumbnail too, and nothing is
/// left in staging.
enum WholeBlobs {
    static func check(_ simulation: Simulation) throws(SimulationFailure) {
        let expected = expected(simulation, by: simulation.honest[0].engine!)
        for laptop in simulation.honest {
            if let blob = expected.subtracting(laptop.disk.blobs).min() {
                let reason = laptop.engine!.missingReason(blob).map { "\($0)" } ?? "not even wanted"
                throw SimulationFailure(.missingBlob, "laptop \(laptop.index) lacks \(blob.hex.prefix(8)): \(reason)")
            }
            if let blob = laptop.disk.staging.keys.filter({ laptop.disk.blobs.contains($0) }).min() {
                let sentence = "laptop \(laptop.index) holds \(blob.hex.prefix(8)) and left it in staging"
                throw SimulationFailure(.leftInStaging, sentence)
            }
        }
    }

    /// Blobs that everyone must come to hold: of live photos that some contributor described rightly.
    static func expected(_ simulation: Simulation, by engine: Engine) -> Set<BlobID> {
        var expected: Set<BlobID> = []
        for album in engine.catalog.albums.values {
            for (blob, photo) in album.livePhotos where simulation.healable.contains(blob) {
                let content = simulation.contents[blob]!
                let isDescribed = photo.adds.contains {
                    content.fits(byteCount: $0.byteCount, pieceListHash: $0.pieceListHash)
                }
                if isDescribed { expected.insert(blob) }
            }
            let thumbnails = album.livePhotos.compactMap { $0.value.facts?.thumbnail?.blob }
            expected.formUnion(thumbnails.filter { simulation.healable.contains($0) })
        }
        return expected
    }
}
