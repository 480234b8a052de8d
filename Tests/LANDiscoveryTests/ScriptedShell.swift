import SyncEngine
import Testing

@testable import LANDiscovery

/// Runs a model by hand: keeps what it has open, and lets time pass only when told to.
struct ScriptedShell {
    private var model = DiscoveryModel(
        advertisement: Advertisement(tag: Array(repeating: 7, count: 8), devicePrefix: prefix(1), port: 5001))
    private var now = ContinuousClock.now
    private(set) var openOperations: [OperationID: DiscoveryOperation] = [:]
    private(set) var openCountMax = 0
    private(set) var told: [DiscoveryEvent] = []

    /// One whose registration is confirmed.
    static func running() -> ScriptedShell {
        var shell = ScriptedShell()
        shell.feed(.start)
        shell.confirmRegistration()
        shell.takeTold()
        return shell
    }

    mutating func feed(_ input: DiscoveryModel.Input) {
        for directive in model.handle(input, now: now) {
            switch directive {
            case .open(let id, let operation):
                #expect(openOperations[id] == nil)
                openOperations[id] = operation
                openCountMax = max(openCountMax, openOperations.count)
            case .close(let id): openOperations[id] = nil
            case .tell(let event): told.append(event)
            }
        }
    }

    /// Lets time pass, with every deadline on the way met at its instant.
    mutating func advance(by duration: Duration) {
        let end = now + duration
        while let deadline = model.nextDeadline, deadline <= end {
            now = max(now, deadline)
            feed(.deadlineReached)
        }
        now = end
    }

    @discardableResult
    mutating func takeTold() -> [DiscoveryEvent] {
        defer { told = [] }
        return told
    }

    // MARK: Looking

    func count(_ isMeant: (DiscoveryOperation) -> Bool) -> Int { openOperations.values.count(where: isMeant) }

    /// The open one that was opened first.
    func operation(_ isMeant: (DiscoveryOperation) -> Bool) -> OperationID? {
        openOperations.filter { isMeant($0.value) }.keys.min()
    }

    var registration: (id: OperationID, name: String, port: UInt16)? {
        for (id, operation) in openOperations {
            if case .register(let name, _, let port) = operation { return (id, name, port) }
        }
        return nil
    }

    // MARK: What the daemon says

    mutating func confirmRegistration() {
        if let registration { feed(.registered(registration.id)) }
    }

    mutating func failRegistration(_ failure: OperationFailure) {
        if let registration { feed(.failed(registration.id, failure)) }
    }

    mutating func browse(_ name: String, interface: UInt32, added: Bool = true) {
        guard let browser = operation({ $0 == .browse }) else { return }
        feed(.browsed(browser, added: added, ServiceKey(name: name, domain: "local.", interface: interface)))
    }

    mutating func resolve(_ name: String, tag: UInt8 = 7, device: UInt8, port: UInt16) throws {
        let shown = Advertisement(tag: Array(repeating: tag, count: 8), devicePrefix: prefix(device), port: 1)
        try resolve(name, port: port, textRecord: shown.textRecord)
    }

    mutating func resolve(_ name: String, port: UInt16 = 5002, textRecord: [UInt8]) throws {
        for (id, operation) in openOperations {
            guard case .resolve(let key) = operation, key.name == name else { continue }
            let service = ResolvedService(
                host: "\(name).local.", port: port, textRecord: textRecord, interface: key.interface)
            return feed(.resolved(id, service))
        }
        Issue.record("\(name) is not being resolved")
    }

    mutating func answer(_ kind: IPAddress.Kind, _ bytes: [UInt8]) throws {
        let query = try #require(operation { if case .query(kind, _, _) = $0 { true } else { false } })
        feed(.address(query, added: true, try #require(IPAddress(bytes: bytes))))
    }

    /// Announces a device, answers its lookup with one address, and lets that be told.
    mutating func discover(
        _ name: String, device: UInt8, interface: UInt32 = 2, address: [UInt8]? = nil
    ) throws {
        advance(by: .seconds(3))
        browse(name, interface: interface)
        try resolve(name, device: device, port: 5000 + UInt16(device))
        try answer(.v4, address ?? [10, 77, 0, device])
        advance(by: .milliseconds(60))
    }
}

func prefix(_ device: UInt8) -> [UInt8] { Array(repeating: device, count: 8) }

func found(_ device: UInt8, _ addresses: [String]) -> DiscoveryEvent {
    .found(devicePrefix: prefix(device), addresses: addresses.compactMap(PeerAddress.init(parsing:)))
}
