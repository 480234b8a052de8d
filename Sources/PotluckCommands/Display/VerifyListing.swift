import PotluckAPI

/// What `potluck verify` found, as text for people.
enum VerifyListing {
    /// Longer lists are cut; --json has them whole.
    private static let findingCountMax = 50

    static func text(_ report: VerifyReport) -> String {
        var text = report.findings.prefix(findingCountMax).map(finding).joined()
        let rest = report.findings.count - findingCountMax
        if rest > 0 { text += "and \(Phrases.grouped(rest)) more; --json lists all.\n" }
        if report.findings.isEmpty { text += "All is well.\n" }
        return text + summary(report)
    }

    private static func finding(_ finding: VerifyReport.Finding) -> String {
        let place = finding.album.map { " (album “\(PrintableText.line($0))”)" } ?? ""
        return "\(PrintableText.line(finding.message))\(place)\n  \(PrintableText.line(finding.remedy))\n"
    }

    private static func summary(_ report: VerifyReport) -> String {
        var text = "Looked at \(Phrases.count(report.files, "file")) of photos, \(Phrases.size(report.bytes)), "
        text += "\(Phrases.count(report.batches, "entry", "entries")) of the journal, "
        text += "and \(Phrases.count(report.folderFiles, "file")) of the folder.\n"
        if report.resumed > 0 {
            text += "Of them, \(Phrases.count(report.resumed, "file")) before an interruption; "
            text += "`potluck verify --restart` begins anew.\n"
        }
        if report.unneeded.photos > 0 {
            text += "\(Phrases.count(report.unneeded.photos, "file")), \(Phrases.size(report.unneeded.bytes)), "
            text += "\(report.unneeded.photos == 1 ? "belongs" : "belong") to no album.\n"
        }
        if report.quarantine.files > 0 {
            text += "\(Phrases.count(report.quarantine.files, "damaged file")), "
            text += "\(Phrases.size(report.quarantine.bytes)), kept in `quarantine` in the home; "
            text += "delete what you do not need.\n"
        }
        return text
    }
}
