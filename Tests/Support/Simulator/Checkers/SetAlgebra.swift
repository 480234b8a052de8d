import AlbumModel
import SyncEngine
import WireFormat

/// Observed-remove in a few lines: a photo is live if some add of it is not withdrawn, and the last withdrawal says who
/// took it away. Read from a journal, without the fold.
enum SetAlgebra {
    /// What a journal says about one photo.
    private struct Said {
        var adds: Set<Dot> = []
        var withdrawn: Set<Dot> = []
        /// The last withdrawal.
        var departure: (clock: ClockReading, dot: Dot)?
    }

    static func check(_ simulation: Simulation) throws(SimulationFailure) {
        let laptop = simulation.honest[0]
        var said: [PhotoKey: Said] = [:]
        for row in CountedRows(of: laptop).counted {
            for (dot, clock, change) in changes(of: row) { note(change, dot, clock, &said) }
        }
        let catalog = laptop.engine!.catalog
        for (key, said) in said.sorted(by: { $0.key < $1.key }) {
            let shouldLive = !said.adds.subtracting(said.withdrawn).isEmpty
            let lives = catalog.photo(key)?.isLive ?? false
            if shouldLive, !lives { throw SimulationFailure(.lostPhoto, "\(key.blob.hex.prefix(8)) has a live add") }
            if !shouldLive, lives { throw SimulationFailure(.resurrectedPhoto, "\(key.blob.hex.prefix(8)) came back") }
            let departure = catalog.photo(key)?.departure
            guard departure?.dot == said.departure?.dot, departure?.clock == said.departure?.clock else {
                throw SimulationFailure(.lostWords, "who took \(key.blob.hex.prefix(8)) away is not told rightly")
            }
        }
    }

    private static func note(
        _ change: Change, _ dot: Dot, _ clock: ClockReading, _ said: inout [PhotoKey: Said]
    ) {
        switch change {
        case .photoAdded(let addition):
            said[PhotoKey(album: addition.album, blob: addition.blob), default: Said()].adds.insert(dot)
        case .photoRemoved(let album, let blob, let dots):
            let key = PhotoKey(album: album, blob: blob)
            said[key, default: Said()].withdrawn.formUnion(resolved(dots, in: dot))
            let last = said[key]!.departure
            if last.map({ ($0.clock, $0.dot) < (clock, dot) }) ?? true { said[key]!.departure = (clock, dot) }
        default: break
        }
    }

    /// Dots without a branch are of the batch that names them.
    static func resolved(_ dots: [Dot], in dot: Dot) -> [Dot] {
        dots.map { $0.branch == 0 ? Dot(replica: $0.replica, sequence: $0.sequence, branch: dot.branch) : $0 }
    }

    /// The changes of a batch that have an effect.
    static func changes(of row: SimulatedDisk.Row) -> [(dot: Dot, clock: ClockReading, change: Change)] {
        guard let batch = try? Batch(decoding: row.signed.content) else { return [] }
        return batch.changes.enumerated().compactMap { offset, change in
            guard CatalogLimits.isValid(change) else { return nil }
            let sequence = batch.firstSequence + UInt64(offset)
            return (Dot(replica: batch.replica, sequence: sequence, branch: row.id.prefix), batch.clock, change)
        }
    }
}
