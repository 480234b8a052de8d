import Glibc

/// Pairs photos of different cameras that were taken together; all times in seconds, ascending, of one common clock.
enum Matching {
    /// How far from each other they may be.
    static let reachSeconds = 30

    /// The distance to the nearest of `times` for each of `instants`.
    static func distances(_ instants: [Int], to times: [Int]) -> [Int] {
        var next = 0
        return instants.map { instant in
            while next < times.count, times[next] < instant { next += 1 }
            let after = next < times.count ? times[next] - instant : Int.max
            let before = next > 0 ? instant - times[next - 1] : Int.max
            return min(after, before)
        }
    }

    /// How many of `instants` have one of `times` near them, when shifted.
    static func count(_ instants: [Int], near times: [Int], shift: Int = 0) -> Int {
        distances(instants.map { $0 + shift }, to: times).count { $0 <= reachSeconds }
    }

    /// Pairs of cameras that photographed the same moments; `times` has those of all cameras.
    static func ties(_ members: [Int], _ times: [[Int]]) -> [(Int, Int)] {
        members.flatMap { left in
            members.filter { left < $0 && areTied(times[left], times[$0]) }.map { (left, $0) }
        }
    }

    /// Whether two cameras photographed the same moments: clearly more matches than a few minutes earlier or later.
    private static func areTied(_ left: [Int], _ right: [Int]) -> Bool {
        let matched = count(left, near: right)
        guard matched >= 2 else { return false }
        let beside = [-900, -600, -300, 300, 600, 900].reduce(0) { $0 + count(left, near: right, shift: $1) }
        // Half as many again as by chance, and one more.
        return 4 * matched >= beside + 4
    }

    /// How many seconds later than those that they match the photos of others are on average; far ones count less.
    static func drift(_ instants: [Int], to times: [Int]) -> Int {
        var drift = 0.0
        for _ in 0..<4 {
            var (sum, weight) = (0.0, 0.0)
            var first = 0
            for instant in instants {
                while first < times.count, Double(times[first] - instant) < drift - 60 { first += 1 }
                var next = first
                while next < times.count, Double(times[next] - instant) <= drift + 60 {
                    let distance = Double(times[next] - instant) - drift
                    let closeness = exp(-distance * distance / 800)
                    sum += closeness * distance
                    weight += closeness
                    next += 1
                }
            }
            guard weight > 0 else { return 0 }
            drift += sum / weight
        }
        let bound = Double(ClockLimits.toleranceSeconds)
        return Int(max(-bound, min(bound, drift)).rounded())
    }
}

extension Matching {
    /// Moments in which others were busy too, of photos with their odds: those near to each other are one.
    static func momentCount(_ photos: some Sequence<(Int, Float)>) -> Int {
        var count = 0
        var last = Int.min / 2
        for (instant, odds) in photos where odds >= busyOdds && instant - last >= ClockLimits.momentGapSeconds {
            count += 1
            last = instant
        }
        return count
    }

    /// Twice as likely together as by chance.
    private static let busyOdds: Float = logf(2)
}
