/// When the waiting ends.
struct Deadline {
    private let instant: ContinuousClock.Instant

    init(after timeout: Duration) { instant = .now.advanced(by: timeout) }

    /// What is left, as poll() takes it: at least zero.
    var milliseconds: Int32 {
        let rest = ContinuousClock.now.duration(to: instant).components
        guard rest.seconds >= 0, rest.attoseconds >= 0 else { return 0 }
        return Int32(clamping: rest.seconds * 1000 + rest.attoseconds / 1_000_000_000_000_000 + 1)
    }
}
