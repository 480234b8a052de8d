import SyncEngine

/// What is known of one announced service on one interface.
struct Sighting: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// How often it is announced: Avahi says everything once per protocol, and takes back as often.
    var announcementCount = 0
    /// When it is forgotten unless announced again; `nil` while it is announced, and while no daemon works.
    var forgetAt: Instant?

    /// The result of the last lookup that found addresses; kept when a later one finds none.
    var resolution: Resolution?

    var lookup: Lookup?
    var lastLookupAt: Instant?
    /// When it is to be looked up (again).
    var lookupDueAt: Instant?
    var failureCount = 0

    /// A device of this gathering, and where it answers.
    struct Resolution: Hashable, Sendable {
        var devicePrefix: [UInt8]
        var port: UInt16
        var addresses: Set<IPAddress>
        var interface: UInt32
    }

    /// When something is to be done about this sighting; `canLookUp` tells whether a lookup may start.
    func nextDeadline(canLookUp: Bool) -> Instant? {
        var deadlines: [Instant] = []
        if let forgetAt { deadlines.append(forgetAt) }
        if let lookup {
            deadlines.append(lookup.nextDeadline)
        } else if canLookUp, let lookupDueAt {
            deadlines.append(lookupDueAt)
        }
        return deadlines.min()
    }
}

/// The way from a service's name to addresses: resolving → querying → ended.
enum Lookup: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// → querying, once the answer shows a device of this gathering; else ended.
    case resolving(OperationID, deadline: Instant)
    /// → ended, at the deadline or once both queries have failed.
    case querying(AddressQuery)

    var operations: [OperationID] {
        switch self {
        case .resolving(let operation, _): [operation]
        case .querying(let query): query.operations.values.sorted()
        }
    }

    var deadline: Instant {
        switch self {
        case .resolving(_, let deadline): deadline
        case .querying(let query): query.deadline
        }
    }

    var nextDeadline: Instant {
        if case .querying(let query) = self, let settleAt = query.settleAt { min(settleAt, deadline) } else { deadline }
    }
}

/// The open queries for a host's addresses on one interface, and what they have answered.
struct AddressQuery: Sendable {
    typealias Instant = ContinuousClock.Instant

    var operations: [IPAddress.Kind: OperationID]
    var resolution: Sighting.Resolution
    var answeredKinds: Set<IPAddress.Kind> = []
    /// When what was found is told, if something was since the last time.
    var settleAt: Instant?
    var deadline: Instant
    /// The deadline is never moved beyond this.
    let latestDeadline: Instant

    /// Takes one record, and gives further ones time to come.
    mutating func take(_ address: IPAddress, added: Bool, now: Instant, limits: DiscoveryLimits) {
        guard added else {
            if resolution.addresses.remove(address) != nil { settleAt = settleAt ?? now + limits.settlePause }
            return
        }
        answeredKinds.insert(address.kind)
        let pause = answeredKinds.count == operations.count ? limits.furtherAnswersPause : limits.otherKindPause
        deadline = min(latestDeadline, now + pause)
        guard resolution.addresses.count < limits.addressCountMaxPerSighting, isDialable(address) else { return }
        if resolution.addresses.insert(address).inserted { settleAt = settleAt ?? now + limits.settlePause }
    }

    /// A loopback address that another host announces would lead to this one.
    private func isDialable(_ address: IPAddress) -> Bool {
        switch address.reach {
        case .routable, .linkLocal: true
        case .loopback: resolution.interface == ServiceKey.loopbackInterface
        case .none: false
        }
    }
}

extension Sequence<Sighting.Resolution> {
    /// All addresses, each once, in the order of `IPAddress`.
    func peerAddresses(countMax: Int) -> [PeerAddress] {
        var candidates: [(address: IPAddress, peer: PeerAddress)] = []
        for resolution in self {
            for address in resolution.addresses {
                let host = address.host(interface: resolution.interface)
                candidates.append((address, PeerAddress(host: host, port: resolution.port)))
            }
        }
        candidates.sort { ($0.address, $0.peer) < ($1.address, $1.peer) }
        var told: [PeerAddress] = []
        for (_, peer) in candidates where !told.contains(peer) { told.append(peer) }
        return Array(told.prefix(countMax))
    }
}
