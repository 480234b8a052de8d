/// For every shift of a camera's clock, how well its photos then fall in with those of others.
struct LagScores {
    /// Natural logarithms of odds; the middle one is that of the clock as it was set.
    var values: [Float]
    /// Cells either way.
    let reach: Int

    init(_ shots: some Collection<Shot>, against odds: [Float], of activity: Activity, reach: Int) {
        self.reach = reach
        values = [Float](repeating: 0, count: 2 * reach + 1)
        values.withUnsafeMutableBufferPointer { values in
            odds.withUnsafeBufferPointer { odds in
                for shot in shots {
                    let cell = Activity.cell(shot.second)
                    for stretch in activity.stretches {
                        let first = max(stretch.firstCell, cell - reach)
                        let end = min(stretch.firstCell + stretch.count, cell + reach + 1)
                        guard first < end else { continue }
                        let source = stretch.offset + first - stretch.firstCell
                        let target = first - cell + reach
                        for step in 0..<(end - first) { values[target + step] += shot.weight * odds[source + step] }
                    }
                }
            }
        }
    }

    /// The best shift nearer than `cells` to that at `centre`.
    func best(around centre: Int, within cells: Int) -> (lag: Int, score: Float) {
        var best = (lag: centre, score: -Float.infinity)
        for lag in max(-reach, centre - cells)...min(reach, centre + cells) where values[lag + reach] > best.score {
            best = (lag, values[lag + reach])
        }
        return best
    }

    /// The best shift of each ten minutes, the best first.
    func answers() -> [(lag: Int, score: Float)] {
        let size = ClockLimits.answerCellCount
        var found: [(lag: Int, score: Float)] = []
        var start = -reach
        while start <= reach {
            let end = min(start + size, reach + 1)
            var best = (lag: start, score: -Float.infinity)
            for lag in start..<end where values[lag + reach] > best.score { best = (lag, values[lag + reach]) }
            found.append(best)
            start = end
        }
        return found.sorted { ($0.score, $1.lag) > ($1.score, $0.lag) }
    }
}
