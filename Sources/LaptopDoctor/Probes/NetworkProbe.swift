import FoundationEssentials
import Glibc

/// This laptop's interfaces, its router, and the ways into its own networks.
enum NetworkProbe {
    static func look() -> NetworkSight {
        var network = NetworkSight(interfaces: interfaces())
        network.detours = detours(network)
        return network
    }

    /// The router, once it was asked whether it is there.
    static func gateway(_ network: NetworkSight) -> NetworkSight.Gateway? {
        let table = RouteTable(text: SystemFile.text("/proc/net/route") ?? "")
        guard let route = table.gateway else { return nil }
        let neighbour = Neighbours.look(for: [route.address])[route.address] ?? .unknown
        return NetworkSight.Gateway(address: route.address, interface: route.interface, neighbour: neighbour)
    }

    private static func interfaces() -> [NetworkSight.Interface] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var interfaces: [String: NetworkSight.Interface] = [:]
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let text = entry.ifa_name else { continue }
            let name = String(cString: text), flags = Int32(bitPattern: entry.ifa_flags)
            func has(_ flag: Int) -> Bool { flags & Int32(flag) != 0 }
            let kind = NetworkSight.Kind(
                name: name, isLoopback: has(IFF_LOOPBACK), isPointToPoint: has(IFF_POINTOPOINT))
            let isRunning = has(IFF_UP) && has(IFF_RUNNING)
            var interface =
                interfaces[name]
                ?? NetworkSight.Interface(
                    name: name, index: if_nametoindex(name), kind: kind, isRunning: isRunning,
                    carriesMulticast: has(IFF_MULTICAST), networks: [])
            if let address = ipv4(entry.ifa_addr), let mask = ipv4(entry.ifa_netmask) {
                interface.networks.append(
                    IPv4Network(address: address, prefixLength: mask.bits.nonzeroBitCount))
            }
            interfaces[name] = interface
        }
        return interfaces.values.sorted { $0.index < $1.index }
    }

    private static func ipv4(_ address: UnsafeMutablePointer<sockaddr>?) -> IPv4? {
        guard let address, address.pointee.sa_family == sa_family_t(AF_INET) else { return nil }
        return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
            IPv4(bits: UInt32(bigEndian: $0.pointee.sin_addr.s_addr))
        }
    }

    // MARK: Detours

    /// Addresses of local networks that something else than their interface leads to.
    private static func detours(_ network: NetworkSight) -> [NetworkSight.Detour] {
        guard let tunnel = network.tunnels.first else { return [] }
        return network.local.flatMap { interface in
            interface.networks.compactMap { detour(of: $0, interface, network, else: tunnel.name) }
        }
    }

    private static func detour(
        of own: IPv4Network, _ interface: NetworkSight.Interface, _ network: NetworkSight, else tunnel: String
    ) -> NetworkSight.Detour? {
        for other in own.samples {
            switch UDPSocket()?.source(towards: other) {
            case .success(let source):
                let leading = network.interfaces.first { $0.networks.contains { $0.address == source } }
                guard let leading, leading.kind == .tunnel else { continue }
                return .init(network: own, interface: interface.name, tunnel: leading.name)
            case .failure(let error) where [EACCES, EPERM, EINVAL, EHOSTUNREACH].contains(error.number):
                return .init(network: own, interface: interface.name, tunnel: tunnel, isForbidden: true)
            case .failure, nil: continue
            }
        }
        return nil
    }
}

/// Whether somebody answers at addresses of the link, as the kernel knows.
enum Neighbours {
    /// As long as the kernel takes to ask again whether somebody is there whom it knew before.
    private static let patience = Duration.seconds(9)
    private static let pause: UInt32 = 200_000

    /// The discard service (RFC 863): whether it is there does not matter, the kernel has to find the machine for it.
    private static let discardPort: UInt16 = 9

    /// So long after the first packet the kernel has an entry for whoever could be on the link.
    private static let entryPatience = Duration.seconds(1)

    /// Sends to the addresses until the kernel is sure of each.
    static func look(for addresses: [IPv4]) -> [IPv4: Neighbour] {
        let begin = ContinuousClock.now
        let socket = UDPSocket()
        while true {
            guard case .printed(let text) = ProgramOutput.of("ip", ["-json", "neigh", "show"]) else { return [:] }
            let table = NeighbourTable(json: text)
            let time = ContinuousClock.now - begin
            let open = Set(addresses).filter { address in
                switch table.state(of: address) {
                case .pending: time < patience
                case .settled(.unknown): time < entryPatience
                case .settled: false
                }
            }
            guard !open.isEmpty else {
                return Dictionary(uniqueKeysWithValues: Set(addresses).map { ($0, table.verdict(on: $0)) })
            }
            // Right after a look: asking anew hides that nobody answered before.
            for address in open { _ = socket?.send([0], to: address, discardPort) }
            usleep(pause)
        }
    }
}

/// Files of the system, most of them written by the kernel while they are read.
enum SystemFile {
    /// `nil` where it is not there, or may not be read.
    static func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
}
