import AlbumModel
import WireFormat

extension Engine {
    mutating func connected(
        _ link: LinkID, _ device: DeviceID, _ address: PeerAddress, _ key: PeerKey?, now: MonotonicInstant
    ) {
        toMembership(.connected(link, device, address: address, key: key), now: now)
        let shared = sharedVectors[device]
        sessions[link] = PeerSession(device: device, dialled: key != nil, shared: shared, limits: limits, now: now)
        toPresence(.connected(link, device), now: now)
        toPull(.connected(link, device), now: now)
        let greeting = presence.greeting(link, wall: wall)
        let hello = Hello(
            versions: WireLimits.protocolVersions, run: run, port: port, foldLevel: UInt32(Catalog.level),
            needsLink: membership.book.needsLink, known: greeting.known,
            vectorBase: shared?.name, takesDifferences: true,
            addressesNumber: membership.book.addressesNumber(of: device),
            summaryNumber: greeting.summaryNumber)
        emit(.send(link, .hello(hello)))
    }

    mutating func disconnected(_ link: LinkID, now: MonotonicInstant) {
        guard let session = sessions.removeValue(forKey: link) else { return }
        toPull(.disconnected(link), now: now)
        intake.linkClosed(link)
        toPresence(.disconnected(link), now: now)
        let changes = membership.handle(.disconnected(link), now: now, wall: wall, using: &dice)
        for change in changes { perform(change, now: now) }
        toBroadcast(.disconnected(link, isLost: changes.contains(.lost(session.device))), now: now)
    }

    mutating func greeted(_ link: LinkID, _ hello: Hello, now: MonotonicInstant) {
        let quiet = sessions.keys.filter { sessions[$0]!.isQuiet(now: now) }
        toMembership(.greeted(link, hello, quiet: Set(quiet)), now: now)
    }

    /// A greeted link stays: whatever pulls, tells and spreads begins to use it.
    mutating func accepted(_ link: LinkID, _ addresses: [DeviceID], isFirst: Bool, now: MonotonicInstant) {
        let device = sessions[link]!.device
        toBroadcast(.opened(link, device), now: now)
        toPresence(.opened(link, asksForSummaries: sessions[link]!.dialled), now: now)
        let takesNotices = sessions[link]!.hello?.takesDifferences == true
        toPull(.opened(link, takesNotices: takesNotices), now: now)
        toPull(.meshChanged(isPartial: isMeshPartial), now: now)
        sessions[link]!.outbox.addAddresses(addresses)
        tellOwed(link, now: now)
        if isFirst { emit(.notify(.peerConnected(device))) }
    }

    mutating func close(_ link: LinkID, _ reason: CloseReason, now: MonotonicInstant) {
        guard let outcome = sessions[link]?.close(reason) else { return }
        perform(outcome, link, now: now)
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
