import AlbumModel
import SyncEngine
import WireFormat

/// Connections between laptops: how they begin, what they carry, how they end.
extension Simulation {
    // MARK: Beginning

    mutating func dial(_ dial: Dial, _ index: Int) {
        let life = laptops[index].life
        let reached = laptops.indices.filter {
            dial.addresses.contains(laptops[$0].address) && laptops[$0].isAwake
                && network.reachability.connects(index, $0)
        }
        let target = reached.first { other in
            laptops[other].id != laptops[index].id && dial.expecting.map { laptops[other].id.prefix == $0 } ?? true
        }
        guard let target else {
            let isSelf = reached.contains { laptops[$0].id == laptops[index].id }
            let failure = Event.input(laptop: index, life: life, .dialFailed(dial.key, isStranger: isSelf))
            return events.plan(failure, at: now + networkRandom.seconds(in: 0...2))
        }
        let isSlow = now < network.slowDialsUntil
        let wait = networkRandom.seconds(in: isSlow ? 0.5...2 : 0...(4 * options.delay))
        events.plan(.admission(from: index, life: life, to: target, dial.key), at: now + wait)
    }

    /// The acceptor is convinced first; the dialler learns of it a little later.
    mutating func admit(_ from: Int, _ life: Int, _ to: Int, _ key: PeerKey) throws(SimulationFailure) {
        guard laptops[from].life == life else { return }
        guard laptops[to].isAwake, network.reachability.connects(from, to) else {
            return try feed(from, life, .dialFailed(key, isStranger: false))
        }
        var epochs: [RulingID?] = [nil, nil]
        if options.hasEpochs {
            guard let proven = try meet(from, to, key) else { return }
            epochs = proven
        }
        let answered = now + networkRandom.seconds(in: 0...options.delay)
        let number = lay([from, to], lastArrivals: [now, answered])
        let ends = network.connections[number].ends
        network.connections[number].epochs = epochs
        network.arm(number)
        laptops[to].connections[ends[1].link] = number
        if isWatched { watch.traffic.connected(laptops[from], laptops[to]) }
        events.plan(.admitted(connection: number, life: life, key), at: answered)
        let observed = PeerAddress(host: laptops[from].address.host, port: 50_000)
        let peer = admitted(from, at: to, provenUnder: epochs[0])
        try feed(to, laptops[to].life, .connected(ends[1].link, peer, address: observed, key: nil))
    }

    mutating func admitted(_ number: Int, _ life: Int, _ key: PeerKey) throws(SimulationFailure) {
        let (dialler, acceptor) = (network.connections[number].ends[0], network.connections[number].ends[1])
        guard laptops[dialler.laptop].life == life else {
            network.connections[number].isOver[0] = true
            return events.plan(.over(connection: number, end: 1), at: now + options.delay)
        }
        if network.connections[number].isOver[0] {
            // Cut before this side knew of it.
            return try feed(dialler.laptop, life, .dialFailed(key, isStranger: false))
        }
        laptops[dialler.laptop].connections[dialler.link] = number
        let epoch = network.connections[number].epochs[1]
        let peer = admitted(acceptor.laptop, at: dialler.laptop, provenUnder: epoch)
        let address = laptops[acceptor.laptop].address
        try feed(dialler.laptop, life, .connected(dialler.link, peer, address: address, key: key))
    }

    /// A cable between two laptops, of which neither knows yet.
    ///
    /// - Returns: the connection's number.
    private mutating func lay(_ pair: [Int], lastArrivals: [MonotonicInstant]) -> Int {
        network.connections.append(
            Connection(
                ends: pair.map { newEndpoint($0) }, lives: pair.map { laptops[$0].life },
                devices: pair.map { laptops[$0].id },
                directions: lastArrivals.map { Connection.Direction(lastArrival: $0) }, now: now))
        return network.connections.count - 1
    }

    /// Two laptops are connected from now on; their engines are told next.
    ///
    /// - Returns: the ends, in the order of the pair.
    mutating func join(_ pair: [Int]) -> [Endpoint] {
        let number = lay(pair, lastArrivals: [now, now])
        let ends = network.connections[number].ends
        for end in ends { laptops[end.laptop].connections[end.link] = number }
        return ends
    }

