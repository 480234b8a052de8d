import AlbumModel
import WireFormat

/// A blob that this device lacks, and how far it has come.
struct Want: Sendable {
    /// The same whichever claim is tried.
    private(set) var priority: WantPriority
    /// What contributors say of it.
    var claims: WantClaims
    /// Only ``Wants`` moves it.
    fileprivate(set) var place = Place.parked
    var list: PieceList?
    var pieces = WantPieces()
    /// Links whose peers hold the whole blob, as far as they said; ordered.
    private(set) var holders: [LinkID] = []
    /// Links whose peers have some of it, whole or in part; ordered.
    private(set) var sources: [LinkID] = []
    /// What peers that pull the blob themselves can serve of it.
    private(set) var parts = WantParts()
    /// How often each peer denied that it has what it said it has.
    private var denials = Leases<DeviceID>()
    /// Links whose peers denied it, and until when that counts.
    private(set) var denied: [LinkID: MonotonicInstant] = [:]
    /// Links that did not answer, and until when they are not asked for this blob.
    var resting: [LinkID: MonotonicInstant] = [:]
    /// The disk refused it before.
    var wasRefused = false

    init(blob: BlobID, blobClass: BlobClass, urgency: ClockReading, claims: [BlobClaim]) {
        self.claims = WantClaims(claims)
        priority = WantPriority(
            blobClass: blobClass, age: urgency.microseconds / 100_000, byteCount: claims[0].byteCount, blob: blob)
    }

    /// Goes before what is less urgent than this, from now on.
    ///
    /// - Returns: `false` where it did so before.
    mutating func hasten(_ urgency: ClockReading) -> Bool {
        var hastened = priority
        hastened.age = max(priority.age, urgency.microseconds / 100_000)
        defer { priority = hastened }
        return hastened != priority
    }

    var blob: BlobID { priority.blob }

    var blobClass: BlobClass { priority.blobClass }

    var claim: BlobClaim { claims.tried }

    var byteCount: UInt64 { claim.byteCount }

    var pieceCount: Int { Pieces.count(blobByteCount: byteCount) }

    /// How much of the working set the want takes: a long video must not keep all others out.
    var weight: Int { min(Self.weightMax, max(1, pieceCount - pieces.heldCount)) }

    private static let weightMax = 8

    /// Whether any peer was said to have some of it that has not come here.
    var hasSource: Bool { !holders.isEmpty || parts.links.contains { isAnyLacking(of: $0) } }

    /// Whether all of it is in staging.
    var hasAllPieces: Bool { pieces.heldCount == pieceCount }

    /// How many connected peers can serve a piece, as far as they said.
    func copies(of piece: Int) -> Int { holders.count + parts.copies(of: piece) }

    func isServed(_ piece: Int, by link: LinkID) -> Bool { parts[link]?[piece] ?? false || holders.contains(link) }

    /// Whether a peer that pulls the blob itself has a piece that has not come here.
    func isAnyLacking(of link: LinkID) -> Bool {
        guard let served = parts[link] else { return false }
        return pieces.isHeld.isEmpty || zip(served, pieces.isHeld).contains { $0 && !$1 }
    }

    /// - Returns: when the peer of a link is to be asked again.
    mutating func deny(
        _ link: LinkID, _ device: DeviceID, for seconds: ClosedRange<Double>, now: MonotonicInstant
    ) -> MonotonicInstant? {
        setHolder(link, false)
        denials.extend(device, by: seconds, now: now)
        denied[link] = denials.deadline(of: device, now: now)
        return denied[link]
    }

    mutating func setHolder(_ link: LinkID, _ holds: Bool) {
        denied[link] = nil
        if holds {
            parts.remove(link)
            holders.insert(link, at: holders.firstIndex { link < $0 } ?? holders.endIndex)
        } else {
            holders.removeAll { $0 == link }
        }
        updateSources()
    }

    private mutating func updateSources() {
        sources = parts.isEmpty ? holders : Set(holders).union(parts.links).sorted()
    }

    /// Takes note of what a peer that pulls the blob itself said of it.
    mutating func setPart(_ link: LinkID, _ part: PartHeld, now: MonotonicInstant) {
        parts.set(link, part, pieceCount: pieceCount, now: now)
        updateSources()
    }

    /// The peer no longer serves parts.
    mutating func removePart(_ link: LinkID) {
        parts.remove(link)
        updateSources()
    }

    mutating func isNotAskedAhead(_ piece: Int, _ link: LinkID) { parts.isNotAskedAhead(piece, link) }

    /// Whether the peer of a link may be asked.
    func mayAsk(_ link: LinkID, _ device: DeviceID, now: MonotonicInstant) -> Bool {
        restEnd(of: link, device, now: now) == nil
    }

