import AlbumModel
import WireFormat

/// With whom this device keeps links, and where devices can be reached: HyParView (Leitão, Pereira and Rodrigues, “HyParView:
/// a membership protocol for reliable gossip-based broadcast”, DSN 2007). A value type without I/O.
///
/// The active view is the links; the passive view is the ``PeerBook``, with the records of ``AddressGossip``. It departs
/// from the paper:
/// - In a small gathering (``MeshLimits/fullMeshDeviceCountMax``) everyone connects to everyone.
/// - The passive view may hold everyone: at thousands of devices that is small, and each signs its addresses. So neither
///   JOIN nor SHUFFLE walks: whoever joins dials as many as it seeks, and neighbors tell each other samples of records.
/// - NEIGHBOR with high priority is a hello that says that its sender has no other link. It takes the place of a random
///   link, but not of one that somebody may need as much, nor of one that a person asked for.
/// - DISCONNECT is a farewell; whoever was let go is dialled again after a minute, not at once.
/// - Every few minutes a link is let go, or one more sought (``PeerBook/turn(connected:now:using:)``): devices that have all
///   the links that they want among themselves would else never notice that they became an island.
/// - An address that gossip alone brought is dialled seldom (``HearsayBudget``): members may sign what they like.
/// - Peers on this machine are sent the loopback addresses of others on it (``LoopbackAddress``), which nobody signs.
struct Membership: Sendable {
    enum Input: Sendable {
        /// Something said where a device can be reached.
        case learned(PeerKey, [PeerAddress], AddressSource)
        case announcementEnded(PeerKey)
        case networkChanged
        /// Where this device can be reached, as the machine has it.
        case ownAddresses([PeerAddress])
        case dialFailed(PeerKey, isStranger: Bool)
        /// `key` is that of the dial that led here; `nil` where the other side dialled.
        case connected(LinkID, DeviceID, address: PeerAddress, key: PeerKey?)
        /// The peer said hello. `quiet` are links that nothing was heard of for a while.
        case greeted(LinkID, Hello, quiet: Set<LinkID>)
        /// What a peer told of devices, itself among them; the signatures were found right.
        case records([AddressRecord], LinkID)
        /// What a peer says of devices on this machine. Each of them signed a batch.
        case loopback([LoopbackAddress], LinkID)
        /// All batches that were known here are durable at the peer, so it knows the devices that signed them.
        case caughtUp(LinkID)
        /// Either side ends the link.
        case closing(LinkID, CloseReason)
        case disconnected(LinkID)
        /// Half a minute or so went by while there are links.
        case turn
    }

    enum Directive: Hashable, Sendable {
        /// A dial that is under way is of no use any longer.
        case cancelDial(PeerKey)
        /// Keep an address of a device for the next run.
        case remember(DeviceID, PeerAddress)
        /// The links are full: say so and end this one.
        case farewell(LinkID)
        case close(LinkID, CloseReason)
        /// The link stays. The peer is told the addresses of these devices; `isFirst`: there is no other link to it.
        case accept(LinkID, addresses: [DeviceID], isFirst: Bool)
        case tellAddresses(LinkID, [DeviceID])
        /// Tell everyone the addresses of these devices, but the peer that they came from.
        case spreadAddresses([DeviceID], from: LinkID?)
        /// The last link to a device is gone.
        case lost(DeviceID)
    }

    struct Link: Sendable {
        let device: DeviceID
        let address: PeerAddress
        /// Of the dial that led to it; `nil` where the other side dialled.
        let key: PeerKey?
        /// ``Hello/run`` of the peer; `nil` until it says hello.
        var run: [UInt8]?
        /// It stayed when it was greeted.
        var isAccepted = false
        var isClosing = false
        /// Where the peer listens; `nil` before it says hello, and where it does not.
        fileprivate(set) var place: PeerAddress?
        /// Devices of whose addresses the peer is to be told, this one among them.
        fileprivate(set) var owed: Set<DeviceID> = []
        /// The peer is to be told the loopback addresses of others.
        fileprivate(set) var isOwedLoopback = false

        var isGreeted: Bool { run != nil && !isClosing }
    }

