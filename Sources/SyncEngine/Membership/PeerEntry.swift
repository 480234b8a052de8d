import AlbumModel

/// An address of a device, and how it became known.
struct KnownAddress: Hashable, Sendable {
    var address: PeerAddress
    var source: AddressSource
    /// A connection with the device showed that it is there.
    var isProven = false

    /// Only words passed on say that the device is there.
    var isHearsay: Bool { source == .gossip && !isProven }
}

/// What ``PeerBook`` knows of one device, or of one address that a person gave.
struct PeerEntry: Sendable {
    enum State: Hashable, Sendable {
        case idle
        case dialling
        case connected
    }

    /// Newest first, those that were gossiped last; each once.
    private(set) var addresses: [KnownAddress] = []
    /// Transitions: idle → dialling → (connected | idle); connected → idle.
    var state = State.idle
    var failureCount = 0
    /// When to dial next; `nil` means at once.
    var notBefore: MonotonicInstant?
    /// Set while `notBefore` stands for a pause because links were full: when to dial if this device has no link at all.
    var aloneNotBefore: MonotonicInstant?
    var isAnnounced = false
    /// A person gave an address of it.
    var isFixed = false
    var connectedAt: MonotonicInstant?
    /// When the device said that it had no other link.
    var neededLinkAt: MonotonicInstant?
    /// Something new was learned while a dial was under way.
    var hasNews = false

    var isHearsay: Bool { addresses.allSatisfy(\.isHearsay) }

    /// Who was met counts most, the latest first; who is only told of least, and then who did not answer.
    func worth(as key: PeerKey) -> (MonotonicInstant, Int, Int, PeerKey) {
        (connectedAt ?? MonotonicInstant(nanoseconds: 0), isHearsay ? 0 : 1, -failureCount, key)
    }

    func knows(_ address: PeerAddress) -> Bool { addresses.contains { $0.address == address } }

    /// Puts addresses in front, in their order.
    mutating func learn(_ learned: [PeerAddress], source: AddressSource, countMax: Int) {
        for address in learned.reversed() {
            let known = addresses.first { $0.address == address }
            addresses.removeAll { $0.address == address }
            // What is passed on does not hide how else an address became known.
            let first = source == .gossip ? known?.source ?? source : source
            addresses.insert(KnownAddress(address: address, source: first, isProven: known?.isProven ?? false), at: 0)
        }
        trim(countMax)
    }

    /// Notes that the device was met at an address.
    mutating func prove(_ address: PeerAddress, source: AddressSource, countMax: Int) {
        if let index = addresses.firstIndex(where: { $0.address == address }) {
            addresses[index].isProven = true
        } else {
            addresses.insert(KnownAddress(address: address, source: source, isProven: true), at: 0)
            trim(countMax)
        }
    }

    /// Takes over what the device itself says now in place of what it said before.
    ///
    /// - Returns: whether there is an address among them that was not known.
    mutating func replaceGossip(by told: [PeerAddress], countMax: Int) -> Bool {
        // No device signs loopback addresses: those are what others say.
        replace(by: told, countMax: countMax) { $0.source == .gossip && !$0.address.isLoopback }
    }

    /// Takes over what a peer on this machine says now in place of what such peers said before. Where the device was met
    /// stays.
    ///
    /// - Returns: whether the address was not known.
    mutating func replaceLoopback(by told: PeerAddress, countMax: Int) -> Bool {
        replace(by: [told], countMax: countMax) { $0.isHearsay && $0.address.isLoopback }
    }

    private mutating func replace(
        by told: [PeerAddress], countMax: Int, where isReplaced: (KnownAddress) -> Bool
    ) -> Bool {
        let before = Set(addresses.map(\.address))
        addresses.removeAll { isReplaced($0) && !told.contains($0.address) }
        for address in told where !knows(address) {
            addresses.append(KnownAddress(address: address, source: .gossip))
        }
        trim(countMax)
        return addresses.contains { !before.contains($0.address) }
    }

    private mutating func trim(_ countMax: Int) {
        if addresses.count > countMax { addresses.removeLast(addresses.count - countMax) }
    }

    /// What one dial tries: everything but hearsay, and of that a random part.
    func dialable(hearsayMax: Int, using rng: inout some RandomNumberGenerator) -> [KnownAddress] {
        let hearsay = addresses.filter(\.isHearsay)
        guard hearsay.count > hearsayMax else { return addresses }
        let chosen = hearsay.shuffled(using: &rng).prefix(max(0, hearsayMax))
        return addresses.filter { !$0.isHearsay || chosen.contains($0) }
    }
}
