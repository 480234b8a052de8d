import Glibc

/// Whether a multicast query of one's own comes back, by each interface.
///
/// The kernel hands it back as if it had come in by that interface, through the firewall's input: a firewall that drops
/// what others say drops it too. Nobody has to be there.
enum MulticastProbe {
    private static let patience = Duration.seconds(1)

    static func look(_ interfaces: [NetworkSight.Interface]) -> [Observations.MulticastSight] {
        interfaces.filter(\.carriesMulticast).compactMap(look)
    }

    private static func look(_ interface: NetworkSight.Interface) -> Observations.MulticastSight? {
        guard let ear = UDPSocket.ear(on: [interface.index]), let mouth = UDPSocket() else { return nil }
        mouth.useForMulticast(interface.index)
        let mark = MDNSMessage.newMark()
        for _ in 0..<3 {
            let error = mouth.send(MDNSMessage.marked(mark), to: UDPSocket.mdnsGroup, UDPSocket.mdnsPort)
            if error == EPERM || error == EACCES { return .init(interface: interface.name, outcome: .forbidden) }
            // An interface that goes down meanwhile says nothing of firewalls.
            guard error == 0 else { return nil }
            let deadline = ContinuousClock.now + patience
            while let message = ear.receive(until: deadline) {
                if MDNSMessage.carries(mark, message) { return .init(interface: interface.name, outcome: .returned) }
            }
        }
        return .init(interface: interface.name, outcome: .lost)
    }
}

/// Whether the Avahi of one laptop answers a query that is sent to it alone (RFC 6762, section 5.5).
enum DirectQuery {
    private static let patience = Duration.milliseconds(600)

    static func isAnswered(by address: IPv4) -> Bool {
        guard let socket = UDPSocket() else { return false }
        for _ in 0..<3 {
            guard socket.send(MDNSMessage.search, to: address, UDPSocket.mdnsPort) == 0 else { return false }
            let deadline = ContinuousClock.now + patience
            while let message = socket.receive(until: deadline) {
                if MDNSMessage.isAnswer(message) { return true }
            }
        }
        return false
    }
}
