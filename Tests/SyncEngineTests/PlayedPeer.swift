import AlbumModel
import WireFormat

@testable import SyncEngine

/// An engine with one connection, whose other end the test plays: it answers only what the test lets it answer.
struct PlayedPeer {
    static let link = LinkID(number: 900)

    var engine: Engine
    let device: DeviceID
    var now = MonotonicInstant(nanoseconds: 100_000_000_000)
    private(set) var wall: UInt64 = 1_700_000_000_000_000
    private var random = TestRandom()
    /// What the engine said since this was last emptied.
    var sent: [Message] = []
    private(set) var pages: [(ids: [BatchID], page: UInt64)] = []
    private(set) var questions: [UInt64] = []
    /// Blobs whose lists are to be sent, and what is said of these lists.
    private(set) var lists: [(blob: BlobID, fitting: [BlobID])] = []
    private(set) var closed: [CloseReason] = []
    /// Foundings that are to be judged.
    private(set) var judging: [RulingID] = []

    init(_ engine: Engine, playing number: UInt8 = 200) {
        self.engine = engine
        device = BatchSignature.deviceID(publicKey: TestSigning(number).publicKey)
    }

    /// A new laptop's engine with these batches.
    init(
        log journal: [SignedBatch] = [], held: Set<BlobID> = [], limits: EngineLimits = EngineLimits()
    ) throws {
        var fold = JournalFold()
        for signed in journal { try fold.add(signed, id: BatchSignature.batchID(signed.content), received: 1) }
        self.init(
            Engine(
                signing: TestSigning(1), journal: fold, held: held, holdings: HoldingsBook(limits: limits),
                replica: nil,
                run: [UInt8](repeating: 9, count: 16), port: 1, limits: limits))
    }

    mutating func feed(_ input: EngineInput) {
        var inputs = [input]
        while !inputs.isEmpty {
            let directives = engine.handle(inputs, now: now, wall: wall, using: &random)
            inputs = []
            for directive in directives {
                switch directive {
                case .send(_, .ping(let number)): questions.append(number)
                case .send(_, let message): sent.append(message)
                case .sendPage(_, let ids, _, let page): pages.append((ids, page))
                case .sendPieceList(_, let blob, let hashes): lists.append((blob, hashes))
                case .store: inputs.append(.stored)
                case .storeRulings: inputs.append(.rulingsStored)
                case .judgeFounding(let founding, _): judging.append(founding)
                case .close(_, let reason): closed.append(reason)
                default: break
                }
            }
        }
    }

    mutating func receive(_ message: Message) { feed(.received(Self.link, message)) }

    /// As one that proved the first phrase.
    var admitted: AdmittedPeer { AdmittedPeer(device, provenUnder: nil) }

    /// Connects and says hello, and that nothing is known.
    ///
    /// - Parameters:
    ///   - position: how far it knows what the engine holds.
    ///   - rulings: the digest of those that it knows; `nil` for an earlier version.
    mutating func connect(
        dialled: Bool = false, knowing position: PresencePosition? = nil, rulings: [UInt8]? = nil
    ) {
        let address = PeerAddress(host: "10.0.0.9", port: 1)
        feed(.connected(Self.link, admitted, address: address, key: dialled ? .device(device.prefix) : nil))
        receive(
            .hello(
                Hello(
                    versions: WireLimits.protocolVersions, run: [UInt8](repeating: 7, count: 16), port: 1,
                    foldLevel: UInt32(Catalog.level), known: position, takesDifferences: true, rulings: rulings)))
        receive(dialled ? .vectorReply([:]) : .vector(VersionVector()))
    }

    /// Lets time pass in which the other end is heard of.
    mutating func pass(_ seconds: Double) {
        now = now + seconds
        wall += UInt64(seconds * 1e6)
        feed(.heard(Self.link, byteCount: 1))
        feed(.deadlineReached)
    }

    /// Reads everything up to the first question that is not answered.
    ///
    /// - Returns: false where there is none.
    mutating func answerQuestion() -> Bool {
        guard !questions.isEmpty else { return false }
        receive(.pong(questions.removeFirst()))
        return true
    }

    mutating func acknowledge() -> [BatchID] {
        let (ids, page) = pages.removeFirst()
        receive(.acknowledged(page: page))
        return ids
    }

    /// About how long what was said is.
    var sentByteCount: Int { sent.reduce(0) { $0 + $1.roughByteCount } }
}

/// Batches of replicas that nobody signs for: for logs and what follows from them.
struct TestReplica {
    let id: ReplicaID
    let signing: TestSigning
    /// Of each batch, by its index: its ID and what it followed.
    private(set) var batches: [AcceptedBatch] = []
    private var random: TestRandom

    init(_ number: UInt64, by signing: TestSigning = TestSigning(50)) {
        id = ReplicaID(bytes: BigEndian.bytes(number) + BigEndian.bytes(number))!
        self.signing = signing
        random = TestRandom(state: number &* 77 &+ 5)
    }

    /// - Parameter index: of the batch that it follows; `nil` for the first.
    mutating func add(after index: Int?, changeCount: Int = 1) -> AcceptedBatch {
        let previous = index.map { batches[$0] }
        let proof = ReplicaProof(publicKey: signing.publicKey, nonce: [], membershipCode: [])
        let batch = Batch(
            replica: id, firstSequence: (previous?.batch.lastSequence ?? 0) + 1, previous: previous?.id,
            clock: ClockReading(microseconds: 1),
            changes: (0..<changeCount).map { _ in .unknown(kind: 99, payload: []) },
            proof: index == nil ? proof : nil)
        let bytes = (0..<4).flatMap { _ in BigEndian.bytes(random.next()) }
        let accepted = AcceptedBatch(
            id: BatchID(bytes: bytes)!, batch: batch,
            signed: SignedBatch(content: [UInt8](repeating: 0, count: 100), signature: []),
            author: BatchSignature.deviceID(publicKey: signing.publicKey))
        batches.append(accepted)
        return accepted
    }
}
