import AlbumModel

/// Requests that were taken back lately: pieces that answer them may be on their way to the disk.
struct CancelledRequests: Sendable {
    struct Request: Sendable {
        var link: LinkID
        var blob: BlobID
        /// `nil` where nobody wants the blob any longer.
        var claim: BlobClaim?
    }

    /// Of so many the answers are told apart, the latest.
    private static let countMax = 64

    private var latest: [(number: UInt32, request: Request)] = []

    subscript(number: UInt32) -> Request? { latest.last { $0.number == number }?.request }

    mutating func note(_ number: UInt32, link: LinkID, blob: BlobID, claim: BlobClaim?) {
        latest.append((number, Request(link: link, blob: blob, claim: claim)))
        if latest.count > Self.countMax { latest.removeFirst() }
    }
}
