import AlbumModel

/// Turns an alignment into a verdict for each camera.
struct Judgement {
    let bodies: [Body]
    let satellites: SatelliteTime
    private let alignment: Alignment
    private let times: [[Int]]
    private let tied: [Set<Int>]
    private let beliefs: [Int: Frame.Belief]

    init(_ bodies: [Body]) {
        self.bodies = bodies
        let satellites = SatelliteTime(bodies)
        let alignment = Alignment(
            bodies,
            pinned: bodies.indices.map { index in
                guard case .steady(let error, _, _) = satellites.verdict(index) else { return nil }
                return Int(GPSReading.rounded(error))
            })
        let fits = alignment.fits
        let members = bodies.indices.filter { fits[$0].isPinned || fits[$0].isAligned }
        let times = bodies.indices.map { alignment.times($0) }
        let ties = members.flatMap { left in
            members.filter { left < $0 && Matching.areTied(times[left], times[$0]) }.map { (left, $0) }
        }
        var tied = [Set<Int>](repeating: [], count: bodies.count)
        for (left, right) in ties {
            tied[left].insert(right)
            tied[right].insert(left)
        }
        let frame = Frame(
            shifts: Dictionary(uniqueKeysWithValues: members.map { ($0, fits[$0].shift) }),
            pinned: Set(members.filter { fits[$0].isPinned }), ties: ties,
            // What states an offset most often set its clock from the network.
            weight: { index in
                let stated = bodies[index].statedOffset
                return stated != nil && stated == satellites.offsetMinutes ? 2 : 1
            })
        (self.satellites, self.alignment, self.times, self.tied) = (satellites, alignment, times, tied)
        beliefs = frame.beliefs
    }

    func verdict(_ index: Int) -> ClockVerdict {
        let fit = alignment.fits[index]
        switch satellites.verdict(index) {
        case .changed(let periods): return .unknown(.changed(periods))
        case .steady(_, let count, let spread): return pinned(index, fit, count, spread)
        case .none: break
        }
        guard bodies[index].shots.count >= ClockLimits.shotCountMin else {
            return .unknown(.tooFewPhotos(needed: ClockLimits.shotCountMin))
        }
        guard bodies.count > 1 else { return .unknown(.alone) }
        let others = alignment.others(than: index)
        if let periods = ClockBreak(bodies[index], fit, others: others).periods { return .unknown(.changed(periods)) }
        guard fit.isAligned, let belief = beliefs[index] else { return unclear(fit) }
        let evidence = evidence(index, others)
        guard evidence.momentCount >= ClockLimits.momentCountMin else { return .unknown(.noSharedMoments) }
        switch belief {
        case .known(let seconds): return Self.verdict(seconds, evidence)
        case .unknown(let seconds): return .unknown(.noReference(seconds: Int64(seconds)))
        }
    }

    private func pinned(_ index: Int, _ fit: Alignment.Fit, _ count: Int, _ spread: Int64) -> ClockVerdict {
        if let finding = fit.finding, fit.isElsewhere {
            return .unknown(.twoFit(Int64(fit.shift), Int64(finding.seconds)))
        }
        var evidence = ClockEvidence(momentCount: 0, cameraCount: 0, gpsPhotoCount: count, spreadMilliseconds: spread)
        if fit.isAligned {
            let moments = self.evidence(index, alignment.others(than: index))
            (evidence.momentCount, evidence.cameraCount) = (moments.momentCount, moments.cameraCount)
        }
        return Self.verdict(fit.shift, evidence)
    }

    /// Where moments say something, but not one thing.
    private func unclear(_ fit: Alignment.Fit) -> ClockVerdict {
        guard let finding = fit.finding, finding.isHigh else { return .unknown(.noSharedMoments) }
        return .unknown(.twoFit(Int64(finding.seconds), Int64(finding.secondSeconds)))
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
