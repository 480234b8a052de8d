import AlbumModel
import DequeModule

/// Decides which file is looked at when, and which is complete.
///
/// A value type without I/O: it is told what was noticed and what a look showed, and says what to do. Time comes as an
/// argument. It holds one entry for each path that is not settled, so the files on disk bound it.
struct CandidateBook: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// What one look at a file showed.
    struct Observation: Hashable, Sendable {
        enum Writer: Hashable, Sendable {
            case none
            case open
            /// The file system has no leases, or the file is somebody else's.
            case unknown
        }
        var signature: FileSignature
        var writer: Writer
        /// Empty, or shorter than its format says.
        var isShort: Bool
    }

    enum Verdict: Hashable, Sendable {
        /// Complete as far as anyone can tell; `isShort`: it was waited for in vain.
        case take(isShort: Bool)
        case wait
    }

    /// What became of a path that was handed out.
    enum Outcome: Hashable, Sendable {
        /// Shared, known, skipped or gone: nothing more to do.
        case settled
        /// ``judge(_:_:now:)`` said to wait.
        case waiting
        /// It changed while it was read.
        case changed
        /// The disk or the agent failed.
        case failed
    }

    struct Job: Hashable, Sendable {
        var path: FolderPath
        var isLive: Bool
        /// An event told that the path vanished.
        var isVanishTold = false
    }

    /// queued → looking (handed out) → queued again (noticed meanwhile), waiting, or forgotten (settled);
    /// waiting → queued when its time has come or something is noticed.
    private enum Phase: Hashable, Sendable {
        case queued
        case looking(isNoticedAgain: Bool)
        case waiting(until: Instant)
    }

    private struct Entry: Sendable {
        var phase: Phase
        var isLive: Bool
        var isVanishTold = false
        /// The last look's signature, and since when looks have shown it.
        var signature: FileSignature?
        var unchangedSince: Instant
        var delay: Duration?
        var until: Instant?
    }

    private let patience: Patience
    private var entries: [FolderPath: Entry] = [:]
    private var queue = Deque<FolderPath>()
    private var deadlines = DeadlineHeap<FolderPath>()
    private(set) var lookingCount = 0

    init(patience: Patience) {
        self.patience = patience
    }

    /// When ``next(now:)`` may have something that it has not now; `nil` while nothing waits for a time.
    var nextDeadline: Instant? { deadlines.first }

    /// Some path is being looked at, or waits for nothing but its turn.
    var isBusy: Bool { lookingCount > 0 || !queue.isEmpty }

    /// Paths that are not settled.
    var count: Int { entries.count }

    func unsettled(below directory: FolderPath) -> [FolderPath] { entries.keys.filter { $0.isBelow(directory) } }

    /// Every path that is not settled, and its last look's signature; `nil` before the first look.
    var unsettled: [FolderPath: FileSignature?] { entries.mapValues(\.signature) }

    /// Sizes, as last seen, of files that are not settled.
    var unsettledByteCounts: Set<UInt64> { Set(entries.values.compactMap { $0.signature?.byteCount }) }

    /// Something happened to the path: it is to be looked at, at once.
    mutating func notice(_ path: FolderPath, isLive: Bool, now: Instant) {
        guard var entry = entries[path] else {
            entries[path] = Entry(phase: .queued, isLive: isLive, unchangedSince: now)
            queue.append(path)
            return
        }
        entry.isLive = entry.isLive || isLive
        switch entry.phase {
        case .queued: break
        case .looking: entry.phase = .looking(isNoticedAgain: true)
        case .waiting:
            entry.phase = .queued
            queue.append(path)
        }
        entries[path] = entry
    }

    /// The path vanished: if it is being looked at, or waits to be, it is to be looked at once more.
    mutating func vanished(_ path: FolderPath, isTold: Bool, now: Instant) {
        guard let entry = entries[path] else { return }
        if isTold { entries[path]!.isVanishTold = true }
        notice(path, isLive: entry.isLive, now: now)
    }

    /// The next path to look at; the caller reports back with ``finish(_:_:now:)``.
    mutating func next(now: Instant) -> Job? {
        while let (path, time) = deadlines.popFirst(until: now) {
            // Deadlines are not taken back when something happens earlier: only the one in force counts.
            guard entries[path]?.phase == .waiting(until: time) else { continue }
            entries[path]?.phase = .queued
            queue.append(path)
        }
        guard let path = queue.popFirst(), let entry = entries[path] else { return nil }
        entries[path]?.phase = .looking(isNoticedAgain: false)
        lookingCount += 1
        return Job(path: path, isLive: entry.isLive, isVanishTold: entry.isVanishTold)
    }

    /// Whether a file that is being looked at is complete.
    mutating func judge(_ path: FolderPath, _ seen: Observation, now: Instant) -> Verdict {
        guard var entry = entries[path] else { return .wait }
        defer { entries[path] = entry }
        if entry.signature != seen.signature {
            // A changing file is alive: what was doubled while it rested begins anew.
            if entry.signature != nil { entry.delay = nil }
            entry.signature = seen.signature
            entry.unchangedSince = now
        }
        if seen.writer == .open, !PlantedFault.isPlanted(.openFileTaken) {
            entry.delay = grown(entry.delay, first: patience.openFirst, limit: patience.openMax)
            entry.until = now + entry.delay!
            return .wait
        }
        var needed = seen.writer == .unknown ? patience.unknownWriter : .zero
        if seen.isShort, !PlantedFault.isPlanted(.shortFileTaken) { needed = max(needed, patience.short) }
        if now < entry.unchangedSince + needed {
            entry.until = entry.unchangedSince + needed
            return .wait
        }
        return .take(isShort: seen.isShort)
    }

    /// Ends the look that ``next(now:)`` began.
    mutating func finish(_ path: FolderPath, _ outcome: Outcome, now: Instant) {
        guard var entry = entries[path], case .looking(let isNoticedAgain) = entry.phase else { return }
        lookingCount -= 1
        switch outcome {
        case .settled:
            guard isNoticedAgain else {
                entries[path] = nil
                return
            }
        case .waiting: break
        case .changed:
            entry.signature = nil
            entry.until = now + patience.changed
        case .failed:
            entry.delay = grown(entry.delay, first: patience.failureFirst, limit: patience.failureMax)
            entry.until = now + entry.delay!
        }
        if isNoticedAgain {
            entry.phase = .queued
            queue.append(path)
        } else {
            let time = entry.until ?? now
            entry.phase = .waiting(until: time)
            deadlines.insert(path, at: time)
        }
        entries[path] = entry
    }

    private func grown(_ delay: Duration?, first: Duration, limit: Duration) -> Duration {
        delay.map { min($0 * 2, limit) } ?? first
    }
}
