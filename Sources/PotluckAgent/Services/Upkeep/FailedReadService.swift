import AlbumModel
import Logging
import PotluckAPI
import ServiceLifecycle

/// Reads what could not be read once more, and has it fetched again while others still have it; else this
/// laptop would count as its holder until the weekly look.
struct FailedReadService: Service {
    let reads: FailedReads
    let upkeep: Upkeep
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown { await lookAtAll() }
        try? await gracefulShutdown()
    }

    /// Returns once the task is cancelled.
    func lookAtAll() async {
        var unreadInARow = 0
        for await blob in reads.blobs {
            do {
                // After so many the disk is away or fails as a whole: then nothing is set aside.
                let finding = try await upkeep.look(at: blob, repair: unreadInARow < BlobRound.unreadInARowMax)
                unreadInARow = finding?.kind == .photoUnreadable ? unreadInARow + 1 : 0
                guard let finding, !finding.mended else { continue }
                await upkeep.home.noteUpkeep("\(finding.message) \(finding.remedy)")
            } catch is CancellationError {
                return
            } catch {
                // It says nothing of the blob, which is looked at again when a peer asks for it after an hour.
                logger.warning("a photo could not be looked at", metadata: ["error.message": "\(error)"])
            }
        }
    }
}
