import Synchronization

/// Bytes of frames that came and went over all connections, without TLS, since the transport was made.
public struct Traffic: Hashable, Sendable {
    public var received: UInt64 = 0
    public var sent: UInt64 = 0
}

/// Counts them, also those of connections that have ended.
final class TrafficCounter: Sendable {
    private let received = Atomic<UInt64>(0)
    private let sent = Atomic<UInt64>(0)

    var traffic: Traffic {
        Traffic(received: received.load(ordering: .relaxed), sent: sent.load(ordering: .relaxed))
    }

    func noteReceived(_ byteCount: Int) { received.add(UInt64(byteCount), ordering: .relaxed) }

    func noteSent(_ byteCount: Int) { sent.add(UInt64(byteCount), ordering: .relaxed) }
}
