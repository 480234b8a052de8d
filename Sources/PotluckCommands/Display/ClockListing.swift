import PotluckAPI

/// How an album's cameras compare, as sentences for people.
enum ClockListing {
    static func text(_ report: ClocksReport) -> String {
        let album = "“\(report.album)”"
        guard !report.cameras.isEmpty else {
            return PrintableText.line("No photo of \(album) says which camera took it.") + "\n"
        }
        let doubts = doubts(of: report)
        var lines: [String] = []
        for camera in report.cameras {
            guard let doubt = doubt(of: camera), let cameras = doubts[doubt], cameras.count > 1 else {
                lines += sentences(camera, isSerialShown: hasTwin(camera, in: report))
                continue
            }
            if cameras.first == camera { lines.append(sentence(doubt, of: cameras, in: report)) }
        }
        let proposals = report.cameras.count(where: \.hasProposal)
        if proposals > 0 {
            let them = proposals == 1 ? "this clock" : "these \(proposals) clocks"
            lines.append("With --apply, \(them) will be set right for everyone; the files stay as they are.")
        }
        return lines.map { PrintableText.line($0) + "\n" }.joined()
    }

    /// Why nothing can be said of a camera, where that may be true of others as well, and there is nothing else to say.
    private static func doubt(of camera: ClocksReport.Camera) -> ClocksReport.Doubt? {
        guard camera.verdict == .unknown, camera.applied == 0, (camera.periods ?? []).isEmpty else { return nil }
        let doubt = camera.doubt ?? .noSharedMoments
        return pluralReason(doubt) == nil ? nil : doubt
    }

    private static func doubts(of report: ClocksReport) -> [ClocksReport.Doubt: [ClocksReport.Camera]] {
        report.cameras.reduce(into: [:]) { doubts, camera in
            if let doubt = doubt(of: camera) { doubts[doubt, default: []].append(camera) }
        }
    }

    /// One sentence for all cameras of which the same is to be said.
    private static func sentence(
        _ doubt: ClocksReport.Doubt, of cameras: [ClocksReport.Camera], in report: ClocksReport
    ) -> String {
        let names = cameras.map { camera in
            "\(name(camera, isSerialShown: hasTwin(camera, in: report))) (\(Phrases.count(camera.photos, "photo")))"
        }
        return "\(Phrases.list(names)): nothing can be said, because \(pluralReason(doubt) ?? "")."
    }

    /// `nil` where the reason is one camera's own.
    private static func pluralReason(_ doubt: ClocksReport.Doubt) -> String? {
        switch doubt {
        case .noTimes: "none of their photos says what their clocks showed"
        case .tooFewPhotos: "they took too few photos to compare"
        case .noSharedMoments: "they share no moments with other cameras"
        case .changed: "their clocks were set midway"
        case .alone, .twoFit, .noReference: nil
        }
    }

    /// What has just been set.
    static func applied(_ report: ClocksReport) -> String {
        guard !report.cameras.isEmpty else { return "There is nothing to set right.\n" }
        return report.cameras.map { camera in
            let name = name(camera, isSerialShown: hasTwin(camera, in: report))
            return PrintableText.line("\(name): \(correction(camera.applied)).") + "\n"
        }.joined()
    }

    /// One person has two of the same model.
    private static func hasTwin(_ camera: ClocksReport.Camera, in report: ClocksReport) -> Bool {
        let twins = report.cameras.count { other in
            other.device == camera.device && other.make == camera.make && other.model == camera.model
        }
        return twins > 1
    }

    /// `Anna's Canon EOS 7D`.
    static func name(_ camera: ClocksReport.Camera, isSerialShown: Bool) -> String {
        let (make, model) = (camera.make ?? "", camera.model ?? "")
        // Most makers begin the model with their name, or with its first word.
        let word = make.split(separator: " ").first.map { $0.lowercased() } ?? ""
        var product = model.lowercased().hasPrefix(word) ? model : "\(make) \(model)"
        if model.isEmpty { product = make }
        if isSerialShown, let serial = camera.serial { product += " (number \(serial))" }
        return "\(camera.by ?? "Laptop \(camera.device.prefix(6))")'s \(product)"
    }

    private static func sentences(_ camera: ClocksReport.Camera, isSerialShown: Bool) -> [String] {
        let name = name(camera, isSerialShown: isSerialShown)
        var lines = ["\(name), \(Phrases.count(camera.photos, "photo")): \(verdict(camera))."]
        if camera.applied != 0 { lines.append("    \(correction(camera.applied)) at present.") }
        lines += (camera.periods ?? []).map { period in
            "    \(period.from.text) to \(period.to.text), \(Phrases.count(period.photos, "photo")): \(error(period.seconds))"
        }
        return lines
    }

    private static func verdict(_ camera: ClocksReport.Camera) -> String {
        switch camera.verdict {
        case .right: "right; \(evidence(camera.evidence))"
        case .wrong: "\(error(camera.proposed ?? 0))\(explanation(camera.fault)); \(evidence(camera.evidence))"
        case .unknown: "nothing can be said, because \(reason(camera))"
        }
    }

    /// `1 h 2 min 5 s behind`.
    private static func error(_ seconds: Int64) -> String {
        if seconds == 0 { return "right" }
        return "\(Phrases.exactDuration(seconds: seconds.magnitude)) \(seconds > 0 ? "behind" : "ahead")"
    }

    private static func explanation(_ fault: ClocksReport.Fault?) -> String {
        switch fault {
        case .timeZone: ", as if in another time zone"
        case .halfDay: ", with morning and afternoon swapped"
        case .date: ", with the date set wrong"
        case .astray, nil: ""
        }
    }

    /// `14 moments of 3 other cameras agree, 9 photos have GPS time`.
    private static func evidence(_ evidence: ClocksReport.Evidence?) -> String {
        guard let evidence else { return "nothing speaks against it" }
        var parts: [String] = []
        if evidence.moments > 0 {
            let cameras = Phrases.count(evidence.cameras, "other camera")
            parts.append(
                "\(Phrases.count(evidence.moments, "moment")) with \(cameras) \(evidence.moments == 1 ? "agrees" : "agree")"
            )
        }
        if evidence.gpsPhotos > 0 {
            let verb = evidence.gpsPhotos == 1 ? "has" : "have"
            parts.append("\(Phrases.count(evidence.gpsPhotos, "photo")) \(verb) GPS time")
        }
        return parts.joined(separator: ", ")
    }

    private static func reason(_ camera: ClocksReport.Camera) -> String {
        switch camera.doubt {
        case .noTimes: return "none of its photos says what its clock showed"
        case .tooFewPhotos: return "it took too few photos to compare"
        case .alone: return "there is no other camera to compare it with, and no GPS time"
        case .twoFit: return "it could be \((camera.candidates ?? []).map(error).joined(separator: ", or "))"
        case .changed: return "its clock was set midway"
        case .noReference:
            let seconds = camera.candidates?.first ?? 0
            return "it is \(error(seconds))\(seconds < 0 ? " of" : "") others, but no telling which of them are right"
        case .noSharedMoments, nil: return "it shares no moments with other cameras"
        }
    }

    /// `1 h 2 min 5 s are added to what its clock shows`.
    private static func correction(_ seconds: Int64) -> String {
        if seconds == 0 { return "its clock is taken as it is" }
        let amount = Phrases.exactDuration(seconds: seconds.magnitude)
        let verb = [1, 60, 3600, 86_400].contains(seconds.magnitude) ? "is" : "are"
        return "\(amount) \(verb) \(seconds > 0 ? "added to" : "taken from") what its clock shows"
    }
}
