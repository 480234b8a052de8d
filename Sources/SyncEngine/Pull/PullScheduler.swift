import AlbumModel
import WireFormat

/// What became of a piece that arrived.
public enum PieceOutcome: Hashable, Sendable {
    case stored
    case wrongHash
    /// The disk refused it; a sentence that says why.
    case failed(String)
}

/// Decides which pieces are asked of whom.
///
/// The working set holds the most urgent wants that some connected peer has, whole or in part; its pieces are asked
/// rarest first of the peer with the most room in its window. A value type without I/O.
struct PullScheduler: Sendable {
    enum Directive: Hashable, Sendable {
        case request(LinkID, PieceRequest)
        case cancel(LinkID, number: UInt32)
        case askForList(LinkID, BlobID)
        case beginReceiving(BlobID, byteCount: UInt64, PieceList?)
        /// Close the blob's staging file and keep it.
        case closeStaging(BlobID)
        case commit(BlobID)
        /// What is there of the blob is of no use any longer: remove it.
        case abandon(BlobID)
    }

    struct Request: Sendable {
        var link: LinkID
        var blob: BlobID
        var piece: Int
        var byteCount: Int
        var since: MonotonicInstant
        /// The peer awaits the piece itself.
        var isAhead: Bool
    }

    /// A request that was taken back: a piece that answers it may be on its way to the disk.
    private struct Cancelled: Sendable {
        var number: UInt32
        var link: LinkID
        var blob: BlobID
        /// `nil` where nobody wants the blob any longer.
        var claim: BlobClaim?
    }

    /// Of so many the answers are told apart, the latest.
    private static let cancelledCountMax = 64

    var wants = Wants()
    /// Wants, wherever they are, of which somebody denied to have them, and when the first of these is asked again.
    var denied: [BlobID: MonotonicInstant] = [:]
    var terms = PullTerms()
    var allowance = PullAllowance()
    var links: [LinkID: PeerWindow] = [:]
    var requests: [UInt32: Request] = [:]
    private var cancelled: [Cancelled] = []
    var nextRequest: UInt32 = 1
    /// Not everyone is connected to everyone: who else receives a blob from its holder is not known.
    var isMeshPartial = false
    var assignedAt = MonotonicInstant(nanoseconds: 0)
    /// Blobs of which pieces arrived, or went, since ``takeChangedParts()``.
    var changedParts: Set<BlobID> = []
    let own: DeviceID
    let limits: EngineLimits

    init(own: DeviceID, limits: EngineLimits) {
        self.own = own
        self.limits = limits
    }

    // MARK: Wants

    /// Wants a blob, or learns of more claims about one that is wanted already. `claims` is not empty.
    ///
    /// - Returns: whether a claim is new of a blob that was wanted before.
    @discardableResult
    mutating func want(
        _ blob: BlobID, blobClass: BlobClass, urgency: ClockReading, claims: [BlobClaim]
    ) -> Bool {
        // Not held while it changes: its claims would be copied.
        guard let place = wants[blob]?.place else {
            wants.add(Want(blob: blob, blobClass: blobClass, urgency: urgency, claims: claims))
            return false
        }
        let isNews = wants[blob]!.learn(claims)
        if case .resting(.rejected, _) = place,
            wants[blob]!.tryAnotherClaim(holders: holderDevices(of: blob), now: assignedAt)
        {
            wants.move(blob, to: .queued)
        }
        if isNews { wake(blob) }
        return isNews
    }

    /// Somebody waits for a wanted blob: it goes before what is less urgent, unless it is on its way already.
    mutating func hasten(_ blob: BlobID, _ urgency: ClockReading) { wants.hasten(blob, urgency) }

    /// The blob arrived by another way, or is no longer part of any album.
    mutating func forget(_ blob: BlobID) -> [Directive] {
        guard let want = wants[blob] else { return [] }
        let directives = cancelRequests(of: blob)
        remove(blob)
        // A commit that is under way ends by itself; whatever else there is in staging goes.
        return want.place == .committing ? directives : directives + [.abandon(blob)]
    }

