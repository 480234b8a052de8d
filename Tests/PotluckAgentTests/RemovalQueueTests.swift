import AlbumModel
import Testing

@testable import PotluckAgent

/// What waits for trash and folder, when the agent stops.
@Suite struct RemovalQueueTests {
    private static let photo = PhotoKey(
        album: AlbumID(bytes: [UInt8](repeating: 1, count: 16))!, blob: BlobID(bytes: [UInt8](repeating: 2, count: 32))!
    )

    @Test func takesAllThatWaits() {
        var queue = RemovalQueue()
        queue.add(removed: [Self.photo])
        _ = queue.begin()
        let part = queue.take()
        #expect(part?.photos == [Self.photo])
        #expect(part?.removed == [Self.photo])
        queue.finish(failed: nil)
        #expect(queue.isIdle)
    }

    /// Shows that a step which began before the stop takes nothing after it, lest removals that were let go count as
    /// followed.
    @Test func takesNothingOnceItHasEnded() {
        var queue = RemovalQueue()
        queue.add(removed: [Self.photo])
        _ = queue.begin()
        queue.end()
        let part = queue.take()
        #expect(part == nil)
        let begins = queue.begin()
        #expect(!begins)
    }

    /// Shows that what failed waits again.
    @Test func whatFailedWaitsAgain() {
        var queue = RemovalQueue()
        queue.add(removed: [Self.photo])
        _ = queue.begin()
        let part = queue.take()
        queue.finish(failed: part)
        let begins = queue.begin()
        #expect(begins)
        let again = queue.take()
        #expect(again?.removed == [Self.photo])
    }
}
