import Glibc
import SyncEngine

/// Whether an agent could take connections where it is told to.
enum PortProbe {
    /// Binds the port and lets it go.
    ///
    /// - Parameter address: An empty host stands for all addresses.
    static func look(_ address: PeerAddress) -> Observations.PortSight? {
        guard let host = address.host.isEmpty ? IPv4(bits: 0) : IPv4(address.host) else { return nil }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // As the agent does: connections of one that ended just now are in nobody's way.
        var isReused: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
        let status = UDPSocket.withAddress(host, address.port) { bind(descriptor, $0, $1) }
        // Of two sockets that may both be reused, the second may be bound, and not listen.
        guard status == 0, listen(descriptor, 1) == 0 else {
            return outcome(errno).map { .init(address: address, outcome: $0) }
        }
        return .init(address: address, outcome: .free)
    }

    private static func outcome(_ error: Int32) -> Observations.PortSight.Outcome? {
        switch error {
        case EADDRINUSE: .taken
        case EACCES, EPERM: .forbidden
        case EADDRNOTAVAIL: .foreignAddress
        default: nil
        }
    }
}