    private mutating func remove(_ blob: BlobID) {
        wants.remove(blob)
        denied[blob] = nil
    }

    /// Takes note of whether the peer of a link holds a wanted blob, as far as it said.
    mutating func setHolder(_ link: LinkID, of blob: BlobID, _ holds: Bool) {
        if updateHolder(link, of: blob, holds) { wake(blob) }
        if holds { promote(link, of: blob, now: assignedAt) }
    }

    /// The same for all wants at once.
    mutating func setHolders(_ link: LinkID, _ holds: (BlobID) -> Bool) {
        var woken: [BlobID] = []
        for blob in wants.blobs {
            if updateHolder(link, of: blob, holds(blob)), wants[blob]!.isWokenByHolders { woken.append(blob) }
        }
        wants.queue(woken)
    }

    /// - Returns: whether the want has one more holder now.
    private mutating func updateHolder(_ link: LinkID, of blob: BlobID, _ holds: Bool) -> Bool {
        guard let want = wants[blob], want.holders.contains(link) != holds || want.denied[link] != nil else {
            return false
        }
        wants[blob]!.setHolder(link, holds)
        return holds
    }

    /// Takes note of which pieces of a wanted blob the peer of a link can serve while it pulls the blob itself.
    mutating func setPart(_ link: LinkID, _ part: PartHeld, now: MonotonicInstant) {
        guard let pieceCount = wants[part.blob]?.pieceCount, links[link] != nil else { return }
        wants[part.blob]!.setPart(link, part, now: now)
        for blob in links[link]!.notePart(of: part.blob, pieceCount: pieceCount) { wants[blob]?.setPart(link, nil) }
        promote(link, of: part.blob, now: now)
        // What is here already is no news: two that lack the same would wake each other for ever.
        if wants[part.blob]!.isAnyLacking(of: link) { wake(part.blob) }
    }

    private func holderDevices(of blob: BlobID) -> [DeviceID] { wants[blob]!.sources.compactMap { links[$0]?.device } }

    // MARK: Links

    mutating func linkOpened(_ link: LinkID, device: DeviceID) {
        links[link] = PeerWindow(device: device, limits: limits)
    }

    mutating func linkClosed(_ link: LinkID) {
        guard links.removeValue(forKey: link) != nil else { return }
        for (number, request) in requests.sorted(by: { $0.key < $1.key }) where request.link == link {
            requests[number] = nil
            if PlantedFault.isPlanted(.requestsOfClosedLinkKept) { continue }
            wants[request.blob]?.reopen(request.piece, request: number)
        }
        for priority in wants.active where wants[priority.blob]!.listRequest?.link == link {
            wants.move(priority.blob, to: .active(.needsList(asked: nil)))
        }
        for blob in wants.blobs {
            _ = updateHolder(link, of: blob, false)
            wants[blob]!.setPart(link, nil)
            wants[blob]!.resting[link] = nil
        }
    }

    /// Many bytes of pieces arrive on a link, though none may be whole yet.
    mutating func progressed(_ link: LinkID, now: MonotonicInstant) { links[link]?.progressed(now: now) }

    // MARK: What the store and the peers answer

    /// - Parameter link: where the list came from if it was asked for; `nil` for one that came with a batch.
    mutating func listArrived(
        _ blob: BlobID, _ list: PieceList?, from link: LinkID?, now: MonotonicInstant
    ) -> [Directive] {
        guard let want = wants[blob], want.list == nil, want.pieceCount > 1 else { return [] }
        guard let list else {
            guard want.needsList else { return [] }
            wants.move(blob, to: .active(.needsList(asked: nil)))
            // Not here, or not now: the caller corrects what it believes of the peer. Or a claim told the size wrong
            // and there is no list: then another is tried.
            guard want.claims.count > 1, let device = link.flatMap({ links[$0]?.device }) else { return [] }
            return condemn(device, blob, now: now)
        }
        let isRight = list.listHash == want.claim.pieceListHash || PlantedFault.isPlanted(.pieceListUnchecked)
        guard isRight, list.hashes.count == want.pieceCount else {
            guard let device = link.flatMap({ links[$0]?.device }), want.needsList else { return [] }
            wants.move(blob, to: .active(.needsList(asked: nil)))
            return condemn(device, blob, now: now)
        }
        guard want.needsList else {
            // It came before its turn.
            if list.hashes.count <= limits.keptListPieceCountMax { wants[blob]!.list = list }
            return []
        }
        wants[blob]!.list = list
        return open(blob)
    }