    private(set) var book: PeerBook
    private(set) var links: [LinkID: Link] = [:]
    private var ownAddresses: [PeerAddress] = []
    private let own: DeviceID
    private let signing: any BatchSigning
    private let limits: EngineLimits

    init(own: DeviceID, signing: any BatchSigning, limits: EngineLimits) {
        self.own = own
        self.signing = signing
        self.limits = limits
        book = PeerBook(own: own, limits: limits)
    }

    /// - Parameter wall: microseconds since 1970.
    mutating func handle(
        _ input: Input, now: MonotonicInstant, wall: UInt64, using rng: inout some RandomNumberGenerator
    ) -> [Directive] {
        switch input {
        case .learned(let key, let addresses, let source): book.learn(key, addresses, source: source, now: now)
        case .announcementEnded(let key): book.announcementEnded(key)
        case .networkChanged: book.networkChanged(now: now)
        case .ownAddresses(let addresses):
            ownAddresses = addresses
            return [signOwnAddresses(wall: wall)]
        case .dialFailed(let key, let isStranger): book.failed(key, isStranger: isStranger, now: now, using: &rng)
        case .connected(let link, let device, let address, let key):
            links[link] = Link(device: device, address: address, key: key)
        case .greeted(let link, let hello, let quiet):
            return greeted(link, hello, quiet: quiet, now: now, using: &rng)
        case .records(let records, let link): return learn(records, from: link, now: now)
        case .loopback(let addresses, let link): learn(addresses, from: link, now: now)
        case .caughtUp(let link):
            let isOwed = !loopbackAddresses(for: link).isEmpty
            links[link]?.isOwedLoopback = isOwed
        case .closing(let link, let reason): closing(link, reason, now: now, using: &rng)
        case .disconnected(let link): return disconnected(link, now: now, using: &rng)
        case .turn: return turn(now: now, wall: wall, using: &rng)
        }
        return []
    }

    /// Dials that are due, and that the mesh allows; to be asked after every input.
    mutating func due(now: MonotonicInstant, using rng: inout some RandomNumberGenerator) -> [Dial] {
        book.due(now: now, using: &rng)
    }

    /// When the next dial is due; `nil` while none is wanted.
    var nextDeadline: MonotonicInstant? { book.nextDeadline }

    // MARK: Links

    /// Settles which of two connections between the same devices stays, or whether there is room for the first.
    private mutating func greeted(
        _ link: LinkID, _ hello: Hello, quiet: Set<LinkID>, now: MonotonicInstant,
        using rng: inout some RandomNumberGenerator
    ) -> [Directive] {
        let device = links[link]!.device
        let key = links[link]!.key
        let rivals = greetedLinks.filter { $0 != link && links[$0]!.device == device }
        links[link]!.run = hello.run
        var directives: [Directive] = []
        if rivals.isEmpty {
            directives += makeRoom(for: link, needsLink: hello.needsLink, now: now, using: &rng)
            if links[link]!.isClosing { return directives }
        }
        // The peer was here first. It cannot prefer a connection over which it has not been greeted, so none is lost.
        if key == nil, book.isDialling(device) { directives.append(.cancelDial(.device(device.prefix))) }
        book.connected(device, key: key, now: now)
        if let address = meetingPlace(link, hello) {
            links[link]!.place = address
            directives.append(.remember(device, address))
        }
        for rival in rivals {
            if links[rival]!.run != hello.run, !PlantedFault.isPlanted(.otherRunKeepsOldLink) {
                directives.append(close(rival, .replaced))
            } else if isPreferred(link, over: rival) || quiet.contains(rival) {
                directives.append(close(rival, .duplicate))
            } else {
                return directives + [close(link, .duplicate)]
            }
        }
        links[link]!.isAccepted = true
        let count = hello.needsLink ? limits.addressSampleCount : 1
        let sample = book.sample(count, for: device, knowing: hello.addressesNumber, using: &rng)
        return directives + [.accept(link, addresses: sample, isFirst: rivals.isEmpty)]
    }

