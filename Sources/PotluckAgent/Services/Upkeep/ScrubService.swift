import AlbumModel
import Logging
import PhotoStore
import PotluckAPI
import ServiceLifecycle

/// Reads every blob once a week, slowly, and has what the disk has lost fetched again while others still have it.
struct ScrubService: Service {
    /// From the end of one look to the beginning of the next.
    static let interval: UInt64 = 7 * 24 * 3600 * 1_000_000
    /// The same where files could not be read: what passes is to be known soon.
    static let unreadInterval: UInt64 = 24 * 3600 * 1_000_000
    /// So that a start is not slowed down, and a laptop that is open for an hour comes on.
    private static let firstWait = Duration.seconds(120)
    private static let lookInterval = Duration.seconds(600)
    private static let busyInterval = Duration.seconds(5)

    let upkeep: Upkeep
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var wait = Self.firstWait
            var isFailureShown = false
            while !Task.isCancelled {
                // A cancelled sleep ends the loop.
                try? await Task.sleep(for: wait)
                wait = Self.lookInterval
                do {
                    try await Self.scrubIfDue(
                        upkeep, pace: .slow, wall: SystemClock().wall, afterFailure: isFailureShown)
                    isFailureShown = false
                } catch is CancellationError {
                    // Where it was is saved.
                } catch {
                    logger.warning("the weekly look at all photos failed", metadata: ["error.message": "\(error)"])
                    await upkeep.home.noteUpkeep(
                        "The weekly look at all photos could not go on, and is tried again: \(error)")
                    isFailureShown = true
                }
            }
        }
        try? await gracefulShutdown()
    }

    /// Goes on with a look that was stopped, or begins one where the last ended a week ago. Photos of a home in which none
    /// ever ended were all hashed when they came; its first begins after a week.
    ///
    /// - Parameter isFailureShown: people are told that the last attempt could not go on: until the first blob that can be
    ///   looked at, not for the day that the rest may take.
    /// - Returns: what was found and mended; `nil` where nothing was due.
    @discardableResult
    static func scrubIfDue(
        _ upkeep: Upkeep, pace: BlobRound.Pace, wall: UInt64, afterFailure isFailureShown: Bool = false
    ) async throws -> [VerifyReport.Finding]? {
        var state = try await upkeep.pool.perform { [home = upkeep.home] in try home.journal.round(.scrub) }
        // A clock that was set back would put the next look off for longer than a week.
        if state.finished == 0 || state.finished > wall {
            state.finished = wall
            try await upkeep.pool.perform { [home = upkeep.home, state] in try home.journal.setRound(.scrub, state) }
        }
        guard state.isUnderWay || wall - state.finished >= interval else {
            if isFailureShown { await upkeep.home.noteUpkeep(nil) }
            return nil
        }
        var isFailureShown = isFailureShown
        var findings: [VerifyReport.Finding] = []
        // A person who asks meanwhile waits for the end of one file, which comes the sooner.
        let round = BlobRound(
            home: upkeep.home, key: .scrub, pace: { upkeep.isBusy ? .quick : pace }, pool: upkeep.pool
        ) {
            while upkeep.isBusy { try await Task.sleep(for: busyInterval) }
        }
        try await round.run(&state) { blob, condition in
            let finding = try await upkeep.judge(blob, condition, repair: true)
            findings.append(finding)
            return !finding.mended
        } progress: { _, _, _ in
            if isFailureShown { await upkeep.home.noteUpkeep(nil) }
            isFailureShown = false
        }
        let unread = findings.filter { $0.kind == .photoUnreadable && !$0.mended }
        await upkeep.home.noteUpkeep(Self.sentence(unread))
        let now = SystemClock().wall
        state.finish(at: unread.isEmpty ? now : now - (interval - unreadInterval))
        try await upkeep.pool.perform { [home = upkeep.home, state] in try home.journal.setRound(.scrub, state) }
        return findings
    }

    private static func sentence(_ unread: [VerifyReport.Finding]) -> String? {
        guard let first = unread.first else { return nil }
        let others = unread.count == 1 ? "" : " So it is with \(unread.count) files in all."
        return "\(first.message) \(first.remedy)\(others)"
    }
}
