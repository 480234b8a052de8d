public import AlbumModel
public import WireFormat
import Crypto

/// A batch that passed every check of form.
public struct AcceptedBatch: Hashable, Sendable {
    public var id: BatchID
    public var batch: Batch
    public var signed: SignedBatch
    public var author: DeviceID
    /// When this device learned of it, in microseconds since 1970: the journal keeps it, so that every later fold comes to
    /// the same order. 0 for one that comes from the journal, which knows it.
    public var received: UInt64 = 0
}

extension SignedBatch {
    var byteCount: Int { content.count + signature.count }
}

extension AcceptedBatch {
    var reference: BatchLog.Reference { BatchLog.Reference(id: id, byteCount: signed.byteCount) }
}

/// Why a batch is not accepted.
public enum BatchRefusal: Error, Hashable, Sendable {
    case malformed(WireError)
    case unknownPrevious
    case brokenChain
    case badProof
    case badSignature
}

/// Which batches are stored, and how they hang together. Their bytes are in the journal.
public struct BatchLog: Sendable {
    /// One batch's place in its replica's chain.
    struct Link: Sendable {
        var id: BatchID
        /// Content and signature, as they count in a page.
        var byteCount: Int
        var last: UInt64
        /// Index of the previous batch in the replica's `links`; -1 for the first.
        var previous: Int

        var reference: Reference { Reference(id: id, byteCount: byteCount) }
    }

    /// A stored batch that is to be sent.
    struct Reference: Hashable, Sendable {
        var id: BatchID
        var byteCount: Int
    }

    /// All branches of one replica, each batch after the one that it follows.
    struct Chain: Sendable {
        var publicKey: [UInt8]
        var author: DeviceID
        var links: [Link] = []
        var indexOfBatch: [BatchID: Int] = [:]
        /// Indexes of the batches that nothing follows.
        var heads: [Int] = []

        var isForked: Bool { heads.count > 1 }

        var ends: [Head] { heads.map { Head(sequence: links[$0].last, branch: links[$0].id.prefix) } }

        /// The index of the batch that ends at `head`.
        func index(of head: Head) -> Int? {
            if !isForked {
                // Without forks the links are in the order of their sequence numbers.
                var low = 0
                var high = links.count
                while low < high {
                    let middle = (low + high) / 2
                    if links[middle].last < head.sequence { low = middle + 1 } else { high = middle }
                }
                guard low < links.count, links[low].last == head.sequence, links[low].id.prefix == head.branch else {
                    return nil
                }
                return low
            }
            return links.firstIndex { $0.last == head.sequence && $0.id.prefix == head.branch }
        }
    }

    private(set) var chains: [ReplicaID: Chain] = [:]
    private var ids: Set<BatchID> = []
    private var publicKeys: [DeviceID: [UInt8]] = [:]

    public init() {}

    public var vector: VersionVector { VersionVector(heads: chains.mapValues(\.ends)) }

    /// The ends of a replica's branches; none if it is not known.
    func heads(of replica: ReplicaID) -> [Head] { (chains[replica]?.ends ?? []).sorted() }

    public func contains(_ id: BatchID) -> Bool { ids.contains(id) }

    public var batchCount: Int { ids.count }

    public func author(of replica: ReplicaID) -> DeviceID? { chains[replica]?.author }

    /// Whether the end of some branch, now or once, is known.
    func contains(_ head: Head, of replica: ReplicaID) -> Bool { chains[replica]?.index(of: head) != nil }

    /// The key of a device that has signed some batch.
    public func publicKey(of device: DeviceID) -> [UInt8]? { publicKeys[device] }

    public func isForked(_ replica: ReplicaID) -> Bool { chains[replica]?.isForked ?? false }

    /// The only head of a replica; `nil` if there is none, or several.
    func soleHead(of replica: ReplicaID) -> (id: BatchID, last: UInt64)? {
        guard let chain = chains[replica], chain.heads.count == 1 else { return nil }
        let link = chain.links[chain.heads[0]]
        return (link.id, link.last)
    }

