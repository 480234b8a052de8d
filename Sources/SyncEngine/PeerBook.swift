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
    /// All of them may be tried at once.
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
    public var prefix: UInt64 { BigEndian.word(bytes.prefix(8)) }
}

/// Where devices may be reached, and when to try next.
///
/// Browsing is a hint of presence, never proof of absence: what is known is dialled whether or not it is announced.
public struct PeerBook: Sendable {
    struct Entry: Sendable {
        /// Newest first; each once.
        var addresses: [PeerAddress] = []
        var sources: [PeerAddress: AddressSource] = [:]
        /// Transitions: idle → dialling → (connected | idle); connected → idle.
        var state = State.idle
        var failureCount = 0
        /// When to dial next; `nil` means at once.
        var notBefore: MonotonicInstant?
        var isAnnounced = false
        var connectedAt: MonotonicInstant?
        /// Something new was learned while a dial was under way.
        var hasNews = false
    }

    enum State: Hashable, Sendable {
        case idle
        case dialling
        case connected
    }

    private var entries: [PeerKey: Entry] = [:]
    private let own: UInt64
    private let limits: EngineLimits

    init(own: DeviceID, limits: EngineLimits) {
        self.own = own.prefix
        self.limits = limits
    }

    var count: Int { entries.count }

    /// What an announcement, the memory of an earlier run, or a person says of a device.
    mutating func learn(
        _ key: PeerKey, _ addresses: [PeerAddress], source: AddressSource, now: MonotonicInstant
    ) {
        guard key != .device(own) else { return }
        // Announcements are not authenticated: whoever invents devices must not fill the memory.
        guard entries[key] != nil || entries.count < limits.knownDeviceCountMax else { return }
        var entry = entries[key] ?? Entry()
        let isNews =
            addresses.contains { !entry.addresses.contains($0) } || (source == .discovery && !entry.isAnnounced)
        for address in addresses.reversed() {
            entry.addresses.removeAll { $0 == address }
            entry.addresses.insert(address, at: 0)
            entry.sources[address] = source
        }
        for address in entry.addresses.dropFirst(limits.addressesPerDeviceMax) { entry.sources[address] = nil }
        entry.addresses = Array(entry.addresses.prefix(limits.addressesPerDeviceMax))
        if source == .discovery { entry.isAnnounced = true }
        if isNews, entry.state == .dialling { entry.hasNews = true }
        if isNews, entry.state == .idle {
            entry.failureCount = 0
            entry.notBefore = isCourteous(key) ? now + limits.dialCourtesy : now
        }
        entries[key] = entry
    }

    private func isCourteous(_ key: PeerKey) -> Bool {
        if case .device(let prefix) = key { return own > prefix }
        return false
    }

    mutating func announcementEnded(_ key: PeerKey) { entries[key]?.isAnnounced = false }

    /// Dials that are due.
    mutating func due(now: MonotonicInstant) -> [Dial] {
        var dials: [Dial] = []
        for (key, entry) in entries.sorted(by: { $0.key < $1.key })
        where entry.state == .idle && !entry.addresses.isEmpty && (entry.notBefore ?? now) <= now {
            entries[key]!.state = .dialling
            entries[key]!.hasNews = false
            var expecting: UInt64?
            if case .device(let prefix) = key { expecting = prefix }
            dials.append(Dial(key: key, addresses: entry.addresses, expecting: expecting))
        }
        return dials
    }

    /// A dial led to no connection.
    mutating func failed(
        _ key: PeerKey, isStranger: Bool, now: MonotonicInstant, using rng: inout some RandomNumberGenerator
    ) {
        guard var entry = entries[key], entry.state == .dialling else { return }
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
        if let key, key != .device(device.prefix), let fixed = entries[key] {
            // A given address turned out to be this device's: from now on it is one of its addresses.
            entries[key] = nil
            for address in fixed.addresses { remember(device, address, source: .fixed) }
        }
        entries[.device(device.prefix), default: Entry()].state = .connected
        entries[.device(device.prefix)]!.connectedAt = now
    }

    /// Keeps an address without dialling it now.
    mutating func remember(_ device: DeviceID, _ address: PeerAddress, source: AddressSource) {
        var entry = entries[.device(device.prefix)] ?? Entry()
        guard entry.sources[address] == nil else { return }
        entry.addresses.insert(address, at: 0)
        entry.sources[address] = source
        if entry.addresses.count > limits.addressesPerDeviceMax { entry.sources[entry.addresses.removeLast()] = nil }
        entries[.device(device.prefix)] = entry
    }

    mutating func disconnected(
        _ device: DeviceID, now: MonotonicInstant, using rng: inout some RandomNumberGenerator
    ) {
        let key = PeerKey.device(device.prefix)
        guard entries[key]?.state == .connected else { return }
        entries[key]!.state = .idle
        // A connection that ends as soon as it is made would else be made again and again.
        let lasted = entries[key]!.connectedAt.map { now.seconds(since: $0) } ?? 0
        entries[key]!.failureCount = lasted >= limits.settledInterval ? 0 : entries[key]!.failureCount + 1
        let failures = entries[key]!.failureCount
        let pause = failures <= 1 ? 0 : pause(afterFailures: failures - 1)
        let courtesy = isCourteous(key) ? limits.dialCourtesy : 0
        entries[key]!.notBefore = now + pause + courtesy + Double.random(in: 0.05...0.2, using: &rng)
    }

    var nextDeadline: MonotonicInstant? {
        entries.values.filter { $0.state == .idle && !$0.addresses.isEmpty }
            .compactMap { $0.notBefore ?? MonotonicInstant(nanoseconds: 0) }.min()
    }

    /// How the address that a connection uses became known.
    func source(of address: PeerAddress, device: DeviceID) -> AddressSource? {
        entries[.device(device.prefix)]?.sources[address]
    }

    /// The address to show for a device: the one that was learned last.
    public func address(of device: DeviceID) -> (PeerAddress, AddressSource)? {
        guard let entry = entries[.device(device.prefix)], let first = entry.addresses.first else { return nil }
        return (first, entry.sources[first] ?? .inbound)
    }
}
