import NIOCore

/// When the folder is asked again for blobs that it did not give back: less and less often while nothing comes of it, since
/// files may have to be read for it.
struct RecoveryRetry {
    /// Of the first wait, as the longest: some 11 minutes of 10 seconds.
    static let factorMax: Int64 = 64

    private let interval: TimeAmount
    private var factor: Int64 = 1
    private var isPlanned = false

    /// - Parameter interval: the first wait.
    init(interval: TimeAmount) { self.interval = interval }

    /// - Returns: the wait until the next attempt; `nil` if one is planned.
    mutating func plan() -> TimeAmount? {
        guard !isPlanned else { return nil }
        isPlanned = true
        return interval * factor
    }

    /// The planned attempt begins. The one after it waits twice as long.
    mutating func begin() {
        isPlanned = false
        factor = min(2 * factor, Self.factorMax)
    }

    /// Nothing is missing any more.
    mutating func reset() { factor = 1 }
}