    /// Judges a connection with a device that there is no other with: it, or another one, may have to go.
    private mutating func makeRoom(
        for link: LinkID, needsLink: Bool, now: MonotonicInstant, using rng: inout some RandomNumberGenerator
    ) -> [Directive] {
        let device = links[link]!.device
        let verdict = book.judge(
            device, needsLink: needsLink, key: links[link]!.key, connected: acceptedDevices(without: device), now: now,
            using: &rng)
        switch verdict {
        case .keep: return []
        case .keepInstead(let other): return letGo(other, now: now, using: &rng)
        case .refuse:
            links[link]!.isClosing = true
            book.refusedAsFull(device, key: links[link]!.key, now: now, using: &rng)
            return [.farewell(link)]
        }
    }

    private mutating func letGo(
        _ device: DeviceID, now: MonotonicInstant, using rng: inout some RandomNumberGenerator
    ) -> [Directive] {
        var directives: [Directive] = []
        for link in greetedLinks where links[link]!.device == device {
            links[link]!.isClosing = true
            book.refusedAsFull(device, key: links[link]!.key, now: now, using: &rng)
            directives.append(.farewell(link))
        }
        return directives
    }

    private mutating func close(_ link: LinkID, _ reason: CloseReason) -> Directive {
        links[link]!.isClosing = true
        return .close(link, reason)
    }

    /// Both sides must come to the same answer: the connection that the smaller device ID dialled stays, and of two
    /// that the same side dialled the newer.
    private func isPreferred(_ link: LinkID, over rival: LinkID) -> Bool {
        let dialled = links[link]!.key != nil
        if dialled == (links[rival]!.key != nil) { return true }
        return dialled == (own < links[link]!.device)
    }

    /// Where the peer of a link can be met again; `nil` where it does not listen.
    private mutating func meetingPlace(_ link: LinkID, _ hello: Hello) -> PeerAddress? {
        let device = links[link]!.device
        var address = links[link]!.address
        if links[link]!.key != nil {
            book.remember(device, address, source: .discovery)
        } else {
            guard hello.port != 0 else { return nil }
            address.port = hello.port
            book.remember(device, address, source: .inbound)
        }
        return address
    }

    private mutating func closing(
        _ link: LinkID, _ reason: CloseReason, now: MonotonicInstant, using rng: inout some RandomNumberGenerator
    ) {
        guard let device = links[link]?.device else { return }
        links[link]!.isClosing = true
        if reason == .refusedAsFull { book.refusedAsFull(device, key: links[link]!.key, now: now, using: &rng) }
    }

    private mutating func disconnected(
        _ link: LinkID, now: MonotonicInstant, using rng: inout some RandomNumberGenerator
    ) -> [Directive] {
        guard let gone = links.removeValue(forKey: link) else { return [] }
        guard gone.run != nil else {
            if let key = gone.key { book.failed(key, isStranger: false, now: now, using: &rng) }
            return []
        }
        let isElsewhere = links.values.contains { $0.device == gone.device && $0.isAccepted }
        guard gone.isAccepted, !isElsewhere else { return [] }
        book.disconnected(gone.device, now: now, using: &rng)
        return [.lost(gone.device)]
    }

    /// Now and then somebody is told some addresses, and a link is exchanged.
    private mutating func turn(
        now: MonotonicInstant, wall: UInt64, using rng: inout some RandomNumberGenerator
    ) -> [Directive] {
        let turn = book.turn(connected: acceptedDevices(), now: now, using: &rng)
        var directives: [Directive] = []
        if let device = turn.share, let link = greetedLinks.first(where: { links[$0]!.device == device }) {
            let sample = book.sample(limits.addressSampleCount, for: device, knowing: nil, using: &rng)
            directives.append(.tellAddresses(link, sample))
        }
        if let device = turn.letGo { directives += letGo(device, now: now, using: &rng) }
        if book.isOwnRecordOutdone { directives.append(signOwnAddresses(wall: wall)) }
        return directives
    }

    // MARK: Addresses

