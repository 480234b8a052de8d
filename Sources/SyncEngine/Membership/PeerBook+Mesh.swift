public import AlbumModel
import WireFormat

/// What becomes of a connection with a device that there is no other with.
public enum LinkVerdict: Hashable, Sendable {
    case keep
    /// The links are full, and this device's is let go.
    case keepInstead(of: DeviceID)
    /// The links are full.
    case refuse
}

/// What a device does now and then for the mesh's sake.
public struct MeshTurn: Hashable, Sendable {
    /// Who is sent some addresses.
    public var share: DeviceID?
    /// Whose link is closed as if the links were full.
    public var letGo: DeviceID?
}

extension PeerBook {
    /// How many there are.
    struct Census {
        var connectedCount = 0
        var diallingCount = 0
        /// Devices, this one not among them, that are there as far as is known.
        var presentCount = 0
        var isSmall = true
        /// Links are sought until there are so many.
        var linkGoal = Int.max
        /// What is sought beyond this is for the mesh's sake, or because a person named it.
        var linkCountTarget = Int.max

        /// Those that are sought are counted as well.
        var linkCount: Int { connectedCount + diallingCount }
        var hasEnough: Bool { linkCount >= linkCountTarget }
    }

    func census() -> Census {
        var census = Census()
        for (key, entry) in entries {
            if entry.state == .connected { census.connectedCount += 1 }
            if entry.state == .dialling { census.diallingCount += 1 }
            // Given addresses are most often those of devices that are counted anyway.
            if case .device = key, isPresent(entry) { census.presentCount += 1 }
        }
        census.isSmall = census.presentCount < mesh.fullMeshDeviceCountMax
        guard !census.isSmall else { return census }
        let exchange = seeksExchange ? min(census.linkCount + 1, mesh.linkCountMax) : 0
        census.linkCountTarget = mesh.linkCountTarget
        census.linkGoal = max(mesh.linkCountTarget, exchange)
        return census
    }

    private func isPresent(_ entry: PeerEntry) -> Bool {
        if entry.state == .connected || entry.isAnnounced { return true }
        return !entry.addresses.isEmpty && entry.failureCount < mesh.absenceFailureCount
    }

    /// Whether an entry can be dialled, and the mesh wants it to be.
    func isSought(_ key: PeerKey, _ entry: PeerEntry, _ census: Census) -> Bool {
        guard entry.state == .idle, !entry.addresses.isEmpty else { return false }
        if census.linkCount < census.linkGoal { return true }
        // What a person gave may be the only way into another network: it is tried once whatever there is, and kept up
        // while there is room.
        if case .fixed = key { return true }
        return entry.isFixed && census.linkCount < mesh.linkCountMax
    }

    // MARK: Links

    /// Whether this device has no link, which it says in its hello.
    var needsLink: Bool { !entries.values.contains { $0.state == .connected } }

    /// Judges a connection that was greeted, with a device that there is no other with; to be called before
    /// ``connected(_:key:now:)``. Whoever is refused or let go is then reported with
    /// ``refusedAsFull(_:key:now:using:)``, on both sides.
    ///
    /// - Parameters:
    ///   - needsLink: what the device's hello says.
    ///   - key: of the dial that led to it; `nil` for a connection that the device opened.
    ///   - connected: devices with which there are links, that one not among them.
    mutating func judge(
        _ device: DeviceID, needsLink: Bool, key: PeerKey?, connected: [DeviceID], now: MonotonicInstant,
        using rng: inout some RandomNumberGenerator
    ) -> LinkVerdict {
        var verdict = LinkVerdict.keep
        if connected.count >= mesh.linkCountMax {
            var isGiven = false
            if case .fixed = key { isGiven = true }
            guard needsLink || isGiven, let other = dispensable(connected, now: now, isUrgent: needsLink, using: &rng)
            else { return .refuse }
            verdict = .keepInstead(of: other)
        }
        entries[.device(device.prefix), default: PeerEntry()].neededLinkAt = needsLink ? now : nil
        return verdict
    }

