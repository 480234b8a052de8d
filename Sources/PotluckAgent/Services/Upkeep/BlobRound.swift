import AlbumModel
import DiskIO
import Glibc
import NIOPosix
import PhotoStore
import PotluckAPI
import SyncEngine
import Synchronization

/// One look at every blob of a home, in the order of their names; it can be stopped anywhere and gone on with.
struct BlobRound: Sendable {
    enum Pace: Sendable {
        /// Somebody waits for it.
        case quick
        /// Reads for a tenth of the time.
        case slow
    }

    /// So many files that cannot be read, one after the other, mean that the disk is away or fails as a whole.
    static let unreadInARowMax = 8
    /// What a stopped look reads again at most.
    private static let saveInterval: UInt64 = 5_000_000

    let home: any CheckedHome
    let key: RoundState.Key
    /// Asked after every piece.
    let pace: @Sendable () -> Pace
    /// One thread, on which nothing else runs.
    let pool: NIOThreadPool
    /// Whether to wait with the next blob.
    var pause: @Sendable () async throws -> Void = {}

    /// Goes on from `state`, which is saved now and then, and at the end, whatever that is. Blobs that cannot be read are
    /// read once more at the end: what has passed until then was no damage.
    ///
    /// - Parameters:
    ///   - found: is told of every blob that is not whole, and says whether it stays as it is.
    ///   - progress: is called after every blob.
    /// - Throws: `CancellationError`, and what the journal or the store could not do; ``PotluckError`` where the disk gives
    ///   nothing back: the next look begins with the first blob that it did not give.
    func run(
        _ state: inout RoundState, found: (BlobID, BlobCondition) async throws -> Bool,
        progress: (_ state: RoundState, _ total: Int, _ byteTotal: UInt64) async -> Void
    ) async throws {
        let wall = SystemClock().wall
        if !state.isUnderWay { state.began = wall }
        let held = home.blobs.held()
        let wrong = state.wrong
        let rest = held.keys.filter { id in state.last.map { $0 < id } ?? true }.sorted()
        let total = Int(state.files) + rest.count
        let byteTotal = ([state.byteCount] + rest.compactMap { held[$0] }).clampedSum
        state.saved = wall
        do {
            var unread: [BlobID] = []
            var unreadInARow: [BlobID] = []
            for id in rest {
                try Task.checkCancellation()
                try await pause()
                let condition = try await check(id)
                if condition.isUnread {
                    unreadInARow.append(id)
                    try Self.refuse(unreadInARow, condition)
                    continue
                }
                state.pass(unreadInARow, held, areWrong: true)
                unread += unreadInARow
                unreadInARow = []
                let isWrong = condition == .whole ? false : try await found(id, condition)
                state.pass([id], held, areWrong: isWrong)
                await progress(state, total, byteTotal)
                if SystemClock().wall >= state.saved + Self.saveInterval { try await save(&state) }
            }
            state.pass(unreadInARow, held, areWrong: true)
            try await lookAgain(wrong + unread + unreadInARow, &state, found)
            await progress(state, total, byteTotal)
        } catch {
            await saveAtEnd(state)
            throw error
        }
    }

    /// Those that were found wrong or unreadable before may be right by now. The disk has just given back others.
    private func lookAgain(
        _ blobs: [BlobID], _ state: inout RoundState, _ found: (BlobID, BlobCondition) async throws -> Bool
    ) async throws {
        for id in blobs {
            var stays = false
            if home.blobs.contains(id) {
                let condition = try await check(id)
                stays = condition == .whole ? false : try await found(id, condition)
            }
            if !stays { state.wrong.removeAll { $0 == id } }
        }
    }

    /// Nothing is judged from a disk that gives nothing back.
    private static func refuse(_ unreadInARow: [BlobID], _ last: BlobCondition) throws(PotluckError) {
        guard unreadInARow.count >= unreadInARowMax else { return }
        throw PotluckError(
            .tryAgain,
            "The disk gives back none of \(unreadInARow.count) photos in a row (\(last.reason ?? "")). No photo was judged by that or taken away. Look at the disk and its cable, and make a backup if you have none."
        )
    }

    func save(_ state: inout RoundState) async throws {
        state.saved = SystemClock().wall
        try await pool.perform { [home, key, state] in try home.journal.setRound(key, state) }
    }

    /// In a cancelled task too, which could not wait for the pool otherwise. What cannot be saved is read again.
    private func saveAtEnd(_ state: RoundState) async {
        var state = state
        state.saved = SystemClock().wall
        await withCheckedContinuation { continuation in
            pool.submit { [home, key, state] work in
                if case .active = work { try? home.journal.setRound(key, state) }
                continuation.resume()
            }
        }
    }

    /// - Throws: `CancellationError` where the task was cancelled, in the middle of a file too.
    func check(_ id: BlobID) async throws -> BlobCondition {
        let ended = EndFlag()
        let condition = try await withTaskCancellationHandler {
            try await pool.perform { [home, pace] in
                Self.giveWay()
                var last = SystemClock().now.nanoseconds
                return try home.blobs.check(id) {
                    if pace() == .slow { Self.rest(since: &last) }
                    return !ended.isSet
                }
            }
        } onCancel: {
            ended.set()
        }
        guard let condition else { throw CancellationError() }
        return condition
    }

    /// Sharing comes first, wherever both want the processor. On Linux this concerns the present thread alone.
    private static func giveWay() { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10) }

    /// Nine times as long as the piece took, and a second at most, so that an end is heard of.
    private static func rest(since last: inout UInt64) {
        let taken = (SystemClock().now.nanoseconds - last) / 1000
        usleep(UInt32(min(9 * taken, 999_999)))
        last = SystemClock().now.nanoseconds
    }
}

extension BlobCondition {
    /// Its bytes could not be had, and may be right.
    fileprivate var isUnread: Bool { reason != nil }

    fileprivate var reason: String? {
        switch self {
        case .unreadable(_, let reason), .unknown(let reason): reason
        case .whole, .changed, .absent: nil
        }
    }
}

/// Tells a thread to end what it does.
private final class EndFlag: Sendable {
    private let flag = Atomic<Bool>(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }

    func set() { flag.store(true, ordering: .relaxed) }
}
