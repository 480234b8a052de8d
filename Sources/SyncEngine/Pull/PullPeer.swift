import AlbumModel
import WireFormat

/// One connected peer, as far as pulling goes: what it pulls itself, and what it is to be told of what is pulled here.
struct PullPeer: Sendable {
    let device: DeviceID
    /// The peer was greeted, and the link stays.
    private(set) var isOpen = false
    /// Either side ends the link.
    var isClosing = false
    /// An earlier version has no words for what is not pulled.
    private var takesNotices = false
    /// What the peer said that it does not pull.
    var notice = FetchingNotice()
    /// What the peer said that it holds costs a look at every want, and waits for so long after the last one …
    private var looksAt: MonotonicInstant
    /// … where there is something to look at.
    private(set) var isLookDue = false
    /// Blobs of which parts came, or went, and the peer is to be told.
    private(set) var parts: Set<BlobID> = []
    private var isFetchingDue = false

    init(device: DeviceID, now: MonotonicInstant) {
        self.device = device
        looksAt = now
    }

    /// Whether the peer pulls, may be asked, and is told.
    var isThere: Bool { isOpen && !isClosing }

    mutating func open(takesNotices: Bool) {
        isOpen = true
        self.takesNotices = takesNotices
    }

    // MARK: What the peer holds

    /// - Returns: whether all wants may be looked at now; else they are later.
    mutating func look(wantCount: Int, limits: EngineLimits, now: MonotonicInstant) -> Bool {
        isLookDue = now < looksAt
        guard !isLookDue else { return false }
        looksAt = now + limits.secondsPerEntry * Double(wantCount)
        return true
    }

    func mayLook(now: MonotonicInstant) -> Bool { isLookDue && looksAt <= now }

    /// When what the peer holds is looked at; `nil` where that is not to be.
    var nextDeadline: MonotonicInstant? { isLookDue && !isClosing ? looksAt : nil }

    // MARK: What the peer is told

    /// How many things wait to be told.
    var owedCount: Int { parts.count + (isFetchingDue ? 1 : 0) }

    /// - Parameter isWanted: whether a blob is still pulled here: of others a peer is told in other ways.
    mutating func owePart(_ blob: BlobID, limits: EngineLimits, isWanted: (BlobID) -> Bool) {
        if parts.count >= limits.toldPartCountMax { parts = parts.filter(isWanted) }
        // A peer that does not know of a part asks others, and is refused what is not there any more.
        if parts.count < limits.toldPartCountMax { parts.insert(blob) }
    }

    mutating func takePart() -> BlobID? {
        let first = parts.min()
        if let first { parts.remove(first) }
        return first
    }

    mutating func oweFetching() { if takesNotices { isFetchingDue = true } }

    mutating func takeFetching() -> Bool {
        defer { isFetchingDue = false }
        return isFetchingDue
    }
}
