import CameraClocks
import PotluckAPI

extension ClocksReport.Camera {
    mutating func take(_ verdict: ClockVerdict) {
        switch verdict {
        case .right(let evidence):
            self.verdict = .right
            proposed = 0
            self.evidence = ClocksReport.Evidence(evidence)
        case .wrong(let proposal):
            self.verdict = .wrong
            proposed = proposal.seconds
            fault = ClocksReport.Fault(proposal.fault)
            evidence = ClocksReport.Evidence(proposal.evidence)
        case .unknown(let doubt):
            self.verdict = .unknown
            take(doubt)
        }
    }

    private mutating func take(_ doubt: ClockDoubt) {
        switch doubt {
        case .tooFewPhotos: self.doubt = .tooFewPhotos
        case .alone: self.doubt = .alone
        case .noSharedMoments: self.doubt = .noSharedMoments
        case .twoFit(let better, let other):
            self.doubt = .twoFit
            candidates = [better, other]
        case .changed(let periods):
            self.doubt = .changed
            self.periods = periods.map { ClocksReport.Period($0) }
        case .noReference(let seconds):
            self.doubt = .noReference
            candidates = [seconds]
        }
    }
}

extension ClocksReport.Fault {
    fileprivate init(_ fault: ClockFault) {
        switch fault {
        case .astray: self = .astray
        case .timeZone: self = .timeZone
        case .halfDay: self = .halfDay
        case .date: self = .date
        }
    }
}

extension ClocksReport.Evidence {
    fileprivate init(_ evidence: ClockEvidence) {
        self.init(
            moments: evidence.momentCount, cameras: evidence.cameraCount, gpsPhotos: evidence.gpsPhotoCount,
            spread: Double(evidence.spreadMilliseconds) / 1000)
    }
}

extension ClocksReport.Period {
    fileprivate init(_ period: ClockPeriod) {
        self.init(
            from: LocalTime(milliseconds: period.localMilliseconds.lowerBound),
            to: LocalTime(milliseconds: period.localMilliseconds.upperBound), photos: period.photoCount,
            seconds: period.seconds)
    }
}
