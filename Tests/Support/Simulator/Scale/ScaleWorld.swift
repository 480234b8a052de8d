import AlbumModel
import SyncEngine
import WireFormat

/// Many engines on one virtual network on which nothing fails, with one clock and one seed.
struct ScaleWorld {
    enum Event {
        case deadline(Int)
        case input(Int, EngineInput)
        case connect(from: Int, to: Int, PeerKey)
        case message(wire: Int, to: Int, Message)
        /// Batches, and their names, so that the spreading of some can be followed.
        case page(wire: Int, to: Int, [BatchID], BatchPage)
        /// A piece has left its sender, whose cable is free for the next.
        case sent(Int)
        /// The first bytes of a piece come to the receiver's cable.
        case came(wire: Int, to: Int, ScalePiece)
        case arrived(wire: Int, to: Int, ScalePiece)
        case stored(Int, [BatchID])
        case over(wire: Int, at: Int)
        case leave
        case comeBack(Int)
    }

    let options: ScaleOptions
    var random: SeededRandom
    var now = MonotonicInstant(nanoseconds: 1_000_000_000)
    var events = EventQueue<Event>()
    var engines: [Engine] = []
    let ids: [DeviceID]
    var indexOfDevice: [DeviceID: Int] = [:]
    var indexOfAddress: [PeerAddress: Int] = [:]
    var wires: [ScaleWire] = []
    var wiresOfDevice: [[Int]]
    var cables: [ScaleCable]
    var isAway: [Bool]
    var hasJoined: [Bool]
    /// What every journal may hold.
    var batches: [BatchID: SignedBatch] = [:]
    var lists: [BlobID: PieceList] = [:]
    var counts = ScaleMessageCounts()
    /// Batches since the beginning, in the order of their making.
    var published: [BatchID] = []
    var followed: [BatchID: ScaleFollowing] = [:]
    /// Blobs of which it is counted who holds them.
    var heldCount: [BlobID: Int] = [:]
    /// A peer closed a connection for a fault of the other side: never right here.
    var refusals: [String] = []
    private(set) var eventCount = 0
    private var plannedDeadlines: [MonotonicInstant?]
    private var nextToken: UInt64 = 1
    private var nextContent: UInt64 = 1

    /// All have each other's first batches, as in a gathering that has met before, and no address of anybody.
    init(options: ScaleOptions) {
        self.options = options
        var random = SeededRandom(seed: options.seed)
        let count = options.deviceCount
        let signings = (0..<count).map { _ in ScaleSigning(publicKey: random.bytes(32)) }
        ids = signings.map { BatchSignature.deviceID(publicKey: $0.publicKey) }
        for (index, id) in ids.enumerated() { indexOfDevice[id] = index }
        cables = .init(repeating: ScaleCable(), count: count)
        isAway = .init(repeating: true, count: count)
        hasJoined = .init(repeating: false, count: count)
        wiresOfDevice = .init(repeating: [], count: count)
        plannedDeadlines = .init(repeating: nil, count: count)
        self.random = random
        found(signings)
        for index in 0..<count { indexOfAddress[address(of: index)] = index }
        planJoining()
        if options.churn > 0 { planLeaving() }
    }

    /// Every device names itself: its replica begins, and its key is known to all.
    private mutating func found(_ signings: [ScaleSigning]) {
        var fold = JournalFold()
        var replicas: [ReplicaID?] = []
        for (index, signing) in signings.enumerated() {
            var author = Engine(
                signing: signing, journal: JournalFold(), held: [], holdings: HoldingsBook(), replica: nil,
                run: random.bytes(16), port: 4000)
            let said = author.handle(
                .contribute(token: 0, .deviceName("Laptop \(index)")), now: now, wall: wall, using: &random)
            for case .store(let accepted, let replica) in said {
                for batch in accepted {
                    // It was just made by an engine: there is nothing wrong with it.
                    _ = try? fold.add(batch.signed, id: batch.id, received: wall)
                    batches[batch.id] = batch.signed
                }
                replicas.append(replica)
            }
        }
        var limits = EngineLimits()
        limits.summaryInterval = options.summaryInterval
        engines = signings.enumerated().map { index, signing in
            Engine(
                signing: signing, journal: fold, held: [], holdings: HoldingsBook(), replica: replicas[index],
                run: random.bytes(16), port: 4000, limits: limits)
        }
    }

