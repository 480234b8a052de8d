import AlbumModel

/// Whether the disk refuses all blobs, as far as its answers tell, and when one more may be tried.
///
/// A refusal of one blob says nothing of the others, since its directory alone may be at fault; nor does another refusal
/// of the same blob. After first refusals of several, with none that became durable between, the disk may be full or
/// read-only: then one more is tried after each pause, and the first that becomes durable ends it. A piece in staging
/// ends nothing: commits alone may fail.
struct DiskRefusals: Sendable {
    /// Blobs that were refused for the first time since one became durable, up to as many as it takes.
    private var count = 0
    /// When one more may be tried; `nil` while the disk is not taken to refuse all.
    private(set) var pauseEnd: MonotonicInstant?
    /// How long the next pause takes.
    private var pauseSeconds: Double
    private let limits: EngineLimits

    init(limits: EngineLimits) {
        self.limits = limits
        pauseSeconds = limits.failingDiskSeconds.lowerBound
    }

    var areOfAll: Bool { pauseEnd != nil }

    /// Whether the disk may be given one more blob.
    func mayTry(now: MonotonicInstant) -> Bool { pauseEnd.map { $0 <= now } ?? true }

    /// The disk refused a blob for the first time.
    ///
    /// - Returns: whether it is taken to refuse all from now on.
    mutating func add(now: MonotonicInstant) -> Bool {
        guard !areOfAll else { return false }
        count += 1
        guard count >= limits.failingBlobCountMax else { return false }
        pause(now: now)
        return true
    }

    /// One more joins the working set. The next does not wait for its outcome, which may be long in coming.
    mutating func tried(now: MonotonicInstant) {
        if areOfAll { pause(now: now) }
    }

    /// A blob became durable.
    mutating func end() {
        if count > 0 { self = DiskRefusals(limits: limits) }
    }

    private mutating func pause(now: MonotonicInstant) {
        pauseEnd = now + pauseSeconds
        pauseSeconds = min(2 * pauseSeconds, limits.failingDiskSeconds.upperBound)
    }
}
