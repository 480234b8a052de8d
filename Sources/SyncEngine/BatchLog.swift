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

/// Which batches are stored, how they hang together, and which of them count. Their bytes are in the journal.
///
/// Of a device that is out a batch counts if it is at or before an end that its cut names (``Cuts``). While the batch of an
/// end is not known, all that has no greater number counts by that end: else what is still on its way, or lost with the
/// laptop of whoever ruled, would take along what came before. Once it is known, its ancestors do. So what counts is a
/// function of cuts and batches. Where an end comes late, after a branch that does not lead to it, something was judged
/// otherwise before: then all has to be folded anew (``isMisjudged``).
public struct BatchLog: Sendable {
    /// As far as which batches of devices that are out count here.
    public let cuts: Cuts
    /// What does not count.
    public private(set) var leftOut = LeftOut()
    private var leftOutIDs: Set<BatchID> = []
    /// By what is known now, batches were judged wrongly when they came.
    public private(set) var isMisjudged = false
    /// Of replicas that a cut concerns, what of their cuts is here.
    private var openCuts: [ReplicaID: OpenCut] = [:]
    /// Whether these count, as an earlier fold of the same journal knew in the end.
    private let settled: [BatchID: Bool]
    private(set) var chains: [ReplicaID: Chain] = [:]
    private var ids: Set<BatchID> = []
    private var publicKeys: [DeviceID: [UInt8]] = [:]
    /// With which each device began its replicas.
    private(set) var proofs: [DeviceID: [ReplicaProof]] = [:]
    private var devicePrefixes: Set<UInt64> = []
    /// In the order in which they became known: the place of a replica never changes.
    private(set) var replicas: [ReplicaID] = []

    /// - Parameter cuts: on this device (``Roll/cuts(on:)``).
    public init(cuts: Cuts = Cuts()) { self.init(cuts: cuts, settled: [:]) }

    private init(cuts: Cuts, settled: [BatchID: Bool]) {
        self.cuts = cuts
        self.settled = settled
    }

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
    ///
    /// - Returns: whether what it says counts, and was not known.
    @discardableResult
    public mutating func insert(_ accepted: AcceptedBatch) -> Bool {
        guard ids.insert(accepted.id).inserted || PlantedFault.isPlanted(.batchTakenTwice) else { return false }
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
        return judge(accepted)
    }
}

// MARK: - Counting

extension BatchLog {
    /// - Returns: whether a batch that was just added counts.
    private mutating func judge(_ accepted: AcceptedBatch) -> Bool {
        let (id, replica, last) = (accepted.id, accepted.batch.replica, accepted.batch.lastSequence)
        guard let cut = cuts.ends(of: replica, by: accepted.author), !PlantedFault.isPlanted(.cutIgnored) else {
            return true
        }
        let lowest = openCuts[replica, default: OpenCut(cut)].arrived(id)
        // Nothing that is here follows it, so no end does.
        var counts = settled[id] ?? (lowest != nil || last <= openCuts[replica]!.reach)
        if PlantedFault.isPlanted(.cutBySequenceAlone) { counts = cut.contains { last <= $0.sequence } }
        if !counts {
            leftOutIDs.insert(id)
            leftOut.insert(accepted.batch, id: id, author: accepted.author, received: accepted.received)
        }
        // Without branches, and by its true number, an end comes after all that counts by it.
        if let lowest, settled[id] == nil, !isMisjudged, lowest < last || isForked(replica) {
            let isWithin = chains[replica]!.within(cut)
            isMisjudged = zip(chains[replica]!.links, isWithin).contains { $1 == leftOutIDs.contains($0.id) }
        }
        return counts
    }

    /// An empty log that knows which batches are to come; `nil` where this one is right.
    var corrected: BatchLog? {
        guard isMisjudged else { return nil }
        var settled: [BatchID: Bool] = [:]
        for (replica, chain) in chains {
            guard let cut = cuts.ends(of: replica, by: chain.author) else { continue }
            for (link, isWithin) in zip(chain.links, chain.within(cut)) { settled[link.id] = isWithin }
        }
        return BatchLog(cuts: cuts, settled: settled)
    }
}

/// The ends up to which a replica counts, by whether their batches are here.
private struct OpenCut: Sendable {
    /// Ascending; the batch of the last one is not here.
    private var ends: [Ruling.Cut.End]
    /// The lowest number that somebody tells of each end's batch.
    private let numbers: [BatchID: UInt64]
    private var known: Set<BatchID> = []

    init(_ cut: Set<Ruling.Cut.End>) {
        ends = cut.sorted()
        numbers = Dictionary(cut.map { ($0.batch, $0.sequence) }) { min($0, $1) }
    }

    /// Up to which number all counts, since nobody can tell what leads to an end that is not here.
    var reach: UInt64 { ends.last?.sequence ?? 0 }

    /// - Returns: the lowest number that is told of the batch; `nil` where it is no end.
    mutating func arrived(_ id: BatchID) -> UInt64? {
        guard let number = numbers[id] else { return nil }
        known.insert(id)
        while let last = ends.last, known.contains(last.batch) { ends.removeLast() }
        return number
    }
}

extension BatchLog.Chain {
    /// Which batches are at or before one of these ends; where the batch of an end is not here, numbers tell.
    fileprivate func within(_ cut: Set<Ruling.Cut.End>) -> [Bool] {
        let marks = marks(cut.compactMap { indexOfBatch[$0.batch] })
        let isOpen = { indexOfBatch[$0] == nil || PlantedFault.isPlanted(.cutBySequenceAlone) }
        let reach = cut.filter { isOpen($0.batch) }.map(\.sequence).max() ?? 0
        return links.indices.map { marks[$0] || links[$0].last <= reach }
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
