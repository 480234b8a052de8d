import AlbumModel

/// What is to be told to peers and can wait a moment, so that much of it shares a message.
struct PresenceNews: Sendable {
    /// Blobs that came to be held or were lost, and are not yet announced.
    var blobs: Set<BlobID> = []
    /// When the own presence is to be signed anew; `nil` while it has not changed.
    private(set) var summaryAt: MonotonicInstant?
    /// It is signed once its number is on the disk.
    private var awaitsNumbers = false
    private var toldAt: MonotonicInstant?
    /// The last summary was long, and the next one waits for longer.
    private var summaryPause = 0.0
    private let limits: EngineLimits

    init(limits: EngineLimits) {
        self.limits = limits
    }

    /// Lone news is told at once; what follows soon after it waits for the interval to end.
    func isDue(now: MonotonicInstant) -> Bool { toldAt.map { $0 + limits.announceInterval <= now } ?? true }

    func isSummaryDue(now: MonotonicInstant) -> Bool { summaryAt.map { $0 <= now } ?? false }

    /// The own presence changed: what changes soon after shares a summary with it.
    mutating func needSummary(now: MonotonicInstant) {
        if summaryAt == nil, !awaitsNumbers { summaryAt = now + max(limits.summaryInterval, summaryPause) }
    }

    /// The summary that is due has no number yet.
    mutating func awaitNumbers() { (summaryAt, awaitsNumbers) = (nil, true) }

    mutating func numbersWritten(now: MonotonicInstant) {
        if awaitsNumbers { (summaryAt, awaitsNumbers) = (now, false) }
    }

    /// - Parameter hasOthers: something else waits that is told with it.
    func nextDeadline(hasOthers: Bool) -> MonotonicInstant? {
        var deadlines: [MonotonicInstant] = []
        if hasOthers || !blobs.isEmpty, let toldAt {
            deadlines.append(toldAt + limits.announceInterval)
        }
        if let summaryAt { deadlines.append(summaryAt) }
        return deadlines.min()
    }

    mutating func told(now: MonotonicInstant) { toldAt = now }

    /// - Parameter byteCount: of the summary that was just signed.
    mutating func summaryTold(byteCount: Int) {
        summaryAt = nil
        summaryPause = Double(byteCount) / limits.summaryByteRate
    }
}
