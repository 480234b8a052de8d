import PeerTransport
import ServiceLifecycle

/// Takes the connections that others opened.
struct InboundService: Service {
    let network: NetworkService
    let transport: PeerTransport

    func run() async throws {
        for await connection in transport.inbound.cancelOnGracefulShutdown() {
            await network.connected(connection, key: nil)
        }
    }
}
