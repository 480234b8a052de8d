import AlbumModel
import FolderEngine
import LANDiscovery
import Logging
import NIOCore
import NIOPosix
import PeerTransport
import PhotoStore
import PotluckAPI
import SharedFolder
import SyncEngine
import WebServer
import WireFormat

/// Performs what the engine directs, with real disks and sockets, and tells it what came of it.
///
/// The actor's state changes only inside the engine's synchronous calls; everything that takes time is a ``Job``, run
/// by ``run()`` outside the actor, whose outcome comes back as an input.
actor EngineShell {
    /// Something that takes time. How many there are at once is bounded by ``EngineLimits``: one transaction, the open
    /// blobs, the requested pieces; and for what peers ask by ``PeerAnswers``.
    enum Job: Sendable {
        case connection(LinkID, PeerConnection, AsyncStream<PageOrder>)
        case store([AcceptedBatch], ownReplica: ReplicaID?)
        case sendPieceLists(LinkID)
        case begin(BlobID, byteCount: UInt64, PieceList?)
        case writePiece(LinkID, number: UInt32, PartialBlob, piece: Int, PieceBuffer)
        case commit(PartialBlob)
        case commitLost(BlobID)
        case abandon(PartialBlob)
        case discard(BlobID)
        case serve(LinkID, PieceRequest)
        case servePart(LinkID, PieceRequest, PartialBlob?)
        case dial(Dial)
        case remember(DeviceID, PeerAddress)
        case saveHoldings
        case forgetReplica
        case project
        case retryProjection
        case place(PhotoKey)
        case retryPlacements
        case settleRemovals
        case read(PhotoKey)
        case tellFacts
        case readOverdue
        case deadline
    }

    /// Something that came over a link.
    enum Arrival: Sendable {
        case message(Message)
        case piece(number: UInt32, PieceBuffer)
    }

    /// Batches to be read and sent; of one connection they keep their order.
    struct PageOrder: Sendable {
        var batches: [BatchID]
        var lists: [BlobID]
        var page: UInt64
    }

    struct Link {
        var connection: PeerConnection
        /// What had arrived on it at the last look.
        var receivedByteCount: UInt64 = 0
        /// What had left over it, as far as it was taken note of.
        var sentByteCount: UInt64 = 0
        var pages: AsyncStream<PageOrder>.Continuation
        var answers = PeerAnswers()
    }

    /// Whoever added something and waits until it is durable.
    private struct Waiting {
        var continuation: CheckedContinuation<AlbumID?, any Error>
        /// A person waits, who is told when the disk refuses it.
        var isPerson: Bool
    }

    let parts: AgentParts
    let hub: EventHub
    /// Tells when guests were named or revoked, or a new epoch began.
    let guestsHub = Hub<GuestStanding>(bufferCount: 1)
    /// What pages are told of besides.
    let newsHub = Hub<GalleryNews>()
    /// Of all connections.
    let longMessages: LongMessages
    /// After the folder, or the disk of folder or index, refused something.
    private let retryInterval: TimeAmount
    private(set) var engine: Engine
    private var random = SystemRandomNumberGenerator()
    var links: [LinkID: Link] = [:]
    private var nextLink: UInt64 = 1
    private var partials: [BlobID: PartialBlob] = [:]
    /// Messages that the input at hand, or several that came at one time, gave rise to: they leave together.
    private var gathered: [LinkID: [[UInt8]]] = [:]
    private var expected: [UInt32: (link: LinkID, blob: BlobID, piece: Int)] = [:]
    private var storedReplica: ReplicaID?
    private var contributions: [UInt64: Waiting] = [:]
    private var nextToken: UInt64 = 1
    private var projection = ProjectionQueue()
    private var placements = PlacementQueue()
    var readings: ReadingQueue
    var outbox = FactsOutbox()
    var carried = CarriedPages()
    /// Dials that are under way; ending one's stream gives it up.
    private var dials: [SyncEngine.PeerKey: AsyncStream<Never>.Continuation] = [:]
    private var timer: Scheduled<Void>?
    private var timerAt: MonotonicInstant?
    private var isStopping = false
    private var takesContributions = true
    private(set) var problems = ProblemBoard()
    private(set) var meter = RateMeter()
    private(set) var lastSeen: [DeviceID: UInt64]
    /// Devices whose records are to be written, and whether some are being written.
    var unsavedHoldings: Set<DeviceID> = []
    var isSavingHoldings = false
    /// Some peer and this laptop knew the same, once in this run.
    private(set) var wasLevel = false
    private var lost = LostBlobs()
    let running: RunningTime
    var shelf: Shelf
    var removals = RemovalQueue()
    /// Blobs that are about to join an album again, and those that are being deleted: never the same.
    var restoring: Set<BlobID> = []
    var discarding: Set<BlobID> = []
    /// Files that wait for a person's word.
    var heldGroup: HeldGroup?
    var folder: (any FolderFiles)?
    var transfers = TransferState()

    private let jobs: AsyncStream<Job>
    private let jobSource: AsyncStream<Job>.Continuation

    init(
        parts: AgentParts, engine: Engine, lastSeen: [DeviceID: UInt64], hub: EventHub, shelf: Shelf = Shelf(),
        running: RunningTime = RunningTime(), longMessages: LongMessages = LongMessages(),
        retryInterval: TimeAmount = .seconds(10)
    ) {
        self.parts = parts
        self.engine = engine
        self.longMessages = longMessages
        self.retryInterval = retryInterval
        self.lastSeen = lastSeen
        self.hub = hub
        self.shelf = shelf
        self.running = running
        readings = ReadingQueue(concurrency: parts.readingCount)
        removals.add(removed: shelf.unfollowed)
        (jobs, jobSource) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    /// Runs jobs until ``stop()``.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await job in jobs { group.addTask { await self.perform(job) } }
            // A dial that is under way need not be waited for.
            group.cancelAll()
        }
        // It holds this shell in its turn.
        folder = nil
    }

    /// Says goodbye to all peers and ends ``run()``.
    func stop() {
        guard !isStopping else { return }
        isStopping = true
        timer?.cancel()
        for link in links.values { link.connection.close("this laptop's agent stops") }
        for device in engine.connectedDevices { lastSeen[device] = parts.clock.wall }
        refuseContributions()
        projection.end()
        removals.end()
        jobSource.finish()
    }

    /// What waits to be added, and what still comes, is added at the next start.
    func refuseContributions() {
        takesContributions = false
        let error = PotluckError(.tryAgain, "The agent stops; the photo is added at its next start.")
        for waiting in contributions.values { waiting.continuation.resume(throwing: error) }
        contributions.removeAll()
        carried.fail(PotluckError(.tryAgain, "The agent stops; unpack again when it runs."), isFinal: true)
    }

    // MARK: Inputs

    /// Gives the engine an input and performs what it directs.
    func feed(_ input: EngineInput) { feed([input]) }

    /// The same with what came over a link at one time.
    func feed(_ arrivals: [Arrival], from link: LinkID) {
        feed(
            arrivals.compactMap { arrival in
                switch arrival {
                case .message(let message):
                    if case .refused(let number, _) = message { expected[number] = nil }
                    return .received(link, message)
                case .piece(let number, let buffer): return arrived(link, number: number, buffer)
                }
            })
    }

    private func feed(_ inputs: [EngineInput]) {
        guard !isStopping, !inputs.isEmpty else { return }
        let batchCount = engine.log.batchCount
        let directives = engine.handle(inputs, now: parts.clock.now, wall: parts.clock.wall, using: &random)
        for directive in directives { perform(directive) }
        if engine.log.batchCount != batchCount {
            projection.addStamp()
            startProjection()
        }
        setTimer()
        for link in gathered.keys { sendGathered(link) }
    }

    private func sendGathered(_ link: LinkID) {
        guard let messages = gathered.removeValue(forKey: link) else { return }
        links[link]?.connection.send(messages)
    }

    func connected(_ connection: PeerConnection, key: SyncEngine.PeerKey?) {
        guard !isStopping else { return connection.close("this laptop's agent stops") }
        let link = LinkID(number: nextLink)
        nextLink += 1
        // The engine keeps at most a window of pages waiting.
        let (pages, source) = AsyncStream.makeStream(of: PageOrder.self, bufferingPolicy: .unbounded)
        links[link] = Link(connection: connection, pages: source)
        jobSource.yield(.connection(link, connection, pages))
        feed(.connected(link, connection.device, address: connection.remoteAddress, key: key))
    }

    func ended(_ link: LinkID) {
        links.removeValue(forKey: link)?.pages.finish()
        expected = expected.filter { $0.value.link != link }
        feed(.disconnected(link))
    }

    /// - Returns: what the engine is to know at once: nothing of a piece that is being written now.
    private func arrived(_ link: LinkID, number: UInt32, _ buffer: PieceBuffer) -> EngineInput? {
        guard let (_, blob, piece) = expected.removeValue(forKey: number) else { return nil }
        guard let partial = partials[blob] else {
            return .pieceStored(link, number: number, .failed("Its file in staging was closed."))
        }
        meter.count(buffer.byteCount, now: parts.clock.now)
        jobSource.yield(.writePiece(link, number: number, partial, piece: piece, buffer))
        return nil
    }

    /// Adds something to the gathering; returns once it is durable.
    ///
    /// - Parameter forPerson: throws as well where the disk refuses it; the agent goes on trying all the same.
    /// - Returns: the album that it concerned.
    func contribute(_ contribution: Contribution, forPerson isPerson: Bool = false) async throws -> AlbumID? {
        guard takesContributions else { throw PotluckError(.tryAgain, "The agent stops.") }
        let token = nextToken
        nextToken += 1
        return try await withCheckedThrowingContinuation { continuation in
            contributions[token] = Waiting(continuation: continuation, isPerson: isPerson)
            feed(.contribute(token: token, contribution))
        }
    }

    // MARK: Directives

    private func perform(_ directive: EngineDirective) {
        switch directive {
        case .send(let link, let message): send(message, link)
        case .sendPage(let link, let batches, let lists, let page):
            links[link]?.pages.yield(PageOrder(batches: batches, lists: lists, page: page))
        case .sendPieceList(let link, let blob):
            if links[link]?.answers.addList(blob) == true { jobSource.yield(.sendPieceLists(link)) }
        case .request(let link, let request):
            expected[request.number] = (link, request.blob, request.piece)
            links[link]?.connection.expect(number: request.number, byteCount: request.byteCount)
            parts.logger.trace(request, of: links[link]?.connection.device)
            gathered[link, default: []].append(Message.request(request).encoded())
        case .cancel(let link, let number):
            expected[number] = nil
            links[link]?.connection.forget(number: number)
            gathered[link, default: []].append(Message.cancelled(number: number).encoded())
        case .serve(let link, let request):
            links[link]?.answers.beginPiece()
            jobSource.yield(.serve(link, request))
        case .servePart(let link, let request):
            links[link]?.answers.beginPiece()
            jobSource.yield(.servePart(link, request, partials[request.blob]))
        case .cancelServe(let link, let number): links[link]?.connection.cancelServe(number: number)
        case .yield(let link, let precedence): links[link]?.connection.yield(to: precedence)
        case .close(let link, let reason): close(link, reason)
        case .store(let batches, let replica): jobSource.yield(.store(batches, ownReplica: replica))
        case .beginReceiving(let blob, let byteCount, let list):
            jobSource.yield(.begin(blob, byteCount: byteCount, list))
        case .closeStaging(let blob): closeStaging(blob)
        case .commit(let blob): jobSource.yield(partials[blob].map { .commit($0) } ?? .commitLost(blob))
        case .abandon(let blob):
            jobSource.yield(partials.removeValue(forKey: blob).map { .abandon($0) } ?? .discard(blob))
        case .dial(let dial): jobSource.yield(.dial(dial))
        case .cancelDial(let key): dials.removeValue(forKey: key)?.finish()
        case .remember(let device, let address): jobSource.yield(.remember(device, address))
        case .rememberHoldings(let devices): rememberHoldings(devices)
        case .notify(let event): noted(event)
        }
    }

    /// Has something done that takes time.
    func perform(_ job: Job) { jobSource.yield(job) }

    private func send(_ message: Message, _ link: LinkID) {
        let bytes = message.encoded()
        guard bytes.count <= WireLimits.messageByteCountMax else {
            links[link]?.connection.close("a message became too long")
            return
        }
        parts.logger.trace("sent", message, byteCount: bytes.count, link)
        gathered[link, default: []].append(bytes)
    }

    private func close(_ link: LinkID, _ reason: CloseReason) {
        sendGathered(link)
        // Nobody hears a goodbye of a connection that died.
        if reason == .silent {
            links[link]?.connection.drop("\(reason)")
        } else {
            links[link]?.connection.close("\(reason)")
        }
    }

    /// The file stays open while there are few of them: the want mostly goes on with another peer at once.
    private func closeStaging(_ blob: BlobID) {
        if partials.count > engineOpenFileMax { partials[blob] = nil }
    }

    private var engineOpenFileMax: Int { 2 * EngineLimits().openBlobCountMax }

    private func setTimer() {
        guard let deadline = engine.nextDeadline else { return }
        if let timerAt, timerAt <= deadline { return }
        timer?.cancel()
        timerAt = deadline
        let wait = Int64(clamping: deadline.nanoseconds) - Int64(clamping: parts.clock.now.nanoseconds)
        timer = parts.eventLoop.scheduleTask(in: .nanoseconds(max(0, wait))) { [jobSource] in
            jobSource.yield(.deadline)
        }
    }

    func timerFired() {
        timerAt = nil
        var inputs: [EngineInput] = []
        for (link, state) in links.sorted(by: { $0.key < $1.key }) {
            let received = state.connection.bytesReceived
            inputs.append(.heard(link, byteCount: received - state.receivedByteCount))
            let sent = state.connection.bytesSent - state.sentByteCount
            inputs.append(.taken(link, byteCount: sent))
            links[link]?.receivedByteCount = received
            links[link]?.sentByteCount += noteSent(sent)
        }
        feed(inputs + [.deadlineReached])
    }

    // MARK: Events

    private func noted(_ event: EngineEvent) {
        switch event {
        case .contributed(let token, let album):
            contributions.removeValue(forKey: token)?.continuation.resume(returning: album)
        case .contributionFailed(let token, let reason):
            contributions.removeValue(forKey: token)?.continuation.resume(throwing: PotluckError(.failed, reason))
        case .carried(let token, let outcome): carried.finish(token, outcome)
        case .catalogChanged(let difference):
            projection.add(difference)
            startProjection()
            followRemovals(difference)
            // Only those are put in order: of what streams in from others hardly anything is here.
            for key in sortedHere(difference.photos) { requestPlacement(key) }
            let photos = difference.photos.union(difference.readPhotos)
            for key in photos where !engine.held.contains(key.blob) { readings.remove(key) }
            for key in sortedHere(photos) { considerReading(key) }
        case .blobHeld(let blob):
            partials[blob] = nil
            for album in engine.catalog.liveAlbums(of: blob) {
                requestPlacement(PhotoKey(album: album, blob: blob))
                considerReading(PhotoKey(album: album, blob: blob))
            }
        case .peerConnected(let device), .peerLost(let device): lastSeen[device] = parts.clock.wall
        case .storageFailed(let reason):
            problems.set(.storage, "What others share cannot be stored: \(reason)")
            tellPeople(reason)
            carried.fail(PotluckError(.failed, "The changes cannot be stored: \(reason)"), isFinal: false)
        case .replicaRenewed:
            note(.home, HomeLife.restored.sentence)
            storedReplica = nil
            jobSource.yield(.forgetReplica)
        case .peerLevel: wasLevel = true
        case .digestMismatch, .peerRefused: break
        }
        announce(event)
    }

    private func sortedHere(_ photos: Set<PhotoKey>) -> [PhotoKey] {
        photos.filter { engine.held.contains($0.blob) }.sorted()
    }

    private func tellPeople(_ reason: String) {
        let error = PotluckError(
            .failed,
            "It cannot be written down yet: \(reason) While the agent runs there is no need to say it again.")
        for (token, waiting) in contributions where waiting.isPerson {
            contributions[token] = nil
            waiting.continuation.resume(throwing: error)
        }
    }

    private func announce(_ event: EngineEvent) {
        tellGallery(event)
        if hub.hasWatchers {
            let narrator = EventNarrator(engine: engine, at: Instant(microsecondsSince1970: parts.clock.wall))
            for record in narrator.records(event) { hub.send(record) }
        }
        EventNarrator.log(event, to: parts.logger)
    }

    /// After an edit that everyone shares, the index follows; what queues up meanwhile follows together.
    func startProjection() {
        if projection.begin() { jobSource.yield(.project) }
    }

    func projected(failed: ProjectionQueue.Part?) {
        projection.finish(failed: failed)
        guard failed != nil else { return startProjection() }
        parts.eventLoop.scheduleTask(in: retryInterval) { [jobSource] in jobSource.yield(.retryProjection) }
    }

    /// Returns once the index holds what was known when it was called, but for what came in bulk: while a gathering
    /// streams in, lists show as much of it as there is.
    func indexIsCurrent() async {
        await withCheckedContinuation { projection.whenPrompt($0) }
    }

    /// Returns once the index holds all that is known.
    func indexIsComplete() async {
        await withCheckedContinuation { projection.whenIdle($0) }
    }

    func requestPlacement(_ key: PhotoKey) {
        if placements.add(key) { startPlacements() }
    }

    func retryPlacements() {
        placements.retry()
        startPlacements()
    }

    private func startPlacements() {
        while let key = placements.next() { jobSource.yield(.place(key)) }
    }

    func placed(_ key: PhotoKey, _ path: String?, isFailed: Bool = false, refusal: String? = nil) {
        placements.finish(key, isFailed: isFailed, refusal: refusal)
        startPlacements()
        if isFailed, placements.beginRetry() {
            parts.eventLoop.scheduleTask(in: retryInterval) { [jobSource] in jobSource.yield(.retryPlacements) }
        }
        guard let path, let photo = engine.catalog.photo(key) else { return }
        // Its removal, or a person who does not want to see it, may have come while it was on its way.
        if !photo.isLive || isHidden(key) { settleLater([key]) }
        let at = Instant(microsecondsSince1970: parts.clock.wall)
        hub.send(.photoHere(at: at, album: key.album.hex, photo: key.blob.hex, name: photo.shownName, file: path))
    }

    // MARK: Questions that jobs ask

    func connection(_ link: LinkID) -> PeerConnection? { links[link]?.connection }

    func openPartial(_ blob: BlobID) -> PartialBlob? { partials[blob] }

    func keep(_ partial: PartialBlob) { partials[partial.id] = partial }

    func drop(_ blob: BlobID) { partials[blob] = nil }

    func placement(_ key: PhotoKey) -> Placement? {
        guard let photo = engine.catalog.photo(key), photo.isLive, engine.held.contains(key.blob),
            shelf.hidden[key] == nil, let name = engine.catalog.shownName(key.album), let first = photo.adds.first
        else { return nil }
        return Placement(
            album: key.album, albumName: name, blob: key.blob, name: photo.shownName, modified: first.modified,
            deviceName: engine.catalog.deviceName(first.author) ?? "Laptop",
            mayLink: engine.isElsewhere(key.blob, wall: parts.clock.wall))
    }

    /// What waits, or some of it, as rows that go with the vector of this moment.
    func rows() -> (IndexChange, ProjectionQueue.Part) {
        let part = projection.takePart()
        return (IndexChange(part, catalog: engine.catalog, log: engine.log), part)
    }

    func isWanted(_ blob: BlobID) -> Bool { engine.missingReason(blob) != nil }

    func noteDial(_ key: SyncEngine.PeerKey, _ continuation: AsyncStream<Never>.Continuation?) {
        dials[key] = continuation
    }

    func isReplicaStored(_ replica: ReplicaID) -> Bool { storedReplica == replica }

    func noteStored(_ replica: ReplicaID) { storedReplica = replica }

    /// Whether a photo is in its album, or was removed from it; `nil` if it never was there.
    func isLive(_ key: PhotoKey) -> Bool? { engine.catalog.photo(key)?.isLive }

    /// The album that a directory stands for, if there is one: the one it stood for before, else the one of its name.
    func album(_ kept: AlbumID?, named name: String) -> AlbumID? {
        if let kept, engine.catalog.albums[kept] != nil { return kept }
        let album = engine.catalog.albumID(named: name)
        return engine.catalog.albums[album] == nil ? nil : album
    }

    func albumName(_ album: AlbumID) -> String? { engine.catalog.shownName(album) }

    func liveAlbums(of blob: BlobID) -> [AlbumID] { engine.catalog.liveAlbums(of: blob) }

    var photosToPlace: Set<PhotoKey> { placements.pending }

    var refusedPlacements: [PhotoKey: String] { placements.refused }

    /// All that is known at this moment, in one step.
    func snapshot(_ membership: Membership) -> ReportBuilder {
        ReportBuilder(
            engine: engine, membership: membership, index: parts.index, indexPool: parts.indexPool,
            folderPath: { [folder] in folder?.path(album: $0, blob: $1) }, toPlace: photosToPlace,
            incoming: folder?.incoming(), lastSeen: lastSeen, now: parts.clock.wall, isOffline: false)
    }

    var isAlone: Bool { engine.connectedDevices.isEmpty }

    var connectedPrefixes: Set<[UInt8]> { Set(engine.connectedDevices.map { BigEndian.bytes($0.prefix) }) }

    func note(_ kind: ProblemBoard.Kind, _ sentence: String?) {
        guard problems.set(kind, sentence), let sentence else { return }
        hub.send(.problem(at: Instant(microsecondsSince1970: parts.clock.wall), message: sentence))
    }
}

