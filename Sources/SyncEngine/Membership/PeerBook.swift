public import AlbumModel

/// How a device's address became known.
public enum AddressSource: String, Hashable, Sendable {
    case discovery = "dns-sd"
    case fixed = "static"
    case gossip
    case inbound
}

/// One attempt to reach a device.
public struct Dial: Hashable, Sendable {
    /// Names the attempt in its outcome.
    public var key: PeerKey
    /// In the order in which to try them; all of them may be tried at once.
    public var addresses: [PeerAddress]
    /// The first bytes of the ID of the device that must answer; `nil` if any member will do.
    public var expecting: UInt64?
}

/// A device, as far as it is known before it was connected.
public enum PeerKey: Hashable, Comparable, Sendable {
    /// The first eight bytes of a device's ID, which is what announcements show.
    case device(UInt64)
    /// An address that a person gave, of a device that is not known yet.
    case fixed(PeerAddress)
}

extension DeviceID {
    /// The first eight bytes as a number: what DNS-SD announces.
    public var prefix: UInt64 { withUnsafeBytes { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) } }
}

/// Where devices may be reached, when to try next, and with whom to keep a link.
///
/// Browsing is a hint of presence, never proof of absence: what is known is dialled whether or not it is announced. In
/// a small gathering everyone is dialled; in a large one as many as make a well-knit graph (``MeshLimits``).
public struct PeerBook: Sendable {
    var entries: [PeerKey: PeerEntry] = [:] { didSet { isStale = true } }
    var gossip: AddressGossip
    /// One more link is sought than the target, with anybody.
    var seeksExchange = false { didSet { isStale = true } }
    var newcomerAt: MonotonicInstant?
    private var hearsay: HearsayBudget
    private let own: UInt64
    private let limits: EngineLimits
    let mesh: MeshLimits
    /// As of the last call of ``due(now:using:)``; holds unless `isStale`. There may be thousands of entries, and both
    /// are asked after every message.
    private var nextDial: MonotonicInstant?
    private var isStale = true

    init(own: DeviceID, limits: EngineLimits, mesh: MeshLimits = MeshLimits()) {
        self.own = own.prefix
        self.limits = limits
        self.mesh = mesh
        gossip = AddressGossip(own: own, countMax: limits.knownDeviceCountMax, limits: mesh)
        hearsay = HearsayBudget(limits: mesh)
    }

    var count: Int { entries.count }

    // MARK: What is learned

    /// What an announcement, the memory of an earlier run, or a person says of a device.
    mutating func learn(
        _ key: PeerKey, _ addresses: [PeerAddress], source: AddressSource, now: MonotonicInstant
    ) {
        guard key != .device(own), var entry = known(key, isHearsay: source == .gossip) else { return }
        let isNewcomer = source == .discovery && !entry.isAnnounced
        let isNews = addresses.contains { !entry.knows($0) } || isNewcomer
        entry.learn(addresses, source: source, countMax: limits.addressesPerDeviceMax)
        if source == .discovery { entry.isAnnounced = true }
        if source == .fixed { entry.isFixed = true }
        if isNews { noteNews(&entry, key, now: now) }
        entries[key] = entry
        if isNewcomer, entry.state == .idle { noteNewcomer(now: now) }
    }

    /// What a device says of itself; its signature was found right.
    ///
    /// - Parameter isFromItself: the device itself brought it.
    /// - Returns: whether it was good, and news: worth passing on.
    mutating func learn(
        _ record: AddressRecord, fromItself isFromItself: Bool = false, now: MonotonicInstant
    ) -> Bool {
        guard gossip.learn(record, fromItself: isFromItself) else { return false }
        let key = PeerKey.device(record.device.prefix)
        guard key != .device(own), var entry = known(key, isHearsay: !isFromItself) else { return true }
        let isNews = entry.replaceGossip(by: record.addresses, countMax: limits.addressesPerDeviceMax)
        if isNews { noteNews(&entry, key, now: now) }
        entries[key] = entry
        return true
    }

    /// What a peer on this machine says of another device on it. Nobody signed that: it ends no pause of a device that is
    /// known otherwise, or whoever sent ever new addresses would have that one dialled all the time.
    mutating func learn(_ loopback: LoopbackAddress, now: MonotonicInstant) {
        let key = PeerKey.device(loopback.device.prefix)
        guard key != .device(own), var entry = known(key, isHearsay: true) else { return }
        let mayEndPause = entry.isHearsay
        let isNews = entry.replaceLoopback(by: loopback.address, countMax: limits.addressesPerDeviceMax)
        if isNews, mayEndPause { noteNews(&entry, key, now: now) }
        entries[key] = entry
    }

    /// Neither announcements nor gossip say that a device exists: whoever invents devices must not fill the memory, and
    /// must not keep out those that are there.
    private mutating func known(_ key: PeerKey, isHearsay: Bool) -> PeerEntry? {
        if let entry = entries[key] { return entry }
        guard entries.count < limits.knownDeviceCountMax || !isHearsay && makeRoom() else { return nil }
        return PeerEntry()
    }

