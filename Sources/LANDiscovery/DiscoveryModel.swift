import SyncEngine

/// All decisions of discovery: what is registered, looked up, tried again and told, and when.
///
/// A value without I/O or clock: equal inputs at equal times give equal directives, in equal order. Operations that a
/// directive opens report back as inputs; one that failed to open does so by `.failed`.
struct DiscoveryModel: Sendable {
    typealias Instant = ContinuousClock.Instant

    enum Input: Hashable, Sendable {
        case start
        case registered(OperationID)
        case browsed(OperationID, added: Bool, ServiceKey)
        case resolved(OperationID, ResolvedService)
        case address(OperationID, added: Bool, IPAddress)
        /// The operation failed to open, or said its last word.
        case failed(OperationID, OperationFailure)
        /// An address or a link came or went, or the machine woke up.
        case networkChanged
        case refreshRequested
        case resolveRequested(devicePrefix: [UInt8])
        case lookRequested(except: Set<[UInt8]>)
        case followed(FollowedRecords)
        case deadlineReached
    }

    enum Directive: Hashable, Sendable {
        case open(OperationID, DiscoveryOperation)
        /// Also for an operation that never came to be open.
        case close(OperationID)
        case tell(DiscoveryEvent)
    }

    /// The registration and the browser live and die together: what ends one is the daemon's end.
    private enum Session: Sendable {
        /// → up
        case idle
        /// → up, at the instant
        case down(retryAt: Instant)
        /// → down
        case up(Registration?, browse: OperationID)
    }

    private struct Registration: Sendable {
        var operation: OperationID
        /// `nil` once confirmed.
        var confirmBy: Instant?
    }

    private enum Availability { case available, unavailable }

    private let advertisement: Advertisement
    private var followedRecords: FollowedRecords
    private let limits: DiscoveryLimits

    private var session = Session.idle
    private var sessionFailureCount = 0
    private var toldAvailability: Availability?
    private var lastRegisteredAt: Instant?
    private var reregisterAt: Instant?
    /// With the next registration all devices are looked up again.
    private var isRefreshPlanned = false
    /// When to tell that the network changed: with a daemon or without.
    private var tellNetworkAt: Instant?
    /// How many instance names were found taken since the session began.
    private var nameAttempt = 0

    private var sightings: [ServiceKey: Sighting] = [:]
    /// The sighting that each open resolve or query belongs to.
    private var lookups: [OperationID: ServiceKey] = [:]
    private var toldAddresses: [[UInt8]: [PeerAddress]] = [:]

    private var lastOperation: UInt64 = 0
    private var directives: [Directive] = []

    init(advertisement: Advertisement, limits: DiscoveryLimits = DiscoveryLimits()) {
        self.advertisement = advertisement
        followedRecords = FollowedRecords(tags: [advertisement.tag])
        self.limits = limits
    }

    /// When to feed `.deadlineReached`; `nil` while nothing is due. To be read again after every `handle`.
    var nextDeadline: Instant? {
        let canLookUp = canLookUp
        var deadlines = sightings.values.compactMap { $0.nextDeadline(canLookUp: canLookUp) }
        if let tellNetworkAt { deadlines.append(tellNetworkAt) }
        switch session {
        case .idle: break
        case .down(let retryAt): deadlines.append(retryAt)
        case .up(let registration, _):
            if let confirmBy = registration?.confirmBy { deadlines.append(confirmBy) }
            if let reregisterAt { deadlines.append(reregisterAt) }
        }
        return deadlines.min()
    }

    mutating func handle(_ input: Input, now: Instant) -> [Directive] {
        directives = []
        switch input {
        case .start: if case .idle = session { openSession(now) }
        case .registered(let operation): confirmRegistration(operation, now)
        case .browsed(let operation, true, let key): if isBrowser(operation) { announced(key, now) }
        case .browsed(let operation, false, let key): if isBrowser(operation) { withdrawn(key, now) }
        case .resolved(let operation, let service): resolved(operation, service, now)
        case .address(let operation, let added, let address): take(address, added: added, operation, now)
        case .failed(let operation, let failure): failed(operation, failure, now)
        case .networkChanged:
            tellNetworkAt = tellNetworkAt ?? now + limits.networkSettlePause
            reregister(after: limits.networkSettlePause, interval: limits.networkChangeInterval, now)
        case .refreshRequested:
            isRefreshPlanned = true
            reregister(after: .zero, interval: limits.refreshInterval, now)
        case .resolveRequested(let prefix): lookUpAgain(now) { $0 == prefix }
        case .lookRequested(let spared): lookUpOthersAgain(except: spared, now)
        case .followed(let records): follow(records, now)
        case .deadlineReached: meetDeadlines(now)
        }
        startLookups(now)
        return directives
    }

