import Glibc

/// The clocks of the doors: an argument, so that tests move them.
struct GalleryClock: Sendable {
    /// Milliseconds since 1970.
    var wall: @Sendable () -> Int64
    /// Milliseconds of a clock that never goes back and goes on while the laptop sleeps.
    var steady: @Sendable () -> Int64
    /// Waits for so many milliseconds, or until the task is cancelled.
    var pause: @Sendable (Int64) async -> Void = { try? await Task.sleep(for: .milliseconds($0)) }

    static let system = GalleryClock(wall: { read(CLOCK_REALTIME) }, steady: { read(CLOCK_BOOTTIME) })

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
