import AlbumModel
import WireFormat

/// With whom this device keeps links, and what it passes on of where devices can be reached.
extension Engine {
    /// Judges a connection with a device that there is no other with.
    ///
    /// - Returns: whether it stays.
    mutating func makeRoom(
        _ link: LinkID, _ hello: Hello, now: MonotonicInstant, _ directives: inout [EngineDirective]
    ) -> Bool {
        let device = sessions[link]!.device
        let connected = acceptedDevices(without: device)
        let verdict = book.judge(
            device, needsLink: hello.needsLink, key: dialKeys[link], connected: connected, now: now, using: &dice)
        switch verdict {
        case .keep: return true
        case .keepInstead(let other):
            letGo(other, now: now, &directives)
            return true
        case .refuse:
            book.refusedAsFull(device, key: dialKeys[link], now: now, using: &dice)
            farewell(link, now: now, &directives)
            return false
        }
    }

    private func acceptedDevices(without device: DeviceID? = nil) -> [DeviceID] {
        greetedLinks.filter { sessions[$0]!.isAccepted }.map { sessions[$0]!.device }.filter { $0 != device }
    }

    private mutating func letGo(
        _ device: DeviceID, now: MonotonicInstant, _ directives: inout [EngineDirective]
    ) {
        for link in greetedLinks where sessions[link]!.device == device {
            let key = dialKeys[link]
            farewell(link, now: now, &directives)
            book.refusedAsFull(device, key: key, now: now, using: &dice)
        }
    }

    private mutating func farewell(
        _ link: LinkID, now: MonotonicInstant, _ directives: inout [EngineDirective]
    ) {
        directives.append(.send(link, .farewell(.full)))
        close(link, .full, now: now, &directives)
    }

    /// Now and then somebody is told some addresses, and a link is exchanged.
    mutating func mixMesh(now: MonotonicInstant, _ directives: inout [EngineDirective]) {
        let turn = book.turn(connected: acceptedDevices(), now: now, using: &dice)
        if let device = turn.share, let link = greetedLinks.first(where: { sessions[$0]!.device == device }) {
            tellAddresses(link, count: limits.addressSampleCount, knowing: nil, &directives)
        }
        if let device = turn.letGo { letGo(device, now: now, &directives) }
        if book.isOwnRecordOutdone { tellOwnAddresses(now: now, &directives) }
    }

    // MARK: Addresses

    /// - Parameter ownNumber: of this device's record that the peer has, as far as it said.
    mutating func tellAddresses(
        _ link: LinkID, count: Int, knowing ownNumber: UInt64?, _ directives: inout [EngineDirective]
    ) {
        let sample = book.sample(count, for: sessions[link]!.device, knowing: ownNumber, using: &dice)
        if !sample.isEmpty { directives.append(.send(link, .addresses(sample))) }
    }

    /// Signs where this device can be reached, and tells everyone.
    mutating func tellOwnAddresses(now: MonotonicInstant, _ directives: inout [EngineDirective]) {
        let addresses = ownAddresses.prefix(WireLimits.addressCountMax)
        let statement = AddressStatement(
            device: device, number: book.nextOwnNumber(wall: wall),
            addresses: addresses.map { .init(host: $0.host, port: $0.port) })
        let signed = signing.sign(statement.encoded(), .addresses)
        book.setOwn(AddressRecord(statement, signed))
        for link in treeLinks { directives.append(.send(link, .addresses([signed]))) }
    }

    mutating func addressesArrived(
        _ statements: [SignedStatement], _ link: LinkID, now: MonotonicInstant,
        _ directives: inout [EngineDirective]
    ) {
        var fresh: [SignedStatement] = []
        for signed in statements {
            guard let statement = try? AddressStatement(decoding: signed.content),
                let publicKey = log.publicKey(of: statement.device),
                signing.isSigned(signed, .addresses, by: publicKey)
            else { continue }
            let record = AddressRecord(statement, signed)
            if book.learn(record, now: now) {
                fresh.append(signed)
            } else if let newer = book.outdoing(record), statement.device == sessions[link]?.device {
                directives.append(.send(link, .addresses([newer])))
            }
        }
        guard !fresh.isEmpty else { return }
        for other in treeLinks where other != link { directives.append(.send(other, .addresses(fresh))) }
    }
}

extension AddressRecord {
    init(_ statement: AddressStatement, _ signed: SignedStatement) {
        self.init(
            device: statement.device, number: statement.number,
            addresses: statement.addresses.map { PeerAddress(host: $0.host, port: $0.port) }, signed: signed)
    }
}
