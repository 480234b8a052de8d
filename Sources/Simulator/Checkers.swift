import AlbumModel
import SyncEngine
import WireFormat

/// What must be true once everything is healed and has had its time.
enum Checkers {
    static func checkAll(_ simulation: Simulation) throws(SimulationFailure) {
        try checkConvergence(simulation)
        try checkPhotos(simulation)
        try checkAgainstSetAlgebra(simulation)
        try checkFoldOrder(simulation)
        try checkSequences(simulation)
    }

    private static func checkConvergence(_ simulation: Simulation) throws(SimulationFailure) {
        let reference = simulation.devices[0].engine!
        for device in simulation.devices {
            let engine = device.engine!
            guard engine.log.vector == reference.log.vector else {
                throw SimulationFailure(.notConverged, "devices 0 and \(device.index) know different batches")
            }
            for (id, album) in reference.catalog.albums where engine.catalog.albums[id]?.digest != album.digest {
                throw SimulationFailure(.differentManifests, "device \(device.index) has another \(album.ownName)")
            }
            for blob in simulation.oracle.liveBlobs(of: engine).sorted() where !device.disk.blobs.contains(blob) {
                let reason = engine.missingReason(blob).map { "\($0)" } ?? "not even wanted"
                throw SimulationFailure(.missingBlob, "device \(device.index) lacks \(blob.hex.prefix(8)): \(reason)")
            }
            let leftovers = device.disk.staging.keys.filter { device.disk.blobs.contains($0) }
            guard leftovers.isEmpty else {
                throw SimulationFailure(.missingBlob, "device \(device.index) left held blobs in staging")
            }
        }
    }

    private static func checkPhotos(_ simulation: Simulation) throws(SimulationFailure) {
        let catalog = simulation.devices[0].engine!.catalog
        for key in simulation.oracle.confirmed.subtracting(simulation.oracle.removed).sorted()
        where catalog.photo(key)?.isLive != true {
            throw SimulationFailure(.lostPhoto, "\(key.blob.hex.prefix(8)) was confirmed, never removed, and is gone")
        }
    }

    /// Observed-remove in two lines: a photo is live if some add of it is not withdrawn.
    private static func checkAgainstSetAlgebra(_ simulation: Simulation) throws(SimulationFailure) {
        var adds: [PhotoKey: Set<Dot>] = [:]
        var withdrawn: Set<Dot> = []
        for row in simulation.devices[0].disk.journal {
            guard let batch = try? Batch(decoding: row.signed.content) else { continue }
            for (offset, change) in batch.changes.enumerated() {
                let dot = Dot(
                    replica: batch.replica, sequence: batch.firstSequence + UInt64(offset), branch: row.id.prefix)
                switch change {
                case .photoAdded(let addition):
                    adds[PhotoKey(album: addition.album, blob: addition.blob), default: []].insert(dot)
                case .photoRemoved(_, _, let dots): withdrawn.formUnion(dots)
                default: break
                }
            }
        }
        let catalog = simulation.devices[0].engine!.catalog
        for (key, dots) in adds.sorted(by: { $0.key < $1.key }) {
            let shouldLive = !dots.subtracting(withdrawn).isEmpty
            let lives = catalog.photo(key)?.isLive ?? false
            if shouldLive, !lives { throw SimulationFailure(.lostPhoto, "\(key.blob.hex.prefix(8)) has a live add") }
            if !shouldLive, lives { throw SimulationFailure(.resurrectedPhoto, "\(key.blob.hex.prefix(8)) came back") }
        }
    }

    /// The same batches in another order of arrival fold to the same manifests.
    private static func checkFoldOrder(_ simulation: Simulation) throws(SimulationFailure) {
        let rows = simulation.devices[0].disk.journal
        var shuffled = Catalog()
        var random = simulation.random
        for row in rows.shuffled(using: &random) {
            guard let batch = try? Batch(decoding: row.signed.content) else { continue }
            let author = simulation.devices[0].engine!.log.author(of: batch.replica)!
            _ = shuffled.apply(batch, id: row.id, author: author, received: row.received)
        }
        for (id, album) in simulation.devices[0].engine!.catalog.albums
        where shuffled.albums[id]?.digest != album.digest {
            throw SimulationFailure(.foldDependsOnOrder, "\(album.ownName) depends on the order of arrival")
        }
    }

    /// No two batches of a replica cover the same number, for nobody copied a home.
    private static func checkSequences(_ simulation: Simulation) throws(SimulationFailure) {
        for (replica, heads) in simulation.devices[0].engine!.log.vector.heads where heads.count > 1 {
            throw SimulationFailure(.reusedSequence, "replica \(replica.hex.prefix(8)) has \(heads.count) branches")
        }
    }
}
