/// Everything that bounds the comparison of clocks.
public enum ClockLimits {
    /// A clock nearer than this to the others is right: people do not press the button at one instant either.
    public static let toleranceSeconds: Int64 = 30
    /// Moments that a camera must share with others before anything is proposed.
    public static let momentCountMin = 8
    /// Photos whose GPS time must agree with each other before it counts.
    public static let gpsPhotoCountMin = 3
    /// Photos of a camera, bursts counted once, below which it is compared by GPS alone.
    public static let shotCountMin = momentCountMin + 2

    // MARK: Samples

    /// From 1900 to 2200: other times are no camera's.
    static let milliseconds: ClosedRange<Int64> = -2_208_988_800_000...7_258_118_400_000
    /// Zones end at 14 hours; summer times that were added twice do not reach this.
    static let offsetMinutesMax = 18 * 60

    // MARK: Shots

    /// Shutter releases of one camera that follow each other within so many seconds are one burst …
    static let burstGapSeconds = 3
    /// … unless the burst has lasted so long already.
    static let burstSecondsMax = 15
    /// Shots that follow each other within so many seconds are of one run.
    static let runGapSeconds = 180
    /// Matches nearer to each other than this are one moment to the one who reads the evidence.
    static let momentGapSeconds = 60

    // MARK: Tables

    /// The resolution of lags. Twelve cells a minute; a chunk of 720 is an hour.
    static let cellSeconds = 5
    static let chunkCellCount = 720
    /// Half the window that says how busy a time of day was, whoever photographed what: half an hour.
    static let busyCellCount = 360
    /// Every zone of the world and half a day the wrong way round, in cells.
    static let nearLagCells = 26 * 3600 / cellSeconds
    /// Beyond that, lags are first looked at in steps of a minute, or of more where there would be more steps than
    /// this: 16 MiB of sums.
    static let farStepCount = 1 << 22
    static let farStepSeconds = 60
    /// Of those, so many are looked at closely.
    static let farCandidateCount = 96

    // MARK: Significance

    /// What part of a camera's photos is thought to have nothing to do with those of others.
    static let aloneShare: Float = 0.5
    /// Lags that lie nearer to each other than so many cells are one answer: ten minutes.
    static let answerCellCount = 120
    /// A shoulder of the best answer is no answer of its own: three minutes.
    static let shoulderCellCount = 36
    /// Cameras are compared anew with the corrected ones at most so many times.
    static let roundCountMax = 6
}
