import AlbumModel
import DequeModule
import Synchronization

/// Bounds how much of the computer's memory the kernel fills with photos that were stored of late.
///
/// Whoever pulls a photo right behind its import finds it in memory. Of a large import the older photos give their pages
/// back, and the next ones take these: what the person's other programs have in memory stays there.
final class PageCacheBound: Sendable {
    private struct Queue {
        var blobs: Deque<(id: BlobID, byteCount: UInt64)> = []
        var byteCount: UInt64 = 0
    }

    /// What stays: two seconds of a fast import.
    static let byteCountMax: UInt64 = 256 << 20

    private let byteCountMax: UInt64
    private let drop: @Sendable (BlobID) -> Void
    private let queue = Mutex(Queue())

    /// - Parameter drop: has the kernel drop the pages of a blob's file, if that is still there.
    init(byteCountMax: UInt64 = PageCacheBound.byteCountMax, drop: @escaping @Sendable (BlobID) -> Void) {
        self.byteCountMax = byteCountMax
        self.drop = drop
    }

    /// Takes note of a blob that was stored, whose bytes are synced; others are dropped for it, the oldest first.
    func add(_ id: BlobID, byteCount: UInt64) {
        let excess = queue.withLock { queue in
            queue.blobs.append((id, byteCount))
            queue.byteCount += byteCount
            var excess: [BlobID] = []
            // The latest stays whole, of whatever size: its receivers are about to ask for it.
            while queue.byteCount > byteCountMax, queue.blobs.count > 1, let oldest = queue.blobs.popFirst() {
                queue.byteCount -= oldest.byteCount
                excess.append(oldest.id)
            }
            return excess
        }
        excess.forEach(drop)
    }
}
