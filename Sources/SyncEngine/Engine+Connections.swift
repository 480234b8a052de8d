import AlbumModel
import WireFormat

extension Engine {
    mutating func connected(
        _ link: LinkID, _ peer: AdmittedPeer, _ address: PeerAddress, _ key: PeerKey?, now: MonotonicInstant
    ) {
        let device = peer.device
        toMembership(.connected(link, device, address: address, key: key), now: now)
        toReconciliation(.connected(link, device, dialled: key != nil), now: now)
        toPresence(.connected(link, device), now: now)
        toPull(.connected(link, device), now: now)
        if let reason = reasonToRefuse(peer) { return close(link, reason, now: now) }
        let greeting = presence.greeting(link, wall: wall)
        let hello = local.hello(
            to: device, membership, vectorBase: reconciliation.sessions[link]?.vectors.shared?.name,
            known: greeting.known, summaryNumber: greeting.summaryNumber,
            rulings: rulingExchange.greeting(link))
        emit(.send(link, .hello(hello)))
    }

    mutating func disconnected(_ link: LinkID, now: MonotonicInstant) {
        guard let device = reconciliation.sessions[link]?.device else { return }
        toReconciliation(.disconnected(link), now: now)
        toPull(.disconnected(link), now: now)
        toStoring(.disconnected(link), now: now)
        toPresence(.disconnected(link), now: now)
        toRulings(.disconnected(link), now: now)
        let changes = membership.handle(.disconnected(link), now: now, wall: wall, using: &dice)
        for change in changes { perform(change, now: now) }
        toBroadcast(.disconnected(link, isLost: changes.contains(.lost(device))), now: now)
    }

    mutating func greeted(_ link: LinkID, _ hello: Hello, now: MonotonicInstant) {
        toPresence(.greeted(link, hello), now: now)
        toMembership(.greeted(link, hello, quiet: reconciliation.quietLinks(now: now)), now: now)
    }

    /// A greeted link stays: whatever pulls, tells and spreads begins to use it.
    mutating func accepted(_ link: LinkID, _ addresses: [DeviceID], isFirst: Bool, now: MonotonicInstant) {
        guard let session = reconciliation.sessions[link] else { return }
        let (device, dialled) = (session.device, session.dialled)
        let takesNotices = session.hello?.takesDifferences == true
        toBroadcast(.opened(link, device), now: now)
        // The other side asks back.
        toPresence(.opened(link, asksForSummaries: dialled), now: now)
        toPull(.opened(link, takesNotices: takesNotices), now: now)
        toRulings(.opened(link, digest: session.hello?.rulings), now: now)
        toPull(.meshChanged(isPartial: isMeshPartial), now: now)
        membership.owe(addresses, over: link)
        tellOwed(link, now: now)
        if isFirst { emit(.notify(.peerConnected(device))) }
    }

    /// Either side ends a link.
    mutating func closing(_ link: LinkID, _ device: DeviceID, _ reason: CloseReason, now: MonotonicInstant) {
        toMembership(.closing(link, reason), now: now)
        toBroadcast(.closing(link), now: now)
        toPresence(.closing(link), now: now)
        toPull(.closing(link), now: now)
        emit(.close(link, reason))
        if reason.isPeersFault { emit(.notify(.peerRefused(device, reason))) }
    }
}
