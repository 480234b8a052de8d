public import AlbumModel
import Crypto
import WireFormat

/// One device's part in a gathering: what it knows, whom it talks to, and what it pulls.
///
/// A value type without I/O: equal inputs, times and random numbers give equal directives, byte for byte. The shell
/// around it performs the directives and reports what came of them as inputs.
public struct Engine: Sendable {
    public let device: DeviceID
    public private(set) var catalog: Catalog
    public private(set) var log: BatchLog
    /// Blobs that are durable here.
    public private(set) var held: Set<BlobID>
    /// What every device that was connected said that it holds.
    public private(set) var holdings: [DeviceID: Holdings]
    public internal(set) var book: PeerBook

    let signing: any BatchSigning
    let limits: EngineLimits
    /// Drawn at start: tells this run of the agent from its earlier ones.
    let run: [UInt8]
    let port: UInt16
    var clock: HybridClock
    /// The replica that this device continues; `nil` until the next own batch begins one.
    var replica: ReplicaID?
    var sessions: [LinkID: PeerSession] = [:]
    var scheduler: PullScheduler
    var intake: StoreIntake
    /// Blobs that came to be held and are not yet announced.
    var unannounced: Set<BlobID> = []
    private var addresses: [LinkID: PeerAddress] = [:]
    private var dialKeys: [LinkID: PeerKey] = [:]
    private var nextVectorRound: MonotonicInstant?

    /// - Parameters:
    ///   - journal: the fold so far, made with ``JournalFold``.
    ///   - held: blobs that are durable here.
    ///   - holdings: what devices said in earlier runs.
    ///   - replica: the replica that this device continues; `nil` for a new home, and for one that was copied or moved
    ///     to another machine.
    ///   - run: 16 random bytes.
    ///   - port: where this device listens; 0 if it does not.
    public init(
        signing: any BatchSigning, journal: JournalFold, held: Set<BlobID>, holdings: [DeviceID: Holdings],
        replica: ReplicaID?, run: [UInt8], port: UInt16, limits: EngineLimits = EngineLimits()
    ) {
        device = BatchSignature.deviceID(publicKey: signing.publicKey)
        self.signing = signing
        self.limits = limits
        self.run = run
        self.port = port
        self.held = held
        self.holdings = holdings
        catalog = journal.catalog
        log = journal.log
        clock = journal.clock(of: device)
        // Nobody continues a replica that is known to be forked.
        self.replica = replica.flatMap { journal.log.soleHead(of: $0) == nil ? nil : $0 }
        scheduler = PullScheduler(limits: limits)
        intake = StoreIntake(limits: limits)
        book = PeerBook(own: device, limits: limits)
        // In the order of the queue, in which every one is put at its end.
        let missing = catalog.blobs.filter { !held.contains($0) }
        let orders = missing.map { (blob: $0, order: catalog.liveAdds(of: $0).first?.order) }
        for (blob, _) in orders.sorted(by: { ($0.order ?? .zero, $0.blob) < ($1.order ?? .zero, $1.blob) }) {
            updateWant(blob)
        }
    }

    /// Judges one input.
    ///
    /// - Parameters:
    ///   - now: must never be earlier than at the last call.
    ///   - wall: microseconds since 1970, as this machine has it.
    public mutating func handle(
        _ input: EngineInput, now: MonotonicInstant, wall: UInt64, using rng: inout some RandomNumberGenerator
    ) -> [EngineDirective] {
        var directives: [EngineDirective] = []
        perform(input, now: now, wall: wall, using: &rng, &directives)
        startStore(now: now, wall: wall, using: &rng, &directives)
        announceHeld(&directives)
        Self.emit(scheduler.assign(now: now), &directives)
        directives += book.due(now: now).map { .dial($0) }
        return directives
    }

