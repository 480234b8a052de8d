import AlbumModel
import Logging
import PotluckAPI
import ServiceLifecycle
import Synchronization

/// Reads what could not be read again, and has it fetched while others still have it; else this laptop would count as its
/// holder until the weekly look. People are told for as long as something cannot be read.
final class FailedReadService: Service {
    private static let waitMax = Duration.seconds(960)
    /// A disk may fail for a moment: only what it does not give back after such a wait is set aside.
    private static let patience = Duration.seconds(120)

    private let reads: FailedReads
    private let upkeep: Upkeep
    private let problems: Problems
    private let logger: Logger
    private let firstWait: Duration
    private let unread = Mutex(UnreadBlobs())

    /// - Parameter firstWait: until what could not be read is looked at again; each further wait is twice as long.
    init(
        reads: FailedReads, upkeep: Upkeep, problems: Problems, logger: Logger, firstWait: Duration = .seconds(15)
    ) {
        self.reads = reads
        self.upkeep = upkeep
        self.problems = problems
        self.logger = logger
        self.firstWait = firstWait
    }

    func run() async throws {
        await cancelWhenGracefulShutdown { await self.lookAtAll() }
        try? await gracefulShutdown()
    }

    /// Returns once the task is cancelled.
    func lookAtAll() async {
        await withDiscardingTaskGroup { group in
            group.addTask { for await blob in self.reads.blobs { await self.look(at: blob, repair: false) } }
            group.addTask { await self.lookAgain() }
        }
    }

    private func lookAgain() async {
        var wait = firstWait
        while !Task.isCancelled {
            // A cancelled sleep ends the loop.
            try? await Task.sleep(for: wait)
            let isUnread = await isUnreadStill(repair: wait >= Self.patience)
            wait = isUnread ? min(wait * 2, Self.waitMax) : firstWait
        }
    }

    /// Looks at one after the other until one cannot be read still: a large one may be read nearly to its end for that.
    private func isUnreadStill(repair: Bool) async -> Bool {
        while !Task.isCancelled, let blob = unread.withLock({ $0.first }) {
            await look(at: blob, repair: repair)
            if unread.withLock({ $0.first }) == blob { return true }
        }
        return false
    }

    /// Looks at a blob, and tells people what is so from then on.
    private func look(at blob: BlobID, repair: Bool) async {
        do {
            let finding = try await upkeep.look(at: blob, repair: repair && unread.withLock { $0.mayRepair })
            unread.withLock { unread in
                unread.note(blob, finding)
                problems.note(.unreadBlobs, unread.sentence)
            }
        } catch is CancellationError {
            return
        } catch {
            // It says nothing of the blob, which is looked at again when somebody asks for it after an hour.
            logger.warning("a photo could not be looked at", metadata: ["error.message": "\(error)"])
        }
    }
}
