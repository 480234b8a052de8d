public import AlbumModel
import DequeModule
public import WireFormat

/// Which photos and thumbnails a device said that it holds.
///
/// Two questions differ: whether it is worth asking the device for a blob (``claims(_:dots:)``), and whether what it said
/// proves that it holds the blob (`proves`). Who is asked in vain costs a message; who is trusted in vain costs a photo.
public struct Holdings: Sendable {
    /// Runs along one branch of a replica.
    struct Row: Sendable {
        let replica: ReplicaID
        /// As far as which the runs hold; `nil` from an earlier version, whose runs prove nothing.
        let head: Head?
        fileprivate let firstRun: Int32
        fileprivate let endRun: Int32
    }

    /// Bytes of memory that a row, a run and a blob that is named take.
    static let rowByteCount = MemoryLayout<Row>.stride
    static let runByteCount = MemoryLayout<ClosedRange<UInt64>>.stride
    static let nameByteCount = 48

    /// What was told whole, ordered by replica. Flat: of a thousand devices there are a million rows.
    private(set) var rows: [Row] = []
    private var runs: [ClosedRange<UInt64>] = []
    /// Named one by one, with what was told whole or since.
    private(set) var named: Set<BlobID> = []
    /// Said to be lost since.
    private(set) var lost: Set<BlobID> = []
    /// Denied when it was asked for, without a word that it was lost: no proof until the device brings it or names it anew.
    private(set) var denied: Set<BlobID> = []
    /// False once too much was lost to be remembered: the device has to tell everything again.
    private(set) var isWhole = true
    /// Those named that no album here has, in the order of their coming.
    private var unknown: Deque<BlobID> = []

    var unknownCount: Int { unknown.count }

    /// About how much memory it takes.
    var byteCount: Int {
        rows.count * Self.rowByteCount + runs.count * Self.runByteCount
            + (named.count + lost.count + denied.count) * Self.nameByteCount
    }

    /// Nothing is said to be held.
    var isEmpty: Bool { runs.isEmpty && named.isEmpty }

    /// Blobs about which more was said than runs tell.
    var exceptions: Set<BlobID> { named.union(lost).union(denied) }

    public init() {}

    public init(_ presence: Presence, lost: Set<BlobID> = [], denied: Set<BlobID> = []) {
        rows.reserveCapacity(presence.branches.count)
        runs.reserveCapacity(presence.branches.reduce(0) { $0 + $1.runs.count })
        for branch in presence.branches.sorted() {
            let first = Int32(clamping: runs.count)
            runs += branch.runs
            rows.append(
                Row(replica: branch.replica, head: branch.head, firstRun: first, endRun: Int32(clamping: runs.count)))
        }
        named = presence.others
        self.lost = lost
        self.denied = denied
    }

    /// What was said to be held; what was lost since stands beside it.
    func presence(namedCountMax: Int) -> Presence {
        let branches = rows.map { Presence.Branch(replica: $0.replica, head: $0.head, runs: Array(runs(of: $0))) }
        return Presence(
            branches: branches, others: named.count <= namedCountMax ? named : Set(named.prefix(namedCountMax)))
    }

    /// Sorted and disjoint.
    func runs(of row: Row) -> ArraySlice<ClosedRange<UInt64>> { runs[Int(row.firstRun)..<Int(row.endRun)] }

    /// Those of one replica.
    private func rows(of replica: ReplicaID) -> ArraySlice<Row> {
        var low = 0
        var high = rows.count
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].replica < replica { low = middle + 1 } else { high = middle }
        }
        return rows[low...].prefix { $0.replica == replica }
    }

    private func contains(_ row: Row, _ sequence: UInt64) -> Bool {
        var low = Int(row.firstRun)
        let end = Int(row.endRun)
        var high = end
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].upperBound < sequence { low = middle + 1 } else { high = middle }
        }
        return low < end && runs[low].contains(sequence)
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
        guard !rows.isEmpty, lost.insert(blob).inserted else { return false }
        // Whoever loses so much has to tell everything again before runs count.
        if lost.count > limits.lostCountMax { (rows, runs, lost, isWhole) = ([], [], [], false) }
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
        return dots.contains { dot in rows(of: dot.replica).contains { contains($0, dot.sequence) } }
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
            rows(of: dot.replica).contains { row in
                guard let head = row.head, dot.sequence <= head.sequence, contains(row, dot.sequence) else {
                    return false
                }
                return log.line(to: head, of: dot.replica)?.contains(dot.sequence, dot.branch) ?? false
            }
        }
    }

    /// Whether some claim of `other` may be missing here. True where only a look at each blob would tell.
    func mayLack(claimsOf other: Holdings) -> Bool {
        guard lost.isSubset(of: other.lost), other.named.isSubset(of: named) else { return true }
        return other.rows.contains { old in
            let rows = rows(of: old.replica)
            return other.runs(of: old).contains { run in !rows.contains { covers($0, run) } }
        }
    }

    /// Whether one run has all of another.
    private func covers(_ row: Row, _ run: ClosedRange<UInt64>) -> Bool {
        var low = Int(row.firstRun)
        let end = Int(row.endRun)
        var high = end
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].upperBound < run.upperBound { low = middle + 1 } else { high = middle }
        }
        return low < end && runs[low].lowerBound <= run.lowerBound && run.upperBound <= runs[low].upperBound
    }
}
