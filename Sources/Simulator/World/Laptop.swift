import AlbumModel
import SyncEngine

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
    /// Speaks the protocol's first version only.
    var speaksFirstVersion = false
    var disk = SimulatedDisk()
    let limits: EngineLimits
    /// What the engine draws from.
    var random: SeededRandom

    // MARK: While the agent runs

    private var running: RunningEngine?
    /// When the engine wants to be told the time.
    private(set) var nextDeadline: MonotonicInstant?
    /// Counts the runs of the agent: what was planned for an earlier one no longer happens.
    var life = 0
    /// Nobody starts the agent before.
    var awayUntil: MonotonicInstant?
    var nextLink: UInt64 = 1
    /// Requests that were sent and whose data may come, by their numbers.
    var expected: [UInt32: (blob: BlobID, piece: Int)] = [:]
    /// Connections of this run, by the engine's names for them: indexes into the network's.
    var connections: [LinkID: Int] = [:]
    /// What the disk is about to finish, by a running number.
    var pendingWrites: [Int: DiskWrite] = [:]
    var nextWrite = 0
    var uplink = Uplink()

    // MARK: What is wrong with it

    /// The disk refuses writes.
    var isDiskFull = false
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
        address = PeerAddress(host: "10.0.0.\(index + 1)", port: 4000)
    }

    var isHonest: Bool { lies.isEmpty }

    var isRunning: Bool { running != nil }

    /// `nil` while the agent does not run. A copy, which costs more than most inputs.
    var engine: Engine? { running?.engine }

    var queueSizes: QueueSizes? { running?.engine.queueSizes }

    /// Starts the agent from what is on the disk.
    mutating func start(forgetting: Bool) throws(BatchRefusal) {
        var fold = JournalFold()
        for row in disk.journal {
            let signed = forgetting ? Plant.withoutRemovals(row.signed) : row.signed
            try fold.add(signed, id: row.id, received: row.received)
        }
        let engine = Engine(
            signing: signing, journal: fold, held: disk.blobs, holdings: disk.holdings, replica: disk.ownReplica,
            run: random.bytes(16), port: address.port, limits: limits)
        disk.sweep(wanted: Set(engine.wantedBlobs))
        running = RunningEngine(engine)
        life += 1
        expected = [:]
        connections = [:]
        pendingWrites = [:]
        uplink = Uplink()
    }

    /// The engine must be there.
    mutating func handle(_ input: EngineInput, now: MonotonicInstant, wall: UInt64) -> [EngineDirective] {
        let directives = running!.engine.handle(input, now: now, wall: wall, using: &random)
        nextDeadline = running!.engine.deadline()
        return directives
    }

    mutating func stop() {
        if let running { disk.holdings = running.engine.holdings }
        (running, nextDeadline) = (nil, nil)
        life += 1
    }
}

/// An engine in a place of its own: as part of a laptop it would be copied whenever the laptop is asked something.
private final class RunningEngine {
    var engine: Engine

    init(_ engine: Engine) { self.engine = engine }
}

extension Engine {
    /// ``nextDeadline``, asked of the engine in its place: what only reads it works on a copy.
    fileprivate mutating func deadline() -> MonotonicInstant? { nextDeadline }
}

/// Something that is durable once the disk is done with it.
enum DiskWrite {
    case batches([AcceptedBatch], ownReplica: ReplicaID?)
    case piece(LinkID, number: UInt32, BlobID, piece: Int, PieceBytes)
    case commit(BlobID)
}