    private mutating func newEndpoint(_ index: Int) -> Endpoint {
        defer { laptops[index].nextLink += 1 }
        return Endpoint(laptop: index, link: LinkID(number: laptops[index].nextLink))
    }

    // MARK: Carrying

    /// The connection of a link, and which end of it the laptop is; `nil` when this end is over.
    private func route(_ index: Int, _ link: LinkID) -> (connection: Int, end: Int)? {
        guard let number = laptops[index].connections[link] else { return nil }
        let end = network.connections[number].index(of: index)
        return network.connections[number].isOver[end] ? nil : (number, end)
    }

    /// Messages overtake pieces, and nothing else.
    mutating func send(_ packet: Packet, _ index: Int, _ link: LinkID) {
        guard let (number, end) = route(index, link) else { return }
        if case .spoken(let message, _) = packet { measures?.messages[ScaleMessageKind(message)] += 1 }
        let transfer = Double(packet.byteCount) / rate(of: index)
        let arrival = now + transfer + options.delay * networkRandom.seconds(in: 0.5...1.5)
        let inOrder = max(arrival, network.connections[number].directions[end].lastArrival)
        network.connections[number].directions[end].lastArrival = inOrder
        events.plan(.arrival(connection: number, to: 1 - end, packet), at: inOrder)
    }

    /// - Parameter precedence: which pieces wait while the connection yields.
    mutating func queue(_ packet: Packet, _ precedence: UInt64, _ index: Int, _ link: LinkID) {
        guard let (number, _) = route(index, link) else { return }
        laptops[index].uplink.queue(packet, precedence, on: number)
        fillLine(index)
    }

    mutating func yield(_ index: Int, _ link: LinkID, to precedence: UInt64) {
        guard let (number, _) = route(index, link) else { return }
        laptops[index].uplink.yield(on: number, to: precedence)
        fillLine(index)
    }

    /// The laptop at the other end of a link.
    func other(_ index: Int, _ link: LinkID) -> Int? {
        guard let number = laptops[index].connections[link] else { return nil }
        let connection = network.connections[number]
        return connection.ends[1 - connection.index(of: index)].laptop
    }

    /// What a link carries breaks off behind what was just sent.
    mutating func cutBehind(_ index: Int, _ link: LinkID) {
        guard let (number, end) = route(index, link) else { return }
        let last = network.connections[number].directions[end].lastArrival
        network.connections[number].directions[end].lose(from: last + 0.000_001)
        for end in 0...1 { events.plan(.over(connection: number, end: end), at: last + 0.01) }
    }

    /// What a link carries breaks off behind a message that was chosen before.
    mutating func breakOff(_ index: Int, _ link: LinkID) {
        guard let (number, _) = route(index, link), let count = network.breakOffs[number] else { return }
        network.breakOffs[number] = count - 1
        guard count <= 1 else { return }
        network.breakOffs[number] = nil
        if hasFaults { cutBehind(index, link) }
    }

    mutating func cancelQueued(_ number: UInt32, _ index: Int, _ link: LinkID) {
        guard let connection = laptops[index].connections[link] else { return }
        laptops[index].uplink.cancel(number: number, on: connection)
    }

    private func rate(of index: Int) -> Double { options.rate * laptops[index].rateFactor }

    mutating func fillLine(_ index: Int) {
        guard let until = laptops[index].uplink.next(now: now, rate: rate(of: index)) else { return }
        events.plan(.lineFree(laptop: index, life: laptops[index].life), at: until)
    }

    mutating func lineFree(_ index: Int, _ life: Int) {
        guard laptops[index].life == life, let (number, packet) = laptops[index].uplink.sent() else { return }
        let end = network.connections[number].index(of: index)
        var arrival = now + options.delay * networkRandom.seconds(in: 0.5...1.5)
        if measures != nil {
            let other = network.connections[number].ends[1 - end].laptop
            measures?.pieceLeft(packet, from: index)
            arrival = laptops[other].uplink.takeIn(packet, soonest: arrival, rate: rate(of: other))
        }
        events.plan(.arrival(connection: number, to: 1 - end, packet), at: arrival)
        fillLine(index)
    }

