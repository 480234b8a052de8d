import AlbumModel

/// What changed of what is held here and is not told yet, and when it is signed.
struct PresenceNews: Sendable {
    /// Blobs that came to be held or were lost, and are not yet announced.
    var blobs: Set<BlobID> = []
    /// When the own presence is to be signed anew; `nil` while it has not changed.
    private(set) var summaryAt: MonotonicInstant?
    /// It is signed once its number is on the disk.
    private var awaitsNumbers = false
    /// The last summary was long, and the next one waits for longer.
    private var summaryPause = 0.0
    private let limits: EngineLimits

    init(limits: EngineLimits) {
        self.limits = limits
    }

    func isSummaryDue(now: MonotonicInstant) -> Bool { summaryAt.map { $0 <= now } ?? false }

    /// The own presence changed: what changes soon after shares a summary with it.
    mutating func needSummary(now: MonotonicInstant) {
        if summaryAt == nil, !awaitsNumbers { summaryAt = now + max(limits.summaryInterval, summaryPause) }
    }

    /// Somebody carries away what is held here.
    mutating func wantSummary(now: MonotonicInstant) {
        if !awaitsNumbers { summaryAt = now }
    }

    /// The summary that is due has no number yet.
    mutating func awaitNumbers() { (summaryAt, awaitsNumbers) = (nil, true) }

    mutating func numbersWritten(now: MonotonicInstant) {
        if awaitsNumbers { (summaryAt, awaitsNumbers) = (now, false) }
    }

    /// All that has gathered, ordered.
    mutating func take(now: MonotonicInstant) -> [BlobID] {
        defer { blobs.removeAll(keepingCapacity: true) }
        needSummary(now: now)
        return blobs.sorted()
    }

    /// - Parameter byteCount: of the summary that was just signed.
    mutating func summaryTold(byteCount: Int) {
        summaryAt = nil
        summaryPause = Double(byteCount) / limits.summaryByteRate
    }
}
