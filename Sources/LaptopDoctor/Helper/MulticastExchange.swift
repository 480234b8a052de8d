/// Sends marked queries to the group, and listens for another laptop's.
enum MulticastExchange {
    static let duration = Duration.seconds(3)
    /// Sent so often, in case one is lost as packets by radio are.
    private static let interval = Duration.milliseconds(400)

    /// Blocks for ``duration``, or until the other's mark was heard and all of one's own were sent.
    static func heard(_ mark: String, saying own: String, on interfaces: [NetworkSight.Interface]) -> Bool {
        let indexes = interfaces.filter(\.carriesMulticast).map(\.index)
        guard let ear = UDPSocket.ear(on: indexes) else { return false }
        let mouths = indexes.compactMap { index -> UDPSocket? in
            let mouth = UDPSocket()
            mouth?.useForMulticast(index)
            return mouth
        }
        var isHeard = false
        let end = ContinuousClock.now + duration
        while ContinuousClock.now < end {
            // One that cannot be sent counts as not heard there.
            for mouth in mouths { _ = mouth.send(MDNSMessage.marked(own), to: UDPSocket.mdnsGroup, UDPSocket.mdnsPort) }
            let pause = min(end, .now + interval)
            while let message = ear.receive(until: pause) {
                if MDNSMessage.carries(mark, message) { isHeard = true }
            }
        }
        return isHeard
    }
}
