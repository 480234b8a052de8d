import Glibc

/// Which shift of a camera's clock fits best, and how far it stands out from what chance reaches.
struct LagFinding {
    /// Seconds to add, as near as a cell is wide.
    var seconds: Int
    /// Natural logarithm of odds.
    var score: Float
    /// How far above the seventh best answer it lies, in units of ``scale``.
    var clarity: Float
    /// How far above the second best answer it lies, in the same units.
    var lead: Float
    /// The second best answer, seconds to add.
    var secondSeconds: Int
    /// By how much the score of a wrong answer grows while there come to be fewer such by a factor of e.
    var scale: Float

    /// - Parameter answers: the best of each stretch of lags, the best first; fewer than 64 say nothing.
    ///
    /// Photos come in groups, so a sum of odds overstates what it shows, by a factor that depends on the people. What
    /// the wrong lags reach shows that factor: the tail of their scores falls off exponentially, and the seventh and
    /// the sixty-third of them give its scale.
    init?(_ answers: [(lag: Int, score: Float)], centre: Int) {
        guard let best = answers.first else { return nil }
        let others = answers.filter { abs($0.lag - best.lag) > ClockLimits.shoulderCellCount }
        guard others.count >= 63 else { return nil }
        let (level, floor) = (others[6].score, others[62].score)
        seconds = centre + best.lag * ClockLimits.cellSeconds
        score = best.score
        scale = max(Self.scaleMin, (level - floor) / logf(9))
        clarity = (best.score - level) / scale
        lead = (best.score - others[0].score) / scale
        secondSeconds = centre + others[0].lag * ClockLimits.cellSeconds
    }

    /// Where nearly all lags score alike there is little to judge by.
    private static let scaleMin: Float = 0.5

    /// Whether the answer is beyond what chance may reach.
    ///
    /// Of unrelated cameras, one in 2,000 came to a clarity of 7 somewhere, before runs of shots were weighted. What
    /// people's mistakes make likely needs less: a clock as it stands is one lag out of 3,000 minutes, whole and half
    /// hours are one in 30 of them.
    var isClear: Bool {
        switch ClockFault.expectation(seconds) {
        case .right: clarity >= 2 && lead >= 0.5
        case .usual: clarity >= 5 && lead >= 2.5 && score >= Self.scoreMin
        case .unusual: isBeyondDoubt
        }
    }

    /// Whether it is beyond chance, whatever it says.
    var isBeyondDoubt: Bool { clarity >= 7.5 && lead >= 4 && score >= Self.scoreMin }

    /// Whether it is beyond chance, though another answer may be as good.
    var isHigh: Bool { clarity >= 7.5 && score >= Self.scoreMin }

    /// The logarithm of the number of lags: below it, even independent photos could come to it by chance.
    private static let scoreMin = logf(Float(2 * ClockLimits.nearLagCells))
}

extension ClockFault {
    enum Expectation { case right, usual, unusual }

    /// How readily an error is believed.
    static func expectation(_ seconds: Int) -> Expectation {
        if abs(seconds) <= Int(ClockLimits.toleranceSeconds) { return .right }
        // A zone, or morning for afternoon; beyond those, a wrong day at the right time.
        let step = abs(seconds) <= 26 * 3600 ? 1800 : 86_400
        let near = (seconds + step / 2).floorDivided(by: step)
        return near != 0 && abs(seconds - near * step) <= 45 ? .usual : .unusual
    }

    init(seconds: Int) {
        let near = (seconds + 900).floorDivided(by: 1800)
        let isExact = near != 0 && abs(seconds - near * 1800) <= 60
        if abs(seconds) > 26 * 3600 {
            self = .date
        } else if isExact, abs(near) == 24 {
            self = .halfDay
        } else if isExact, abs(near) <= 28 {
            self = .timeZone(minutes: Int32(near * 30))
        } else {
            self = .astray
        }
    }

    /// A clock that is an hour off to within the precision of the comparison is an hour off.
    func exact(_ seconds: Int) -> Int {
        let near = (seconds + 900).floorDivided(by: 1800) * 1800
        switch self {
        case .timeZone, .halfDay: return abs(seconds - near) <= Int(ClockLimits.toleranceSeconds) ? near : seconds
        case .astray, .date: return seconds
        }
    }
}
