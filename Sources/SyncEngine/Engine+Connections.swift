import AlbumModel
import WireFormat

extension Engine {
    mutating func connected(
        _ link: LinkID, _ device: DeviceID, _ address: PeerAddress, _ key: PeerKey?, now: MonotonicInstant,
        _ directives: inout [EngineDirective]
    ) {
        let shared = sharedVectors[device]
        sessions[link] = PeerSession(device: device, dialled: key != nil, shared: shared, limits: limits, now: now)
        sessions[link]!.base = holdings.base(of: device)
        sessions[link]!.olderSummaryNumber = holdings.newestNumber(of: device) ?? 0
        addresses[link] = address
        dialKeys[link] = key
        let hello = Hello(
            versions: WireLimits.protocolVersions, run: run, port: port, foldLevel: UInt32(Catalog.level),
            needsLink: book.needsLink, known: sessions[link]!.base?.position,
            vectorBase: shared?.name, takesDifferences: true, addressesNumber: book.addressesNumber(of: device),
            summaryNumber: holdings.toldNumber(wall: wall))
        directives.append(.send(link, .hello(hello)))
    }

    mutating func disconnected(
        _ link: LinkID, now: MonotonicInstant, _ directives: inout [EngineDirective]
    ) {
        guard let session = sessions.removeValue(forKey: link) else { return }
        addresses[link] = nil
        scheduler.linkClosed(link)
        forgetPromises(link)
        forgetYielding(link)
        intake.linkClosed(link)
        announced.linkClosed(link)
        news.linkClosed(link)
        if !sessions.values.contains(where: { $0.device == session.device && $0.hasSpoken }),
            !PlantedFault.isPlanted(.leftDeviceStaysPresent)
        {
            holdings.left(
                session.device, summaryNumber: session.summaryFloor, isNumberTold: session.tellsSummaryNumber,
                wall: wall)
        }
        let key = dialKeys.removeValue(forKey: link)
        guard session.hello != nil else {
            if let key { book.failed(key, isStranger: false, now: now, using: &dice) }
            return
        }
        guard session.isAccepted, !sessions.values.contains(where: { $0.device == session.device && $0.isAccepted })
        else { return }
        book.disconnected(session.device, now: now, using: &dice)
        scheduler.isMeshPartial = isMeshPartial
        directives.append(.notify(.peerLost(session.device)))
        keepTree(without: session, now: now, &directives)
    }

    /// Settles which of two connections between the same devices stays, and greets the peer.
    mutating func greeted(
        _ link: LinkID, _ hello: Hello, now: MonotonicInstant, _ directives: inout [EngineDirective]
    ) {
        let session = sessions[link]!
        let others = sessions.filter { $0.key != link && $0.value.device == session.device && $0.value.isGreeted }
        let key = dialKeys[link]
        if others.isEmpty, !makeRoom(link, hello, now: now, &directives) { return }
        // The peer was here first. It cannot prefer a connection over which it has not been greeted, so none is lost.
        if key == nil, book.isDialling(session.device) {
            directives.append(.cancelDial(.device(session.device.prefix)))
        }
        book.connected(session.device, key: key, now: now)
        rememberAddress(of: link, hello, &directives)
        for (other, rival) in others.sorted(by: { $0.key < $1.key }) {
            if rival.hello!.run != hello.run, !PlantedFault.isPlanted(.otherRunKeepsOldLink) {
                close(other, .replaced, now: now, &directives)
            } else if isPreferred(session, over: rival) || rival.isQuiet(now: now) {
                close(other, .duplicate, now: now, &directives)
            } else {
                return close(link, .duplicate, now: now, &directives)
            }
        }
        sessions[link]!.isAccepted = true
        scheduler.linkOpened(link, device: session.device)
        scheduler.isMeshPartial = isMeshPartial
        owePresence(link, known: hello.known)
        if toldFetching != FetchingNotice() { oweFetching(link) }
        let count = hello.needsLink ? limits.addressSampleCount : 1
        oweAddresses(link, count: count, knowing: hello.addressesNumber)
        // The other side asks back.
        if session.dialled { sessions[link]!.outbox.asksForSummaries = true }
        tellOwed(link, now: now, &directives)
        if others.isEmpty { directives.append(.notify(.peerConnected(session.device))) }
    }

    /// Both sides must come to the same answer: the connection that the smaller device ID dialled stays, and of two
    /// that the same side dialled the newer.
    private func isPreferred(_ session: PeerSession, over rival: PeerSession) -> Bool {
        if session.dialled == rival.dialled { return true }
        return session.dialled == (device < session.device)
    }

    private mutating func rememberAddress(
        of link: LinkID, _ hello: Hello, _ directives: inout [EngineDirective]
    ) {
        guard var address = addresses[link] else { return }
        let peer = sessions[link]!.device
        if !sessions[link]!.dialled {
            guard hello.port != 0 else { return }
            address.port = hello.port
            book.remember(peer, address, source: .inbound)
        } else {
            book.remember(peer, address, source: .discovery)
        }
        directives.append(.remember(peer, address))
    }

    mutating func close(
        _ link: LinkID, _ reason: CloseReason, now: MonotonicInstant, _ directives: inout [EngineDirective]
    ) {
        guard let outcome = sessions[link]?.close(reason) else { return }
        perform(outcome, link, now: now, &directives)
    }

    /// Links whose other side has said hello, ordered.
    var greetedLinks: [LinkID] { sessions.keys.sorted().filter { sessions[$0]!.isGreeted } }
}

extension CloseReason {
    /// The peer did something wrong, which its owner may want to know.
    var isPeersFault: Bool {
        switch self {
        case .otherVersion, .unexpectedMessage, .refusedBatch: true
        case .duplicate, .replaced, .silent, .storageFailed, .stopping, .full, .refusedAsFull: false
        }
    }
}