    /// When to feed ``EngineInput/deadlineReached``; `nil` while idle. Read again after every call of `handle`.
    public var nextDeadline: MonotonicInstant? {
        var deadlines = sessions.values.compactMap(\.nextDeadline)
        deadlines += [scheduler.nextDeadline, book.nextDeadline, nextVectorRound, intake.retryAt].compactMap { $0 }
        return deadlines.min()
    }

    private mutating func perform(
        _ input: EngineInput, now: MonotonicInstant, wall: UInt64, using rng: inout some RandomNumberGenerator,
        _ directives: inout [EngineDirective]
    ) {
        switch input {
        case .connected(let link, let device, let address, let key):
            connected(link, device, address, key, now: now, &directives)
        case .disconnected(let link): disconnected(link, now: now, using: &rng, &directives)
        case .received(let link, let message): received(message, link, now: now, &directives)
        case .pieceStored(let link, let number, let outcome):
            sessions[link]?.heard(now: now)
            Self.emit(scheduler.pieceStored(number, outcome, now: now), &directives)
        case .heard(let link, let byteCount):
            if byteCount > 0 { sessions[link]?.heard(now: now) }
            if byteCount >= limits.progressByteCountMin { scheduler.progressed(link, now: now) }
        case .contribute(let token, let contribution): intake.append(contribution, token: token)
        case .stored: stored(now: now, wall: wall, &directives)
        case .storeFailed(let reason): storeFailed(reason, now: now, &directives)
        case .receivingBegan(let blob, let pieces):
            Self.emit(scheduler.receivingBegan(blob, held: pieces), &directives)
        case .receivingFailed(let blob, let reason): Self.emit(scheduler.pause(blob, reason, now: now), &directives)
        case .commitFailed(let blob, let reason):
            // A blob that was forgotten meanwhile is not tried again: nothing of it stays in staging.
            if scheduler.wants[blob] == nil { directives.append(.abandon(blob)) }
            Self.emit(scheduler.pause(blob, reason, now: now), &directives)
        case .committed(let blob):
            scheduler.committed(blob)
            noteHeld(blob, &directives)
        case .commitRejected(let blob): scheduler.commitRejected(blob)
        case .blobLost(let blob):
            held.remove(blob)
            updateWant(blob)
        case .learned(let key, let addresses, let source): book.learn(key, addresses, source: source, now: now)
        case .announcementEnded(let key): book.announcementEnded(key)
        case .dialFailed(let key, let isStranger): book.failed(key, isStranger: isStranger, now: now, using: &rng)
        case .deadlineReached: deadlineReached(now: now, using: &rng, &directives)
        }
    }

    // MARK: Connections

    private mutating func connected(
        _ link: LinkID, _ device: DeviceID, _ address: PeerAddress, _ key: PeerKey?, now: MonotonicInstant,
        _ directives: inout [EngineDirective]
    ) {
        sessions[link] = PeerSession(device: device, dialled: key != nil, limits: limits, now: now)
        addresses[link] = address
        dialKeys[link] = key
        let hello = Hello(
            version: WireLimits.protocolVersion, run: run, port: port, foldLevel: UInt32(Catalog.level))
        directives.append(.send(link, .hello(hello)))
        if nextVectorRound == nil { nextVectorRound = now + limits.vectorInterval }
    }

    private mutating func disconnected(
        _ link: LinkID, now: MonotonicInstant, using rng: inout some RandomNumberGenerator,
        _ directives: inout [EngineDirective]
    ) {
        guard let session = sessions.removeValue(forKey: link) else { return }
        addresses[link] = nil
        scheduler.linkClosed(link)
        intake.linkClosed(link)
        let key = dialKeys.removeValue(forKey: link)
        if sessions.isEmpty { nextVectorRound = nil }
        guard session.hello != nil else {
            if let key { book.failed(key, isStranger: false, now: now, using: &rng) }
            return
        }
        guard !sessions.values.contains(where: { $0.device == session.device && $0.hello != nil }) else { return }
        book.disconnected(session.device, now: now, using: &rng)
        directives.append(.notify(.peerLost(session.device)))
    }

