import AlbumModel
import WireFormat

/// Requests for pieces that are on their way here: they are answered when their pieces have come, each piece to one peer at
/// a time.
struct Promises: Sendable {
    struct Piece: Hashable, Comparable {
        var blob: BlobID
        var piece: Int

        static func < (left: Piece, right: Piece) -> Bool { (left.blob, left.piece) < (right.blob, right.piece) }
    }

    private(set) var requests: [Piece: (link: LinkID, request: PieceRequest)] = [:]

    var isEmpty: Bool { requests.isEmpty }

    /// - Returns: false where the piece is promised to another request.
    mutating func promise(_ request: PieceRequest, _ link: LinkID) -> Bool {
        let piece = Piece(blob: request.blob, piece: request.piece)
        guard requests[piece] == nil else { return false }
        requests[piece] = (link, request)
        return true
    }

    /// - Parameter number: of the request; `nil` for all of the link.
    mutating func forget(_ link: LinkID, number: UInt32? = nil) {
        guard !requests.isEmpty else { return }
        requests = requests.filter { _, promise in
            promise.link != link || number.map { $0 != promise.request.number } ?? false
        }
    }

    /// Requests that are answered now, ordered: what came, and what does not come any longer.
    mutating func take(unless isComing: (PieceRequest) -> Bool) -> [(link: LinkID, request: PieceRequest)] {
        guard !requests.isEmpty else { return [] }
        let due = requests.sorted { $0.key < $1.key }.filter { !isComing($0.value.request) }
        for (piece, _) in due { requests[piece] = nil }
        return PlantedFault.isPlanted(.promiseNeverAnswered) ? [] : due.map(\.value)
    }
}
