import AlbumModel
import SyncEngine
import WireFormat

/// One laptop: a disk that lasts, a place in the network, and an agent that runs or does not.
///
/// Usually a laptop is a device. A home that was copied to another laptop makes two of one device.
struct Laptop {
    let index: Int
    var signing: any BatchSigning { didSet { id = BatchSignature.deviceID(publicKey: signing.publicKey) } }
    private(set) var id: DeviceID
    var address: PeerAddress
    /// What this laptop's agent does other than it should; empty for an honest one.
    var lies: Set<Lie> = []
    /// What a liar signs that makes no sense.
    var senseless = SenselessChain()
    /// Speaks the protocol's first version only.
    var speaksFirstVersion = false
    var disk = SimulatedDisk()
    let limits: EngineLimits
    /// What the engine draws from.
    var random: SeededRandom

    /// Devices that this laptop was, and does not know any more that it was.
    var forgottenLives: Set<DeviceID> = []

    /// The epoch by whose phrase the home was entered; `nil` is the first.
    var entryPhrase: RulingID?
    /// The epoch of a phrase that a person typed later.
    var typedPhrase: RulingID?

    // MARK: While the agent runs

    private var running: RunningEngine?
    /// The engine's name for this run.
    private(set) var run: [UInt8] = []
    /// When the last statement of each device that is known here was made, by the laptop that made it.
    var statements: [DeviceID: [Int: MonotonicInstant]] = [:]
    /// Devices whose records are to be written.
    var unsavedHoldings: Set<DeviceID> = []
    /// When the last write of records is done.
    var holdingsWrittenAt = MonotonicInstant(nanoseconds: 0)
    /// When the engine wants to be told the time.
    private(set) var nextDeadline: MonotonicInstant?
    /// Counts the runs of the agent: what was planned for an earlier one no longer happens.
    var life = 0
    /// The laptop sleeps until then, with its agent.
    var wakesAt: MonotonicInstant?
    /// Nobody starts the agent before.
    var awayUntil: MonotonicInstant?
    var nextLink: UInt64 = 1
    /// Requests that were sent and whose data may come, by their numbers.
    var expected: [UInt32: (blob: BlobID, piece: Int, isWhole: Bool)] = [:]
    /// Connections of this run, by the engine's names for them: indexes into the network's.
    var connections: [LinkID: Int] = [:]
    /// Who is out, as far as is durable here.
    private(set) var knownOut: Set<DeviceID> = []
    /// What the disk is about to finish, by a running number.
    var pendingWrites: [Int: DiskWrite] = [:]
    var nextWrite = 0
    var uplink = Uplink()
    var learned = LearnedThings(now: MonotonicInstant(nanoseconds: 0))

    // MARK: What is wrong with it

    /// Until then nobody can expect of it to be quick.
    var troubledUntil = MonotonicInstant(nanoseconds: 0)
    /// The disk refuses writes.
    var isDiskFull = false
    /// Transactions and renames fail, and other writes do not.
    var failsCommits = false
    /// What whoever asks for a held blob is told instead; `nil` where files can be read.
    var readError: ReadError?
    /// What bounds pulling here.
    var terms = PullTerms()
    /// The part of the usual rate that this laptop sends with.
    var rateFactor = 1.0
    /// The wall clock is ahead of the virtual time by so many microseconds.
    var wallOffset: Int64 = 0
    /// The home was copied, or went back to an older state, and its agent did not notice.
    var mayFork = false

    init(index: Int, signing: any BatchSigning, limits: EngineLimits, random: SeededRandom) {
        self.index = index
        self.limits = limits
        self.signing = signing
        id = BatchSignature.deviceID(publicKey: signing.publicKey)
        self.random = random
        address = PeerAddress(host: "10.0.\(index / 250).\(index % 250 + 1)", port: 4000)
    }

    /// The key that a copy of the home goes on from: one that has not said anything yet nobody knows.
    var knownSigning: any BatchSigning {
        var key = signing
        while let successor = key as? SuccessorSigning, !disk.knows(successor.publicKey) { key = successor.former }
        return key
    }

    /// The device that it is, and those of which it has the keys' words.
    var lives: Set<DeviceID> {
        var lives = [id] as Set
        var key: any BatchSigning = signing
        while let successor = key as? SuccessorSigning {
            key = successor.former
            lives.insert(BatchSignature.deviceID(publicKey: key.publicKey))
        }
        return lives
    }