    private mutating func open(_ operation: DiscoveryOperation) -> OperationID {
        lastOperation += 1
        let id = OperationID(number: lastOperation)
        directives.append(.open(id, operation))
        return id
    }

    private mutating func meetDeadlines(_ now: Instant) {
        if let at = tellNetworkAt, at <= now {
            tellNetworkAt = nil
            directives.append(.tell(.networkChanged))
        }
        switch session {
        case .idle: break
        case .down(let retryAt): if retryAt <= now { openSession(now) }
        case .up(let registration, _):
            if let confirmBy = registration?.confirmBy, confirmBy <= now {
                endSession(.notAnswering, now)
            } else if let reregisterAt, reregisterAt <= now {
                register(now)
                if isRefreshPlanned { lookUpOthersAgain(except: [], now) }
                isRefreshPlanned = false
            }
        }
        for key in sightings.keys.sorted() {
            meetDeadlines(of: key, now)
        }
    }

    private mutating func meetDeadlines(of key: ServiceKey, _ now: Instant) {
        guard let sighting = sightings[key] else { return }
        if let forgetAt = sighting.forgetAt, forgetAt <= now {
            endLookup(key, now)
            sightings[key] = nil
            if let device = sighting.resolution?.devicePrefix { tellChanges(of: device) }
        } else if let lookup = sighting.lookup, lookup.deadline <= now {
            endLookup(key, now)
        } else if case .querying(var query) = sighting.lookup, let settleAt = query.settleAt, settleAt <= now {
            query.settleAt = nil
            sightings[key]?.lookup = .querying(query)
            if !query.resolution.addresses.isEmpty { adopt(query.resolution, for: key) }
        }
    }
}

// MARK: - The session with the daemon

extension DiscoveryModel {
    private mutating func openSession(_ now: Instant) {
        nameAttempt = 0
        session = .up(nil, browse: open(.browse))
        register(now)
    }

    /// Registers anew, after taking back what was registered before.
    private mutating func register(_ now: Instant) {
        guard case .up(let before, let browse) = session else { return }
        if let before { directives.append(.close(before.operation)) }
        let operation = open(
            .register(
                name: advertisement.instanceName(attempt: nameAttempt), textRecord: advertisement.textRecord,
                port: advertisement.port))
        session = .up(Registration(operation: operation, confirmBy: now + limits.registrationTimeout), browse: browse)
        lastRegisteredAt = now
        reregisterAt = nil
    }

    /// The daemon is known to work: services from before an outage show up again now, or are gone.
    private mutating func confirmRegistration(_ operation: OperationID, _ now: Instant) {
        guard case .up(let registration?, let browse) = session, registration.operation == operation else { return }
        session = .up(Registration(operation: operation, confirmBy: nil), browse: browse)
        sessionFailureCount = 0
        let forgetAt = now + limits.reappearancePause
        for (key, sighting) in sightings where sighting.announcementCount == 0 && sighting.forgetAt == nil {
            sightings[key]?.forgetAt = forgetAt
        }
        guard toldAvailability != .available else { return }
        toldAvailability = .available
        directives.append(.tell(.available))
    }

    private mutating func endSession(_ failure: OperationFailure, _ now: Instant) {
        guard case .up(let registration, let browse) = session else { return }
        for operation in [registration?.operation, browse].compactMap(\.self) + lookups.keys.sorted() {
            directives.append(.close(operation))
        }
        lookups = [:]
        for key in sightings.keys {
            sightings[key]?.announcementCount = 0
            sightings[key]?.forgetAt = nil
            sightings[key]?.lookup = nil
            sightings[key]?.lookupDueAt = nil
        }
        sessionFailureCount += 1
        session = .down(retryAt: now + limits.retryPause(failureCount: sessionFailureCount))
        reregisterAt = nil
        guard toldAvailability != .unavailable else { return }
        toldAvailability = .unavailable
        directives.append(.tell(.unavailable(reason: failure.sentence)))
    }