    mutating func open(_ blob: BlobID) -> [Directive] {
        wants.move(blob, to: .active(.opening))
        return [.beginReceiving(blob, byteCount: wants[blob]!.byteCount, wants[blob]!.list)]
    }

    /// The staging file is open; some pieces may be there from before.
    mutating func receivingBegan(_ blob: BlobID, held: [Bool], now: MonotonicInstant) -> [Directive] {
        guard wants[blob]?.step == .opening else { return [] }
        wants[blob]!.begin(held: held, now: now)
        wants.move(blob, to: .active(.receiving))
        if held.contains(true) { changedParts.insert(blob) }
        return commitIfWhole(blob)
    }

    mutating func pieceStored(_ number: UInt32, _ outcome: PieceOutcome, now: MonotonicInstant) -> [Directive] {
        guard let request = requests.removeValue(forKey: number) else {
            return outcome == .wrongHash ? lateWrongPiece(number, now: now) : []
        }
        if request.isAhead {
            links[request.link]?.endedAhead(request.byteCount)
        } else {
            links[request.link]?.arrived(request.byteCount, askedAt: request.since, now: now)
        }
        wants[request.blob]?.reopen(request.piece, request: number)
        guard wants[request.blob]?.isReceiving == true else { return [] }
        let takesIt = outcome == .wrongHash && PlantedFault.isPlanted(.wrongPieceTaken)
        switch takesIt ? .stored : outcome {
        case .stored:
            guard !wants[request.blob]!.isPieceHeld[request.piece] else { return [] }
            wants[request.blob]!.isPieceHeld[request.piece] = true
            wants[request.blob]!.heldPieceCount += 1
            noteWritten(request.byteCount, of: wants[request.blob]!.blobClass)
            changedParts.insert(request.blob)
            return cancelTwins(of: request) + commitIfWhole(request.blob)
        case .wrongHash:
            guard let device = links[request.link]?.device else { return [] }
            return condemn(device, request.blob, now: now)
        case .failed(let reason):
            return pause(request.blob, reason, now: now)
        }
    }

    /// What a peer sent does not fit the claim that is tried. Where nobody is left to ask about it, another is tried.
    private mutating func condemn(_ device: DeviceID, _ blob: BlobID, now: MonotonicInstant) -> [Directive] {
        let claim = wants[blob]!.claim
        if !PlantedFault.isPlanted(.liarAskedAgain) {
            wants[blob]!.condemned[claim, default: Leases()].extend(device, by: limits.condemnedSeconds, now: now)
        }
        let holders = holderDevices(of: blob)
        let isHopeless = holders.allSatisfy { wants[blob]!.condemned[claim, default: Leases()].holds($0, now: now) }
        guard isHopeless else { return [] }
        let directives = cancelRequests(of: blob)
        guard wants[blob]!.tryAnotherClaim(holders: holders, now: now) else { return directives }
        changedParts.insert(blob)
        wants.move(blob, to: .queued)
        return directives + [.abandon(blob)]
    }

    /// The same piece may have been asked of a second peer.
    private mutating func cancelTwins(of request: Request) -> [Directive] {
        let numbers = wants[request.blob]!.asked.removeValue(forKey: request.piece) ?? []
        return numbers.compactMap { cancel($0) }
    }