    /// Settles which of two connections between the same devices stays, and greets the peer.
    private mutating func greeted(
        _ link: LinkID, _ hello: Hello, now: MonotonicInstant, _ directives: inout [EngineDirective]
    ) {
        let session = sessions[link]!
        let others = sessions.filter { $0.key != link && $0.value.device == session.device && $0.value.isGreeted }
        let key = dialKeys[link]
        book.connected(session.device, key: key, now: now)
        rememberAddress(of: link, hello, &directives)
        for (other, rival) in others.sorted(by: { $0.key < $1.key }) {
            if rival.hello!.run != hello.run {
                close(other, .replaced, now: now, &directives)
            } else if isPreferred(session, over: rival) || rival.isQuiet(now: now) {
                close(other, .duplicate, now: now, &directives)
            } else {
                return close(link, .duplicate, now: now, &directives)
            }
        }
        scheduler.linkOpened(link, device: session.device)
        directives.append(.send(link, .presence(Presence(of: catalog, log: log) { held.contains($0) })))
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

    // MARK: Messages

    private mutating func received(
        _ message: Message, _ link: LinkID, now: MonotonicInstant, _ directives: inout [EngineDirective]
    ) {
        // In place: a session may hold a long queue, which a copy would double at every message.
        guard let outcome = sessions[link]?.received(message, log: log, own: replica, now: now) else { return }
        perform(outcome, link, now: now, &directives)
    }

    mutating func perform(
        _ outcome: [PeerSession.Directive], _ link: LinkID, now: MonotonicInstant,
        _ directives: inout [EngineDirective]
    ) {
        for directive in outcome { perform(directive, link, now: now, &directives) }
    }

    private mutating func perform(
        _ directive: PeerSession.Directive, _ link: LinkID, now: MonotonicInstant,
        _ directives: inout [EngineDirective]
    ) {
        switch directive {
        case .send(let message): directives.append(.send(link, message))
        case .sendPage(let ids, let page):
            directives.append(.sendPage(link, ids, lists: intake.listsToPush(ids), page: page))
        case .store(let page):
            if !intake.append(page, from: link) { close(link, .unexpectedMessage, now: now, &directives) }
        case .greeted(let hello): greeted(link, hello, now: now, &directives)
        case .replacePresence(let presence): presenceArrived(presence, link)
        case .gained(let blobs): gained(blobs, link)
        case .pieceListArrived(let blob, let list):
            if list == nil, scheduler.lacksWithoutList(link, blob), let device = sessions[link]?.device {
                peerLacks(blob, device)
            }
            Self.emit(scheduler.listArrived(blob, list, from: link, now: now), &directives)
        case .serve(let request):
            if held.contains(request.blob) {
                directives.append(.serve(link, request))
            } else {
                directives.append(.send(link, .refused(number: request.number)))
            }
        case .sendPieceList(let blob):
            if held.contains(blob) {
                directives.append(.sendPieceList(link, blob))
            } else {
                directives.append(.send(link, .pieceList(blob, nil)))
            }
        case .refused(let number):
            let (lacking, pulls) = scheduler.refused(number, link: link, now: now)
            if let lacking, let device = sessions[link]?.device { peerLacks(lacking, device) }
            Self.emit(pulls, &directives)
        case .cancelServe(let number): directives.append(.cancelServe(link, number: number))
        case .levelWithPeer: sendDigests(link, &directives)
        case .compareDigests(let digests, let vectorHash): compare(digests, at: vectorHash, link, &directives)
        case .ownReplicaDiverged(let diverged):
            // Somebody has changes of this replica that this journal does not: it was restored from a backup.
            guard replica == diverged else { return }
            replica = nil
            directives.append(.notify(.replicaRenewed))
        case .close(let reason):
            directives.append(.close(link, reason))
            if let device = sessions[link]?.device, reason.isPeersFault {
                directives.append(.notify(.peerRefused(device, reason)))
            }
        }
    }

    // MARK: Digests

    private func sendDigests(_ link: LinkID, _ directives: inout [EngineDirective]) {
        guard sessions[link]?.hello?.foldLevel == UInt32(Catalog.level),
            catalog.albums.count <= WireLimits.digestCountMax
        else { return }
        let digests = catalog.albums.values.sorted { $0.id < $1.id }
            .map { AlbumDigest(album: $0.id, digest: $0.digest) }
        directives.append(.send(link, .digests(digests, vectorHash: vectorHash)))
    }

    /// What digests were taken of: at another vector they say nothing.
    private var vectorHash: [UInt8] { Array(SHA256.hash(data: log.vector.encoded())) }

    private func compare(
        _ digests: [AlbumDigest], at theirHash: [UInt8], _ link: LinkID, _ directives: inout [EngineDirective]
    ) {
        guard let session = sessions[link], session.hello?.foldLevel == UInt32(Catalog.level), theirHash == vectorHash
        else { return }
        let theirs = Dictionary(digests.map { ($0.album, $0.digest) }) { first, _ in first }
        let all = Set(theirs.keys).union(catalog.albums.keys)
        let wrong = all.filter { theirs[$0] != catalog.albums[$0]?.digest }
        if !wrong.isEmpty { directives.append(.notify(.digestMismatch(session.device, wrong.sorted()))) }
    }

    // MARK: Time

    private mutating func deadlineReached(
        now: MonotonicInstant, using rng: inout some RandomNumberGenerator, _ directives: inout [EngineDirective]
    ) {
        for link in sessions.keys.sorted() {
            guard let outcome = sessions[link]?.deadlineReached(now: now) else { continue }
            perform(outcome, link, now: now, &directives)
        }
        intake.retryIfDue(now: now)
        guard let round = nextVectorRound, round <= now else { return }
        nextVectorRound = now + limits.vectorInterval
        let ready = sessions.keys.sorted().filter { sessions[$0]!.isReconciling }
        if let link = ready.randomElement(using: &rng) {
            perform(sessions[link]!.askAgain(log: log), link, now: now, &directives)
        }
    }
}

// MARK: - Blobs

extension Engine {
    /// Wants a blob that some album has and this device lacks; forgets it where that is no longer so.
    private mutating func updateWant(_ blob: BlobID) {
        let adds = catalog.liveAdds(of: blob)
        guard let newest = adds.first, !held.contains(blob) else { return }
        var claims: [BlobClaim] = []
        for add in adds {
            let claim = BlobClaim(byteCount: add.byteCount, pieceListHash: add.pieceListHash)
            if !claims.contains(claim) { claims.append(claim) }
        }
        if scheduler.want(blob, blobClass: .original, order: newest.order, claims: claims) {
            for device in holdings.keys { holdings[device]!.reconsider(blob) }
        }
        for (link, session) in sessions where session.isGreeted {
            let holds = holdings[session.device]?.contains(blob, adds: adds) ?? false
            scheduler.setHolder(link, of: blob, holds)
        }
    }

