import AlbumModel
import Crypto
import SyncEngine
import WireFormat

/// Many devices in one process: a virtual clock, a network and disks that fail, and one seed that decides everything.
///
/// Two phases: in the first people edit while faults happen, and nothing may go wrong; then everything is healed, and
/// all devices must agree within a bound.
public struct Simulation {
    enum Event {
        case deadline(device: Int, life: Int)
        case input(device: Int, life: Int, EngineInput)
        /// Batches become durable.
        case stored(device: Int, life: Int, [AcceptedBatch], ownReplica: ReplicaID?)
        case wrotePiece(device: Int, life: Int, LinkID, number: UInt32, BlobID, piece: Int)
        case committed(device: Int, life: Int, BlobID)
        case arrival(connection: Int, to: Int, Packet)
        case over(connection: Int, end: Int)
        case connect(from: Int, life: Int, to: Int, PeerKey)
        case announce(device: Int)
        case edit
        case fault
        case restart(device: Int)
        case diskFreed(device: Int)
    }

    public let options: SimulationOptions
    var random: SeededRandom
    var now = MonotonicInstant(nanoseconds: 1_000_000_000)
    var events = EventQueue<Event>()
    var devices: [SimulatedDevice]
    var connections: [Connection] = []
    var reachability: Reachability
    var contents: [BlobID: SimulatedBlob] = [:]
    var oracle = Oracle()
    var nextToken: UInt64 = 1
    var hasFaults = true
    private var plannedDeadlines: [Int: MonotonicInstant] = [:]
    private var trace = SHA256()
    public private(set) var eventCount = 0

    public init(options: SimulationOptions) {
        self.options = options
        var random = SeededRandom(seed: options.seed)
        devices = (0..<options.deviceCount).map { index in
            let seed = random.bytes(32)
            return SimulatedDevice(
                index: index, signing: options.usesP256 ? P256Signing(seed: seed) : CheapSigning(publicKey: seed))
        }
        reachability = Reachability(deviceCount: options.deviceCount)
        self.random = random
    }

    /// Runs both phases.
    /// - Returns: a hash of everything that happened, equal for equal options.
    /// - Throws: the first property that did not hold.
    @discardableResult
    public mutating func run() throws(SimulationFailure) -> String {
        for index in devices.indices { try start(index) }
        planPeople()
        let end = now + options.faultSeconds
        try advance(until: end)
        try heal()
        let deadline = now + options.healSeconds
        while now < deadline, !isConverged {
            guard let next = events.nextTime, next <= deadline else { break }
            // Whether all agree is looked at once a virtual second: comparing costs more than an event.
            try advance(until: min(deadline, now + 1))
        }
        try Checkers.checkAll(self)
        return Hexadecimal.text(Array(trace.finalize()).prefix(8))
    }

    private mutating func planPeople() {
        for _ in 0..<options.editCount {
            events.plan(.edit, at: now + Double.random(in: 0...options.faultSeconds, using: &random))
        }
        var at = now
        while true {
            at = at + Double.random(in: 0...(2 * options.faultInterval), using: &random) + 0.01
            guard at < now + options.faultSeconds else { break }
            events.plan(.fault, at: at)
        }
    }

    mutating func advance(until end: MonotonicInstant) throws(SimulationFailure) {
        while let next = events.nextTime, next <= end {
            let (at, event) = events.popFirst()!
            now = max(now, at)
            eventCount += 1
            guard eventCount < 5_000_000 else { throw SimulationFailure(.endless, "no end after 5,000,000 events") }
            try handle(event)
        }
        now = max(now, end)
    }

    private mutating func handle(_ event: Event) throws(SimulationFailure) {
        switch event {
        case .deadline(let device, let life):
            plannedDeadlines[device] = nil
            try feed(device, life, .deadlineReached)
        case .input(let device, let life, let input): try feed(device, life, input)
        case .stored(let device, let life, let batches, let replica):
            guard devices[device].life == life else { return }
            devices[device].disk.append(batches, ownReplica: replica, received: wall(device))
            try feed(device, life, .stored)
        case .wrotePiece(let device, let life, let link, let number, let blob, let piece):
            guard devices[device].life == life else { return }
            devices[device].disk.write(piece, of: blob)
            try feed(device, life, .pieceStored(link, number: number, .stored))
        case .committed(let device, let life, let blob):
            guard devices[device].life == life else { return }
            devices[device].disk.hold(blob)
            try feed(device, life, .committed(blob))
        case .arrival(let connection, let end, let packet): try arrived(packet, connection, end)
        case .over(let connection, let end): try endReached(connection, end)
        case .connect(let from, let life, let to, let key): try connect(from, life, to, key)
        case .announce(let device): try announce(device)
        case .edit: try edit()
        case .fault: try fault()
        case .restart(let device): if devices[device].engine == nil { try start(device) }
        case .diskFreed(let device): devices[device].isDiskFull = false
        }
    }

    // MARK: Devices

    mutating func start(_ index: Int) throws(SimulationFailure) {
        do {
            try devices[index].start(using: &random)
        } catch {
            throw SimulationFailure(.damagedJournal, "device \(index) cannot read its journal: \(error)")
        }
        plannedDeadlines[index] = nil
        for (device, addresses) in devices[index].disk.remembered.sorted(by: { $0.key < $1.key }) {
            try feed(index, devices[index].life, .learned(.device(device.prefix), addresses, .inbound))
        }
        try feed(index, devices[index].life, .contribute(token: 0, .deviceName("Laptop \(index)")))
        events.plan(.announce(device: index), at: now + Double.random(in: 0.1...1.5, using: &random))
    }

    func wall(_ index: Int) -> UInt64 {
        UInt64(Int64(1_700_000_000_000_000) + Int64(now.nanoseconds / 1000) + devices[index].wallOffset)
    }

    /// Gives an engine one input and performs what it directs.
    mutating func feed(_ index: Int, _ life: Int, _ input: EngineInput) throws(SimulationFailure) {
        guard devices[index].life == life, devices[index].engine != nil else { return }
        let directives = devices[index].engine!.handle(input, now: now, wall: wall(index), using: &random)
        trace.update(data: BigEndian.bytes(now.nanoseconds) + [UInt8(index), UInt8(directives.count & 255)])
        for directive in directives { try perform(directive, by: index) }
        planDeadline(index)
    }

    private mutating func planDeadline(_ index: Int) {
        guard let deadline = devices[index].engine?.nextDeadline else { return }
        let at = max(deadline, now)
        if let planned = plannedDeadlines[index], planned <= at { return }
        plannedDeadlines[index] = at
        events.plan(.deadline(device: index, life: devices[index].life), at: at)
    }

    var isConverged: Bool {
        let engines = devices.compactMap(\.engine)
        guard engines.count == devices.count, let first = engines.first else { return false }
        return engines.allSatisfy { $0.log.vector == first.log.vector }
            && devices.allSatisfy { device in oracle.liveBlobs(of: device.engine!).isSubset(of: device.disk.blobs) }
    }

    mutating func note(_ text: String) { trace.update(data: Array(text.utf8)) }
}
