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
            oweAddresses(link, count: limits.addressSampleCount, knowing: nil)
        }
        if let device = turn.letGo { letGo(device, now: now, &directives) }
        if book.isOwnRecordOutdone { signOwnAddresses() }
    }

    // MARK: Addresses

    /// - Parameter ownNumber: of this device's record that the peer has, as far as it said.
    mutating func oweAddresses(_ link: LinkID, count: Int, knowing ownNumber: UInt64?) {
        let sample = book.sample(count, for: sessions[link]!.device, knowing: ownNumber, using: &dice)
        sessions[link]!.outbox.addAddresses(sample)
    }

    /// Signs where this device can be reached, for everyone.
    mutating func signOwnAddresses() {
        let addresses = ownAddresses.prefix(WireLimits.addressCountMax)
        let statement = AddressStatement(
            device: device, number: book.nextOwnNumber(wall: wall),
            addresses: addresses.map { .init(host: $0.host, port: $0.port) })
        let signed = signing.sign(statement.encoded(), .addresses)
        book.setOwn(AddressRecord(statement, signed))
        for link in treeLinks { sessions[link]!.outbox.addAddresses([device]) }
    }

    mutating func addressesArrived(_ statements: [SignedStatement], _ link: LinkID, now: MonotonicInstant) {
        var fresh: [DeviceID] = []
        for signed in statements {
            guard let statement = try? AddressStatement(decoding: signed.content),
                let publicKey = log.publicKey(of: statement.device),
                signing.isSigned(signed, .addresses, by: publicKey)
            else { continue }
            let record = AddressRecord(statement, signed)
            let isPeersOwn = statement.device == sessions[link]?.device
            if book.learn(record, fromItself: isPeersOwn, now: now) {
                fresh.append(statement.device)
            } else if book.isOutdone(record), isPeersOwn {
                sessions[link]!.outbox.addAddresses([statement.device])
            }
        }
        for other in treeLinks where other != link { sessions[other]!.outbox.addAddresses(fresh) }
    }
}

extension AddressRecord {
    init(_ statement: AddressStatement, _ signed: SignedStatement) {
        self.init(
            device: statement.device, number: statement.number,
            addresses: statement.addresses.map { PeerAddress(host: $0.host, port: $0.port) }, signed: signed)
    }
}