    /// Signs where this device can be reached, for everyone.
    private mutating func signOwnAddresses(wall: UInt64) -> Directive {
        let addresses = ownAddresses.prefix(WireLimits.addressCountMax)
        let statement = AddressStatement(
            device: own, number: book.nextOwnNumber(wall: wall),
            addresses: addresses.map { .init(host: $0.host, port: $0.port) })
        book.setOwn(AddressRecord(statement, signing.sign(statement.encoded(), .addresses)))
        return .spreadAddresses([own], from: nil)
    }

    private mutating func learn(_ records: [AddressRecord], from link: LinkID, now: MonotonicInstant) -> [Directive] {
        var fresh: [DeviceID] = []
        var outdone: [DeviceID] = []
        for record in records {
            let isPeersOwn = record.device == links[link]?.device
            if book.learn(record, fromItself: isPeersOwn, now: now) {
                fresh.append(record.device)
            } else if book.isOutdone(record), isPeersOwn {
                outdone.append(record.device)
            }
        }
        return (outdone.isEmpty ? [] : [.tellAddresses(link, outdone)])
            + (fresh.isEmpty ? [] : [.spreadAddresses(fresh, from: link)])
    }

    /// What leads a peer on another machine to that one would lead this device to somebody else.
    private mutating func learn(_ addresses: [LoopbackAddress], from link: LinkID, now: MonotonicInstant) {
        guard links[link]?.address.isLoopback == true else { return }
        for address in addresses { book.learn(address, now: now) }
    }

    /// Where others on this machine listen, for a peer on it. A peer at a loopback address is on this machine: Linux takes
    /// no packet with such a source from a network.
    private func loopbackAddresses(for link: LinkID) -> [LoopbackAddress] {
        guard let peer = links[link], peer.address.isLoopback else { return [] }
        let others = greetedLinks.compactMap { links[$0] }.filter { $0.isAccepted && $0.device != peer.device }
        return others.compactMap { other in
            other.place.flatMap { LoopbackAddress(device: other.device, address: $0) }
        }
    }

    // MARK: Telling

    mutating func owe(_ devices: [DeviceID], over link: LinkID) { links[link]?.owed.formUnion(devices) }

    /// Of how many devices addresses wait to be told to a peer; loopback addresses count as one.
    func owedCount(_ link: LinkID) -> Int {
        links[link].map { $0.owed.count + ($0.isOwedLoopback ? 1 : 0) } ?? 0
    }

    /// What a peer is told next.
    mutating func nextMessage(for link: LinkID) -> Message? { nextRecords(for: link) ?? nextLoopback(for: link) }

    private mutating func nextLoopback(for link: LinkID) -> Message? {
        guard links[link]?.isOwedLoopback == true else { return nil }
        links[link]!.isOwedLoopback = false
        let addresses = loopbackAddresses(for: link)
        return addresses.isEmpty ? nil : .addresses(addresses.map(\.statement))
    }

    /// As many records as one message tells, this device's first.
    private mutating func nextRecords(for link: LinkID) -> Message? {
        guard let owed = links[link]?.owed, !owed.isEmpty else { return nil }
        let taken = owed.sorted { ($0 == own ? 0 : 1, $0) < ($1 == own ? 0 : 1, $1) }
            .prefix(WireLimits.statementCountMax)
        links[link]!.owed.subtract(taken)
        let records = taken.compactMap { book.record(of: $0) }
        return records.isEmpty ? nil : .addresses(records)
    }

    // MARK: Questions

    /// More devices than everyone can be connected to.
    var isPartial: Bool { !book.census().isSmall }

    /// Links whose other side has said hello, ordered.
    private var greetedLinks: [LinkID] { links.keys.sorted().filter { links[$0]!.isGreeted } }

    private func acceptedDevices(without device: DeviceID? = nil) -> [DeviceID] {
        greetedLinks.filter { links[$0]!.isAccepted }.map { links[$0]!.device }.filter { $0 != device }
    }
}

extension AddressRecord {
    init(_ statement: AddressStatement, _ signed: SignedStatement) {
        self.init(
            device: statement.device, number: statement.number,
            addresses: statement.addresses.map { PeerAddress(host: $0.host, port: $0.port) }, signed: signed)
    }
}
