import Glibc
public import Testing

extension Trait where Self == ConditionTrait {
    /// Leaves what would keep `Scripts/test --fast` waiting out of it: a test that takes more than four seconds on two
    /// processors, or a suite that takes more than eight.
    public static var slow: Self { .disabled(if: isFastLane, "left out of the fast lane") }

    private static var isFastLane: Bool { getenv("POTLUCK_FAST_LANE").map { String(cString: $0) } == "1" }
}
