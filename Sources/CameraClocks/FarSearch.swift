/// Looks for dates that were never set: shifts of days to decades.
struct FarSearch {
    /// The best of the likely stretches of lags, in cells to add, the best first; fewer than 64 where albums are small.
    private(set) var answers: [(lag: Int, score: Float)] = []

    /// - Parameter odds: of `activity`, as ``Activity/odds()`` gives them.
    init(_ shots: [Shot], against odds: [Float], of activity: Activity) {
        guard let first = shots.first?.second, let last = shots.last?.second, let start = activity.stretches.first,
            let end = activity.stretches.last
        else { return }
        let lagMin = start.firstCell - Activity.cell(last)
        let lagMax = end.firstCell + end.count - Activity.cell(first)
        let wanted = ClockLimits.farStepSeconds / ClockLimits.cellSeconds
        let stepCells = max(wanted, (lagMax - lagMin) / ClockLimits.farStepCount + 1)
        let sums = Self.sums(shots, Self.peaks(odds, activity, stepCells), stepCells, lagMin, lagMax)
        answers = Self.candidates(sums, stepCells, lagMin)
            .map { Self.refined($0, stepCells, shots, odds, activity) }
            .sorted { ($0.score, $1.lag) > ($1.score, $0.lag) }
    }

    /// The steps of time in which somebody took a photo, with the best odds in each.
    private static func peaks(_ odds: [Float], _ activity: Activity, _ stepCells: Int) -> [(step: Int, odds: Float)] {
        var peaks: [(step: Int, odds: Float)] = []
        for stretch in activity.stretches {
            for cell in 0..<stretch.count where odds[stretch.offset + cell] > 0 {
                let step = (stretch.firstCell + cell).floorDivided(by: stepCells)
                let value = odds[stretch.offset + cell]
                if let last = peaks.last, last.step == step {
                    peaks[peaks.count - 1].odds = max(last.odds, value)
                } else {
                    peaks.append((step, value))
                }
            }
        }
        return peaks
    }

    private static func sums(
        _ shots: [Shot], _ peaks: [(step: Int, odds: Float)], _ stepCells: Int, _ lagMin: Int, _ lagMax: Int
    ) -> [Float] {
        let origin = lagMin.floorDivided(by: stepCells) - 1
        var sums = [Float](repeating: 0, count: lagMax.floorDivided(by: stepCells) - origin + 2)
        sums.withUnsafeMutableBufferPointer { sums in
            for shot in shots {
                let base = Activity.cell(shot.second).floorDivided(by: stepCells) + origin
                for peak in peaks { sums[peak.step - base] += shot.weight * peak.odds }
            }
        }
        return sums
    }

    /// The most promising lags beyond the near ones, in cells, ten minutes apart or more.
    private static func candidates(_ sums: [Float], _ stepCells: Int, _ lagMin: Int) -> [Int] {
        let origin = lagMin.floorDivided(by: stepCells) - 1
        let size = max(1, ClockLimits.answerCellCount / stepCells)
        var best: [(index: Int, sum: Float)] = []
        var least: Float = 0
        for start in stride(from: 0, to: sums.count, by: size) {
            var top = (index: start, sum: Float(0))
            for index in start..<min(start + size, sums.count) where sums[index] > top.sum {
                top = (index, sums[index])
            }
            guard top.sum > least, abs((top.index + origin) * stepCells) > ClockLimits.nearLagCells else { continue }
            best.append(top)
            guard best.count >= 2 * ClockLimits.farCandidateCount else { continue }
            best.sort { ($0.sum, $1.index) > ($1.sum, $0.index) }
            best.removeLast(best.count - ClockLimits.farCandidateCount)
            least = best[best.count - 1].sum
        }
        best.sort { ($0.sum, $1.index) > ($1.sum, $0.index) }
        return best.prefix(ClockLimits.farCandidateCount).map { ($0.index + origin) * stepCells }
    }

    /// The best lag within a step or so of a candidate, to the cell.
    private static func refined(
        _ lag: Int, _ stepCells: Int, _ shots: [Shot], _ odds: [Float], _ activity: Activity
    ) -> (lag: Int, score: Float) {
        let shifted = shots.map { $0.shifted(by: lag * ClockLimits.cellSeconds) }
        let scores = LagScores(shifted, against: odds, of: activity, reach: 2 * stepCells)
        let best = scores.best(around: 0, within: 2 * stepCells)
        return (lag + best.lag, best.score)
    }
}
