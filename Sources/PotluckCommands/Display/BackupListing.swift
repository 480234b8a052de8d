import PotluckAPI
import PotluckAgent

/// Backups as text for people.
enum BackupListing {
    /// Longer lists are cut; --json has them whole.
    private static let missingCountMax = 20

    static func made(_ report: BackupReport) -> String {
        var text = "The backup in \(PrintableText.line(report.directory)) has \(Phrases.count(report.files, "file")), "
        text += "\(Phrases.size(report.bytes)); \(Phrases.grouped(report.copied)) copied now.\n"
        if report.kept > 0 {
            text += "\(Phrases.count(report.kept, "file")) that this laptop has no longer stayed there.\n"
        }
        return text + missing(report)
    }

    static func restored(_ report: BackupReport, now: Instant) -> String {
        let gathering = report.gathering.map { " of “\(PrintableText.line($0))”" } ?? ""
        var text = "Restored \(Phrases.count(report.files, "file"))\(gathering), \(Phrases.size(report.bytes)), "
        text += "into \(PrintableText.line(report.home))"
        text += report.made.map { "; the backup was made \(Phrases.ago($0, now: now)).\n" } ?? ".\n"
        if let settings = report.settings {
            text +=
                "The backup's settings are not in use: look through \(PrintableText.line(settings)), and rename it to "
            text += "\(SettingsFile.name) if it is as you want it.\n"
        }
        return text + missing(report)
            + "Start the agent with `potluck up`: what happened since comes from the others.\n"
    }

    private static func missing(_ report: BackupReport) -> String {
        guard !report.missing.isEmpty else { return "" }
        let lines = report.missing.prefix(missingCountMax).map {
            "  \($0.id.prefix(12)): \(PrintableText.line($0.reason))\n"
        }
        let rest = report.missing.count - missingCountMax
        return "Missing:\n" + lines.joined() + (rest > 0 ? "  and \(Phrases.grouped(rest)) more\n" : "")
    }
}
