package import AlbumModel
import DequeModule

/// Decides which file is looked at when, and which is complete.
///
/// A value type without I/O: it is told what was noticed and what a look showed, and says what to do. Time comes as an
/// argument. It holds one entry for each path that is not settled, so the files on disk bound it.
package struct CandidateBook: Sendable {
    /// What one look at a file showed.
    package struct Observation: Hashable, Sendable {
        package enum Writer: Hashable, Sendable {
            case none
            case open
            /// The file system has no leases, or the file is somebody else's.
            case unknown
        }
        package var signature: FileSignature
        package var writer: Writer
        /// Empty, or shorter than its format says.
        package var isShort: Bool

        package init(signature: FileSignature, writer: Writer, isShort: Bool) {
            self.signature = signature
            self.writer = writer
            self.isShort = isShort
        }
    }

    package enum Verdict: Hashable, Sendable {
        /// Complete as far as anyone can tell; `isShort`: it was waited for in vain.
        case take(isShort: Bool)
        case wait
    }

    /// What became of a path that was handed out.
    package enum Outcome: Hashable, Sendable {
        /// Shared, known, skipped or gone: nothing more to do.
        case settled
        /// ``judge(_:_:now:)`` said to wait.
        case waiting
        /// It changed while it was read.
        case changed
        /// The disk or the agent failed.
        case failed
    }

    package struct Job: Hashable, Sendable {
        package var path: FolderPath
        package var isLive: Bool
        /// An event told that the path vanished.
        package var isVanishTold: Bool
        /// Names the look; 0 before it begins.
        var number: UInt64 = 0

        package init(path: FolderPath, isLive: Bool, isVanishTold: Bool = false) {
            self.path = path
            self.isLive = isLive
            self.isVanishTold = isVanishTold
        }
    }

    /// queued → looking (handed out) → queued again (noticed meanwhile), waiting, or forgotten (settled);
    /// waiting → queued when its time has come or something is noticed.
    private enum Phase: Hashable, Sendable {
        case queued
        case looking(isNoticedAgain: Bool)
        case waiting(until: MonotonicInstant)
    }

    private struct Entry: Sendable {
        var phase: Phase
        var isLive: Bool
        var isVanishTold = false
        /// A look has shown it since it was last noticed.
        var isShown = false
        /// The last look's signature, and since when looks have shown it.
        var signature: FileSignature?
        /// As a listing showed it.
        var listedByteCount: UInt64?
        var unchangedSince: MonotonicInstant
        var delay: Duration?
        var until: MonotonicInstant?
    }

    private let patience: Patience
    private var entries: [FolderPath: Entry] = [:]
    private var queue = Deque<FolderPath>()
    private var deadlines = DeadlineHeap<FolderPath>()
    package private(set) var lookingCount = 0

    package init(patience: Patience) {
        self.patience = patience
    }

    /// When ``next(now:)`` may have something that it has not now; `nil` while nothing waits for a time.
    package var nextDeadline: MonotonicInstant? { deadlines.first }

    /// Some path is being looked at, or waits for nothing but its turn.
    package var isBusy: Bool { lookingCount > 0 || !queue.isEmpty }

    /// Paths that are not settled.
    package var count: Int { entries.count }

    package func unsettled(below directory: FolderPath) -> [FolderPath] {
        entries.keys.filter { $0.isBelow(directory) }
    }

    func isUnsettled(_ path: FolderPath) -> Bool { entries[path] != nil }

    func isUnsettled(within directory: FolderPath) -> Bool { entries.keys.contains { $0.isWithin(directory) } }

    /// What is known of a path that is not settled.
    package struct Unsettled: Hashable, Sendable {
        /// The last look's; `nil` before the first one.
        package var signature: FileSignature?
        /// As last seen; `nil` where neither a look nor a listing has shown it.
        package var byteCount: UInt64?
        /// Whether an event told of it.
        package var isLive: Bool
    }

    /// Every path that is not settled.
    package var unsettled: [FolderPath: Unsettled] {
        entries.mapValues { entry in
            Unsettled(
                signature: entry.signature, byteCount: entry.signature?.byteCount ?? entry.listedByteCount,
                isLive: entry.isLive)
        }
    }

    /// Sizes, as last seen, of files that are not settled.
    package var unsettledByteCounts: Set<UInt64> { Set(entries.values.compactMap { $0.signature?.byteCount }) }

    /// Albums' directories with files that no look has shown since something happened to them: nobody knows what they are.
    package var unseenAlbums: Set<FolderPath> {
        Set(
            entries.lazy.filter { _, entry in
                switch entry.phase {
                case .queued, .looking(false): !entry.isShown
                case .looking(true): true
                case .waiting: false
                }
            }.map(\.key.albumDirectory))
    }

    package func isBeingLookedAt(_ path: FolderPath) -> Bool {
        if case .looking = entries[path]?.phase { true } else { false }
    }

    /// Whether some file in a directory is being looked at.
    package func isLooking(below directory: FolderPath) -> Bool {
        entries.contains { path, entry in
            if case .looking = entry.phase { path.isBelow(directory) } else { false }
        }
    }

    /// A listing showed the file's size, which says nothing of whether it is complete.
    package mutating func lists(_ path: FolderPath, byteCount: UInt64) {
        entries[path]?.listedByteCount = byteCount
    }

    /// A look showed the file's size and times; whether it is complete is not known yet.
    package mutating func sees(_ path: FolderPath, _ signature: FileSignature, now: MonotonicInstant) {
        entries[path]?.isShown = true
        guard var entry = entries[path], entry.signature != signature else { return }
        // A changing file is alive: what was doubled while it rested begins anew.
        if entry.signature != nil { entry.delay = nil }
        entry.signature = signature
        entry.unchangedSince = now
        entries[path] = entry
    }

    /// Something happened to the path: it is to be looked at, at once.
    package mutating func notice(_ path: FolderPath, isLive: Bool, now: MonotonicInstant) {
        guard var entry = entries[path] else {
            entries[path] = Entry(phase: .queued, isLive: isLive, unchangedSince: now)
            queue.append(path)
            return
        }
        entry.isLive = entry.isLive || isLive
        entry.isShown = false
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
    package mutating func vanished(_ path: FolderPath, isTold: Bool, now: MonotonicInstant) {
        guard let entry = entries[path] else { return }
        if isTold { entries[path]!.isVanishTold = true }
        notice(path, isLive: entry.isLive, now: now)
    }

    /// The next path to look at; the caller reports back with ``finish(_:_:now:)``.
    package mutating func next(now: MonotonicInstant) -> Job? {
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
    package mutating func judge(_ path: FolderPath, _ seen: Observation, now: MonotonicInstant) -> Verdict {
        sees(path, seen.signature, now: now)
        guard var entry = entries[path] else { return .wait }
        defer { entries[path] = entry }
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
    package mutating func finish(_ path: FolderPath, _ outcome: Outcome, now: MonotonicInstant) {
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
            entry.isShown = false
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
