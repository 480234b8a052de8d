/// A packet that a firewall is asked about.
struct Packet: Hashable, Sendable {
    enum Transport: String, Hashable, Sendable {
        case tcp, udp

        /// As the protocol's number stands in rules.
        var number: Int { self == .tcp ? 6 : 17 }
    }

    var transport: Transport
    var interface: String
    var source: IPv4
    var destination: IPv4
    /// `nil`: any.
    var sourcePort: UInt16?
    var destinationPort: UInt16
    var isMulticast: Bool

    /// Another laptop begins a connection to the agent here.
    static func connection(to port: UInt16, at own: IPv4, from other: IPv4, by interface: String) -> Packet {
        Packet(
            transport: .tcp, interface: interface, source: other, destination: own, sourcePort: nil,
            destinationPort: port, isMulticast: false)
    }

    /// Another laptop's Avahi says something to all.
    static func announcement(from other: IPv4, by interface: String) -> Packet {
        Packet(
            transport: .udp, interface: interface, source: other, destination: UDPSocket.mdnsGroup,
            sourcePort: UDPSocket.mdnsPort, destinationPort: UDPSocket.mdnsPort, isMulticast: true)
    }
}