    mutating func arrived(_ packet: Packet, _ number: Int, _ end: Int) throws(SimulationFailure) {
        let connection = network.connections[number]
        guard !connection.isOver[end], !connection.directions[1 - end].loses(at: now) else { return }
        guard connection.stalledUntil <= now, connection.waiting.isEmpty else {
            return network.connections[number].waiting.append((end, packet))
        }
        let target = connection.ends[end]
        guard laptops[target.laptop].wakesAt == nil else { return }
        guard network.reachability.carries(from: connection.ends[1 - end].laptop, to: target.laptop) else {
            // TCP would send again; both sides give up on the silence first.
            network.connections[number].directions[1 - end].lose(from: now)
            return
        }
        network.connections[number].directions[1 - end].arrivedByteCount += packet.byteCount
        switch packet {
        case .message(let bytes, let origin): try received(bytes, origin, target)
        case .spoken(let message, let origin): try received(message, origin, target)
        case .piece(let request, let blob, let piece, _, let bytes):
            try received(request, blob, piece, bytes, target)
        }
    }

    /// What waited in a stalled cable comes out, unless the cable is stalled again.
    mutating func stallEnded(_ number: Int) throws(SimulationFailure) {
        guard network.connections[number].stalledUntil <= now else { return }
        let waiting = network.connections[number].waiting
        network.connections[number].waiting = []
        for (end, packet) in waiting { try arrived(packet, number, end) }
    }

    /// Bytes of whatever came on a connection since this was last asked.
    mutating func newByteCount(on number: Int, to index: Int) -> Int {
        let end = network.connections[number].index(of: index)
        var direction = network.connections[number].directions[1 - end]
        let sender = network.connections[number].ends[1 - end].laptop
        let isLost = direction.loses(at: now) || network.connections[number].stalledUntil > now
        let partial = isLost ? 0 : laptops[sender].uplink.progress(on: number, now: now)
        let total = direction.arrivedByteCount + partial
        let new = max(0, total - direction.seenByteCount)
        direction.seenByteCount = max(direction.seenByteCount, total)
        network.connections[number].directions[1 - end] = direction
        return new
    }

    // MARK: Ending

    /// One side ends a connection; the other learns of it when what was sent has arrived.
    mutating func end(_ link: LinkID, of index: Int) {
        guard let number = laptops[index].connections[link] else { return }
        let end = network.connections[number].index(of: index)
        events.plan(.over(connection: number, end: end), at: now)
        let direction = network.connections[number].directions[end]
        let last = max(now + options.delay, direction.lastArrival)
        let ends = network.connections[number].ends
        guard !direction.loses(at: last),
            network.reachability.carries(from: ends[end].laptop, to: ends[1 - end].laptop)
        else { return }
        events.plan(.over(connection: number, end: 1 - end), at: last)
    }

    mutating func endReached(_ number: Int, _ end: Int) throws(SimulationFailure) {
        let target = network.connections[number].ends[end]
        guard !network.connections[number].isOver[end], laptops[target.laptop].wakesAt == nil else { return }
        network.connections[number].isOver[end] = true
        laptops[target.laptop].uplink.drop(number)
        guard laptops[target.laptop].connections.removeValue(forKey: target.link) == number else { return }
        if isWatched {
            let view = network.connections[number].views[end]
            let device = network.connections[number].devices[1 - end]
            awaitsGraft = mustGraft(target.laptop, target.link, without: view, to: device)
        }
        try feed(target.laptop, laptops[target.laptop].life, .disconnected(target.link))
    }

    // MARK: Discovery

    /// Multicast reaches everyone who can be reached.
    mutating func announce(_ index: Int) throws(SimulationFailure) {
        guard laptops[index].isAwake, network.hasMulticast else { return }
        for other in laptops.indices where other != index && laptops[other].isAwake {
            try announce(index, to: other)
            try announce(other, to: index)
        }
    }

    private mutating func announce(_ index: Int, to other: Int) throws(SimulationFailure) {
        guard network.reachability.carries(from: index, to: other) else { return }
        let key = PeerKey.device(laptops[index].id.prefix)
        try feed(other, laptops[other].life, .learned(key, [laptops[index].address], .discovery))
    }
}
