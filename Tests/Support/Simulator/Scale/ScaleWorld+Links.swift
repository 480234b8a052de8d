import AlbumModel
import SyncEngine

/// Who comes, who goes, and who is connected with whom.
extension ScaleWorld {
    // MARK: Coming and going

    mutating func planJoining() {
        for device in 0..<options.deviceCount {
            let share = Double(device) / Double(max(1, options.deviceCount - 1))
            events.plan(.comeBack(device), at: now + options.joinSeconds * share)
        }
    }

    private mutating func learnAddresses(_ device: Int) {
        feed(device, .ownAddresses([address(of: device)]))
        switch options.joining {
        case .hub: if device > 0 { learn(0, by: device) }
        case .invited:
            guard device > 0 else { return }
            for _ in 0..<min(2, device) { learn(Int.random(in: 0..<device, using: &random), by: device) }
        case .multicast:
            for other in 0..<options.deviceCount where other != device && !isAway[other] {
                discover(other, by: device)
                discover(device, by: other)
            }
        }
    }

    private mutating func learn(_ other: Int, by device: Int) {
        let address = address(of: other)
        feed(device, .learned(.fixed(address), [address], .fixed))
    }

    private mutating func discover(_ other: Int, by device: Int) {
        feed(device, .learned(.device(ids[other].prefix), [address(of: other)], .discovery))
    }

    mutating func planLeaving() {
        let seconds = 60 / (options.churn * Double(options.deviceCount))
        events.plan(.leave, at: now + (now.nanoseconds < 2_000_000_000 ? options.joinSeconds + 60 : seconds))
    }

    /// Somebody goes away: every second one with a word, the others are only missed.
    mutating func leave() {
        planLeaving()
        guard let device = isAway.indices.filter({ !isAway[$0] }).randomElement(using: &random) else { return }
        if Bool.random(using: &random) {
            for wire in wiresOfDevice[device] { close(wire, by: device) }
        }
        isAway[device] = true
        events.plan(.comeBack(device), at: now + Double.random(in: 5...25, using: &random))
    }

    /// A laptop is opened, for the first time or again: the connections that it had are found broken.
    mutating func comeBack(_ device: Int) {
        isAway[device] = false
        for wire in wiresOfDevice[device] { close(wire, by: device) }
        guard hasJoined[device] else {
            hasJoined[device] = true
            return learnAddresses(device)
        }
        feed(device, .deadlineReached)
    }

    // MARK: Connections

    /// A TCP connection and a TLS handshake take two round trips; who is not there is noticed after a while.
    mutating func dial(_ dial: Dial, _ device: Int) {
        let target = dial.addresses.compactMap { indexOfAddress[$0] }.first
        if let target, target != device, !isAway[target] {
            events.plan(.connect(from: device, to: target, dial.key), at: now + 4 * options.delay)
        } else {
            events.plan(.input(device, .dialFailed(dial.key, isStranger: false)), at: now + 3)
        }
    }

    mutating func connect(_ from: Int, _ to: Int, _ key: PeerKey) {
        guard !isAway[from], !isAway[to] else { return feed(from, .dialFailed(key, isStranger: false)) }
        let wire = wires.count
        wires.append(ScaleWire(ends: (from, to), lastArrival: (now, now)))
        wiresOfDevice[from].append(wire)
        wiresOfDevice[to].append(wire)
        feed(from, .connected(link(wire), ids[to], address: address(of: to), key: key))
        let observed = PeerAddress(host: address(of: from).host, port: 50_000)
        feed(to, .connected(link(wire), ids[from], address: observed, key: nil))
    }

    /// The other side learns of it when what was sent before has arrived.
    mutating func close(_ wire: Int, by device: Int) {
        guard wires[wire].isOpen(at: device) else { return }
        events.plan(.over(wire: wire, at: device), at: now)
        let last = wires[wire].arrival(from: device, now + options.delay)
        events.plan(.over(wire: wire, at: wires[wire].other(than: device)), at: last)
    }

    mutating func end(_ wire: Int, at device: Int) {
        guard wires[wire].isOpen(at: device), !isAway[device] else { return }
        wires[wire].close(at: device)
        wiresOfDevice[device].removeAll { $0 == wire }
        feed(device, .disconnected(link(wire)))
    }
}