// MARK: - Lost blobs

extension EngineShell {
    func noteLost(missing: Set<BlobID>) -> Set<BlobID> {
        lost = LostBlobs(engine, missing: missing)
        note(.lostBlobs, lost.sentence(engine, wall: parts.clock.wall))
        return lost.all
    }

    /// A blob's file is gone or changed; the folder may still have its bytes.
    func lose(_ blob: BlobID) {
        feed(.blobLost(blob))
        guard isWanted(blob) else { return }
        lost.insert(blob)
        note(.lostBlobs, lost.sentence(engine, wall: parts.clock.wall))
    }

    /// What is wrong at the moment, in sentences.
    var currentProblems: [String] {
        problems.set(.lostBlobs, lost.sentence(engine, wall: parts.clock.wall))
        return problems.all
    }
}

extension EngineShell {
    /// Tells those who watch how far it is, once a second at most.
    func progress() {
        guard meter.isReportDue(now: parts.clock.now) else { return }
        let missing = MissingCount(engine)
        hub.send(
            .transferProgress(
                at: Instant(microsecondsSince1970: parts.clock.wall), missingPhotos: missing.photos,
                missingBytes: missing.bytes, rate: meter.rate(now: parts.clock.now)))
    }

    func setFolder(_ folder: any FolderFiles) { self.folder = folder }
}
