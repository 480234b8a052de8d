import AlbumModel

/// How many addresses that are known only by gossip may still be tried.
struct HearsayBudget: Sendable {
    /// When such addresses were tried, oldest first; no more than may be within one window.
    private var times: [MonotonicInstant] = []
    private let countMax: Int
    private let window: Double

    init(limits: MeshLimits) {
        countMax = limits.hearsayCountMax
        window = limits.hearsayWindow
    }

    /// When one may be tried; `nil` for at once.
    var readyAt: MonotonicInstant? { times.count < countMax ? nil : times.first.map { $0 + window } }

    mutating func room(now: MonotonicInstant) -> Int {
        times.removeAll { $0 + window <= now }
        return countMax - times.count
    }

    mutating func spend(_ count: Int, now: MonotonicInstant) {
        times += [MonotonicInstant](repeating: now, count: count)
    }
}
