/// How finely a film is coded, and how long that may take: what keeps it within ``MediaReaderLimits``.
struct FilmPlan: Hashable {
    /// Of the shorter side, in pixels, at most; the longer one is 16/9 of it at most.
    var lines: Int
    /// The most bits a second of the pictures, averaged over two seconds. Most films stay far below it.
    var videoBitRate: Int
    var timeout: Duration
    var processorSeconds: UInt32

    static let audioBitRate = 160_000
    /// What is coded as finely as the eye can tell takes 3 to 6 million, and 8 where much moves.
    private static let videoBitRateMax = 8_000_000
    /// Below this, not even small pictures are worth looking at.
    private static let videoBitRateMin = 400_000
    /// Of a film whose length the file does not say, as browsers record them.
    private static let usualSeconds = 600.0
    /// Of the bytes allowed, what the pictures and the sound may take; the rest is for finding one's way in them.
    private static let share = 0.9
    /// A day is more than any film takes.
    private static let timeoutSecondsMax = 86_400.0

    /// `nil` where it is too long.
    init?(seconds: Double?, threadCount: Int, _ limits: MediaReaderLimits) {
        let seconds = max(1, seconds ?? Self.usualSeconds)
        let affordable = Double(limits.playableByteCountMax) * 8 * Self.share / seconds - Double(Self.audioBitRate)
        guard affordable >= Double(Self.videoBitRateMin) else { return nil }
        videoBitRate = Int(min(affordable, Double(Self.videoBitRateMax)))
        lines = Self.lines(videoBitRate)
        let more = min(seconds * limits.playableTimeoutFactor, Self.timeoutSecondsMax)
        timeout = limits.playableTimeout + .seconds(more)
        processorSeconds = UInt32(timeout.components.seconds) * UInt32(threadCount)
    }

    private static func lines(_ bitRate: Int) -> Int {
        if bitRate >= 3_000_000 { return 1080 }
        return bitRate >= 1_200_000 ? 720 : 480
    }
}
