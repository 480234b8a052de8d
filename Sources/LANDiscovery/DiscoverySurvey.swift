import Glibc
public import SyncEngine

/// One look at all devices that are announced, of whatever gathering: for whoever asks why laptops do not find each
/// other.
public enum DiscoverySurvey {
    public struct Device: Hashable, Sendable {
        /// What is shown of its gathering, and of its device; 8 bytes each.
        public var tag: [UInt8]
        public var devicePrefix: [UInt8]
        /// The most promising first; at most 16.
        public var addresses: [PeerAddress]
    }

    public enum Failure: Error, Hashable, Sendable {
        case notRunning
        case notAnswering
        /// D-Bus grants this user no further connections.
        case tooManyConnections
    }

    /// Looks for `duration`, or for less once a device that `isWanted` has been found and nothing more comes for a second.
    ///
    /// Blocks for as long; where the daemon stands still, for 25 s.
    public static func look(
        for duration: Duration, until isWanted: (Device) -> Bool
    ) throws(Failure) -> [Device] {
        do {
            var survey = try Survey()
            return try survey.run(until: .now + duration, isWanted)
        } catch {
            switch error {
            case .notRunning, .nameTaken: throw .notRunning
            case .notAnswering: throw .notAnswering
            case .tooManyConnections: throw .tooManyConnections
            }
        }
    }
}

/// The operations of one look.
private struct Survey {
    private static let serviceCountMax = 64
    private static let addressCountMax = 16
    private static let quiet = Duration.seconds(1)
    private static let pollMilliseconds: Int32 = 100

    private let browser: DNSServiceOperation
    private var services: [ServiceKey: Service] = [:]
    private var lastNews = ContinuousClock.now

    /// One service on one interface.
    private struct Service {
        /// Avahi says everything once per protocol, and takes back as often.
        var announcementCount = 1
        var resolve: DNSServiceOperation?
        var queries: [DNSServiceOperation] = []
        var identity: AdvertisedIdentity?
        var port: UInt16 = 0
        var addresses: Set<IPAddress> = []
    }

    init() throws(OperationFailure) {
        browser = try DNSServiceOperation(.browse)
    }

    mutating func run(
        until deadline: ContinuousClock.Instant, _ isWanted: (DiscoverySurvey.Device) -> Bool
    ) throws(OperationFailure) -> [DiscoverySurvey.Device] {
        while ContinuousClock.now < deadline {
            waitForNews()
            try takeServices()
            takeResolved()
            takeAddresses()
            guard ContinuousClock.now - lastNews > Self.quiet else { continue }
            if devices.contains(where: isWanted) { break }
        }
        return devices
    }

    private func waitForNews() {
        let operations = [browser] + services.values.flatMap { [$0.resolve].compactMap { $0 } + $0.queries }
        var polled = operations.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        poll(&polled, nfds_t(polled.count), Self.pollMilliseconds)
    }

    private mutating func takeServices() throws(OperationFailure) {
        for answer in browser.takeAnswers() {
            switch answer {
            case .browsed(true, let key): announced(key)
            case .browsed(false, let key):
                services[key]?.announcementCount -= 1
                if services[key]?.announcementCount == 0 { services[key] = nil }
            case .failed(let failure): throw failure
            default: break
            }
        }
    }

    private mutating func announced(_ key: ServiceKey) {
        guard services[key] == nil else {
            services[key]?.announcementCount += 1
            return
        }
        guard services.count < Self.serviceCountMax else { return }
        lastNews = .now
        // One service that cannot be looked up leaves the others as they are.
        services[key] = Service(resolve: try? DNSServiceOperation(.resolve(key)))
    }

    private mutating func takeResolved() {
        for (key, service) in services {
            guard case .resolved(let resolved)? = service.resolve?.takeAnswers().first else { continue }
            services[key]?.resolve = nil
            lastNews = .now
            guard let identity = AdvertisedIdentity(textRecord: resolved.textRecord) else { continue }
            services[key]?.identity = identity
            services[key]?.port = resolved.port
            services[key]?.queries = IPAddress.Kind.allCases.compactMap { kind in
                try? DNSServiceOperation(.query(kind, host: resolved.host, interface: resolved.interface))
            }
        }
    }

    private mutating func takeAddresses() {
        for (key, service) in services {
            for answer in service.queries.flatMap({ $0.takeAnswers() }) {
                guard case .address(true, let address) = answer, address.reach != .none else { continue }
                if services[key]?.addresses.insert(address).inserted == true { lastNews = .now }
            }
        }
    }

    private var devices: [DiscoverySurvey.Device] {
        var resolutions: [AdvertisedIdentity: [Sighting.Resolution]] = [:]
        for (key, service) in services {
            guard let identity = service.identity else { continue }
            resolutions[identity, default: []].append(
                .init(
                    devicePrefix: identity.devicePrefix, port: service.port, addresses: service.addresses,
                    interface: key.interface))
        }
        return resolutions.map { identity, resolutions in
            DiscoverySurvey.Device(
                tag: identity.tag, devicePrefix: identity.devicePrefix,
                addresses: resolutions.peerAddresses(countMax: Self.addressCountMax))
        }.sorted { ($0.devicePrefix + $0.tag).lexicographicallyPrecedes($1.devicePrefix + $1.tag) }
    }
}