    /// The request was taken back, and what came of it is wrong: its sender is no better for being late.
    private mutating func lateWrongPiece(_ number: UInt32, now: MonotonicInstant) -> [Directive] {
        guard let request = cancelled.last(where: { $0.number == number }), let want = wants[request.blob],
            want.isReceiving, want.claim == request.claim, let device = links[request.link]?.device
        else { return [] }
        return condemn(device, request.blob, now: now)
    }

    mutating func cancel(_ number: UInt32) -> Directive? {
        guard let request = requests.removeValue(forKey: number) else { return nil }
        takeBack(request)
        let claim = wants[request.blob]?.claim
        cancelled.append(Cancelled(number: number, link: request.link, blob: request.blob, claim: claim))
        if cancelled.count > Self.cancelledCountMax { cancelled.removeFirst() }
        return .cancel(request.link, number: number)
    }

    /// What a request asks for, or asked for until it was taken back lately.
    func blob(asked number: UInt32) -> BlobID? {
        requests[number]?.blob ?? cancelled.last { $0.number == number }?.blob
    }

    private mutating func takeBack(_ request: Request) {
        if request.isAhead {
            links[request.link]?.endedAhead(request.byteCount)
        } else {
            links[request.link]?.cancelled(request.byteCount)
        }
    }

    mutating func cancelRequests(of blob: BlobID) -> [Directive] {
        let numbers = wants[blob]!.asked.sorted { $0.key < $1.key }.flatMap(\.value)
        wants[blob]!.asked.removeAll()
        wants[blob]!.firstOpenPiece = 0
        return numbers.compactMap { cancel($0) }
    }

    private mutating func commitIfWhole(_ blob: BlobID) -> [Directive] {
        guard wants[blob]!.heldPieceCount == wants[blob]!.isPieceHeld.count else { return [] }
        wants.move(blob, to: .committing)
        return [.commit(blob)]
    }

    /// The blob is durable under its name.
    mutating func committed(_ blob: BlobID) { remove(blob) }

    /// All pieces were right and the whole is not: the list was wrong, and whoever signed it.
    mutating func commitRejected(_ blob: BlobID, now: MonotonicInstant) {
        guard let claim = wants[blob]?.claim else { return }
        wants[blob]!.rejectedClaims.extend(claim, by: limits.rejectedSeconds, now: now)
        if wants[blob]!.tryAnotherClaim(holders: holderDevices(of: blob), now: now) {
            wants.move(blob, to: .queued)
        } else {
            wants[blob]!.dropLongList(limits)
            let ends = wants[blob]!.claims.compactMap { wants[blob]!.rejectedClaims.deadline(of: $0, now: now) }
            wants.move(blob, to: .resting(.rejected, until: ends.min()))
        }
    }

    /// The disk refused the blob; it is tried again later.
    mutating func pause(_ blob: BlobID, _ reason: String, now: MonotonicInstant) -> [Directive] {
        guard let want = wants[blob] else { return [] }
        var directives = cancelRequests(of: blob)
        if want.isReceiving { directives.append(.closeStaging(blob)) }
        wants[blob]!.dropLongList(limits)
        wants.move(blob, to: .resting(.unwritten(reason), until: now + limits.diskRetryInterval))
        return directives
    }

    /// The peer says that it does not hold what was asked of it.
    /// - Returns: the blob that it lacks, so that the caller corrects what it believes of the peer; `nil` where it may
    ///   rather be that the claim told the size wrong, and another is tried.
    ///
    /// - Parameter isPassing: the peer holds the blob and cannot read it at the moment.
    mutating func refused(
        _ number: UInt32, link: LinkID, isPassing: Bool = false, now: MonotonicInstant
    ) -> (lacking: BlobID?, [Directive]) {
        guard let request = requests[number], request.link == link else { return (nil, []) }
        if PlantedFault.isPlanted(.refusedRequestKept) { return (request.blob, []) }
        requests[number] = nil
        takeBack(request)
        guard wants[request.blob] != nil, let device = links[link]?.device else { return (nil, []) }
        wants[request.blob]!.reopen(request.piece, request: number)
        if request.isAhead {
            wants[request.blob]!.isNotAskedAhead(request.piece, link)
            return (nil, [])
        }
        if wants[request.blob]!.parts[link] != nil {
            // What it had in part it has no longer, or the announcement was of another claim.
            wants[request.blob]!.setPart(link, nil)
            return (nil, [])
        }
        if isPassing || wants[request.blob]!.claims.count == 1 {
            denied(request.blob, link, isPassing: isPassing, now: now)
            return (isPassing ? nil : request.blob, [])
        }
        return (nil, condemn(device, request.blob, now: now))
    }

