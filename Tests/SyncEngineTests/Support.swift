import AlbumModel
import Crypto
import SyncEngine
import WireFormat

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

    func membershipCode(publicKey: [UInt8], nonce: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: gathering + publicKey + nonce))
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

/// Engines joined by perfect cables, with disks that work at once.
struct TestNetwork {
    struct Node {
        var engine: Engine
        var journal: [(id: BatchID, signed: SignedBatch)] = []
        var partials: [BlobID: [Bool]] = [:]
        var expected: [UInt32: (BlobID, Int)] = [:]
        var events: [EngineEvent] = []
        var sent: [Message] = []
        /// What older photos wait for, by link; 0 where they do not.
        var yields: [LinkID: UInt64] = [:]
        /// What it keeps of what others hold, for its next run.
        var records: [DeviceID: HoldingsRecord] = [:]
        /// It keeps nothing more of that.
        var isDiskFull = false
        /// Its wall clock, microseconds since 1970.
        var wall: UInt64 = 1_000_000_000
        /// The other end of each link.
        var links: [LinkID: (node: Int, link: LinkID)] = [:]
    }

    var nodes: [Node] = []
    var random = TestRandom()
    var now = MonotonicInstant(nanoseconds: 1_000_000_000)
    /// A node whose answers with pieces wait until ``release()``, and how many wait.
    var slowNode: Int?
    private(set) var waiting: [(node: Int, EngineInput)] = []
    private var queue: [(node: Int, EngineInput)] = []
    private var nextLink: UInt64 = 1

    mutating func add(
        _ signing: TestSigning, journal: [(id: BatchID, signed: SignedBatch)] = [], replica: ReplicaID? = nil,
        held: Set<BlobID> = [], records: [DeviceID: HoldingsRecord] = [:], limits: EngineLimits = EngineLimits()
    ) throws {
        var fold = JournalFold()
        for row in journal { try fold.add(row.signed, id: row.id, received: 1) }
        let run = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
        var holdings = HoldingsBook(limits: limits)
        for (device, record) in records { holdings.remember(device, record) }
        nodes.append(
            Node(
                engine: Engine(
                    signing: signing, journal: fold, held: held, holdings: holdings, replica: replica, run: run,
                    port: 1, limits: limits),
                journal: journal, records: records))
    }

    /// `first` dials `second`.
    mutating func connect(_ first: Int, _ second: Int) {
        let links = [LinkID(number: nextLink), LinkID(number: nextLink + 1)]
        nextLink += 2
        nodes[first].links[links[0]] = (second, links[1])
        nodes[second].links[links[1]] = (first, links[0])
        let address = PeerAddress(host: "10.0.0.1", port: 1)
        let (a, b) = (nodes[first].engine.device, nodes[second].engine.device)
        queue.append((first, .connected(links[0], b, address: address, key: .device(b.prefix))))
        queue.append((second, .connected(links[1], a, address: address, key: nil)))
    }

    /// Lets go what waits in the slow node.
    mutating func release() {
        queue += waiting
        waiting = []
        settle()
    }

    mutating func feed(_ node: Int, _ input: EngineInput) { queue.append((node, input)) }

    /// Runs until nothing is left to do, letting pass only what announcements may wait.
    mutating func settle() {
        for _ in 0..<1000 {
            runQueue()
            let soon = now + 2 * EngineLimits().announceInterval
            guard let next = nodes.compactMap(\.engine.nextDeadline).min(), next <= soon else { return }
            pass(until: next)
        }
    }

    /// Lets time pass until `end`, with all that falls due on the way.
    mutating func pass(until end: MonotonicInstant) {
        while let next = nodes.compactMap(\.engine.nextDeadline).min(), next <= end {
            now = max(now, next)
            for node in nodes.indices where nodes[node].engine.nextDeadline.map({ $0 <= now }) ?? false {
                feed(node, .deadlineReached)
            }
            runQueue()
            if nodes.compactMap(\.engine.nextDeadline).min() == next { break }
        }
        now = max(now, end)
    }

