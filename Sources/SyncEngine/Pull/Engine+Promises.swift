import AlbumModel
import WireFormat

/// A piece that was asked of this device while it is on its way here.
struct PromisedPiece: Hashable, Comparable, Sendable {
    var blob: BlobID
    var piece: Int

    static func < (left: PromisedPiece, right: PromisedPiece) -> Bool {
        (left.blob, left.piece) < (right.blob, right.piece)
    }
}

/// Requests that are answered when their pieces have come, each piece to one peer at a time.
extension Engine {
    /// - Returns: whether the request is answered later.
    mutating func promise(_ request: PieceRequest, _ link: LinkID) -> Bool {
        let piece = PromisedPiece(blob: request.blob, piece: request.piece)
        guard promises[piece] == nil, scheduler.canPromise(request) else { return false }
        promises[piece] = (link, request)
        return true
    }

    mutating func forgetPromises(_ link: LinkID, number: UInt32? = nil) {
        guard !promises.isEmpty else { return }
        promises = promises.filter { _, promise in
            promise.link != link || number.map { $0 != promise.request.number } ?? false
        }
    }

    /// Answers what can be answered now, and refuses what does not come any longer.
    mutating func keepPromises(now: MonotonicInstant) {
        guard !promises.isEmpty else { return }
        for (piece, promise) in promises.sorted(by: { $0.key < $1.key }) where !scheduler.canPromise(promise.request) {
            promises[piece] = nil
            if PlantedFault.isPlanted(.promiseNeverAnswered) { continue }
            answer(promise.request, promise.link, now: now)
        }
    }
}
