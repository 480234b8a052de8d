import AlbumModel
import Glibc
import NIOCore
import ServiceLifecycle
import SyncEngine

/// Tells the engine where this machine can be reached, and again when that changes.
struct OwnAddresses: Service {
    let engine: EngineHost
    /// What the agent listens on; empty for all addresses.
    let host: String
    let port: UInt16

    /// Discovery hears of changes at once; what is gossiped may follow a little later.
    private static let interval = Duration.seconds(15)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var told: [PeerAddress]?
            while !Task.isCancelled {
                let addresses = Self.usable(host: host).map { PeerAddress(host: $0, port: port) }
                if addresses != told {
                    await engine.feed(.ownAddresses(addresses))
                    told = addresses
                }
                // Cancellation ends the loop.
                try? await Task.sleep(for: Self.interval)
            }
        }
        try? await gracefulShutdown()
    }

    /// Unicast addresses that others on the network can use, the best first, each once.
    ///
    /// - Parameter host: What is listened on; empty for all addresses.
    static func usable(host: String) -> [String] {
        usable(MachineAddresses.all(), host: host, routed: MachineAddresses.routed())
    }

    /// - Parameter routed: The address that the way out of the house begins with; `nil` where there is none.
    static func usable(_ addresses: [MachineAddresses.Address], host: String, routed: String?) -> [String] {
        var worths: [String: Worth] = [:]
        for address in addresses where isUsable(address.host, host) {
            let worth = Worth(address, isRouted: address.host == routed)
            worths[address.host] = min(worth, worths[address.host] ?? worth)
        }
        return worths.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
    }

    private static func isUsable(_ address: String, _ host: String) -> Bool {
        if !host.isEmpty, host != "0.0.0.0", host != "::", address != host { return false }
        return !address.hasPrefix("127.") && address != "::1" && !address.lowercased().hasPrefix("fe80")
    }

    /// How likely another device of the house reaches an address; the lower the better.
    private enum Worth: Int, Comparable {
        /// The way out of the house begins here: phones are most often in the same network.
        case routed
        case ipv4
        case ipv6
        /// Of a network that this machine made for itself, or of a tunnel: few others are in it.
        case isolated
        /// A network without anybody who gives addresses.
        case linkLocal

        init(_ address: MachineAddresses.Address, isRouted: Bool) {
            self =
                if address.host.hasPrefix("169.254.") {
                    .linkLocal
                } else if Self.isolatedInterfaces.contains(where: address.interface.hasPrefix) {
                    .isolated
                } else if isRouted {
                    .routed
                } else {
                    address.host.contains(":") ? .ipv6 : .ipv4
                }
        }

        static func < (left: Worth, right: Worth) -> Bool { left.rawValue < right.rawValue }

        /// What names of bridges for containers and virtual machines, and of tunnels, begin with.
        private static let isolatedInterfaces = [
            "docker", "podman", "br-", "virbr", "veth", "lxc", "lxd", "vmnet", "vboxnet", "tun", "tap", "wg",
            "tailscale",
        ]
    }
}

/// The unicast addresses of this machine, loopback included, without the interfaces that some are bound to.
enum MachineAddresses {
    struct Address: Hashable {
        var host: String
        var interface: String
    }

    static func current() -> Set<String> { Set(all().map(\.host)) }

    static func all() -> [Address] {
        let devices = (try? System.enumerateDevices()) ?? []
        return devices.compactMap { device in
            guard let address = device.address, !address.isMulticast, let host = address.ipAddress else { return nil }
            return Address(host: withoutInterface(host), interface: device.name)
        }
    }

    /// The IPv4 address that the default route begins with; `nil` without one. Nothing is sent.
    static func routed() -> String? {
        // RFC 5737: no network has this address, so only the default route leads there.
        guard let elsewhere = try? SocketAddress(ipAddress: "192.0.2.1", port: 9) else { return nil }
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard elsewhere.withSockAddr({ connect(descriptor, $0, socklen_t($1)) }) == 0 else { return nil }
        return withUnsafeTemporaryAllocation(of: sockaddr_in.self, capacity: 1) { own in
            var byteCount = socklen_t(MemoryLayout<sockaddr_in>.size)
            let result = UnsafeMutableRawBufferPointer(own).withMemoryRebound(to: sockaddr.self) {
                getsockname(descriptor, $0.baseAddress, &byteCount)
            }
            return result == 0 ? SocketAddress(own[0]).ipAddress : nil
        }
    }

    static func withoutInterface(_ host: String) -> String { String(host.prefix { $0 != "%" }) }
}
