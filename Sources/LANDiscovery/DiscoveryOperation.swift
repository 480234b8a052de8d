/// Names one open operation of the DNS-SD library; never used again, so that a late answer finds nothing.
struct OperationID: Hashable, Comparable, Sendable {
    var number: UInt64

    static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// What the DNS-SD library can be asked for.
enum DiscoveryOperation: Hashable, Sendable {
    case register(name: String, textRecord: [UInt8], port: UInt16)
    case browse
    case resolve(ServiceKey)
    /// The addresses of a host as seen on one interface.
    case query(IPAddress.Kind, host: String, interface: UInt32)
}

/// One service as it is announced on one interface.
struct ServiceKey: Hashable, Comparable, Sendable {
    var name: String
    var domain: String
    /// The kernel's index of the interface.
    var interface: UInt32

    /// The index of the loopback device in every network namespace of Linux (`LOOPBACK_IFINDEX`).
    static let loopbackInterface: UInt32 = 1

    static func < (left: Self, right: Self) -> Bool {
        (left.name, left.domain, left.interface) < (right.name, right.domain, right.interface)
    }
}

/// Where a service was resolved to.
struct ResolvedService: Hashable, Sendable {
    var host: String
    var port: UInt16
    var textRecord: [UInt8]
    var interface: UInt32
}

/// Why an operation could not be opened or ended by itself.
enum OperationFailure: Error, Hashable, Sendable {
    /// Neither the daemon nor D-Bus can be reached, or they went away. Also what a resolve for a missing name says.
    case notRunning
    /// The daemon is there and stands still.
    case notAnswering
    /// D-Bus grants this user no further connections.
    case tooManyConnections
    /// Another program on this host registered the name.
    case nameTaken

    /// What a person reads when this ends discovery.
    var sentence: String {
        let (what, remedy) =
            switch self {
            case .notRunning:
                (
                    "Avahi is not running",
                    "start it with `sudo systemctl start avahi-daemon` (its package is avahi-daemon)"
                )
            case .notAnswering, .nameTaken:
                ("Avahi does not answer", "restart it with `sudo systemctl restart avahi-daemon`")
            case .tooManyConnections:
                ("The system's D-Bus grants no further connections", "end programs that hold many of them")
            }
        return "\(what), so laptops cannot find each other by themselves: \(remedy), "
            + "or name a laptop with --peer HOST:PORT."
    }
}