    /// Until when the peer of a link is not asked; `nil` if it may be asked.
    func restEnd(of link: LinkID, _ device: DeviceID, now: MonotonicInstant) -> MonotonicInstant? {
        let silence = resting[link].flatMap { now < $0 ? $0 : nil }
        guard let condemnation = claims.condemnedUntil(device, now: now) else { return silence }
        return max(silence ?? condemnation, condemnation)
    }

    /// Another claim that some holder was not found wrong about goes first; the present one last.
    /// - Returns: false if there is none.
    mutating func tryAnotherClaim(holders: [DeviceID], now: MonotonicInstant) -> Bool {
        guard claims.tryAnother(holders: holders, now: now) else { return false }
        list = nil
        // They were said of the other claim's pieces.
        parts = WantParts()
        pieces.discard()
        updateSources()
        return true
    }

    /// Whoever waits for its turn keeps no list that takes much room.
    mutating func dropLongList(_ limits: EngineLimits) {
        if let count = list?.hashes.count, count > limits.keptListPieceCountMax { list = nil }
    }

    func byteCount(of piece: Int) -> Int { Pieces.range(of: piece, blobByteCount: byteCount).count }

    var heldByteCount: UInt64 {
        pieces.isHeld.indices.reduce(0) { pieces.isHeld[$1] ? $0 + UInt64(byteCount(of: $1)) : $0 }
    }

    /// What has still to arrive; a last piece that is short counts as a whole one.
    var remainingByteCount: UInt64 { byteCount - min(byteCount, UInt64(pieces.heldCount) * UInt64(Pieces.byteCount)) }

    /// Pieces that are neither here nor on their way.
    var openPieceCount: Int { isReceiving ? pieceCount - pieces.heldCount - pieces.asked.count : 0 }
}

/// All wants. Each is at one place, and for the places that are gone through there are lists, which ``move(_:to:)`` alone
/// keeps.
struct Wants: Sendable {
    private var table = WantTable()
    /// Those that are queued.
    private(set) var queue = WantQueue()
    /// Those that are active: the working set, the most urgent first, by what they were when they came in.
    private(set) var active: [WantPriority] = []
    private(set) var suspended: Set<BlobID> = []
    /// When those that rest for a time are queued again.
    private(set) var restEnds: [BlobID: MonotonicInstant] = [:]

    var count: Int { table.count }

    /// A copy: what is wanted may change while it is gone through.
    var blobs: [BlobID] { table.blobs }

    var all: some Sequence<Want> { table.all }

    /// To look at a want, and to change all of it but its place; ``add(_:)`` and ``remove(_:)`` make and end one.
    subscript(_ blob: BlobID) -> Want? {
        get { table[blob] }
        _modify { yield &table[blob] }
    }

    mutating func add(_ want: Want) {
        remove(want.blob)
        table[want.blob] = want
        note(want.blob, at: want.place)
    }

    mutating func remove(_ blob: BlobID) {
        guard let want = table[blob] else { return }
        leave(blob, want.place)
        table[blob] = nil
    }

    mutating func move(_ blob: BlobID, to place: Want.Place) {
        guard let old = table[blob]?.place, old != place else { return }
        table[blob]!.place = place
        // Within the working set a want keeps its rank.
        if case .active = old, case .active = place { return }
        leave(blob, old)
        note(blob, at: place)
    }

    /// Queues many at once, in linear time.
    mutating func queue(_ blobs: some Sequence<BlobID>) {
        let moved = blobs.filter { table[$0].map { $0.place != .queued } ?? false }
        for blob in moved {
            leave(blob, table[blob]!.place)
            table[blob]!.place = .queued
        }
        queue.insert(contentsOf: moved.map { table[$0]!.priority })
    }

    /// The most urgent that is queued.
    mutating func firstQueued() -> WantPriority? { queue.first() }

    /// - Returns: `false` where it was as urgent before.
    @discardableResult
    mutating func hasten(_ blob: BlobID, _ urgency: ClockReading) -> Bool {
        guard table[blob]?.hasten(urgency) == true else { return false }
        if table[blob]!.place == .queued {
            queue.remove(blob)
            queue.insert(table[blob]!.priority)
        }
        return true
    }

    private mutating func leave(_ blob: BlobID, _ place: Want.Place) {
        switch place {
        case .parked, .committing: break
        case .queued: queue.remove(blob)
        case .suspended: suspended.remove(blob)
        case .active: active.removeAll { $0.blob == blob }
        case .resting: restEnds[blob] = nil
        }
    }

    private mutating func note(_ blob: BlobID, at place: Want.Place) {
        switch place {
        case .parked, .committing: break
        case .queued: queue.insert(table[blob]!.priority)
        case .suspended: suspended.insert(blob)
        case .active:
            let priority = table[blob]!.priority
            active.insert(priority, at: active.firstIndex { priority < $0 } ?? active.endIndex)
        case .resting(_, let end): restEnds[blob] = end
        }
    }
}
