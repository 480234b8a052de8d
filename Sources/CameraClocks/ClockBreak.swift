import AlbumModel

/// Finds out whether a clock was set midway, from the moments that a camera shares with others.
struct ClockBreak {
    /// In the order of the camera's clock; `nil` where one shift explains the camera as well as two.
    private(set) var periods: [ClockPeriod]?

    private struct Candidate {
        /// Cells, from the middle of those looked at.
        var lag: Int
        /// What each shot says for it, in natural logarithms of odds; and the same times its weight.
        var odds: [Float]
        var worth: [Float]
        var sum: Float { worth.reduce(0, +) }
    }

    private typealias Split = (gain: Float, at: Int, before: Candidate, after: Candidate)

    /// - Parameters:
    ///   - fit: of that camera; its finding says how much chance may gain.
    ///   - others: the cameras that it is compared with, and their ``Activity/odds()``.
    init(_ body: Body, _ fit: Alignment.Fit, others: (activity: Activity, odds: [Float])) {
        guard let finding = fit.finding, body.shots.count >= 2 * Self.shotCountMin else { return }
        let shots = body.shots.map { $0.shifted(by: fit.centre) }
        let candidates = Self.lags(shots, fit, others).map { lag in
            let odds = shots.map { shot in
                others.activity.index(ofCell: Activity.cell(shot.second) + lag).map { others.odds[$0] } ?? 0
            }
            return Candidate(lag: lag, odds: odds, worth: zip(shots, odds).map { $0.weight * $1 })
        }
        guard let split = Self.split(candidates), Self.isClear(split, finding, fit.centre),
            Self.isClear(shots[..<split.at], split.before, others),
            Self.isClear(shots[split.at...], split.after, others)
        else { return }
        periods = [
            Self.period(body, 0..<split.at, split.before.lag, fit.centre),
            Self.period(body, split.at..<shots.count, split.after.lag, fit.centre),
        ]
    }

    private static let shotCountMin = 6
    private static let momentCountMin = 4

    /// What fits each half of the photos best, and the clock as it is.
    private static func lags(
        _ shots: [Shot], _ fit: Alignment.Fit, _ others: (activity: Activity, odds: [Float])
    ) -> [Int] {
        let middle = shots.count / 2
        var lags: Set<Int> = [0, Activity.cell(fit.shift - fit.centre)]
        for half in [shots[..<middle], shots[middle...]] {
            let scores = LagScores(half, against: others.odds, of: others.activity, reach: ClockLimits.nearLagCells)
            lags.formUnion(scores.answers().prefix(3).map(\.lag))
        }
        return lags.sorted()
    }

    /// The two shifts, and the place between, that explain most.
    private static func split(_ candidates: [Candidate]) -> Split? {
        var best: Split?
        let single = candidates.map { $0.sum }.max() ?? 0
        for before in candidates {
            for after in candidates where abs(after.lag - before.lag) > ClockLimits.shoulderCellCount / 3 {
                var sum = after.sum
                for index in before.worth.indices.dropLast(shotCountMin) {
                    sum += before.worth[index] - after.worth[index]
                    guard index + 1 >= shotCountMin, sum - single > best?.gain ?? 0 else { continue }
                    best = (sum - single, index + 1, before, after)
                }
            }
        }
        return best
    }

    /// As for one shift: what people's mistakes make likely needs less.
    private static func isClear(_ split: Split, _ finding: LagFinding, _ centre: Int) -> Bool {
        let shifts = [split.before, split.after].map { centre + $0.lag * ClockLimits.cellSeconds }
        let areUsual = shifts.allSatisfy { ClockFault.expectation($0) != .unusual }
        return split.gain / finding.scale >= (areUsual ? 5 : 7.5)
    }

    /// Whether the photos of one period by themselves call for its shift.
    private static func isClear(
        _ shots: ArraySlice<Shot>, _ candidate: Candidate, _ others: (activity: Activity, odds: [Float])
    ) -> Bool {
        let odds = candidate.odds[shots.indices]
        guard Matching.momentCount(zip(shots.map(\.second), odds)) >= momentCountMin else { return false }
        let scores = LagScores(shots, against: others.odds, of: others.activity, reach: ClockLimits.nearLagCells)
        guard let finding = LagFinding(scores.answers(), centre: 0), finding.isClear else { return false }
        return abs(finding.seconds / ClockLimits.cellSeconds - candidate.lag) <= ClockLimits.shoulderCellCount / 6
    }

    private static func period(_ body: Body, _ range: Range<Int>, _ lag: Int, _ centre: Int) -> ClockPeriod {
        let seconds = body.shots[range.lowerBound].second...body.shots[range.upperBound - 1].second
        let local = Int64(seconds.lowerBound) * 1000...Int64(seconds.upperBound) * 1000 + 999
        let count = body.samples.count { $0.isStill && local.contains($0.localMilliseconds) }
        return ClockPeriod(
            localMilliseconds: local, photoCount: count, seconds: Int64(centre + lag * ClockLimits.cellSeconds))
    }
}
