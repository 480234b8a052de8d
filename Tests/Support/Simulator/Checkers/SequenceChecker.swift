import AlbumModel
import SyncEngine

/// The numbers of a laptop's own changes follow each other: none is used twice, none is left out, whatever crashed.
///
/// Its readings grow with them, and follow nobody's clock that is far ahead.
///
/// Only a home that was copied, or that went back to an older state without its agent noticing, may fork its replica.
struct SequenceChecker {
    private struct Author: Hashable {
        var laptop: Int
        var replica: ReplicaID
    }

    private struct Last {
        var sequence: UInt64
        var clock: ClockReading
    }

    private var last: [Author: Last] = [:]
    private var forkable: Set<ReplicaID> = []
    /// The replica that each laptop continues.
    private var current: [Int: ReplicaID] = [:]
    /// The latest reading of others that each laptop has to follow.
    private var observed: [Int: ClockReading] = [:]

    /// - Parameter wallMax: the latest that any honest laptop's wall clock showed.
    mutating func stored(_ batch: Batch, by laptop: Laptop, wallMax: UInt64) throws(SimulationFailure) {
        let author = Author(laptop: laptop.index, replica: batch.replica)
        if let last = last[author] {
            guard batch.firstSequence == last.sequence + 1 else {
                let sentence = "laptop \(laptop.index) numbers a change \(batch.firstSequence) after \(last.sequence)"
                throw SimulationFailure(.reusedSequence, sentence)
            }
            guard batch.clock > last.clock else {
                throw SimulationFailure(.wrongClock, "laptop \(laptop.index) reads its clock as earlier than before")
            }
        }
        if let known = current[laptop.index], known != batch.replica, !laptop.mayFork, !laptop.disk.gaveUp(known) {
            throw SimulationFailure(.reusedSequence, "laptop \(laptop.index) begins a new replica, and nobody made it")
        }
        current[laptop.index] = batch.replica
        if let observed = observed[laptop.index], batch.clock <= observed {
            throw SimulationFailure(.wrongClock, "laptop \(laptop.index) writes as if before what it knows")
        }
        guard batch.clock.microseconds <= wallMax &+ HybridClock.leadMax &+ Self.followingMax else {
            throw SimulationFailure(.wrongClock, "laptop \(laptop.index) follows a clock that is far ahead")
        }
        last[author] = Last(sequence: batch.lastSequence, clock: batch.clock)
    }

    /// These are durable now; what the laptop says from now on comes after them.
    mutating func observed(_ batches: [AcceptedBatch], by laptop: Laptop, wall: UInt64) {
        for batch in batches where batch.batch.clock.microseconds <= wall &+ HybridClock.leadMax {
            observed[laptop.index] = max(observed[laptop.index] ?? .zero, batch.batch.clock)
        }
    }

    func isForkable(_ replica: ReplicaID) -> Bool { forkable.contains(replica) }

    /// Each batch that follows a reading is a microsecond after it.
    private static let followingMax: UInt64 = 1_000_000

    mutating func wentBack(_ laptop: Laptop) {
        last = last.filter { $0.key.laptop != laptop.index }
        (current[laptop.index], observed[laptop.index]) = (nil, nil)
    }

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
