import AlbumModel
import Testing

struct MonotonicInstantTests {
    // Shows that durations move an instant to the nanosecond, and never before the clock's zero.
    @Test func durationsMoveInstants() {
        let start = MonotonicInstant(nanoseconds: 5)
        #expect(start + .seconds(2) == MonotonicInstant(nanoseconds: 2_000_000_005))
        #expect(start + .milliseconds(250) + .nanoseconds(1) == MonotonicInstant(nanoseconds: 250_000_006))
        #expect(start + .seconds(2) - .seconds(2) == start)
        #expect(start - .seconds(2) == MonotonicInstant(nanoseconds: 0))
        #expect(start + .seconds(-2) == start && start - .seconds(-2) == start)
    }
}