    private mutating func runQueue() {
        var steps = 0
        while !queue.isEmpty, steps < 100_000 {
            let (node, input) = queue.removeFirst()
            let directives = nodes[node].engine.handle(
                input, now: now, wall: nodes[node].wall, using: &random)
            for directive in directives { perform(directive, node) }
            steps += 1
        }
    }

    private mutating func perform(_ directive: EngineDirective, _ node: Int) {
        switch directive {
        case .send(let link, let message): deliver(message, node, link)
        case .sendPage(let link, let ids, _, let page):
            let batches = ids.compactMap { id in nodes[node].journal.first { $0.id == id }?.signed }
            deliver(.batches(.init(batches: batches, page: page)), node, link)
        case .request(let link, let request):
            nodes[node].expected[request.number] = (request.blob, request.piece)
            deliver(.request(request), node, link)
        case .serve(let link, let request), .servePart(let link, let request):
            guard let peer = nodes[node].links[link] else { return }
            let stored = (peer.node, EngineInput.pieceStored(peer.link, number: request.number, .stored))
            if node == slowNode { waiting.append(stored) } else { queue.append(stored) }
        case .store(let batches, _):
            nodes[node].journal += batches.map { ($0.id, $0.signed) }
            queue.append((node, .stored))
        case .beginReceiving(let blob, let byteCount, _):
            let held = [Bool](repeating: false, count: Pieces.count(blobByteCount: byteCount))
            queue.append((node, .receivingBegan(blob, held: held)))
        case .commit(let blob): queue.append((node, .committed(blob)))
        case .close(let link, _): close(link, node)
        case .notify(let event): nodes[node].events.append(event)
        case .rememberHoldings(let devices):
            guard !nodes[node].isDiskFull else { return }
            let own = nodes[node].engine.device
            for device in devices { nodes[node].records[device] = nodes[node].engine.holdingsRecord(of: device) }
            guard devices.contains(own), let record = nodes[node].records[own] else { return }
            queue.append((node, .holdingsRemembered(record.summaryFloor)))
        case .yield(let link, let precedence): nodes[node].yields[link] = precedence
        case .sendPieceList, .cancel, .cancelServe, .closeStaging, .abandon, .dial, .cancelDial, .remember: break
        }
    }

    private mutating func deliver(_ message: Message, _ node: Int, _ link: LinkID) {
        guard let peer = nodes[node].links[link] else { return }
        nodes[node].sent.append(message)
        queue.append((peer.node, .received(peer.link, message)))
    }

    private mutating func close(_ link: LinkID, _ node: Int) {
        guard let peer = nodes[node].links.removeValue(forKey: link) else { return }
        nodes[peer.node].links[peer.link] = nil
        queue.append((node, .disconnected(link)))
        queue.append((peer.node, .disconnected(peer.link)))
    }

    /// A message from a peer that the test plays itself.
    mutating func receive(_ message: Message, at node: Int, over link: LinkID) {
        feed(node, .received(link, message))
        settle()
    }

    /// Pulls all cables of two laptops.
    mutating func cut(_ first: Int, _ second: Int) {
        for (link, peer) in nodes[first].links.sorted(by: { $0.key < $1.key }) where peer.node == second {
            close(link, first)
        }
        settle()
    }

    func digests(_ node: Int) -> [AlbumID: [UInt8]] { nodes[node].engine.catalog.albums.mapValues(\.digest) }
}

func file(_ number: UInt8, byteCount: UInt64 = 1000) -> PhotoFile {
    PhotoFile(
        blob: BlobID(bytes: [UInt8](repeating: number, count: 32))!, byteCount: byteCount, pieceList: nil,
        name: "IMG_\(number).JPG", mediaType: "image/jpeg", modified: 0)
}

extension TestNetwork {
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