    func address(of index: Int) -> PeerAddress {
        PeerAddress(host: "10.0.\(index / 250).\(index % 250 + 1)", port: 4000)
    }

    /// Microseconds since 1970 on all clocks.
    var wall: UInt64 { 1_700_000_000_000_000 + now.nanoseconds / 1000 }

    var presentCount: Int { isAway.count { !$0 } }

    // MARK: Time

    mutating func advance(by seconds: Double) { advance(until: now + seconds) }

    mutating func advance(until end: MonotonicInstant) {
        while let next = events.nextTime, next <= end {
            let (at, event) = events.popFirst()!
            now = max(now, at)
            eventCount += 1
            handle(event)
        }
        now = max(now, end)
    }

    private mutating func handle(_ event: Event) {
        switch event {
        case .deadline(let device):
            // A later one was planned when this was no longer the earliest.
            guard plannedDeadlines[device] == now else { return }
            plannedDeadlines[device] = nil
            feed(device, .deadlineReached)
        case .input(let device, let input): feed(device, input)
        case .connect(let from, let to, let key): connect(from, to, key)
        case .message(let wire, let device, let message):
            if wires[wire].isOpen(at: device) { feed(device, .received(link(wire), message)) }
        case .page(let wire, let device, let ids, let page):
            guard wires[wire].isOpen(at: device), !isAway[device] else { return }
            for id in ids { followed[id]?.came(to: device, from: wires[wire].other(than: device)) }
            feed(device, .received(link(wire), .batches(page)))
        case .sent(let device):
            cables[device].isSending = false
            sendPiece(from: device)
        case .came(let wire, let device, let piece): receive(piece, wire, device)
        case .arrived(let wire, let device, let piece):
            guard wires[wire].isOpen(at: device) else { return }
            feed(device, .pieceStored(link(wire), number: piece.number, .stored))
        case .stored(let device, let ids):
            for id in ids { followed[id]?.learned(by: device, at: now) }
            feed(device, .stored)
        case .over(let wire, let device): end(wire, at: device)
        case .leave: leave()
        case .comeBack(let device): comeBack(device)
        }
    }

    func link(_ wire: Int) -> LinkID { LinkID(number: UInt64(wire)) }

    /// Gives an engine one input and does what it directs. Whoever is away notices nothing.
    mutating func feed(_ device: Int, _ input: EngineInput) {
        guard !isAway[device] else { return }
        let directives = engines[device].handle(input, now: now, wall: wall, using: &random)
        for directive in directives { perform(directive, by: device) }
        planDeadline(device)
    }

    private mutating func planDeadline(_ device: Int) {
        guard let deadline = engines[device].nextDeadline else { return }
        let at = max(deadline, now)
        if let planned = plannedDeadlines[device], planned >= now, planned <= at { return }
        plannedDeadlines[device] = at
        events.plan(.deadline(device), at: at)
    }

    // MARK: People

    /// A photo is dropped on a device.
    ///
    /// - Returns: the blob.
    @discardableResult
    mutating func drop(byteCount: UInt64, on device: Int) -> BlobID {
        let content = SimulatedBlob(content: nextContent, byteCount: byteCount)
        let file = PhotoFile(
            blob: content.id, byteCount: byteCount, pieceList: content.list, name: "\(nextContent).jpeg",
            mediaType: "image/jpeg", modified: 0)
        nextContent += 1
        lists[content.id] = content.list
        heldCount[content.id] = 0
        feed(device, .contribute(token: nextToken, .photo(albumName: "Reunion", file)))
        nextToken += 1
        return content.id
    }
}
