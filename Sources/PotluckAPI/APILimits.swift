/// What bounds requests and answers on both sides.
public enum APILimits {
    /// The body of a request: an `add` with all paths that fit Linux's command line (2 MiB), made absolute and escaped.
    public static let requestByteCountMax = 8 << 20
    /// An answer that a client takes: a listing of a million photos of which everything is known.
    public static let answerByteCountMax = 1 << 30
    /// Seconds between two lines of a stream of events: what is silent for four times as long is dead.
    public static let stillHereSeconds = 15
}