    /// - Returns: whether somebody was forgotten: of those that are not connected and that no person named the one that
    ///   is least likely to be there.
    private mutating func makeRoom() -> Bool {
        let idle = entries.lazy.filter { $0.value.state == .idle && !$0.value.isFixed }
        let least = idle.min { $0.value.worth(as: $0.key) < $1.value.worth(as: $1.key) }
        if let least { entries[least.key] = nil }
        return least != nil
    }

    /// A device is connected: it has a place whatever else is known.
    private mutating func admit(_ device: DeviceID) {
        let key = PeerKey.device(device.prefix)
        guard entries[key] == nil else { return }
        if entries.count >= limits.knownDeviceCountMax { _ = makeRoom() }
        entries[key] = PeerEntry()
    }

    private func noteNews(_ entry: inout PeerEntry, _ key: PeerKey, now: MonotonicInstant) {
        if entry.state == .dialling { entry.hasNews = true }
        guard entry.state == .idle else { return }
        entry.failureCount = 0
        entry.aloneNotBefore = nil
        entry.notBefore = isCourteous(key) ? now + limits.dialCourtesy : now
    }

    private func isCourteous(_ key: PeerKey) -> Bool {
        if case .device(let prefix) = key { return own > prefix }
        return false
    }

    /// What failed before says nothing about the network that is there now.
    mutating func networkChanged(now: MonotonicInstant) {
        for key in entries.keys.sorted() { noteNews(&entries[key]!, key, now: now) }
    }

    mutating func announcementEnded(_ key: PeerKey) { entries[key]?.isAnnounced = false }

    /// Keeps an address at which a device was met.
    mutating func remember(_ device: DeviceID, _ address: PeerAddress, source: AddressSource) {
        admit(device)
        entries[.device(device.prefix), default: PeerEntry()]
            .prove(address, source: source, countMax: limits.addressesPerDeviceMax)
    }

    // MARK: Dialling

    /// Dials that are due, and that the mesh allows.
    mutating func due(now: MonotonicInstant, using rng: inout some RandomNumberGenerator) -> [Dial] {
        guard isStale || nextDial.map({ $0 <= now }) == true else { return [] }
        var census = census()
        let goal = census.linkGoal
        var dials: [Dial] = []
        for key in candidates(census, now: now, using: &rng) {
            // The ones before it count by now.
            let entry = entries[key]!
            guard isSought(key, entry, census), readyAt(entry, census) <= now,
                let dial = dial(key, now: now, using: &rng)
            else { continue }
            dials.append(dial)
            census.diallingCount += 1
        }
        if seeksExchange, census.isSmall || census.linkCount >= goal { seeksExchange = false }
        nextDial = firstReady()
        isStale = false
        return dials
    }

    /// Those that are due, in the order in which they are tried: who a person named, then any, but those that do not
    /// answer, and those whose links are full, last.
    private func candidates(
        _ census: Census, now: MonotonicInstant, using rng: inout some RandomNumberGenerator
    ) -> [PeerKey] {
        var ranks = [[PeerKey]](repeating: [], count: 4)
        for (key, entry) in entries where isSought(key, entry, census) && readyAt(entry, census) <= now {
            ranks[rank(entry, census)].append(key)
        }
        return ranks.flatMap { $0.sorted().shuffled(using: &rng) }
    }

    private func rank(_ entry: PeerEntry, _ census: Census) -> Int {
        if entry.isFixed { return 0 }
        // An exchange is to find those, too, that did not answer for a while: the other half of a cut network.
        if census.hasEnough { return 1 }
        if entry.aloneNotBefore != nil { return 3 }
        return entry.failureCount == 0 ? 1 : 2
    }

    private mutating func dial(
        _ key: PeerKey, now: MonotonicInstant, using rng: inout some RandomNumberGenerator
    ) -> Dial? {
        let room = min(hearsay.room(now: now), mesh.hearsayPerDialMax)
        let addresses = entries[key]!.dialable(hearsayMax: room, using: &rng)
        guard !addresses.isEmpty else { return nil }
        hearsay.spend(addresses.count(where: \.isHearsay), now: now)
        entries[key]!.state = .dialling
        entries[key]!.hasNews = false
        entries[key]!.aloneNotBefore = nil
        var expecting: UInt64?
        if case .device(let prefix) = key { expecting = prefix }
        return Dial(key: key, addresses: addresses.map(\.address).familiesInTurn, expecting: expecting)
    }

    /// When an idle entry may be dialled, as far as it alone is concerned.
    private func readyAt(_ entry: PeerEntry, _ census: Census) -> MonotonicInstant {
        var ready = entry.notBefore ?? MonotonicInstant(nanoseconds: 0)
        if let alone = entry.aloneNotBefore {
            if census.linkCount == 0 { ready = min(ready, alone) }
            if census.hasEnough { ready = ready + mesh.contentPause }
        }
        if entry.isHearsay, let budget = hearsay.readyAt { ready = max(ready, budget) }
        return ready
    }

