import AlbumModel

/// What GPS says about one camera's clock.
enum GPSReading: Hashable {
    /// Too few readings, or they contradict each other.
    case none
    /// GPS time less what the clock showed, as UTC where the photos state an offset, else as it stands.
    case steady(milliseconds: Int64, photoCount: Int, spreadMilliseconds: Int64)
    /// The clock was set midway; the same differences, in seconds.
    case changed([ClockPeriod])

    private struct Reading {
        var gps: Int64
        var local: Int64
        /// GPS time less clock, milliseconds.
        var error: Int64
    }

    /// - Parameter isUTC: whether the camera's photos state an offset; those that do not are left out then.
    init(_ samples: [ClockSample], isUTC: Bool) {
        let readings = Self.readings(samples, isUTC: isUTC)
        let groups = Self.groups(readings)
        let grouped = groups.reduce(0) { $0 + $1.count }
        // What is in no group are stale readings: more of them than of good ones, and nothing is sure.
        guard let first = groups.first, 2 * grouped >= readings.count else {
            self = .none
            return
        }
        guard groups.count > 1 else {
            let middle = Self.middle(first.map(\.error))
            let spread = Self.middle(first.map { abs($0.error - middle) })
            self = .steady(milliseconds: middle, photoCount: first.count, spreadMilliseconds: spread)
            return
        }
        self = Self.periods(groups).map { .changed($0) } ?? .none
    }

    private static func readings(_ samples: [ClockSample], isUTC: Bool) -> [Reading] {
        let all = samples.compactMap { sample -> Reading? in
            guard let gps = sample.gpsMilliseconds, sample.isStill else { return nil }
            guard (sample.offsetMinutes != nil) == isUTC else { return nil }
            let clock = sample.localMilliseconds - Int64(sample.offsetMinutes ?? 0) * 60_000
            return Reading(gps: gps, local: sample.localMilliseconds, error: rolledOver(gps - clock))
        }
        // A receiver that lost the sky repeats itself: only the first photo after a fix tells the time.
        var fresh: [Reading] = []
        for reading in all.sorted(by: { ($0.gps, $0.local, $0.error) < ($1.gps, $1.local, $1.error) })
        where fresh.last?.gps != reading.gps {
            fresh.append(reading)
        }
        return fresh
    }

    /// Old receivers count weeks in ten bits, and are whole rounds of 1,024 weeks late.
    private static func rolledOver(_ error: Int64) -> Int64 {
        let round: Int64 = 1024 * 7 * 86_400_000
        let rounds = (error + round / 2).floorDivided(by: round)
        let rest = error - rounds * round
        return rounds < 0 && abs(rest) <= 26 * 3_600_000 ? rest : error
    }

    /// Readings that agree within a few seconds, at least ``ClockLimits/gpsPhotoCountMin`` of them and a fifth of all;
    /// the largest group first.
    private static func groups(_ readings: [Reading]) -> [[Reading]] {
        var rest = readings.sorted { ($0.error, $0.gps) < ($1.error, $1.gps) }
        var groups: [[Reading]] = []
        while true {
            var best = 0..<0
            var start = 0
            for end in rest.indices {
                while rest[end].error - rest[start].error > groupMilliseconds { start += 1 }
                // Of equals the later ones: stale readings are early, never late.
                if end - start + 1 >= best.count { best = start..<(end + 1) }
            }
            guard best.count >= ClockLimits.gpsPhotoCountMin, 5 * best.count >= readings.count else { return groups }
            groups.append(Array(rest[best]))
            let middle = rest[best.lowerBound + best.count / 2].error
            rest.removeAll { abs($0.error - middle) <= 1000 * ClockLimits.toleranceSeconds * 2 }
        }
    }

    /// `nil` unless the groups follow each other in time.
    private static func periods(_ groups: [[Reading]]) -> [ClockPeriod]? {
        let inOrder = groups.map { $0.sorted { $0.gps < $1.gps } }.sorted { $0[0].gps < $1[0].gps }
        for (group, next) in zip(inOrder, inOrder.dropFirst()) {
            guard let last = group.last, last.gps < next[0].gps else { return nil }
        }
        return inOrder.map { group in
            let locals = group.map(\.local)
            let seconds = rounded(middle(group.map(\.error)))
            let range = (locals.min() ?? 0)...(locals.max() ?? 0)
            return ClockPeriod(localMilliseconds: range, photoCount: group.count, seconds: seconds)
        }
    }

    private static let groupMilliseconds: Int64 = 10_000

    private static func middle(_ values: [Int64]) -> Int64 { values.sorted()[values.count / 2] }

    static func rounded(_ milliseconds: Int64) -> Int64 { (milliseconds + 500).floorDivided(by: 1000) }
}
