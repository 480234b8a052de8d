import AlbumModel

/// Turns an alignment into a verdict for each camera.
struct Judgement {
    let bodies: [Body]
    let satellites: SatelliteTime
    /// Seconds to add by GPS, where it says so.
    private let pins: [Int?]
    private let alignment: Alignment
    private let times: [[Int]]
    private let tied: [Set<Int>]
    private let beliefs: [Int: Frame.Belief]

    init(_ bodies: [Body]) {
        let satellites = SatelliteTime(bodies)
        let pins = bodies.indices.map { Self.pin(satellites.verdict($0), bodies[$0]) }
        let alignment = Alignment(bodies, timed: pins)
        let times = bodies.indices.map { alignment.times($0) }
        let members = bodies.indices.filter { alignment.fits[$0].isAligned }
        let ties = Matching.ties(members, times)
        let believable = members.compactMap { index -> (Int, Int)? in
            guard let pin = pins[index], alignment.fits[index].mayBe(pin) else { return nil }
            return (index, pin)
        }
        let frame = Frame(
            shifts: Dictionary(uniqueKeysWithValues: members.map { ($0, alignment.fits[$0].shift) }),
            pins: Dictionary(uniqueKeysWithValues: believable), ties: ties,
            // What states an offset most often set its clock from the network.
            weight: { index in
                let stated = bodies[index].statedOffset
                return stated != nil && stated == satellites.offsetMinutes ? 2 : 1
            })
        tied = ties.reduce(into: [Set<Int>](repeating: [], count: bodies.count)) { tied, tie in
            tied[tie.0].insert(tie.1)
            tied[tie.1].insert(tie.0)
        }
        (self.bodies, self.satellites, self.pins) = (bodies, satellites, pins)
        (self.alignment, self.times, beliefs) = (alignment, times, frame.beliefs)
    }

    /// Seconds to add by GPS.
    private static func pin(_ reading: GPSReading, _ body: Body) -> Int? {
        guard case .steady(let error, _, _) = reading else { return nil }
        let seconds = Int(GPSReading.rounded(error))
        // A phone keeps the network's time: a few seconds are its receiver's age, or leap seconds that it left out.
        let isPhone = body.statedOffset != nil
        return isPhone && abs(seconds) <= Int(ClockLimits.toleranceSeconds) ? 0 : seconds
    }

    func verdict(_ index: Int) -> ClockVerdict {
        let fit = alignment.fits[index]
        switch satellites.verdict(index) {
        case .changed(let periods): return .unknown(.changed(periods))
        case .steady(_, let count, let spread): return timed(index, pins[index] ?? 0, count, spread)
        case .none: break
        }
        guard bodies[index].shots.count >= ClockLimits.shotCountMin else {
            return .unknown(.tooFewPhotos(needed: ClockLimits.shotCountMin))
        }
        guard bodies.count > 1 else { return .unknown(.alone) }
        let others = alignment.others(than: index)
        if let periods = ClockBreak(bodies[index], fit, others: others).periods { return broken(index, periods) }
        guard fit.isAligned, let belief = beliefs[index] else { return unclear(fit) }
        let evidence = evidence(index, others)
        guard evidence.momentCount >= ClockLimits.momentCountMin else { return .unknown(.noSharedMoments) }
        switch belief {
        case .known(let seconds): return Self.verdict(seconds, evidence)
        case .unknown(let seconds): return .unknown(.noReference(seconds: Int64(seconds)))
        }
    }

    /// GPS decides, unless the moments that the camera shares clearly say otherwise.
    private func timed(_ index: Int, _ pin: Int, _ count: Int, _ spread: Int64) -> ClockVerdict {
        let fit = alignment.fits[index]
        var evidence = ClockEvidence(momentCount: 0, cameraCount: 0, gpsPhotoCount: count, spreadMilliseconds: spread)
        if fit.isElsewhere, let finding = fit.finding { return .unknown(.twoFit(Int64(pin), Int64(finding.seconds))) }
        if fit.isAligned, let belief = beliefs[index] {
            guard case .known(let seconds) = belief, abs(seconds - pin) <= Int(ClockLimits.toleranceSeconds) else {
                return .unknown(.twoFit(Int64(pin), Int64(belief.seconds)))
            }
            let moments = self.evidence(index, alignment.others(than: index))
            (evidence.momentCount, evidence.cameraCount) = (moments.momentCount, moments.cameraCount)
        }
        return Self.verdict(pin, evidence)
    }

    /// Where moments say something, but not one thing.
    private func unclear(_ fit: Alignment.Fit) -> ClockVerdict {
        guard let finding = fit.finding, finding.isHigh else { return .unknown(.noSharedMoments) }
        return .unknown(.twoFit(Int64(finding.seconds), Int64(finding.secondSeconds)))
    }

    /// Of two cameras of which one was set midway, either looks so beside the other: it takes two others to tell.
    private func broken(_ index: Int, _ periods: [ClockPeriod]) -> ClockVerdict {
        let others = beliefs.keys.count { $0 != index }
        guard others >= 2 else { return .unknown(.twoFit(periods[0].seconds, periods[1].seconds)) }
        // The common time of all is not yet that of those who are believed.
        let centre =
            beliefs.sorted { $0.key < $1.key }.map { belief in
                if case .known(let seconds) = belief.value { alignment.fits[belief.key].shift - seconds } else { 0 }
            }.mostFrequent ?? 0
        return .unknown(
            .changed(
                periods.map { period in
                    var period = period
                    period.seconds -= Int64(centre)
                    return period
                }))
    }

    private func evidence(_ index: Int, _ others: (activity: Activity, odds: [Float])) -> ClockEvidence {
        let own = times[index]
        let odds = own.map { second in
            others.activity.index(ofCell: Activity.cell(second)).map { others.odds[$0] } ?? 0
        }
        let theirs = tied[index].sorted().flatMap { times[$0] }.sorted()
        let near = Matching.distances(own, to: theirs).filter { $0 <= Matching.reachSeconds }.sorted()
        return ClockEvidence(
            momentCount: Matching.momentCount(zip(own, odds)), cameraCount: tied[index].count, gpsPhotoCount: 0,
            spreadMilliseconds: near.isEmpty ? 0 : Int64(near[near.count / 2]) * 1000)
    }

    private static func verdict(_ seconds: Int, _ evidence: ClockEvidence) -> ClockVerdict {
        guard abs(seconds) > Int(ClockLimits.toleranceSeconds) else { return .right(evidence) }
        let fault = ClockFault(seconds: seconds)
        let exact = evidence.gpsPhotoCount > 0 ? seconds : fault.exact(seconds)
        return .wrong(ClockProposal(seconds: Int64(exact), fault: fault, evidence: evidence))
    }
}