    /// A peer has not, or not now, what it said it holds: it is asked again after a while.
    mutating func denied(_ blob: BlobID, _ link: LinkID, isPassing: Bool, now: MonotonicInstant) {
        guard wants[blob]?.holders.contains(link) == true, let device = links[link]?.device else { return }
        let seconds = isPassing ? limits.unreadableSeconds : limits.deniedSeconds
        guard let end = wants[blob]!.deny(link, device, for: seconds, now: now),
            !PlantedFault.isPlanted(.notHereForEver)
        else { return }
        denied[blob] = min(denied[blob] ?? end, end)
    }

    /// A claim that nobody may be asked about makes room for another. So does one that brought nothing while those who
    /// may be asked are silent: a silent peer is never found wrong.
    ///
    /// - Returns: nothing if there is no other.
    mutating func giveUpOnClaim(of blob: BlobID, isSilent: Bool, now: MonotonicInstant) -> [Directive] {
        guard let want = wants[blob], want.claims.count > 1, want.asked.isEmpty, !isSilent || want.heldPieceCount == 0,
            want.isReceiving || want.step == .needsList(asked: nil),
            wants[blob]!.tryAnotherClaim(holders: holderDevices(of: blob), now: now)
        else { return [] }
        wants.move(blob, to: .queued)
        return [.abandon(blob)]
    }

    /// Lets a want of the working set wait for its turn again.
    mutating func putBack(_ blob: BlobID) -> [Directive] { leaveWorkingSet(blob, for: .queued) }

    /// Nothing of it is asked; what has arrived of it stays in staging.
    private mutating func leaveWorkingSet(_ blob: BlobID, for place: Want.Place) -> [Directive] {
        let wasOpen = wants[blob]!.isReceiving
        wants.move(blob, to: place)
        wants[blob]!.dropLongList(limits)
        guard wasOpen else { return [] }
        // It is not served any more.
        if wants[blob]!.heldPieceCount > 0 { changedParts.insert(blob) }
        return [.closeStaging(blob)]
    }

    // MARK: Parking and resting

    /// Puts a want aside that nobody can be asked for: until somebody has it, or may be asked again. In the working set
    /// it would keep others out.
    mutating func putAside(_ blob: BlobID, now: MonotonicInstant) -> [Directive] {
        let end = restEnd(of: wants[blob]!, now: now)
        return leaveWorkingSet(blob, for: end.map { .resting(.unanswered, until: $0) } ?? .parked)
    }

    /// When the first peer that has some of a want, and did not answer or answered wrong, may be asked again; `nil` where
    /// there is none.
    func restEnd(of want: Want, now: MonotonicInstant) -> MonotonicInstant? {
        want.sources.compactMap { link in links[link].flatMap { want.restEnd(of: link, $0.device, now: now) } }.min()
    }

    /// There is news of who has a want.
    private mutating func wake(_ blob: BlobID) {
        if wants[blob]?.isWokenByHolders == true { wants.move(blob, to: .queued) }
    }

    /// Puts those back into the queue whose rest is over.
    mutating func endRests(now: MonotonicInstant) {
        for (blob, end) in wants.restEnds where end <= now {
            if case .unwritten = wants[blob]!.rest, PlantedFault.isPlanted(.fullDiskNeverRetried) { continue }
            wants.move(blob, to: .queued)
        }
        for (blob, until) in denied.sorted(by: { $0.key < $1.key }) where until <= now {
            askDeniersAgain(blob, now: now)
        }
    }

