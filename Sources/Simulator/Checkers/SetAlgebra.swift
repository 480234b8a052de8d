import AlbumModel
import SyncEngine
import WireFormat

/// Observed-remove in two lines: a photo is live if some add of it is not withdrawn. Read from a journal, without the
/// fold.
enum SetAlgebra {
    static func check(_ simulation: Simulation) throws(SimulationFailure) {
        let laptop = simulation.honest[0]
        var adds: [PhotoKey: Set<Dot>] = [:]
        var withdrawn: Set<Dot> = []
        for row in laptop.disk.journal {
            for (dot, change) in changes(of: row) {
                switch change {
                case .photoAdded(let addition):
                    adds[PhotoKey(album: addition.album, blob: addition.blob), default: []].insert(dot)
                case .photoRemoved(_, _, let dots): withdrawn.formUnion(dots)
                default: break
                }
            }
        }
        let catalog = laptop.engine!.catalog
        for (key, dots) in adds.sorted(by: { $0.key < $1.key }) {
            let shouldLive = !dots.subtracting(withdrawn).isEmpty
            let lives = catalog.photo(key)?.isLive ?? false
            if shouldLive, !lives { throw SimulationFailure(.lostPhoto, "\(key.blob.hex.prefix(8)) has a live add") }
            if !shouldLive, lives { throw SimulationFailure(.resurrectedPhoto, "\(key.blob.hex.prefix(8)) came back") }
        }
    }

    static func changes(of row: SimulatedDisk.Row) -> [(dot: Dot, change: Change)] {
        guard let batch = try? Batch(decoding: row.signed.content) else { return [] }
        return batch.changes.enumerated().map { offset, change in
            let sequence = batch.firstSequence + UInt64(offset)
            return (Dot(replica: batch.replica, sequence: sequence, branch: row.id.prefix), change)
        }
    }
}
