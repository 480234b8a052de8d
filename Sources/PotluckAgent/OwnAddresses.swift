import NIOCore
import ServiceLifecycle
import SyncEngine

/// Tells the engine where this machine can be reached, and again when that changes.
struct OwnAddresses: Service {
    let shell: EngineShell
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
                    await shell.feed(.ownAddresses(addresses))
                    told = addresses
                }
                // Cancellation ends the loop.
                try? await Task.sleep(for: Self.interval)
            }
        }
        try? await gracefulShutdown()
    }

    /// Unicast addresses that others on the network can use, IPv4 first, each once.
    ///
    /// - Parameter host: What is listened on; empty for all addresses.
    static func usable(host: String) -> [String] {
        MachineAddresses.current().filter { isUsable($0, host) }.sorted {
            ($0.contains(":") ? 1 : 0, $0) < ($1.contains(":") ? 1 : 0, $1)
        }
    }

    private static func isUsable(_ address: String, _ host: String) -> Bool {
        if !host.isEmpty, host != "0.0.0.0", host != "::", address != host { return false }
        return !address.hasPrefix("127.") && address != "::1" && !address.lowercased().hasPrefix("fe80")
    }
}

/// The unicast addresses of this machine, loopback included, without the interfaces that some are bound to.
enum MachineAddresses {
    static func current() -> Set<String> {
        let devices = (try? System.enumerateDevices()) ?? []
        return Set(
            devices.compactMap(\.address).compactMap { address in
                address.isMulticast ? nil : address.ipAddress.map(withoutInterface)
            })
    }

    static func withoutInterface(_ host: String) -> String { String(host.prefix { $0 != "%" }) }
}