    /// Static: were it a method, the engine would be copied before the scheduler, a part of it, changes.
    static func emit(_ pulls: [PullScheduler.Directive], _ directives: inout [EngineDirective]) {
        for pull in pulls {
            switch pull {
            case .request(let link, let request): directives.append(.request(link, request))
            case .cancel(let link, let number): directives.append(.cancel(link, number: number))
            case .askForList(let link, let blob): directives.append(.send(link, .pieceListRequest(blob)))
            case .beginReceiving(let blob, let byteCount, let list):
                directives.append(.beginReceiving(blob, byteCount: byteCount, list))
            case .suspend(let blob): directives.append(.suspend(blob))
            case .commit(let blob): directives.append(.commit(blob))
            case .abandon(let blob): directives.append(.abandon(blob))
            }
        }
    }

    mutating func noteHeld(_ blob: BlobID, _ directives: inout [EngineDirective]) {
        guard held.insert(blob).inserted else { return }
        Self.emit(scheduler.forget(blob), &directives)
        unannounced.insert(blob)
        directives.append(.notify(.blobHeld(blob)))
    }

    private mutating func announceHeld(_ directives: inout [EngineDirective]) {
        guard !unannounced.isEmpty else { return }
        let all = unannounced.sorted()
        for start in stride(from: 0, to: all.count, by: WireLimits.heldCountMax) {
            let blobs = Array(all[start..<min(start + WireLimits.heldCountMax, all.count)])
            for link in sessions.keys.sorted() where sessions[link]!.isGreeted {
                directives.append(.send(link, .held(blobs)))
            }
        }
        unannounced.removeAll(keepingCapacity: true)
    }

