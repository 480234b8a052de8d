import NIOCore

/// Bytes that NIO has and the kernel does not have yet, and how many more it may be handed.
struct SendBudget {
    private let limits: TransportLimits
    private var window: BulkWindow
    private var inFlightByteCount = 0

    init(limits: TransportLimits) {
        self.limits = limits
        window = BulkWindow(limits: limits)
    }

    var allowsControl: Bool { inFlightByteCount < limits.inFlightByteCountMax }

    /// Bytes of bulk that one flush may take beside those that it has.
    func bulkByteCount(besides byteCount: Int) -> Int {
        min(limits.flushByteCount - byteCount, window.byteCount - inFlightByteCount - byteCount)
    }

    mutating func begin(_ byteCount: Int) { inFlightByteCount += byteCount }

    /// - Parameter time: that the flush took; `nil` where it failed.
    mutating func end(_ byteCount: Int, after time: TimeAmount?) {
        inFlightByteCount -= byteCount
        if let time { window.flushed(after: time) }
    }
}

/// Whether something is under way that must not begin within itself: a write that the kernel takes at once comes back
/// before it returns. Then the work goes round again instead of the stack growing.
struct Round {
    private var isUnderWay = false
    private var isWantedAgain = false
    /// Whether a later beginning is planned.
    var isPlanned = false

    /// - Returns: whether the caller does the work now; else whoever does it goes round again.
    mutating func begin() -> Bool {
        isWantedAgain = isUnderWay
        if isUnderWay { return false }
        isUnderWay = true
        return true
    }

    /// - Returns: whether the work is to be done once more.
    mutating func goesOn() -> Bool {
        isUnderWay = isWantedAgain
        isWantedAgain = false
        return isUnderWay
    }

    mutating func stop() {
        isUnderWay = false
        isWantedAgain = false
    }
}
