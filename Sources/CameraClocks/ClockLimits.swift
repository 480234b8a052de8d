/// Everything that bounds the comparison of clocks.
public enum ClockLimits {
    /// A clock nearer than this to the others is right: people do not press the button at one instant either.
    public static let toleranceSeconds: Int64 = 30
    /// Moments that a camera must share with others before anything is proposed.
    public static let momentCountMin = 8
}