    /// Adds a stored batch; none may come before the one that it follows.
    public mutating func insert(_ accepted: AcceptedBatch) {
        guard ids.insert(accepted.id).inserted || PlantedFault.isPlanted(.batchTakenTwice) else { return }
        let replica = accepted.batch.replica
        if let proof = accepted.batch.proof, chains[replica] == nil {
            chains[replica] = Chain(publicKey: proof.publicKey, author: accepted.author)
            publicKeys[accepted.author] = proof.publicKey
        }
        let previous = accepted.batch.previous.flatMap { chains[replica]?.indexOfBatch[$0] } ?? -1
        let index = chains[replica]!.links.count
        chains[replica]!.links.append(
            Link(
                id: accepted.id, byteCount: accepted.signed.byteCount, last: accepted.batch.lastSequence,
                previous: previous))
        chains[replica]!.indexOfBatch[accepted.id] = index
        chains[replica]!.heads.removeAll { $0 == previous }
        chains[replica]!.heads.append(index)
    }
}

// MARK: - Accepting

extension BatchLog {
    /// Checks the form of a batch that is not in the log: chain, proof and signature.
    ///
    /// - Parameter beside: accepted batches that are about to be stored together with this one.
    func check(
        _ signed: SignedBatch, beside: PendingBatches, using signing: any BatchSigning
    ) throws(BatchRefusal) -> (AcceptedBatch, publicKey: [UInt8]) {
        let batch = try decode(signed)
        let id = BatchSignature.batchID(signed.content)
        let publicKey = try checkChain(batch, beside: beside, using: signing)
        let isSigned = signing.isSignature(signed.signature, over: BatchSignature.message(id), by: publicKey)
        guard isSigned || PlantedFault.isPlanted(.signatureUnchecked) else { throw .badSignature }
        let author = BatchSignature.deviceID(publicKey: publicKey)
        return (AcceptedBatch(id: id, batch: batch, signed: signed, author: author), publicKey)
    }

    private func decode(_ signed: SignedBatch) throws(BatchRefusal) -> Batch {
        do {
            return try Batch(decoding: signed.content)
        } catch {
            throw .malformed(error)
        }
    }

    /// - Returns: the public key that must have signed the batch.
    private func checkChain(
        _ batch: Batch, beside: PendingBatches, using signing: any BatchSigning
    ) throws(BatchRefusal) -> [UInt8] {
        guard let previous = batch.previous else {
            guard let proof = batch.proof, batch.firstSequence == 1, proof.nonce.count == 16,
                batch.replica == BatchSignature.replicaID(publicKey: proof.publicKey, nonce: proof.nonce),
                signing.membershipCode(publicKey: proof.publicKey, nonce: proof.nonce) == proof.membershipCode,
                isRightSuccession(proof, using: signing)
            else { throw .badProof }
            return proof.publicKey
        }
        guard batch.proof == nil else { throw .badProof }
        if let link = beside.links[previous] {
            guard link.replica == batch.replica, link.last + 1 == batch.firstSequence else { throw .brokenChain }
            return link.publicKey
        }
        guard let chain = chains[batch.replica], let index = chain.indexOfBatch[previous] else {
            throw .unknownPrevious
        }
        guard chain.links[index].last + 1 == batch.firstSequence else { throw .brokenChain }
        return chain.publicKey
    }

    /// Only who holds the former key can hand on what its device added.
    private func isRightSuccession(_ proof: ReplicaProof, using signing: any BatchSigning) -> Bool {
        guard let succession = proof.succession else { return true }
        let message = Succession.message(publicKey: proof.publicKey, nonce: proof.nonce)
        return succession.formerKey != proof.publicKey
            && signing.isSignature(succession.signature, over: message, by: succession.formerKey)
    }

