/// This laptop's place in its networks.
public struct NetworkSight: Hashable, Sendable {
    public var interfaces: [Interface] = []
    public var gateway: Gateway?
    public var detours: [Detour] = []

    public init(interfaces: [Interface] = [], gateway: Gateway? = nil, detours: [Detour] = []) {
        self.interfaces = interfaces
        self.gateway = gateway
        self.detours = detours
    }

    public struct Interface: Hashable, Sendable {
        public var name: String
        /// The kernel's index.
        public var index: UInt32
        public var kind: Kind
        /// Up, with a carrier.
        public var isRunning: Bool
        public var carriesMulticast: Bool
        public var networks: [IPv4Network]

        public init(
            name: String, index: UInt32, kind: Kind, isRunning: Bool = true, carriesMulticast: Bool = true,
            networks: [IPv4Network]
        ) {
            self.name = name
            self.index = index
            self.kind = kind
            self.isRunning = isRunning
            self.carriesMulticast = carriesMulticast
            self.networks = networks
        }
    }

    public enum Kind: Hashable, Sendable {
        /// Wi-Fi or cable: what other laptops are reached by.
        case local
        case loopback
        case tunnel
        /// A network that this machine made for itself, as for containers.
        case inner

        /// By what systems call their interfaces; programs for tunnels also mark theirs as leading to one point.
        public init(name: String, isLoopback: Bool, isPointToPoint: Bool) {
            self =
                if isLoopback {
                    .loopback
                } else if isPointToPoint || Self.tunnelNames.contains(where: name.hasPrefix) {
                    .tunnel
                } else if Self.innerNames.contains(where: name.hasPrefix) {
                    .inner
                } else {
                    .local
                }
        }

        private static let tunnelNames = ["tun", "wg", "tailscale", "ppp", "nordlynx", "proton", "zt", "utun"]
        private static let innerNames = ["docker", "podman", "br-", "virbr", "veth", "lxc", "lxd", "vmnet", "vboxnet"]
    }

    public struct Gateway: Hashable, Sendable {
        public var address: IPv4
        public var interface: String
        /// What the neighbour table says of it.
        public var neighbour: Neighbour

        public init(address: IPv4, interface: String, neighbour: Neighbour) {
            self.address = address
            self.interface = interface
            self.neighbour = neighbour
        }
    }

    /// Addresses of a local network that are not reached by its interface.
    public struct Detour: Hashable, Sendable {
        public var network: IPv4Network
        public var interface: String
        /// The tunnel.
        public var tunnel: String
        /// Nothing can be sent there at all.
        public var isForbidden: Bool

        public init(network: IPv4Network, interface: String, tunnel: String, isForbidden: Bool = false) {
            self.network = network
            self.interface = interface
            self.tunnel = tunnel
            self.isForbidden = isForbidden
        }
    }

    /// Interfaces by which other laptops can be reached.
    public var local: [Interface] {
        interfaces.filter { $0.kind == .local && $0.isRunning && !$0.networks.isEmpty }
    }

    public var tunnels: [Interface] {
        interfaces.filter { $0.kind == .tunnel && $0.isRunning && !$0.networks.isEmpty }
    }

    /// The local interface whose network has this address.
    public func interface(leadingTo address: IPv4) -> Interface? {
        local.first { interface in interface.networks.contains { $0.contains(address) } }
    }
}

/// Whether somebody answers at an address on the link.
public enum Neighbour: Hashable, Sendable {
    /// It answered just now, or is being asked; `hardware` is the address of its network card, in text.
    case answers(hardware: String)
    case silent
    /// Not on a link of this laptop, or not known.
    case unknown

    var hardware: String? { if case .answers(let hardware) = self { hardware } else { nil } }
}
