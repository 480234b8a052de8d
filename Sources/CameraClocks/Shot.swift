import AlbumModel
import Glibc

/// A press of the button: one photo, or a burst.
struct Shot: Hashable {
    /// By the camera's own clock, since 1970 in no time zone.
    var second: Int
    /// How much it counts: who photographs one thing ten times is not ten witnesses.
    var weight: Float

    func shifted(by seconds: Int) -> Shot { Shot(second: second + seconds, weight: weight) }

    /// The shots of one camera, ascending.
    ///
    /// In a run of n shots, each counts n^-0.7: measured, that keeps runs that meet by chance from looking like moments
    /// that people shared, and real ones stand out most.
    static func shots(_ samples: [ClockSample]) -> [Shot] {
        let seconds = seconds(samples)
        var shots: [Shot] = []
        var start = 0
        for next in 1..<max(1, seconds.count + 1) where !seconds.isEmpty {
            let goesOn = next < seconds.count && seconds[next] - seconds[next - 1] <= ClockLimits.runGapSeconds
            guard !goesOn else { continue }
            let weight = Float(pow(Double(next - start), -0.7))
            shots += seconds[start..<next].map { Shot(second: $0, weight: weight) }
            start = next
        }
        return shots
    }

    /// The middles of bursts.
    private static func seconds(_ samples: [ClockSample]) -> [Int] {
        let all = samples.filter(\.isStill).map { Int($0.localMilliseconds.floorDivided(by: 1000)) }.sorted()
        var middles: [Int] = []
        var start = 0
        for index in all.indices {
            let next = index + 1
            let goesOn =
                next < all.count && all[next] - all[index] <= ClockLimits.burstGapSeconds
                && all[next] - all[start] <= ClockLimits.burstSecondsMax
            guard !goesOn else { continue }
            middles.append(all[(start + index) / 2])
            start = next
        }
        return middles
    }
}

extension BinaryInteger {
    /// Rounded towards minus infinity, also for dates before 1970.
    func floorDivided(by divisor: Self) -> Self {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