    private mutating func askDeniersAgain(_ blob: BlobID, now: MonotonicInstant) {
        let leases = wants[blob]?.denied ?? [:]
        denied[blob] = leases.values.filter { now < $0 }.min()
        for (link, end) in leases.sorted(by: { $0.key < $1.key }) where end <= now { setHolder(link, of: blob, true) }
    }

    // MARK: Serving parts

    /// What is to be told of blobs that came further since the last call.
    mutating func takeChangedParts() -> [PartHeld] {
        defer { changedParts.removeAll(keepingCapacity: true) }
        return changedParts.sorted().compactMap { part(of: $0) }
    }

    var hasChangedParts: Bool { !changedParts.isEmpty }

    /// What is here of the blobs that are being received: for a peer that has just connected.
    var parts: [PartHeld] {
        wants.active.compactMap { part(of: $0.blob) }
            .filter { $0.pieces.contains(true) || !$0.coming.isEmpty }
    }

    /// What is here of a blob that is being received.
    func part(of blob: BlobID) -> PartHeld? { wants[blob].flatMap { part($0) } }

    private func part(_ want: Want) -> PartHeld? {
        guard want.byteCount >= UInt64(limits.announcedPartByteCountMin) else { return nil }
        var coming: [Bool] = []
        if !want.asked.isEmpty {
            coming = [Bool](repeating: false, count: want.pieceCount)
            for piece in want.asked.keys where isComing(piece, of: want) { coming[piece] = true }
        }
        return PartHeld(blob: want.blob, pieces: servablePieces(want), coming: coming)
    }

    private func servablePieces(_ want: Want) -> [Bool] {
        want.isReceiving || want.place == .committing ? want.isPieceHeld : []
    }

    /// Whether a piece can be served although its blob is not whole here.
    func canServe(_ request: PieceRequest) -> Bool {
        guard let want = wants[request.blob] else { return false }
        let pieces = servablePieces(want)
        return pieces.indices.contains(request.piece) && pieces[request.piece]
            && want.byteCount(of: request.piece) == request.byteCount
    }

    /// The piece list of a blob that is being received.
    func list(of blob: BlobID) -> PieceList? { wants[blob]?.list }

    // MARK: Questions

    /// Whether a peer that has no list of a blob cannot hold it. Where contributors differ there may be no list.
    func lacksWithoutList(_ link: LinkID, _ blob: BlobID) -> Bool {
        guard let want = wants[blob], want.claims.count == 1 else { return false }
        return want.listRequest?.link == link
    }

    /// Whether all who have some of a want sent what does not fit the claim that is tried.
    private func isWrongEverywhere(_ want: Want) -> Bool {
        guard let condemned = want.condemned[want.claim], !want.sources.isEmpty else { return false }
        return want.sources.allSatisfy { link in
            links[link].map { condemned.holds($0.device, now: assignedAt) } ?? true
        }
    }

    func reason(for blob: BlobID) -> MissingReason? {
        guard let want = wants[blob] else { return nil }
        if isWrongEverywhere(want) { return .nobodyConnected }
        switch want.place {
        case .parked: return .nobodyConnected
        case .suspended: return want.hasSource ? .heldUp(hold) : .nobodyConnected
        case .queued, .resting(.unanswered, _): return links.isEmpty ? .nobodyConnected : .queued
        case .resting(.unwritten(let reason), _): return .paused(reason)
        case .resting(.rejected, _): return .rejected
        case .active(.opening), .committing: return .queued
        case .active(.needsList(let asked)):
            return asked.flatMap { links[$0.link] }.map { .asking([$0.device]) } ?? .queued
        case .active(.receiving):
            let devices = want.asked.values.joined().compactMap { requests[$0].flatMap { links[$0.link]?.device } }
            return devices.isEmpty ? .queued : .asking(Array(Set(devices)).sorted())
        }
    }
}
