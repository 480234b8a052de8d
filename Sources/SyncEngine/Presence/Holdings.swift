public import AlbumModel
import DequeModule
public import WireFormat

/// Which photos and thumbnails a device said that it holds.
///
/// Two questions differ: whether it is worth asking the device for a blob (``claims(_:dots:)``), and whether what it said
/// proves that it holds the blob (`proves`). Who is asked in vain costs a message; who is trusted in vain costs a photo.
public struct Holdings: Sendable {
    /// Runs along one branch.
    struct Branch: Sendable {
        /// As far as which the runs hold; `nil` from an earlier version, whose runs prove nothing.
        var head: Head?
        var runs: [ClosedRange<UInt64>]

        func contains(_ sequence: UInt64) -> Bool {
            var low = 0
            var high = runs.count
            while low < high {
                let middle = (low + high) / 2
                if runs[middle].upperBound < sequence { low = middle + 1 } else { high = middle }
            }
            return low < runs.count && runs[low].contains(sequence)
        }
    }

    /// What was told whole, by replica.
    private(set) var branches: [ReplicaID: [Branch]] = [:]
    /// Named one by one, with what was told whole or since.
    private(set) var named: Set<BlobID> = []
    /// Said to be lost since.
    private(set) var lost: Set<BlobID> = []
    /// Denied when it was asked for, without a word that it was lost: no proof until the device brings it or names it anew.
    private(set) var denied: Set<BlobID> = []
    /// Those named that no album here has, in the order of their coming.
    private var unknown: Deque<BlobID> = []

    var unknownCount: Int { unknown.count }

    /// Blobs about which more was said than runs tell.
    var exceptions: Set<BlobID> { named.union(lost).union(denied) }

    public init() {}

    public init(_ presence: Presence, lost: Set<BlobID> = [], denied: Set<BlobID> = []) {
        for branch in presence.branches {
            branches[branch.replica, default: []].append(Branch(head: branch.head, runs: branch.runs))
        }
        named = presence.others
        self.lost = lost
        self.denied = denied
    }

    /// What was said to be held; what was lost since stands beside it.
    func presence(namedCountMax: Int) -> Presence {
        let all = branches.flatMap { replica, branches in
            branches.map { Presence.Branch(replica: replica, head: $0.head, runs: $0.runs) }
        }
        return Presence(
            branches: all.sorted(), others: named.count <= namedCountMax ? named : Set(named.prefix(namedCountMax)))
    }

    // MARK: What is said

    /// - Parameter isKnown: whether some album here has a blob. Of those that none has, only the latest are kept.
    mutating func gain(_ blob: BlobID, limits: EngineLimits, isKnown: (BlobID) -> Bool) {
        lost.remove(blob)
        denied.remove(blob)
        guard named.insert(blob).inserted, !isKnown(blob) else { return }
        unknown.append(blob)
        // Looked through once in a while only: mostly the batch was just slower than the word about its blob.
        guard unknown.count > 2 * limits.unknownHeldCountMax else { return }
        unknown.removeAll(where: isKnown)
        while unknown.count > limits.unknownHeldCountMax { named.remove(unknown.removeFirst()) }
    }

    /// The peer told that it has a blob no longer. That counts for a blob that no album here has as well: runs may name it
    /// by changes that are still to come.
    ///
    /// - Returns: whether that is news.
    mutating func lose(_ blob: BlobID, limits: EngineLimits) -> Bool {
        named.remove(blob)
        denied.remove(blob)
        guard !branches.isEmpty, lost.insert(blob).inserted else { return false }
        // Whoever loses so much has to tell everything again before runs count.
        if lost.count > limits.lostCountMax { (branches, lost) = ([:], []) }
        return true
    }

    /// The peer answered "not here".
    ///
    /// - Returns: whether that is news.
    mutating func deny(_ blob: BlobID) -> Bool { !lost.contains(blob) && denied.insert(blob).inserted }

    /// The peer sent a right piece of a blob, or "not here" may have been said of what does not exist.
    ///
    /// - Returns: whether that is news.
    mutating func retractDenial(_ blob: BlobID) -> Bool {
        !PlantedFault.isPlanted(.denialNeverRetracted) && denied.remove(blob) != nil
    }

    // MARK: Questions

    /// Whether the device said that it holds a blob, and nothing else since.
    ///
    /// - Parameter dots: the changes that name `blob`.
    public func claims(_ blob: BlobID, dots: [Dot]) -> Bool {
        if lost.contains(blob) { return false }
        if PlantedFault.isPlanted(.notHereForEver), denied.contains(blob) { return false }
        if named.contains(blob) { return true }
        return dots.contains { dot in branches[dot.replica]?.contains { $0.contains(dot.sequence) } ?? false }
    }

    /// Whether what the device said proves that it held a blob when it last spoke.
    ///
    /// - Parameters:
    ///   - dots: the changes that add `blob`, withdrawn ones included.
    ///   - log: by which a run's branch is known.
    func proves(_ blob: BlobID, dots: [Dot], log: BatchLog) -> Bool {
        if lost.contains(blob) || denied.contains(blob) { return false }
        if named.contains(blob) { return true }
        return dots.contains { dot in
            branches[dot.replica]?.contains { branch in
                guard let head = branch.head, dot.sequence <= head.sequence, branch.contains(dot.sequence) else {
                    return false
                }
                return log.line(to: head, of: dot.replica)?.contains(dot) ?? false
            } ?? false
        }
    }

    /// Whether some claim of `other` may be missing here. True where only a look at each blob would tell.
    func mayLack(claimsOf other: Holdings) -> Bool {
        guard lost.isSubset(of: other.lost), other.named.isSubset(of: named) else { return true }
        return other.branches.contains { replica, old in
            let runs = (branches[replica] ?? []).flatMap(\.runs)
            return old.flatMap(\.runs).contains { run in
                !runs.contains { $0.lowerBound <= run.lowerBound && run.upperBound <= $0.upperBound }
            }
        }
    }
}
