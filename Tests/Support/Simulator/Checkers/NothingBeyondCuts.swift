import AlbumModel
import SyncEngine
import WireFormat

/// In the end no album has anything that a laptop signed beyond the cut by which it was put out, and what it signed before
/// is there. Read from journals, without the fold; what rulings mean is the roll's to say.
enum NothingBeyondCuts {
    /// Every agent has begun anew since it last heard as far as which batches count.
    static func isKept(_ simulation: Simulation) -> Bool {
        simulation.honest.allSatisfy { laptop in laptop.look { !$0.isFoldStale } == true }
    }

    static func check(_ simulation: Simulation) throws(SimulationFailure) {
        for laptop in simulation.honest {
            guard let engine = laptop.engine, !engine.isFoldStale else {
                throw SimulationFailure(.beyondCut, "laptop \(laptop.index) has not begun anew")
            }
            let counted = CountedRows(of: laptop)
            for row in counted.beyond {
                for (dot, _, change) in SetAlgebra.changes(of: row) {
                    guard case .photoAdded(let addition) = change else { continue }
                    let key = PhotoKey(album: addition.album, blob: addition.blob)
                    guard engine.catalog.photo(key)?.adds.contains(where: { $0.dot == dot }) == true else { continue }
                    let sentence =
                        "laptop \(laptop.index) shows \(key.blob.hex.prefix(8)), which was added beyond a cut"
                    throw SimulationFailure(.beyondCut, sentence)
                }
            }
            guard engine.log.leftOut.batchCount == counted.beyond.count else {
                let counts = "\(engine.log.leftOut.batchCount) batches, and \(counted.beyond.count) are beyond cuts"
                throw SimulationFailure(.beyondCut, "laptop \(laptop.index) leaves out \(counts)")
            }
        }
    }
}

/// The batches of a journal, by whether they count.
struct CountedRows {
    private(set) var counted: [SimulatedDisk.Row] = []
    private(set) var beyond: [SimulatedDisk.Row] = []

    /// The laptop's agent must run.
    init(of laptop: Laptop) {
        let cuts = laptop.look { $0.rulings.cuts(on: $0.device) } ?? Cuts()
        guard !cuts.isEmpty, let log = laptop.engine?.log else {
            counted = laptop.disk.journal
            return
        }
        var batches: [BatchID: Batch] = [:]
        for row in laptop.disk.journal { batches[row.id] = try? Batch(decoding: row.signed.content) }
        var cutsOfReplicas: [ReplicaID: (ancestors: Set<BatchID>, reach: UInt64)] = [:]
        for row in laptop.disk.journal {
            guard let batch = batches[row.id], let author = log.author(of: row.replica),
                let ends = cuts.ends(of: row.replica, by: author)
            else {
                counted.append(row)
                continue
            }
            let cut = cutsOfReplicas[row.replica] ?? Self.cut(ends, batches)
            cutsOfReplicas[row.replica] = cut
            if cut.ancestors.contains(row.id) || batch.lastSequence <= cut.reach {
                counted.append(row)
            } else {
                beyond.append(row)
            }
        }
    }

    /// All that leads to the ends that are there, and the greatest number of the others.
    private static func cut(
        _ ends: Set<Ruling.Cut.End>, _ batches: [BatchID: Batch]
    ) -> (ancestors: Set<BatchID>, reach: UInt64) {
        var ancestors: Set<BatchID> = []
        var reach: UInt64 = 0
        for end in ends {
            if batches[end.batch] == nil { reach = max(reach, end.sequence) }
            var next = batches[end.batch] == nil ? nil : Optional(end.batch)
            while let id = next, ancestors.insert(id).inserted { next = batches[id]?.previous }
        }
        return (ancestors, reach)
    }
}