    /// Devices that it goes on from, by their words.
    var formers: [DeviceID] { lives.subtracting([id]).sorted() }

    var isHonest: Bool { lies.isEmpty }

    var isRunning: Bool { running != nil }

    var isAwake: Bool { isRunning && wakesAt == nil }

    /// `nil` while the agent does not run. A copy, which costs more than most inputs.
    var engine: Engine? { running?.engine }

    var queueSizes: QueueSizes? { running?.engine.queueSizes }

    /// Starts the agent from what is on the disk.
    /// - Parameter journal: what the disk's journal comes to, where that is known.
    mutating func start(now: MonotonicInstant, journal: JournalFold?) throws(BatchRefusal) {
        let (signing, rulings) = rulingsAtStart()
        let fold = if let journal { journal } else { try disk.fold(cuts: rulings.cuts(on: id)) }
        var holdings = HoldingsBook(limits: limits)
        for (device, remembered) in disk.holdings { holdings.remember(device, remembered.record) }
        run = random.bytes(16)
        let engine = Engine(
            signing: signing, journal: fold, held: disk.blobs, holdings: holdings, replica: disk.ownReplica,
            run: run, port: address.port, fetching: disk.fetching,
            hidden: PlantedFault.isPlanted(.hiddenNotKept) ? [] : disk.hidden,
            rulings: rulings, limits: limits)
        disk.sweep(wanted: Set(engine.wantedBlobs))
        running = RunningEngine(engine)
        statements = disk.holdings.mapValues(\.statements)
        unsavedHoldings = []
        life += 1
        expected = [:]
        connections = [:]
        pendingWrites = [:]
        uplink = Uplink()
        learned = LearnedThings(now: now)
    }

    /// What hosts decided, and the key with those of all epochs whose seeds are on the disk.
    private func rulingsAtStart() -> (any BatchSigning, RulingBook) {
        let book = RulingBook(Array(disk.rulings.values), seeds: disk.seeds, using: signing)
        let later = book.heldEpochs.filter { $0 != book.founding }.map { ($0, book.seeds[$0]!) }
        return (later.isEmpty ? signing : EpochSigning(signing, later), book)
    }

    /// Takes note of who is out.
    mutating func noteOut() { knownOut = look { $0.rulings.ids.isEmpty ? [] : $0.roll.out } ?? [] }

    /// The engine must be there.
    mutating func handle(_ input: EngineInput, now: MonotonicInstant, wall: UInt64) -> [EngineDirective] {
        let directives = running!.engine.handle(input, now: now, wall: wall, using: &random)
        nextDeadline = running!.engine.nextDeadline
        return directives
    }

    /// Nothing is kept but what is on the disk.
    mutating func stop() {
        (running, nextDeadline) = (nil, nil)
        life += 1
    }

    /// Asks the engine in its place: a copy of it costs more than most inputs.
    func look<Answer>(_ body: (inout Engine) -> Answer) -> Answer? { running.map { body(&$0.engine) } }

    /// What the next run is to know of devices.
    func holdings(of devices: some Sequence<DeviceID>) -> [DeviceID: RememberedHoldings] {
        look { engine in
            var remembered: [DeviceID: RememberedHoldings] = [:]
            for device in devices {
                guard let record = engine.holdingsRecord(of: device) else { continue }
                remembered[device] = RememberedHoldings(record: record, statements: statements[device] ?? [:])
            }
            return remembered
        } ?? [:]
    }
}

/// An engine in a place of its own: as part of a laptop it would be copied whenever the laptop is asked something.
private final class RunningEngine {
    var engine: Engine

    init(_ engine: Engine) { self.engine = engine }
}

/// Something that is durable once the disk is done with it.
enum DiskWrite {
    case batches([AcceptedBatch], ownReplica: ReplicaID?)
    case piece(LinkID, number: UInt32, BlobID, piece: Int, PieceBytes)
    /// A piece that is all of its blob.
    case whole(LinkID, number: UInt32, BlobID, PieceBytes)
    case commit(BlobID)
    case holdings([DeviceID: RememberedHoldings])
    case rulings([SignedStatement], seeds: [RulingID: Seed])
}

/// Why a held blob is not served.
enum ReadError {
    /// EMFILE or EIO, as this version tells it.
    case passing
    /// The same as an earlier version tells it: like a blob that is not there.
    case plain
}