    private mutating func presenceArrived(_ presence: Presence, _ link: LinkID) {
        guard let device = sessions[link]?.device else { return }
        let held = Holdings(presence)
        holdings[device] = held
        scheduler.setHolders(link) { held.contains($0, adds: catalog.liveAdds(of: $0)) }
    }

    private mutating func gained(_ blobs: [BlobID], _ link: LinkID) {
        guard let device = sessions[link]?.device else { return }
        for blob in blobs {
            holdings[device, default: Holdings()].gain(blob, limits: limits) { catalog.contains($0) }
            scheduler.setHolder(link, of: blob, true)
        }
    }

    private mutating func peerLacks(_ blob: BlobID, _ device: DeviceID) {
        holdings[device, default: Holdings()].lose(blob)
        for (link, session) in sessions where session.device == device {
            scheduler.setHolder(link, of: blob, false)
        }
    }

    /// Takes in batches that are durable: the log, the fold and the wants follow.
    mutating func apply(_ accepted: [AcceptedBatch], wall: UInt64, _ directives: inout [EngineDirective]) {
        var difference = CatalogDifference()
        for batch in accepted {
            log.insert(batch)
            clock.observe(batch.batch.clock, wall: wall)
            difference.merge(catalog.apply(batch.batch, id: batch.id, author: batch.author, received: wall))
        }
        for key in difference.photos.sorted() {
            if catalog.liveAlbums(of: key.blob).isEmpty {
                Self.emit(scheduler.forget(key.blob), &directives)
            } else if held.contains(key.blob) {
                // Presence names adds, and those that it named may be gone now.
                unannounced.insert(key.blob)
            } else {
                updateWant(key.blob)
            }
        }
        if !difference.isEmpty { directives.append(.notify(.catalogChanged(difference))) }
    }
}

extension CloseReason {
    /// The peer did something wrong, which its owner may want to know.
    var isPeersFault: Bool {
        switch self {
        case .otherVersion, .unexpectedMessage, .refusedBatch: true
        case .duplicate, .replaced, .silent, .storageFailed, .stopping: false
        }
    }
}

// MARK: - Questions

extension Engine {
    /// Why a photo's bytes are not here; `nil` if they are, or are not wanted.
    public func missingReason(_ blob: BlobID) -> MissingReason? { scheduler.reason(for: blob) }

    /// Bytes of a wanted blob that are here already.
    public func heldByteCount(of blob: BlobID) -> UInt64 { scheduler.wants[blob]?.heldByteCount ?? 0 }

    public var wantedBlobs: some Sequence<BlobID> { scheduler.wants.keys }

    public var connectedDevices: Set<DeviceID> {
        Set(sessions.values.filter(\.isGreeted).map(\.device))
    }

    /// Whether some connected peer said that it holds the blob.
    public func hasConnectedHolder(_ blob: BlobID) -> Bool { scheduler.wants[blob]?.holders.isEmpty == false }

    /// Devices that hold a blob as far as they said, without this one; ordered.
    public func holders(of blob: BlobID) -> [DeviceID] {
        let adds = catalog.liveAdds(of: blob)
        return holdings.filter { $0.value.contains(blob, adds: adds) }.map(\.key).sorted()
    }
}
