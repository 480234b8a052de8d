public import AlbumModel
import WireFormat

/// What became of a piece that arrived.
public enum PieceOutcome: Hashable, Sendable {
    /// It is in staging, as one of several.
    case stored
    /// It is the whole of this blob, which is durable under its name.
    case committed(BlobID)
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
        case beginReceiving(BlobID, byteCount: UInt64, PieceList)
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

    var wants = Wants()
    /// Wants, wherever they are, of which somebody denied to have them, and when the first of these is asked again.
    var denied: [BlobID: MonotonicInstant] = [:]
    var terms = PullTerms()
    var allowance = PullAllowance()
    var refusals: DiskRefusals
    var links: [LinkID: PeerWindow] = [:]
    var requests: [UInt32: Request] = [:]
    var cancelled = CancelledRequests()
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
        refusals = DiskRefusals(limits: limits)
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
        let isNews = wants[blob]!.claims.learn(claims)
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

    mutating func remove(_ blob: BlobID) {
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
        for blob in links[link]!.notePart(of: part.blob, pieceCount: pieceCount, limits: limits) {
            wants[blob]?.removePart(link)
        }
        promote(link, of: part.blob, now: now)
        // What is here already is no news: two that lack the same would wake each other for ever.
        if wants[part.blob]!.isAnyLacking(of: link) { wake(part.blob) }
    }

    func holderDevices(of blob: BlobID) -> [DeviceID] { wants[blob]!.sources.compactMap { links[$0]?.device } }

    // MARK: Links

    mutating func linkOpened(_ link: LinkID, device: DeviceID) {
        links[link] = PeerWindow(device: device)
    }

    mutating func linkClosed(_ link: LinkID) {
        guard links.removeValue(forKey: link) != nil else { return }
        for (number, request) in requests.sorted(by: { $0.key < $1.key }) where request.link == link {
            requests[number] = nil
            if PlantedFault.isPlanted(.requestsOfClosedLinkKept) { continue }
            wants[request.blob]?.pieces.reopen(request.piece, request: number)
        }
        for priority in wants.active where wants[priority.blob]!.listRequest?.link == link {
            wants.move(priority.blob, to: .active(.needsList(asked: nil)))
        }
        for blob in wants.blobs {
            _ = updateHolder(link, of: blob, false)
            wants[blob]!.removePart(link)
            wants[blob]!.resting[link] = nil
        }
    }

    /// Many bytes of pieces arrive on a link, though none may be whole yet.
    mutating func progressed(_ link: LinkID, now: MonotonicInstant) { links[link]?.progressed(now: now) }

    // MARK: The working set

    /// Lets a want of the working set wait for its turn again.
    mutating func putBack(_ blob: BlobID) -> [Directive] { leaveWorkingSet(blob, for: .queued) }

    /// Nothing of it is asked; what has arrived of it stays in staging.
    private mutating func leaveWorkingSet(_ blob: BlobID, for place: Want.Place) -> [Directive] {
        let wasOpen = wants[blob]!.isStaging
        wants.move(blob, to: place)
        wants[blob]!.dropLongList(limits)
        guard wasOpen else { return [] }
        // It is not served any more.
        if wants[blob]!.pieces.heldCount > 0 { changedParts.insert(blob) }
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

    /// Puts those back into the queue whose rest is over. While the disk refuses all, what it refused waits until all
    /// others were tried: it may be refused for itself.
    mutating func endRests(now: MonotonicInstant) {
        let areOthersFirst = refusals.areOfAll && !wants.queue.isEmpty
        for (blob, end) in wants.restEnds where end <= now {
            if case .unwritten = wants[blob]!.rest, areOthersFirst || PlantedFault.isPlanted(.fullDiskNeverRetried) {
                continue
            }
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
}
