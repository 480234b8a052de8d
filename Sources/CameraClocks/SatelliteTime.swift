import AlbumModel

/// What GPS says about all cameras of an album: their errors, and the offset from UTC that its local times are in.
struct SatelliteTime {
    /// Minutes east of UTC; `nil` where nothing tells.
    let offsetMinutes: Int32?
    private let bodies: [Body]
    private let readings: [GPSReading]

    init(_ bodies: [Body]) {
        self.bodies = bodies
        readings = bodies.map { GPSReading($0.samples, isUTC: $0.statedOffset != nil) }
        offsetMinutes = Self.stated(bodies, readings) ?? Self.shown(bodies, readings)
    }

    /// What is to be added to a camera's clock.
    func verdict(_ index: Int) -> GPSReading {
        guard let home = offsetMinutes else { return .none }
        let stated = bodies[index].statedOffset
        let zone = Int64(home - (stated ?? 0)) * 60_000
        switch readings[index] {
        case .none: return .none
        case .changed(let periods):
            return .changed(
                periods.map { period in
                    var period = period
                    period.seconds += zone / 1000
                    return period
                })
        case .steady(let error, let count, let spread):
            // Some cameras write GPS times in local time: then they confirm whatever the clock says.
            let isEcho = Self.isNear(error, minutes: stated ?? 0) && (stated ?? 0) != 0
            // A camera that is right in a zone of its own may have been there.
            let isElsewhere = stated != nil && stated != home && Self.isNear(error, minutes: 0)
            let isBareEcho = stated == nil && home != 0 && Self.isNear(error, minutes: 0)
            guard !isEcho, !isElsewhere, !isBareEcho else { return .none }
            return .steady(milliseconds: error + zone, photoCount: count, spreadMilliseconds: spread)
        }
    }

    private static func isNear(_ milliseconds: Int64, minutes: Int32) -> Bool {
        abs(milliseconds - Int64(minutes) * 60_000) <= 1000 * ClockLimits.toleranceSeconds
    }

    /// What most cameras state; one that GPS confirms counts twice, one that GPS contradicts not at all.
    private static func stated(_ bodies: [Body], _ readings: [GPSReading]) -> Int32? {
        let votes = zip(bodies, readings).flatMap { body, reading -> [Int32] in
            guard let offset = body.statedOffset else { return [] }
            switch reading {
            case .none: return [offset]
            case .changed: return []
            case .steady(let error, _, _): return isNear(error, minutes: 0) ? [offset, offset] : []
            }
        }
        return votes.mostFrequent
    }

    /// Where none is stated: the quarter of an hour that the GPS times of two cameras show, or that of one whose place
    /// lies in such a zone.
    private static func shown(_ bodies: [Body], _ readings: [GPSReading]) -> Int32? {
        var votes: [Int32] = []
        var placed: [Int32] = []
        for (body, reading) in zip(bodies, readings) {
            guard case .steady(let error, _, _) = reading, abs(error) <= 14 * 3_600_000 else { continue }
            let minutes = Int32((-error + 450_000).floorDivided(by: 900_000)) * 15
            guard isNear(-error, minutes: minutes) else { continue }
            // Four minutes of sun a degree; borders bend zones by two hours at most, but for a few.
            let isPlaced = longitude(of: body).map { abs(minutes - $0 / 250_000) <= 120 } ?? false
            // A clock that shows what GPS shows says nothing, unless it is where that is right.
            guard minutes != 0 || isPlaced else { continue }
            votes.append(minutes)
            if isPlaced { placed.append(minutes) }
        }
        guard let most = votes.mostFrequent else { return nil }
        let agreeing = votes.count { $0 == most }
        if agreeing >= 2, 2 * agreeing > votes.count { return most }
        return placed.count == 1 ? placed[0] : nil
    }

    /// Where most of its photos were taken, in millionths of a degree.
    private static func longitude(of body: Body) -> Int32? {
        let longitudes = body.samples.compactMap(\.place?.longitudeMicrodegrees).sorted()
        return longitudes.isEmpty ? nil : longitudes[longitudes.count / 2]
    }
}
