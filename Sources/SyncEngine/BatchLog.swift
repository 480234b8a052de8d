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

    var end: Head { Head(sequence: batch.lastSequence, branch: id.prefix) }
}

/// Why a batch is not accepted.
public enum BatchRefusal: Error, Hashable, Sendable {
    case malformed(WireError)
    case unknownPrevious
    case brokenChain
    case badProof
    /// It begins a replica under an epoch whose key is not held here, or follows such a one: not stored, and nobody's fault.
    case unknownEpoch
    case badSignature
}

/// Which batches are stored, and how they hang together. Their bytes are in the journal.
public struct BatchLog: Sendable {
    private(set) var chains: [ReplicaID: Chain] = [:]
    private var ids: Set<BatchID> = []
    private var publicKeys: [DeviceID: [UInt8]] = [:]
    /// With which each device began its replicas.
    private(set) var proofs: [DeviceID: [ReplicaProof]] = [:]
    private var devicePrefixes: Set<UInt64> = []
    /// In the order in which they became known: the place of a replica never changes.
    private(set) var replicas: [ReplicaID] = []

    public init() {}

    public var vector: VersionVector { VersionVector(heads: chains.mapValues(\.ends)) }

    /// The ends of a replica's branches; none if it is not known.
    func heads(of replica: ReplicaID) -> [Head] { (chains[replica]?.ends ?? []).sorted() }

    public func contains(_ id: BatchID) -> Bool { ids.contains(id) }

    public var batchCount: Int { ids.count }

    public func author(of replica: ReplicaID) -> DeviceID? { chains[replica]?.author }

    /// Whether the end of some branch, now or once, is known.
    func contains(_ head: Head, of replica: ReplicaID) -> Bool { chains[replica]?.index(of: head) != nil }

    /// Whether a device of this prefix has signed some batch.
    func knowsDevice(prefix: UInt64) -> Bool { devicePrefixes.contains(prefix) }

    /// The key of a device that has signed some batch.
    public func publicKey(of device: DeviceID) -> [UInt8]? { publicKeys[device] }

    /// All that have signed some batch.
    public var devices: Dictionary<DeviceID, [UInt8]>.Keys { publicKeys.keys }

    public func isForked(_ replica: ReplicaID) -> Bool { chains[replica]?.isForked ?? false }

    /// The only head of a replica; `nil` if there is none, or several.
    func soleHead(of replica: ReplicaID) -> (id: BatchID, last: UInt64)? {
        guard let chain = chains[replica], !chain.isForked, let link = chain.links.last else { return nil }
        return (link.id, link.last)
    }

    /// Adds a stored batch; none may come before the one that it follows.
    public mutating func insert(_ accepted: AcceptedBatch) {
        guard ids.insert(accepted.id).inserted || PlantedFault.isPlanted(.batchTakenTwice) else { return }
        let replica = accepted.batch.replica
        if let proof = accepted.batch.proof, chains[replica] == nil {
            chains[replica] = Chain(publicKey: proof.publicKey, author: accepted.author)
            replicas.append(replica)
            publicKeys[accepted.author] = proof.publicKey
            proofs[accepted.author, default: []].append(proof)
            devicePrefixes.insert(accepted.author.prefix)
        }
        chains[replica]!.append(
            accepted.id, after: accepted.batch.previous, last: accepted.batch.lastSequence,
            byteCount: accepted.signed.byteCount, number: ids.count)
    }
}

// MARK: - Accepting

extension BatchLog {
    /// Checks the form of a batch that is not in the log: chain, proof and signature.
    ///
    /// - Parameter beside: accepted batches that are about to be stored together with this one, and what is passed over.
    func check(
        _ signed: SignedBatch, beside: inout PendingBatches, using signing: any BatchSigning
    ) throws(BatchRefusal) -> (AcceptedBatch, publicKey: [UInt8]) {
        let batch = try Batch(readFrom: signed)
        let id = BatchSignature.batchID(signed.content)
        let publicKey: [UInt8]
        do throws(BatchRefusal) {
            publicKey = try checkChain(batch, beside: beside, using: signing)
        } catch {
            if error == .unknownEpoch { beside.passOver(batch.replica) }
            throw error
        }
        let isSigned = signing.isSignature(signed.signature, over: BatchSignature.message(id), by: publicKey)
        guard isSigned || PlantedFault.isPlanted(.signatureUnchecked) else { throw .badSignature }
        let author = BatchSignature.deviceID(publicKey: publicKey)
        return (AcceptedBatch(id: id, batch: batch, signed: signed, author: author), publicKey)
    }

    /// - Returns: the public key that must have signed the batch.
    private func checkChain(
        _ batch: Batch, beside: PendingBatches, using signing: any BatchSigning
    ) throws(BatchRefusal) -> [UInt8] {
        guard let previous = batch.previous else {
            guard let proof = batch.proof, batch.firstSequence == 1, proof.nonce.count == 16,
                batch.replica == BatchSignature.replicaID(publicKey: proof.publicKey, nonce: proof.nonce),
                isRightSuccession(proof, using: signing)
            else { throw .badProof }
            switch signing.judge(proof) {
            case .right: return proof.publicKey
            case .wrong: throw .badProof
            case .unknownEpoch: throw .unknownEpoch
            }
        }
        guard batch.proof == nil else { throw .badProof }
        if let link = beside.links[previous] {
            guard link.replica == batch.replica, link.last + 1 == batch.firstSequence else { throw .brokenChain }
            return link.publicKey
        }
        guard let chain = chains[batch.replica], let index = chain.indexOfBatch[previous] else {
            throw beside.passedOver.contains(batch.replica) ? .unknownEpoch : .unknownPrevious
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
        try readmit(ReadBatch(signed, id: id))
    }

    func readmit(_ read: ReadBatch) throws(BatchRefusal) -> AcceptedBatch {
        if let proof = read.batch.proof {
            let author = BatchSignature.deviceID(publicKey: proof.publicKey)
            return AcceptedBatch(id: read.id, batch: read.batch, signed: read.signed, author: author)
        }
        guard let chain = chains[read.batch.replica] else { throw .unknownPrevious }
        return AcceptedBatch(id: read.id, batch: read.batch, signed: read.signed, author: chain.author)
    }
}

/// A batch of a journal, decoded. That takes as long as folding it and needs nothing that came before, so a thread of its
/// own may do it.
public struct ReadBatch: Sendable {
    let id: BatchID
    let batch: Batch
    let signed: SignedBatch

    /// - Throws: if it cannot be read.
    public init(_ signed: SignedBatch, id: BatchID) throws(BatchRefusal) {
        self.id = id
        self.signed = signed
        batch = try Batch(readFrom: signed)
    }
}

extension Batch {
    fileprivate init(readFrom signed: SignedBatch) throws(BatchRefusal) {
        do {
            try self.init(decoding: signed.content)
        } catch {
            throw .malformed(error)
        }
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
    /// Replicas that began under epochs whose keys are not held here: what follows those beginnings is not stored either.
    private(set) var passedOver: Set<ReplicaID>

    init(passedOver: Set<ReplicaID> = []) {
        self.passedOver = passedOver
    }

    func contains(_ id: BatchID) -> Bool { links[id] != nil }

    mutating func append(_ batch: AcceptedBatch, publicKey: [UInt8]) {
        links[batch.id] = Link(replica: batch.batch.replica, last: batch.batch.lastSequence, publicKey: publicKey)
        accepted.append(batch)
    }

    mutating func passOver(_ replica: ReplicaID) { passedOver.insert(replica) }
}
