import AlbumModel
import WireFormat

/// What peers get from here, and what they are told of it.
extension Pull {
    mutating func served(
        _ input: Input, _ catalog: Catalog, _ presence: PresenceExchange, now: MonotonicInstant
    ) -> [Directive] {
        switch input {
        case .requested(let link, let request):
            if scheduler.canPromise(request), promises.promise(request, link) { return [] }
            return answer(request, link, catalog, presence, now: now)
        case .cancelled(let link, let number):
            promises.forget(link, number: number)
            return [.cancelServe(link, number: number)]
        case .listRequested(let link, let blob):
            if presence.held.contains(blob) {
                let hashes = catalog.mentions(of: blob).claims.compactMap(\.pieceListHash)
                return [.sendPieceList(link, blob, fitting: hashes)]
            }
            return [.send(link, .pieceList(blob, scheduler.list(of: blob)))]
        default: return []
        }
    }

    private mutating func answer(
        _ request: PieceRequest, _ link: LinkID, _ catalog: Catalog, _ presence: PresenceExchange,
        now: MonotonicInstant
    ) -> [Directive] {
        let isHeld = presence.held.contains(request.blob)
        guard isHeld || scheduler.canServe(request) else {
            return [.send(link, .refused(number: request.number, isPassing: false))]
        }
        let precedence = yieldOlder(to: request, link, catalog, presence, now: now)
        let yield: [Directive] = precedence.map { [.yield(link, to: $0)] } ?? []
        return yield + [isHeld ? .serve(link, request) : .servePart(link, request)]
    }

    /// Answers what can be answered now, and refuses what does not come any longer.
    mutating func keepPromises(
        _ catalog: Catalog, _ presence: PresenceExchange, now: MonotonicInstant
    ) -> [Directive] {
        guard !promises.isEmpty else { return [] }
        let scheduler = scheduler
        let due = promises.take { scheduler.canPromise($0) }
        return due.flatMap { answer($0.request, $0.link, catalog, presence, now: now) }
    }

    /// A request is about to be answered. Older ones yield only to photos as new as the newest, since in a backlog each
    /// next one is older, and a link would rest before each.
    private mutating func yieldOlder(
        to request: PieceRequest, _ link: LinkID, _ catalog: Catalog, _ presence: PresenceExchange,
        now: MonotonicInstant
    ) -> UInt64? {
        guard request.blobClass == .original, peers.count > 1, yieldings.mayBegin(link, now: now) else { return nil }
        let mentions = catalog.mentions(of: request.blob)
        let precedence = precedence(of: urgency(of: mentions, presence))
        let pieceCount = Pieces.count(blobByteCount: mentions.claims.first?.byteCount ?? 0)
        guard pieceCount > 1, precedence >= precedenceMax else { return nil }
        return yieldings.note(request, pieceCount: pieceCount, precedence: precedence, link, now: now)
    }

    // MARK: What is not pulled

    /// What is not pulled here at the moment: a copy that nobody will make need not be waited for.
    var fetchingNotice: FetchingNotice {
        let leftOut = fetching.albums.keys.sorted().prefix(WireLimits.leftOutAlbumCountMax)
        return FetchingNotice(leftOut: Set(leftOut), isPaused: scheduler.terms.isPaused || scheduler.terms.room == 0)
    }

    mutating func oweFetchingIfChanged() {
        let notice = fetchingNotice
        guard notice != toldFetching else { return }
        toldFetching = notice
        for link in peers.keys where peers[link]!.isThere { peers[link]!.oweFetching() }
    }

    /// Connected devices that would pull a photo which they lack, as far as they said; ordered.
    ///
    /// - Parameter albums: in which the photo is live.
    func takers(ofPhotoIn albums: [AlbumID]) -> [DeviceID] {
        let willing = peers.values.filter { peer in
            peer.isThere && !peer.notice.isPaused && albums.contains { !peer.notice.leftOut.contains($0) }
        }
        return Set(willing.map(\.device)).sorted()
    }

    // MARK: What others wait for

    /// Whether more was added here than `EngineLimits.aheadByteCountMax` that others pull and none of them has.
    var isAhead: Bool { backlog.byteCount > limits.aheadByteCountMax }

    mutating func added(_ blob: BlobID, _ catalog: Catalog, _ presence: PresenceExchange) {
        let mentions = catalog.mentions(of: blob)
        guard let byteCount = mentions.claims.first?.byteCount, isWaitedFor(blob, catalog),
            !peers.values.contains(where: { $0.isThere && presence.claims($0.device, blob, dots: mentions.dots) })
        else { return }
        backlog.insert(blob, byteCount: byteCount)
    }

    /// Fewer devices pull than before, or others.
    mutating func backlogTakersChanged(_ catalog: Catalog) {
        for blob in backlog.blobs where !isWaitedFor(blob, catalog) { backlog.remove(blob) }
    }

    private func isWaitedFor(_ blob: BlobID, _ catalog: Catalog) -> Bool {
        !takers(ofPhotoIn: catalog.liveAlbums(of: blob)).isEmpty
    }

    // MARK: Telling

    func owedCount(_ link: LinkID) -> Int { peers[link]?.owedCount ?? 0 }

    /// Blobs came further, or went, since peers were last told.
    var hasNews: Bool { scheduler.hasChangedParts }

    /// What is here of blobs that are being pulled is to be told now.
    mutating func announce() {
        let parts = scheduler.takeChangedParts()
        for link in peers.keys where peers[link]!.isThere { owe(parts, link) }
    }

    mutating func owe(_ parts: [PartHeld], _ link: LinkID) {
        let (wants, limits) = (scheduler.wants, limits)
        for part in parts { peers[link]?.owePart(part.blob, limits: limits) { wants[$0] != nil } }
    }

    /// What a peer is told next: whoever pulls the same blob may take pieces from here already.
    mutating func nextMessage(for link: LinkID, _ catalog: Catalog, _ presence: PresenceExchange) -> Message? {
        while let blob = peers[link]?.takePart() {
            guard let part = scheduler.part(of: blob) else { continue }
            let dots = catalog.mentions(of: blob).dots
            if !presence.claims(peers[link]!.device, blob, dots: dots) { return .partHeld(part) }
        }
        return peers[link]?.takeFetching() == true ? .fetching(toldFetching) : nil
    }
}
