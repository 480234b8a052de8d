import AlbumModel
import WireFormat

extension Engine {
    mutating func toMembership(_ input: Membership.Input, now: MonotonicInstant) {
        for directive in membership.handle(input, now: now, wall: wall, using: &dice) {
            perform(directive, now: now)
        }
    }

    mutating func perform(_ directive: Membership.Directive, now: MonotonicInstant) {
        switch directive {
        case .cancelDial(let key): emit(.cancelDial(key))
        case .remember(let device, let address): emit(.remember(device, address))
        case .farewell(let link):
            emit(.send(link, .farewell(.full)))
            close(link, .full, now: now)
        case .close(let link, let reason): close(link, reason, now: now)
        case .accept(let link, let addresses, let isFirst):
            accepted(link, addresses, isFirst: isFirst, now: now)
        case .tellAddresses(let link, let devices): membership.owe(devices, over: link)
        case .spreadAddresses(let devices, let source):
            for link in treeLinks where link != source { membership.owe(devices, over: link) }
        case .lost(let device):
            toPull(.meshChanged(isPartial: isMeshPartial), now: now)
            emit(.notify(.peerLost(device)))
        }
    }

    mutating func addressesArrived(_ statements: [SignedStatement], _ link: LinkID, now: MonotonicInstant) {
        let records = statements.compactMap { signed -> AddressRecord? in
            guard let statement = try? AddressStatement(decoding: signed.content),
                let publicKey = log.publicKey(of: statement.device),
                local.signing.isSigned(signed, .addresses, by: publicKey)
            else { return nil }
            return AddressRecord(statement, signed)
        }
        toMembership(.records(records, link), now: now)
        // As of signed ones: whoever invents devices must not fill the book.
        let loopback = statements.compactMap { LoopbackAddress($0) }.filter { log.publicKey(of: $0.device) != nil }
        if !loopback.isEmpty { toMembership(.loopback(loopback, link), now: now) }
    }

    // MARK: Questions

    /// The devices that are known, and how they are reached.
    public var book: PeerBook { membership.book }

    /// More devices than everyone can be connected to.
    var isMeshPartial: Bool { membership.isPartial }
}
