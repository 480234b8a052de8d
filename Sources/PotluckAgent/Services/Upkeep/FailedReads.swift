import AlbumModel
import SyncEngine
import Synchronization

/// Blobs whose files could not be read, for a peer or for what is told of a photo, until somebody has looked at them.
///
/// A disk that does not give a file's bytes back leaves its size and times as they were, so the store opens it as a sound
/// one; and whoever asked asks again, since it is told only that this passes.
final class FailedReads: Sendable {
    /// Blobs to look at, in the order in which they were noted; one reader takes them.
    let blobs: AsyncStream<BlobID>
    private let source: AsyncStream<BlobID>.Continuation
    private let recent = Mutex(RecentReads())

    init() {
        (blobs, source) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(RecentReads.countMax))
    }

    /// Any thread may call; it does not block.
    func note(_ blob: BlobID) {
        // One that finds no room comes again with the next failure.
        if recent.withLock({ $0.note(blob, now: SystemClock().now) }) { source.yield(blob) }
    }
}

/// Which blobs were noted in the last hour: none is read more often, whatever peers ask for.
struct RecentReads {
    static let countMax = 256
    static let interval: UInt64 = 3600 * 1_000_000_000

    private var noted: [BlobID: MonotonicInstant] = [:]

    /// - Returns: whether the blob is to be looked at.
    mutating func note(_ blob: BlobID, now: MonotonicInstant) -> Bool {
        noted = noted.filter { $0.value.nanoseconds + Self.interval > now.nanoseconds }
        guard noted[blob] == nil, noted.count < Self.countMax else { return false }
        noted[blob] = now
        return true
    }
}
