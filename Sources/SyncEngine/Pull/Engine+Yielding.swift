import AlbumModel
import WireFormat

/// To a peer that gathers a new photo from several others, nothing older leaves from here for a moment: it would take
/// half of the way on which the others' pieces come.
struct Yielding: Sendable {
    var blob: BlobID
    var precedence: UInt64
    /// Pieces that the peer gets from here.
    var pieces: Set<Int> = []
    let began: MonotonicInstant
}

extension Engine {
    /// A request is about to be answered. Older ones yield only to photos as new as the newest, since in a backlog each
    /// next one is older, and a link would rest before each; and half of the time at most, since people go on taking
    /// photos.
    mutating func yieldOlder(to request: PieceRequest, _ link: LinkID, now: MonotonicInstant) {
        guard request.blobClass == .original, sessions.count > 1, yieldRests[link].map({ $0 <= now }) ?? true else {
            return
        }
        let mentions = catalog.mentions(of: request.blob)
        let precedence = precedence(of: urgency(of: mentions))
        let pieceCount = Pieces.count(blobByteCount: mentions.claims.first?.byteCount ?? 0)
        guard pieceCount > 1, precedence >= self.precedence(of: urgencyMax) else { return }
        let old = yieldings[link]
        var yielding = old ?? Yielding(blob: request.blob, precedence: precedence, began: now)
        if yielding.blob != request.blob {
            yielding.blob = request.blob
            yielding.precedence = precedence
            yielding.pieces.removeAll()
        }
        yielding.pieces.insert(request.piece)
        // Who gets all of it from here waits for nobody else.
        guard yielding.pieces.count < pieceCount else { return endYielding(link, now: now) }
        yieldings[link] = yielding
        if old?.precedence != precedence { emit(.yield(link, to: precedence)) }
    }

    private mutating func endYielding(_ link: LinkID, now: MonotonicInstant) {
        guard let yielding = yieldings.removeValue(forKey: link) else { return }
        yieldRests[link] = now + now.seconds(since: yielding.began)
        if !PlantedFault.isPlanted(.yieldNeverEnds) { emit(.yield(link, to: 0)) }
    }

    mutating func endYielding(_ link: LinkID, ifWholeAre blobs: [BlobID], now: MonotonicInstant) {
        if let blob = yieldings[link]?.blob, blobs.contains(blob) { endYielding(link, now: now) }
    }

    mutating func endYieldings(now: MonotonicInstant) {
        for (link, yielding) in yieldings.sorted(by: { $0.key < $1.key }) where end(of: yielding) <= now {
            endYielding(link, now: now)
        }
    }

    private func end(of yielding: Yielding) -> MonotonicInstant { yielding.began + limits.yieldSecondsMax }

    /// When older photos go on at the latest.
    var yieldingEnds: [MonotonicInstant] { yieldings.values.map { end(of: $0) } }

    mutating func forgetYielding(_ link: LinkID) {
        yieldings[link] = nil
        yieldRests[link] = nil
    }
}
