/// What the comparison says about one camera's clock.
public enum ClockVerdict: Hashable, Sendable {
    /// Within ``ClockLimits/toleranceSeconds``: nothing to add.
    case right(ClockEvidence)
    case wrong(ClockProposal)
    /// Nothing is proposed: a wrong proposal is worse than none.
    case unknown(ClockDoubt)
}

/// What is to be added to a camera's clock so that its photos fall in with everybody's.
public struct ClockProposal: Hashable, Sendable {
    /// Positive where the clock was slow.
    public var seconds: Int64
    public var fault: ClockFault
    public var evidence: ClockEvidence

    public init(seconds: Int64, fault: ClockFault, evidence: ClockEvidence) {
        self.seconds = seconds
        self.fault = fault
        self.evidence = evidence
    }
}

/// How a clock most likely came to be wrong; for the sentence that people read.
public enum ClockFault: Hashable, Sendable {
    /// Fast or slow by an amount that nothing explains.
    case astray
    /// A whole number of hours or half hours off, right within a minute otherwise: another time zone, or summer time.
    /// `minutes` is what is to be added: -840 to 840, never 0.
    case timeZone(minutes: Int32)
    /// Twelve hours off, right within a minute otherwise: morning and afternoon are swapped.
    case halfDay
    /// More than 26 hours off: the date was never set, or set wrong.
    case date
}

/// What a verdict rests on.
public struct ClockEvidence: Hashable, Sendable {
    /// Moments that this camera and others photographed, each counted once; 0 where GPS alone decides.
    public var momentCount: Int
    /// Other cameras that photographed those moments.
    public var cameraCount: Int
    /// Photos whose GPS time agrees with the verdict; 0 where moments alone decide.
    public var gpsPhotoCount: Int
    /// Half of what agrees lies within so many milliseconds of the verdict.
    public var spreadMilliseconds: Int64

    public init(momentCount: Int, cameraCount: Int, gpsPhotoCount: Int, spreadMilliseconds: Int64) {
        self.momentCount = momentCount
        self.cameraCount = cameraCount
        self.gpsPhotoCount = gpsPhotoCount
        self.spreadMilliseconds = spreadMilliseconds
    }
}

/// Why nothing can be said about a camera's clock.
public enum ClockDoubt: Hashable, Sendable {
    /// Fewer photos, bursts counted once, than any comparison takes.
    case tooFewPhotos(needed: Int)
    /// No other camera to compare with, and no GPS time.
    case alone
    /// No shift makes its photos fall in with those of others more clearly than chance could.
    case noSharedMoments
    /// Two shifts explain its photos about equally well; both in seconds, the better first.
    case twoFit(Int64, Int64)
    /// The clock was set midway: each period has an error of its own, so no one number is right. In their order.
    case changed([ClockPeriod])
    /// It falls in with other cameras when shifted, but no telling which of them are right.
    /// `seconds` is how far it lies behind the largest group that agrees.
    case noReference(seconds: Int64)
}

/// A run of photos during which a clock was wrong by one amount.
public struct ClockPeriod: Hashable, Sendable {
    /// What the camera's clock showed at its first and its last photo, milliseconds since 1970 in no time zone.
    public var localMilliseconds: ClosedRange<Int64>
    public var photoCount: Int
    /// What would have to be added in this period.
    public var seconds: Int64

    public init(localMilliseconds: ClosedRange<Int64>, photoCount: Int, seconds: Int64) {
        self.localMilliseconds = localMilliseconds
        self.photoCount = photoCount
        self.seconds = seconds
    }
}
