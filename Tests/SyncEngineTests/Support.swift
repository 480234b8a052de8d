import AlbumModel
import Crypto
import SyncEngine
import Testing
import WireFormat

@testable import Simulator

/// Cheap signatures that a test can also forge wrongly.
struct TestSigning: BatchSigning {
    let publicKey: [UInt8]
    var gathering: [UInt8] = [1]
    var formerDevice: DeviceID?
    /// Makes the word of the former device, given this one's key and the replica's nonce.
    var makeSuccession: (@Sendable (_ publicKey: [UInt8], _ nonce: [UInt8]) -> Succession?)?

    init(_ number: UInt8) { publicKey = [UInt8](repeating: number, count: 8) }

    func signature(over message: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: publicKey + message)) }

    func isSignature(_ signature: [UInt8], over message: [UInt8], by publicKey: [UInt8]) -> Bool {
        signature == Array(SHA256.hash(data: publicKey + message))
    }

    /// Of epochs after the first one, newest first: what their membership keys are made of.
    var later: [(epoch: EpochPrefix, key: [UInt8])] = []

    var epochs: [EpochPrefix] { later.map(\.epoch) }

    func membershipCode(publicKey: [UInt8], nonce: [UInt8], epoch: EpochPrefix?) -> [UInt8]? {
        let key = if let epoch { later.first { $0.epoch == epoch }?.key } else { gathering }
        return key.map { Array(SHA256.hash(data: $0 + publicKey + nonce)) }
    }

    func succession(nonce: [UInt8]) -> Succession? { makeSuccession?(publicKey, nonce) }
}

/// Numbers that follow from a seed.
struct TestRandom: RandomNumberGenerator {
    var state: UInt64 = 1
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state
    }
}

/// Laptops of the simulator, led step by step: their cables are perfect, and their disks work at once.
struct TestNetwork {
    /// A laptop as it is now.
    struct Node {
        let engine: Engine
        fileprivate let disk: SimulatedDisk
        fileprivate var notes: Rehearsal.Laptop
        /// The other end of each link.
        let links: [LinkID: (node: Int, link: LinkID)]
        /// It writes nothing more.
        var isDiskFull: Bool

        var rulings: RulingBook { engine.rulings }
        var journal: [(id: BatchID, signed: SignedBatch)] { disk.journal.map { ($0.id, $0.signed) } }
        /// What it keeps of what others hold, for its next run.
        var records: [DeviceID: HoldingsRecord] { disk.holdings.mapValues(\.record) }
        var events: [EngineEvent] { notes.events }
        /// What older photos wait for, by link; 0 where they do not.
        var yields: [LinkID: UInt64] { notes.yields }
        var sent: [Message] {
            get { notes.sent }
            set { notes.sent = newValue }
        }
        /// Its wall clock, microseconds since 1970.
        var wall: UInt64 {
            get { notes.wall }
            set { notes.wall = newValue }
        }
    }

    var random = TestRandom()
    /// A node whose answers with pieces wait until ``release()``.
    var slowNode: Int? {
        didSet { for node in nodes.indices { simulation.laptops[node].uplink.isHolding = node == slowNode } }
    }
    private var simulation = Simulation.rehearsal()

    var nodes: [Node] {
        get { simulation.laptops.indices.map { node($0) } }
        set {
            for (index, node) in newValue.enumerated() {
                simulation.laptops[index].isDiskFull = node.isDiskFull
                simulation.rehearsal!.laptops[index] = node.notes
            }
        }
    }

    private func node(_ index: Int) -> Node {
        let laptop = simulation.laptops[index]
        let links = laptop.connections.mapValues { number in
            let connection = simulation.network.connections[number]
            let other = connection.ends[1 - connection.index(of: index)]
            return (node: other.laptop, link: other.link)
        }
        return Node(
            engine: laptop.engine!, disk: laptop.disk, notes: simulation.rehearsal!.laptops[index], links: links,
            isDiskFull: laptop.isDiskFull)
    }

    var now: MonotonicInstant { simulation.now }