    private mutating func failed(_ operation: OperationID, _ failure: OperationFailure, _ now: Instant) {
        if let key = lookups[operation] {
            lookupFailed(operation, of: key, now)
        } else if isBrowser(operation) {
            endSession(failure, now)
        } else if case .up(let registration?, let browse) = session, registration.operation == operation {
            guard failure == .nameTaken else { return endSession(failure, now) }
            directives.append(.close(operation))
            session = .up(nil, browse: browse)
            nameAttempt += 1
            reregisterAt = now + limits.retryPause(failureCount: nameAttempt)
        }
    }

    private func isBrowser(_ operation: OperationID) -> Bool {
        if case .up(_, operation) = session { true } else { false }
    }

    /// Plans a registration `pause` from now, and `interval` after the last one at the earliest. Without a daemon
    /// there is nothing to plan: coming back, it is told everything.
    private mutating func reregister(after pause: Duration, interval: Duration, _ now: Instant) {
        guard case .up = session else { return }
        let wanted = max(now + pause, lastRegisteredAt.map { $0 + interval } ?? now)
        reregisterAt = min(reregisterAt ?? wanted, wanted)
    }
}

// MARK: - Services that are announced

extension DiscoveryModel {
    private mutating func announced(_ key: ServiceKey, _ now: Instant) {
        guard sightings[key] != nil || sightings.count < limits.sightingCountMax else { return }
        var sighting = sightings[key] ?? Sighting()
        sighting.announcementCount += 1
        sighting.forgetAt = nil
        let isRecent = sighting.lastLookupAt.map { $0 + limits.lookupInterval > now } ?? false
        // The same service on the second protocol comes within milliseconds, and the lookup under way covers it.
        if sighting.announcementCount == 1 || !isRecent {
            sighting.lookupDueAt = lookupTime(sighting, now)
        }
        sightings[key] = sighting
    }

    private mutating func withdrawn(_ key: ServiceKey, _ now: Instant) {
        guard var sighting = sightings[key], sighting.announcementCount > 0 else { return }
        sighting.announcementCount -= 1
        if sighting.announcementCount == 0 {
            sighting.forgetAt = now + limits.lossPause
            sighting.lookupDueAt = nil
        }
        sightings[key] = sighting
    }

    /// Plans lookups of those announced services that are known to be devices of this gathering.
    ///
    /// - Parameter isMeant: judges a device by its prefix.
    private mutating func lookUpAgain(_ now: Instant, where isMeant: ([UInt8]) -> Bool) {
        for (key, sighting) in sightings where sighting.announcementCount > 0 {
            guard let resolution = sighting.resolution, isMeant(resolution.devicePrefix) else { continue }
            let dueAt = lookupTime(sighting, now)
            sightings[key]?.lookupDueAt = dueAt
        }
    }

    private mutating func lookUpOthersAgain(except spared: Set<[UInt8]>, _ now: Instant) {
        let own = advertisement.devicePrefix
        lookUpAgain(now) { $0 != own && !spared.contains($0) }
    }

    /// Whoever was a stranger may be one of this gathering now, and the reverse.
    private mutating func follow(_ records: FollowedRecords, _ now: Instant) {
        guard records != followedRecords else { return }
        followedRecords = records
        for (key, sighting) in sightings where sighting.announcementCount > 0 {
            let dueAt = lookupTime(sighting, now)
            sightings[key]?.lookupDueAt = dueAt
        }
    }

    private func lookupTime(_ sighting: Sighting, _ now: Instant) -> Instant {
        max(now, sighting.lastLookupAt.map { $0 + limits.lookupInterval } ?? now)
    }
}

// MARK: - Lookups

extension DiscoveryModel {
    private var canLookUp: Bool {
        sightings.values.count { $0.lookup != nil } < limits.lookupCountMax
    }

    private mutating func startLookups(_ now: Instant) {
        guard canLookUp else { return }
        var due: [(at: Instant, key: ServiceKey)] = []
        for (key, sighting) in sightings where sighting.lookup == nil {
            if let at = sighting.lookupDueAt, at <= now { due.append((at, key)) }
        }
        let deadline = now + limits.resolveTimeout
        for (_, key) in due.sorted(by: { ($0.at, $0.key) < ($1.at, $1.key) }) {
            guard canLookUp else { return }
            let operation = open(.resolve(key))
            lookups[operation] = key
            sightings[key]?.lookup = .resolving(operation, deadline: deadline)
            sightings[key]?.lastLookupAt = now
            sightings[key]?.lookupDueAt = nil
        }
    }

