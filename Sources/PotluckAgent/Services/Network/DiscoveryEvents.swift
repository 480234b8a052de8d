import AlbumModel
import LANDiscovery
import PeerTransport
import ServiceLifecycle
import SyncEngine

/// Tells the engine whom discovery found.
struct DiscoveryEvents: Service {
    let services: Services
    let discovery: LANDiscovery
    let transport: PeerTransport
    /// The prefix of the own device.
    let own: UInt64
    /// Where this agent listens.
    let port: UInt16

    /// How often discovery is asked to look afresh while nobody is connected.
    private static let refreshInterval = Duration.seconds(60)

    func run() async throws {
        await withDiscardingTaskGroup { group in
            group.addTask { await cancelWhenGracefulShutdown { await refreshWhileAlone() } }
            for await event in discovery.events.cancelOnGracefulShutdown() {
                if case .found(let prefix, let addresses) = event, BigEndian.word(prefix) == own {
                    group.addTask { await cancelWhenGracefulShutdown { await lookForCopy(at: addresses) } }
                } else {
                    await hear(event)
                }
            }
        }
    }

    /// Dials whoever else has the own name: an agent that runs on a copy of this home, which the transport finds out.
    private func lookForCopy(at addresses: [PeerAddress]) async {
        let machine = MachineAddresses.current()
        let others = addresses.filter {
            $0.port != port || !machine.contains(MachineAddresses.withoutInterface($0.host))
        }
        guard !others.isEmpty else { return }
        // Whether it answers or not, there is nothing to be connected to.
        try? await transport.dial(others, expecting: .prefix(BigEndian.bytes(own))).close("it has the own name")
    }

    /// A network that lost packets in silence tells nobody of those who came meanwhile.
    private func refreshWhileAlone() async {
        while !Task.isCancelled {
            // Cancellation ends the loop.
            try? await Task.sleep(for: Self.refreshInterval)
            if await services.host.ask(\.connectedDevices.isEmpty) { discovery.refresh() }
        }
    }

    private func hear(_ event: DiscoveryEvent) async {
        switch event {
        case .found(let prefix, let addresses):
            await services.host.feed(.learned(.device(BigEndian.word(prefix)), addresses, .discovery))
        case .lost(let prefix): await services.host.feed(.announcementEnded(.device(BigEndian.word(prefix))))
        case .unavailable(let reason): services.problems.note(.discovery, reason)
        case .available: services.problems.note(.discovery, nil)
        case .networkChanged:
            await services.host.feed(.networkChanged)
            discovery.lookAgain(
                except: await services.host.ask { Set($0.connectedDevices.map { BigEndian.bytes($0.prefix) }) })
        }
    }
}