    /// Recreates what ``check(_:beside:using:)`` found when the batch was first accepted; the journal holds nothing else.
    public func readmit(_ signed: SignedBatch, id: BatchID) throws(BatchRefusal) -> AcceptedBatch {
        let batch = try decode(signed)
        if let proof = batch.proof {
            let author = BatchSignature.deviceID(publicKey: proof.publicKey)
            return AcceptedBatch(id: id, batch: batch, signed: signed, author: author)
        }
        guard let chain = chains[batch.replica] else { throw .unknownPrevious }
        return AcceptedBatch(id: id, batch: batch, signed: signed, author: chain.author)
    }
}

/// Batches that were accepted and are being stored together.
struct PendingBatches: Sendable {
    struct Link: Sendable {
        var replica: ReplicaID
        var last: UInt64
        var publicKey: [UInt8]
    }

    private(set) var links: [BatchID: Link] = [:]
    private(set) var accepted: [AcceptedBatch] = []

    func contains(_ id: BatchID) -> Bool { links[id] != nil }

    mutating func append(_ batch: AcceptedBatch, publicKey: [UInt8]) {
        links[batch.id] = Link(replica: batch.batch.replica, last: batch.batch.lastSequence, publicKey: publicKey)
        accepted.append(batch)
    }
}

// MARK: - Comparing

extension BatchLog {
    /// What a peer lacks, and the replicas in which its knowledge and ours went apart.
    struct Comparison: Sendable {
        /// In an order in which they can be applied.
        var lacking: [Reference] = []
        /// The peer has a head here that our longer or equal chain does not contain: a fork.
        var diverged: [ReplicaID] = []
        /// The peer has more of these than we do.
        var behind: [ReplicaID] = []
    }

    /// - Parameter isWhole: `theirs` lists all replicas that the peer knows; else it knows of the others what we know.
    func compare(with theirs: [ReplicaID: [Head]], isWhole: Bool) -> Comparison {
        var comparison = Comparison()
        for (replica, chain) in chains.sorted(by: { $0.key < $1.key }) {
            guard let heads = theirs[replica] else {
                if isWhole { comparison.lacking += chain.links.map(\.reference) }
                continue
            }
            let known = heads.compactMap { chain.index(of: $0) }
            if known.count == heads.count {
                comparison.lacking += following(known, in: chain)
                continue
            }
            comparison.behind.append(replica)
            let ownLast = chain.heads.map { chain.links[$0].last }.max() ?? 0
            let unknown = heads.filter { chain.index(of: $0) == nil }
            if unknown.contains(where: { $0.sequence <= ownLast }) || chain.isForked || heads.count > 1 {
                comparison.diverged.append(replica)
            }
        }
        comparison.behind += theirs.keys.filter { chains[$0] == nil }.sorted()
        return comparison
    }

    /// Everything of a replica that is not at or before one of `points`.
    func following(_ points: [Head], of replica: ReplicaID) -> [Reference] {
        guard let chain = chains[replica] else { return [] }
        return following(points.compactMap { chain.index(of: $0) }, in: chain)
    }

    private func following(_ known: [Int], in chain: Chain) -> [Reference] {
        if !chain.isForked {
            return chain.links[((known.max() ?? -1) + 1)...].map(\.reference)
        }
        var isKnown = [Bool](repeating: false, count: chain.links.count)
        for start in known {
            var index = start
            while index >= 0, !isKnown[index] {
                isKnown[index] = true
                index = chain.links[index].previous
            }
        }
        return chain.links.indices.filter { !isKnown[$0] }.map { chain.links[$0].reference }
    }

    /// Points of each branch at growing distances from its head, so that a peer finds where it left.
    func sample(of replica: ReplicaID) -> [Head] {
        guard let chain = chains[replica] else { return [] }
        var points: [Head] = []
        for head in chain.heads {
            var index = head
            var step = 1
            var walked = 0
            while index >= 0 {
                let link = chain.links[index]
                let point = Head(sequence: link.last, branch: link.id.prefix)
                if !points.contains(point) { points.append(point) }
                for _ in 0..<step where index >= 0 { index = chain.links[index].previous }
                walked += 1
                if walked >= 8 { step *= 2 }
            }
        }
        return Array(points.prefix(WireLimits.samplePointCountMax))
    }
}
