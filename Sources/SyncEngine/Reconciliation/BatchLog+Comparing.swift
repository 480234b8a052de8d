import AlbumModel
import WireFormat

extension BatchLog {
    /// Whether a peer lacks anything, and the replicas in which its knowledge and ours went apart.
    struct Comparison: Sendable {
        /// A ``BatchCursor`` finds some.
        var isLacking = false
        /// The peer has a head here that our longer or equal chain does not contain: a fork.
        var diverged: [ReplicaID] = []
        /// The peer has more of these than we do.
        var behind: [ReplicaID] = []
    }

    /// - Parameter isWhole: `theirs` lists all replicas that the peer knows; else it knows of the others what we know.
    func compare(with theirs: [ReplicaID: [Head]], isWhole: Bool) -> Comparison {
        var comparison = Comparison()
        // What one message lists costs no more than it is long.
        for replica in isWhole ? replicas : theirs.keys.sorted().filter({ chains[$0] != nil }) {
            guard let heads = theirs[replica] else {
                comparison.isLacking = true
                continue
            }
            let chain = chains[replica]!
            let known = heads.compactMap { chain.index(of: $0) }
            if known.count == heads.count {
                if !comparison.isLacking, !chain.isCovered(by: known) { comparison.isLacking = true }
                continue
            }
            comparison.behind.append(replica)
            let ownLast = chain.ends.map(\.sequence).max() ?? 0
            let unknown = heads.filter { chain.index(of: $0) == nil }
            if unknown.contains(where: { $0.sequence <= ownLast }) || chain.isForked || heads.count > 1 {
                comparison.diverged.append(replica)
            }
        }
        comparison.behind += theirs.keys.filter { chains[$0] == nil }.sorted()
        return comparison
    }

    /// Points of each branch at growing distances from its head, so that a peer finds where it left.
    func sample(of replica: ReplicaID) -> [Head] {
        guard let chain = chains[replica] else { return [] }
        var points: [Head] = []
        var seen: Set<Head> = []
        for head in chain.heads where points.count < WireLimits.samplePointCountMax {
            var index = head
            var step = 1
            var walked = 0
            while index >= 0 {
                let point = chain.links[index].end
                if seen.insert(point).inserted { points.append(point) }
                for _ in 0..<step where index >= 0 { index = Int(chain.links[index].previous) }
                walked += 1
                if walked >= 8 { step *= 2 }
            }
        }
        return Array(points.prefix(WireLimits.samplePointCountMax))
    }
}

/// Goes through the batches that a peer lacks, as far as it said what it knows: a place in the log instead of a list of
/// them, which a new laptop would make long.
struct BatchCursor: Sendable {
    private enum Kind {
        /// Replicas that are not listed the peer does not know.
        case whole
        /// Of replicas that are not listed the peer knows what we know.
        case listed
        /// Points of one replica's branches, of which some may be unknown here.
        case sample
    }

    private let kind: Kind
    private let theirs: [ReplicaID: [Head]]
    /// Where not all replicas are gone through: those that are.
    private let listed: [ReplicaID]
    /// Batches that come to be known later are pushed, or announced.
    private let numberMax: Int
    /// Place of the next replica.
    private var place = 0
    /// The replica that is being gone through, its next batch, and in a forked one which the peer knows.
    private var current: (replica: ReplicaID, index: Int, isKnown: [Bool])?

    /// - Parameter isWhole: as in ``BatchLog/compare(with:isWhole:)``.
    init(_ theirs: [ReplicaID: [Head]], isWhole: Bool, log: BatchLog) {
        kind = isWhole ? .whole : .listed
        self.theirs = theirs
        listed = isWhole ? [] : theirs.keys.sorted()
        numberMax = log.batchCount
    }

    /// Everything of a replica that is not at or before one of `points`.
    init(following points: [Head], of replica: ReplicaID, log: BatchLog) {
        kind = .sample
        theirs = [replica: points]
        listed = [replica]
        numberMax = log.batchCount
    }

    /// It follows points of one replica: what the peer knows of all says nothing of them.
    var isSample: Bool { kind == .sample }

    /// In an order in which they can be applied.
    mutating func next(_ log: BatchLog) -> BatchLog.Reference? {
        while true {
            if let found = nextOfCurrent(log) { return found }
            let replicas = kind == .whole ? log.replicas : listed
            guard place < replicas.count else { return nil }
            enter(replicas[place], log)
            place += 1
        }
    }

    private mutating func nextOfCurrent(_ log: BatchLog) -> BatchLog.Reference? {
        guard let (replica, _, _) = current, let chain = log.chains[replica] else { return nil }
        while let index = current?.index, index < chain.links.count, chain.links[index].number <= numberMax {
            current!.index += 1
            let isKnown = current!.isKnown.indices.contains(index) && current!.isKnown[index]
            if !isKnown { return chain.links[index].reference }
        }
        current = nil
        return nil
    }

    private mutating func enter(_ replica: ReplicaID, _ log: BatchLog) {
        guard let chain = log.chains[replica] else { return }
        guard let heads = theirs[replica] else {
            if kind == .whole { current = (replica, 0, []) }
            return
        }
        let known = heads.compactMap { chain.index(of: $0) }
        // Where the peer has what is not known here, the two sample their chains first.
        guard known.count == heads.count || kind == .sample, !chain.isCovered(by: known) else { return }
        current = chain.isForked ? (replica, 0, chain.marks(known)) : (replica, (known.max() ?? -1) + 1, [])
    }
}