    private mutating func resolved(_ operation: OperationID, _ service: ResolvedService, _ now: Instant) {
        guard let key = lookups[operation], case .resolving(operation, _) = sightings[key]?.lookup else { return }
        lookups[operation] = nil
        directives.append(.close(operation))
        guard let device = member(behind: service) else {
            sightings[key]?.lookup = nil
            sightings[key]?.failureCount = 0
            return adopt(nil, for: key)
        }
        let interface = service.interface == 0 ? key.interface : service.interface
        var operations: [IPAddress.Kind: OperationID] = [:]
        for kind in IPAddress.Kind.allCases {
            let query = open(.query(kind, host: service.host, interface: interface))
            operations[kind] = query
            lookups[query] = key
        }
        let deadline = now + limits.queryTimeout
        sightings[key]?.lookup = .querying(
            AddressQuery(
                operations: operations,
                resolution: .init(devicePrefix: device, port: service.port, addresses: [], interface: interface),
                deadline: deadline, latestDeadline: deadline))
    }

    /// The device, if it is one of this gathering. Under the own name it is mostly this one, and may be a copy of it.
    private func member(behind service: ResolvedService) -> [UInt8]? {
        guard
            service.port > 0, let identity = AdvertisedIdentity(textRecord: service.textRecord),
            followedRecords.contains(identity)
        else { return nil }
        return identity.devicePrefix
    }

    private mutating func take(_ address: IPAddress, added: Bool, _ operation: OperationID, _ now: Instant) {
        guard let key = lookups[operation], case .querying(var query) = sightings[key]?.lookup else { return }
        query.take(address, added: added, now: now, limits: limits)
        sightings[key]?.lookup = .querying(query)
    }

    private mutating func lookupFailed(_ operation: OperationID, of key: ServiceKey, _ now: Instant) {
        if case .querying(var query) = sightings[key]?.lookup, query.operations.count > 1 {
            query.operations = query.operations.filter { $0.value != operation }
            sightings[key]?.lookup = .querying(query)
            lookups[operation] = nil
            directives.append(.close(operation))
        } else {
            endLookup(key, now)
        }
    }

    /// Takes what was found, or keeps what was known where that is nothing, and plans the next lookup.
    private mutating func endLookup(_ key: ServiceKey, _ now: Instant) {
        guard var sighting = sightings[key], let lookup = sighting.lookup else { return }
        for operation in lookup.operations {
            lookups[operation] = nil
            directives.append(.close(operation))
        }
        sighting.lookup = nil
        var found: Sighting.Resolution?
        if case .querying(let query) = lookup, !query.resolution.addresses.isEmpty { found = query.resolution }
        sighting.failureCount = found == nil ? sighting.failureCount + 1 : 0
        if sighting.announcementCount > 0, sighting.lookupDueAt == nil {
            let pause = limits.retryPause(failureCount: sighting.failureCount)
            sighting.lookupDueAt = now + (found == nil ? pause : limits.recheckInterval)
        }
        sightings[key] = sighting
        if let found { adopt(found, for: key) }
    }
}

// MARK: - What is told

extension DiscoveryModel {
    private mutating func adopt(_ resolution: Sighting.Resolution?, for key: ServiceKey) {
        let before = sightings[key]?.resolution
        guard resolution != before else { return }
        sightings[key]?.resolution = resolution
        let devices = Set([before, resolution].compactMap { $0?.devicePrefix })
        for device in devices.sorted(by: { $0.lexicographicallyPrecedes($1) }) { tellChanges(of: device) }
    }

    private mutating func tellChanges(of device: [UInt8]) {
        let resolutions = sightings.values.compactMap(\.resolution).filter { $0.devicePrefix == device }
        let addresses = resolutions.peerAddresses(countMax: limits.addressCountMaxPerDevice)
        if resolutions.isEmpty {
            guard toldAddresses.removeValue(forKey: device) != nil else { return }
            directives.append(.tell(.lost(devicePrefix: device)))
        } else if !addresses.isEmpty, toldAddresses[device] != addresses {
            toldAddresses[device] = addresses
            directives.append(.tell(.found(devicePrefix: device, addresses: addresses)))
        }
    }
}