    /// The link that is missed least: a random one, but not the only one that somebody may have, nor one that a person
    /// asked for.
    ///
    /// - Parameter isUrgent: take one of those rather than none: then whoever had most time to find another link.
    private func dispensable(
        _ connected: [DeviceID], now: MonotonicInstant, isUrgent: Bool,
        using rng: inout some RandomNumberGenerator
    ) -> DeviceID? {
        let free = connected.filter { device in
            guard let entry = entries[.device(device.prefix)] else { return true }
            let isNeeded = entry.neededLinkAt.map { now < $0 + mesh.needInterval } ?? false
            return !isNeeded && !entry.isFixed
        }
        if let device = free.sorted().randomElement(using: &rng) { return device }
        guard isUrgent else { return nil }
        return connected.min { age(of: $0) < age(of: $1) }
    }

    /// Orders links: those that a person asked for last, the oldest first.
    private func age(of device: DeviceID) -> (Int, MonotonicInstant, DeviceID) {
        let entry = entries[.device(device.prefix)]
        return (entry?.isFixed == true ? 1 : 0, entry?.connectedAt ?? MonotonicInstant(nanoseconds: 0), device)
    }

    // MARK: Mixing

    /// To be called every half minute or so while there are links.
    ///
    /// In a large gathering it now and then lets go of a link above the target or seeks one above it, with anybody that
    /// is known. Without that, devices that have all the links that they want among themselves would never notice that
    /// they became an island, and a newcomer could find everyone full.
    ///
    /// - Parameter connected: devices with which there are links.
    mutating func turn(
        connected: [DeviceID], now: MonotonicInstant, using rng: inout some RandomNumberGenerator
    ) -> MeshTurn {
        var turn = MeshTurn(share: connected.sorted().randomElement(using: &rng))
        guard !census().isSmall, Int.random(in: 0..<mesh.turnsPerExchange, using: &rng) == 0 else { return turn }
        if connected.count > mesh.linkCountTarget {
            turn.letGo = dispensable(connected, now: now, isUrgent: false, using: &rng)
        } else {
            seeksExchange = true
        }
        return turn
    }

    /// A network that was cut is whole again when somebody is announced anew, and then nobody lacks links.
    mutating func noteNewcomer(now: MonotonicInstant) {
        if let newcomerAt, now < newcomerAt + mesh.newcomerInterval { return }
        newcomerAt = now
        seeksExchange = true
    }

    // MARK: Gossiped addresses

    /// The number for the next record of this device's own addresses.
    ///
    /// - Parameter wall: microseconds since 1970.
    func nextOwnNumber(wall: UInt64) -> UInt64 { gossip.nextOwnNumber(wall: wall) }

    mutating func setOwn(_ record: AddressRecord) { gossip.setOwn(record) }

    /// Whether a record of this device is under way that others prefer to the one that was set: then a new one is to be
    /// made, at most once a minute, since it may come from a copy of this home that does the same.
    var isOwnRecordOutdone: Bool { gossip.isOwnOutdone }

    /// Whether a device that sent this record of itself is to be told of another one, which others prefer.
    func isOutdone(_ record: AddressRecord) -> Bool { gossip.isOutdone(record) }

    /// The newest record of a device's addresses, as it signed it.
    func record(of device: DeviceID) -> SignedStatement? { gossip.record(of: device) }

    /// The number of the record that is kept of a device's addresses.
    func addressesNumber(of device: DeviceID) -> UInt64? { gossip.number(of: device) }

    /// Random devices and this one, of whose addresses a device is told.
    ///
    /// - Parameter ownNumber: of this one's record that the device has, as far as it said.
    func sample(
        _ count: Int, for device: DeviceID, knowing ownNumber: UInt64?, using rng: inout some RandomNumberGenerator
    ) -> [DeviceID] {
        gossip.sample(count, for: device, knowing: ownNumber, using: &rng)
    }
}
