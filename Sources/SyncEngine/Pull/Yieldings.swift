import AlbumModel
import WireFormat

/// Links over which older photos wait for a newer one. To a peer that gathers a new photo from several others, nothing
/// older leaves from here for a moment: it would take half of the way on which the others' pieces come.
struct Yieldings: Sendable {
    struct Yielding: Sendable {
        var blob: BlobID
        var precedence: UInt64
        /// Pieces that the peer gets from here.
        var pieces: Set<Int> = []
        let began: MonotonicInstant
    }

    private(set) var yieldings: [LinkID: Yielding] = [:]
    /// Until when older photos do not wait again.
    private(set) var rests: [LinkID: MonotonicInstant] = [:]
    private let limits: EngineLimits

    init(limits: EngineLimits) { self.limits = limits }

    /// Half of the time at most older photos wait, since people go on taking photos.
    func mayBegin(_ link: LinkID, now: MonotonicInstant) -> Bool { rests[link].map { $0 <= now } ?? true }

    /// A piece of a new photo is about to leave.
    ///
    /// - Parameter pieceCount: of the whole photo.
    /// - Returns: the precedence below which photos wait from now on, 0 for none; `nil` where nothing changes.
    mutating func note(
        _ request: PieceRequest, pieceCount: Int, precedence: UInt64, _ link: LinkID, now: MonotonicInstant
    ) -> UInt64? {
        let old = yieldings[link]
        var yielding = old ?? Yielding(blob: request.blob, precedence: precedence, began: now)
        if yielding.blob != request.blob {
            yielding.blob = request.blob
            yielding.precedence = precedence
            yielding.pieces.removeAll()
        }
        yielding.pieces.insert(request.piece)
        // Who gets all of it from here waits for nobody else.
        guard yielding.pieces.count < pieceCount else { return end(link, now: now) }
        yieldings[link] = yielding
        return old?.precedence == precedence ? nil : precedence
    }

    private mutating func end(_ link: LinkID, now: MonotonicInstant) -> UInt64? {
        guard let yielding = yieldings.removeValue(forKey: link) else { return nil }
        rests[link] = now + now.seconds(since: yielding.began)
        return PlantedFault.isPlanted(.yieldNeverEnds) ? nil : 0
    }

    /// - Parameter blobs: that the peer holds now.
    /// - Returns: see ``note(_:pieceCount:precedence:_:now:)``.
    mutating func end(_ link: LinkID, ifWholeAre blobs: [BlobID], now: MonotonicInstant) -> UInt64? {
        guard let blob = yieldings[link]?.blob, blobs.contains(blob) else { return nil }
        return end(link, now: now)
    }

    /// - Returns: links over which older photos go on, ordered.
    mutating func endDue(now: MonotonicInstant) -> [LinkID] {
        yieldings.keys.sorted().filter { end(of: yieldings[$0]!) <= now && end($0, now: now) != nil }
    }

    private func end(of yielding: Yielding) -> MonotonicInstant { yielding.began + limits.yieldSecondsMax }

    /// When older photos go on at the latest.
    var nextDeadline: MonotonicInstant? { yieldings.values.map { end(of: $0) }.min() }

    mutating func forget(_ link: LinkID) {
        yieldings[link] = nil
        rests[link] = nil
    }
}