    /// The founding that fits the phrase by which all entered.
    var founding: RulingID? {
        get { simulation.rulingLedger.founding }
        set { simulation.rulingLedger.founding = newValue }
    }

    /// How many answers wait in slow nodes.
    var waitingCount: Int { simulation.laptops.reduce(0) { $0 + $1.uplink.held.count } }

    mutating func add(
        _ signing: TestSigning, journal: [(id: BatchID, signed: SignedBatch)] = [], replica: ReplicaID? = nil,
        held: Set<BlobID> = [], records: [DeviceID: HoldingsRecord] = [:], rulings: [SignedStatement] = [],
        seeds: [RulingID: Seed] = [:], at address: PeerAddress = PeerAddress(host: "10.0.0.1", port: 1),
        limits: EngineLimits = EngineLimits()
    ) throws {
        var disk = SimulatedDisk()
        for (id, signed) in journal {
            let batch = try Batch(decoding: signed.content)
            disk.append(.init(id: id, replica: batch.replica, signed: signed, received: 1))
        }
        disk.goOn(as: replica)
        for blob in held { disk.takeIn(blob) }
        disk.keep(rulings, seeds: seeds)
        disk.holdings = records.mapValues { RememberedHoldings(record: $0, statements: [:]) }
        try simulation.add(signing, disk, at: address, limits: limits)
    }

    /// `first` dials `second`.
    mutating func connect(_ first: Int, _ second: Int) { simulation.join(first, second) }

    /// Lets go what waits in slow nodes.
    mutating func release() {
        for node in nodes.indices { simulation.release(node) }
        settle()
    }

    mutating func feed(_ node: Int, _ input: EngineInput) { simulation.give(input, to: node) }

    /// Runs until nothing is left to do, letting pass only what announcements may wait.
    mutating func settle() {
        run { network throws(SimulationFailure) in try network.settle(within: 2 * EngineLimits().announceInterval) }
    }

    /// Lets time pass until `end`, with all that falls due on the way.
    mutating func pass(until end: MonotonicInstant) {
        run { network throws(SimulationFailure) in try network.advance(until: end) }
    }

    private mutating func run(_ body: (inout Simulation) throws(SimulationFailure) -> Void) {
        do throws(SimulationFailure) { try body(&simulation) } catch { Issue.record("\(error)") }
    }

    /// A message from a peer that the test plays itself.
    mutating func receive(_ message: Message, at node: Int, over link: LinkID) {
        feed(node, .received(link, message))
        settle()
    }

    /// Pulls all cables of two laptops.
    mutating func cut(_ first: Int, _ second: Int) {
        simulation.cut(first, second)
        settle()
    }

    /// Nothing that a node sends arrives, nothing that is sent to it does, and nobody notices.
    mutating func isolate(_ node: Int) { simulation.network.reachability.isolate(node) }

    func digests(_ node: Int) -> [AlbumID: [UInt8]] { nodes[node].engine.catalog.albums.mapValues(\.digest) }
}

func file(_ number: UInt8, byteCount: UInt64 = 1000) -> PhotoFile {
    PhotoFile(
        blob: BlobID(bytes: [UInt8](repeating: number, count: 32))!, byteCount: byteCount, pieceList: nil,
        name: "IMG_\(number).JPG", mediaType: "image/jpeg", modified: 0)
}

extension TestNetwork {
    /// Two laptops that are connected, and know nothing.
    static func connected() throws -> TestNetwork {
        var network = TestNetwork()
        try network.add(TestSigning(1))
        try network.add(TestSigning(2))
        network.connect(0, 1)
        network.settle()
        return network
    }

    /// Two laptops that are connected, of which the first has added photo 1 to "Beach".
    static func pair() throws -> TestNetwork {
        var network = TestNetwork()
        try network.add(TestSigning(1))
        try network.add(TestSigning(2))
        network.feed(0, .contribute(token: 1, .photo(albumName: "Beach", file(1))))
        network.settle()
        network.connect(0, 1)
        network.settle()
        return network
    }
}