    /// When the next dial is due; `nil` while none is wanted.
    var nextDeadline: MonotonicInstant? { isStale ? firstReady() : nextDial }

    private func firstReady() -> MonotonicInstant? {
        let census = census()
        var first: MonotonicInstant?
        for (key, entry) in entries where isSought(key, entry, census) {
            let ready = readyAt(entry, census)
            first = first.map { min($0, ready) } ?? ready
        }
        return first
    }

    /// Whether a dial to a device is under way.
    func isDialling(_ device: DeviceID) -> Bool { entries[.device(device.prefix)]?.state == .dialling }

    // MARK: What came of it

    /// A dial led to no connection.
    mutating func failed(
        _ key: PeerKey, isStranger: Bool, now: MonotonicInstant, using rng: inout some RandomNumberGenerator
    ) {
        guard var entry = entries[key], entry.state == .dialling, !PlantedFault.isPlanted(.dialNeverRetried) else {
            return
        }
        entry.state = .idle
        entry.failureCount += 1
        // Announcements are not authenticated: a stranger at one address of a device says nothing about the others.
        let isStranger = isStranger && entry.addresses.count == 1 && entry.connectedAt == nil
        let pause = isStranger ? limits.strangerPause : pause(afterFailures: entry.failureCount)
        entry.notBefore = entry.hasNews ? now : now + pause * Double.random(in: 0.8...1.2, using: &rng)
        entries[key] = entry
    }

    private func pause(afterFailures count: Int) -> Double {
        min(limits.dialPauseMin * Double(UInt64(1) << UInt64(min(count - 1, 10))), limits.dialPauseMax)
    }

    /// - Parameter key: of the dial that led here; `nil` for a connection that the device opened.
    mutating func connected(_ device: DeviceID, key: PeerKey?, now: MonotonicInstant) {
        identify(key, as: device)
        admit(device)
        entries[.device(device.prefix)]!.state = .connected
        entries[.device(device.prefix)]!.connectedAt = now
        entries[.device(device.prefix)]!.aloneNotBefore = nil
    }

    /// A given address turned out to be this device's: from now on it is one of its addresses.
    private mutating func identify(_ key: PeerKey?, as device: DeviceID) {
        guard let key, key != .device(device.prefix), let fixed = entries.removeValue(forKey: key) else { return }
        var entry = entries[.device(device.prefix)] ?? PeerEntry()
        entry.learn(fixed.addresses.map(\.address), source: .fixed, countMax: limits.addressesPerDeviceMax)
        entry.isFixed = true
        entries[.device(device.prefix)] = entry
    }

    mutating func disconnected(
        _ device: DeviceID, now: MonotonicInstant, using rng: inout some RandomNumberGenerator
    ) {
        let key = PeerKey.device(device.prefix)
        guard var entry = entries[key], entry.state == .connected else { return }
        entry.state = .idle
        entry.neededLinkAt = nil
        // A connection that ends as soon as it is made would else be made again and again.
        let lasted = entry.connectedAt.map { now.seconds(since: $0) } ?? 0
        entry.failureCount = lasted >= limits.settledInterval ? 0 : entry.failureCount + 1
        let pause = entry.failureCount <= 1 ? 0 : pause(afterFailures: entry.failureCount - 1)
        let courtesy = isCourteous(key) ? limits.dialCourtesy : 0
        entry.notBefore = now + pause + courtesy + Double.random(in: 0.05...0.2, using: &rng)
        entries[key] = entry
    }

    /// A connection ended, or was not kept, because the links of either side were full. Nobody failed.
    ///
    /// - Parameter key: of the dial that led to it; `nil` for a connection that the device opened.
    mutating func refusedAsFull(
        _ device: DeviceID, key: PeerKey?, now: MonotonicInstant, using rng: inout some RandomNumberGenerator
    ) {
        identify(key, as: device)
        guard var entry = entries[.device(device.prefix)] else { return }
        // A dial of this device's own may be under way besides.
        if entry.state == .connected || key != nil { entry.state = .idle }
        entry.failureCount = 0
        entry.neededLinkAt = nil
        entry.notBefore = now + mesh.fullPause * Double.random(in: 0.8...1.2, using: &rng)
        entry.aloneNotBefore = now + Double.random(in: mesh.alonePause, using: &rng)
        entries[.device(device.prefix)] = entry
    }

    // MARK: Questions

    /// How the address that a connection uses became known.
    func source(of address: PeerAddress, device: DeviceID) -> AddressSource? {
        entries[.device(device.prefix)]?.addresses.first { $0.address == address }?.source
    }

    /// The address to show for a device: the one that was learned last.
    public func address(of device: DeviceID) -> (PeerAddress, AddressSource)? {
        entries[.device(device.prefix)]?.addresses.first.map { ($0.address, $0.source) }
    }

    /// All addresses of a device, the best first: those at which it was met, then in the order of ``address(of:)``.
    public func addresses(of device: DeviceID) -> [PeerAddress] {
        let known = entries[.device(device.prefix)]?.addresses ?? []
        return (known.filter(\.isProven) + known.filter { !$0.isProven }).map(\.address)
    }
}
