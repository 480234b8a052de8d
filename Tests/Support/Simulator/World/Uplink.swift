import AlbumModel

/// What a laptop's line sends one after the other: pieces, of its connections in turn. Messages are short and overtake.
struct Uplink {
    struct Waiting {
        var packet: Packet
        /// Packets of less than what a connection yields to wait.
        var precedence: UInt64
    }

    private var lanes: [Int: [Waiting]] = [:]
    /// What the pieces of a connection yield to.
    private var floors: [Int: UInt64] = [:]
    /// Connections with something to send, the next first.
    private var turn: [Int] = []
    /// Whether packets are held back until they are released.
    var isHolding = false
    private(set) var held: [(connection: Int, waiting: Waiting)] = []
    /// Until when what comes in keeps the line busy.
    private var comesInUntil = MonotonicInstant(nanoseconds: 0)
    /// What is on the line now.
    private(set) var sending: (connection: Int, packet: Packet, since: MonotonicInstant, until: MonotonicInstant)?

    mutating func queue(_ packet: Packet, _ precedence: UInt64, on connection: Int) {
        let waiting = Waiting(packet: packet, precedence: precedence)
        if isHolding { held.append((connection, waiting)) } else { queue(waiting, on: connection) }
    }

    private mutating func queue(_ waiting: Waiting, on connection: Int) {
        if lanes[connection] == nil { turn.append(connection) }
        lanes[connection, default: []].append(waiting)
    }

    /// Queues what was held back.
    mutating func release() {
        for (connection, waiting) in held { queue(waiting, on: connection) }
        held = []
    }

    /// Older photos wait on a connection until this comes again; 0 lets all go on.
    mutating func yield(on connection: Int, to precedence: UInt64) {
        floors[connection] = precedence == 0 ? nil : precedence
    }

    /// Drops a piece that has not begun to leave.
    mutating func cancel(number: UInt32, on connection: Int) {
        lanes[connection]?.removeAll { if case .piece(number, _, _, _, _) = $0.packet { true } else { false } }
    }

    mutating func drop(_ connection: Int) {
        held.removeAll { $0.connection == connection }
        lanes[connection] = nil
        floors[connection] = nil
        turn.removeAll { $0 == connection }
    }

    /// Puts the next packet on the line.
    /// - Returns: when it has left; `nil` if the line is busy or there is nothing.
    mutating func next(now: MonotonicInstant, rate: Double) -> MonotonicInstant? {
        guard sending == nil else { return nil }
        for _ in turn.indices {
            let connection = turn.removeFirst()
            guard let lane = lanes[connection], !lane.isEmpty else {
                lanes[connection] = nil
                continue
            }
            let floor = floors[connection] ?? 0
            guard let index = lane.firstIndex(where: { $0.precedence >= floor }) else {
                turn.append(connection)
                continue
            }
            let packet = lanes[connection]!.remove(at: index).packet
            if lanes[connection]!.isEmpty { lanes[connection] = nil } else { turn.append(connection) }
            let until = now + Double(packet.byteCount) / rate
            sending = (connection, packet, now, until)
            return until
        }
        return nil
    }

    /// Takes in a packet behind what came before, beginning while it still leaves its sender.
    /// - Parameter soonest: when its last byte would be here if nothing else came.
    /// - Returns: when it is here.
    mutating func takeIn(_ packet: Packet, soonest: MonotonicInstant, rate: Double) -> MonotonicInstant {
        comesInUntil = max(soonest, comesInUntil + Double(packet.byteCount) / rate)
        return comesInUntil
    }

    mutating func sent() -> (connection: Int, packet: Packet)? {
        defer { sending = nil }
        return sending.map { ($0.connection, $0.packet) }
    }

    /// Bytes of what is on the line for a connection that have left.
    func progress(on connection: Int, now: MonotonicInstant) -> Int {
        guard let sending, sending.connection == connection else { return 0 }
        let whole = sending.until.seconds(since: sending.since)
        return whole > 0 ? Int(Double(sending.packet.byteCount) * now.seconds(since: sending.since) / whole) : 0
    }
}
