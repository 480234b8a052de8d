/// Parts of the folder that cannot be looked at now. What is in them stays as folder state has it, and is not judged.
package struct FolderGaps: Sendable {
    package enum Reason: Hashable, Sendable {
        /// The directory, or the file, gives an error: its errno.
        case unreadable(Int32)
        /// The disk that was mounted there is not.
        case away
        /// Another disk than the one that was there is mounted.
        case otherDisk

        /// Something is there that gives no answer, and nobody says why.
        package static let unanswered = Reason.unreadable(unansweredNumber)
    }

    /// EIO.
    static let unansweredNumber: Int32 = 5

    /// Each covers its path and all that is below.
    package private(set) var reasons: [FolderPath: Reason] = [:]
    /// Until the next look; `nil` while there are no gaps.
    package private(set) var delay: Duration?
    private let delayFirst: Duration
    private let delayMax: Duration

    /// - Parameters:
    ///   - delayFirst: Until the next look, when the first gap appears.
    ///   - delayMax: The same at most, while there are gaps for long.
    package init(delayFirst: Duration, delayMax: Duration) {
        (self.delayFirst, self.delayMax) = (delayFirst, delayMax)
    }

    /// Whether something is there of which nobody knows what it holds.
    package var hasUnseen: Bool { reasons.values.contains { $0 != .away } }

    /// Whether a file may have been moved within its album without anybody seeing where: nobody can look at some part of
    /// the album's directory. Nobody moves files to a disk that is away.
    package func mayHideMove(of path: FolderPath) -> Bool {
        let directory = path.albumDirectory
        return reasons.contains { gap, reason in
            reason != .away && (gap == .root || directory != .root && gap.isWithin(directory))
        }
    }

    package func covers(_ path: FolderPath) -> Bool { Self.covers(path, reasons) }

    /// Whether one of these gaps is at a path, or above it.
    static func covers(_ path: FolderPath, _ reasons: [FolderPath: Reason]) -> Bool {
        if reasons.isEmpty { return false }
        var covering = path
        while reasons[covering] == nil, !covering.bytes.isEmpty { covering = covering.parent }
        return reasons[covering] != nil
    }

    /// What a whole scan found, instead of what was known. The wait for the next look doubles while there are gaps.
    package mutating func found(_ reasons: [FolderPath: Reason]) {
        self.reasons = reasons
        delay = reasons.isEmpty ? nil : delay.map { min($0 * 2, delayMax) } ?? delayFirst
    }

    /// A look failed between two scans.
    package mutating func add(_ path: FolderPath, _ reason: Reason) {
        if covers(path) { return }
        reasons[path] = reason
        delay = delay ?? delayFirst
    }

    /// Nobody can tell whether these files are there: they stay as they are until a scan can.
    ///
    /// - Parameter away: Disks in the folder that are known to be away.
    package mutating func add(unreachable paths: [FolderPath], away: Set<FolderPath>) {
        for path in paths {
            let mount = away.first { path.isWithin($0) }
            add(mount ?? path.parent, mount == nil ? .unanswered : .away)
        }
    }

    /// The places of disks that were away, or others, of which that is not so any more: what is there may have lost what
    /// was not written yet.
    ///
    /// - Parameter now: What a comparison of the mounts shows now.
    package func returned(_ now: [FolderPath: Reason]) -> [FolderPath] {
        reasons.filter { directory, reason in
            (reason == .away || reason == .otherDisk) && reason != now[directory]
        }.keys.sorted()
    }
}
