import AlbumModel
import SyncEngine

/// The numbers of a laptop's own changes follow each other: none is used twice, none is left out, whatever crashed.
///
/// Only a home that was copied, or that went back to an older state without its agent noticing, may fork its replica.
struct SequenceChecker {
    private struct Author: Hashable {
        var laptop: Int
        var replica: ReplicaID
    }

    private var last: [Author: UInt64] = [:]
    private var forkable: Set<ReplicaID> = []

    mutating func stored(_ batch: Batch, by laptop: Laptop) throws(SimulationFailure) {
        let author = Author(laptop: laptop.index, replica: batch.replica)
        if let last = last[author], batch.firstSequence != last + 1 {
            let sentence = "laptop \(laptop.index) numbers a change \(batch.firstSequence) after \(last)"
            throw SimulationFailure(.reusedSequence, sentence)
        }
        last[author] = batch.lastSequence
    }

    mutating func wentBack(_ laptop: Laptop) { last = last.filter { $0.key.laptop != laptop.index } }

    mutating func mayFork(_ replica: ReplicaID?) {
        if let replica { forkable.insert(replica) }
    }

    func check(_ simulation: Simulation) throws(SimulationFailure) {
        let heads = simulation.honest[0].engine!.log.vector.heads
        for (replica, heads) in heads.sorted(by: { $0.key < $1.key }) where heads.count > 1 {
            guard !forkable.contains(replica) else { continue }
            let sentence = "replica \(replica.hex.prefix(8)) has \(heads.count) branches, and nobody copied its home"
            throw SimulationFailure(.reusedSequence, sentence)
        }
    }
}
