import PotluckAPI
import PotluckAgent

/// What `potluck gatherings` prints.
struct GatheringsReport: Codable, Hashable {
    var gatherings: [Gathering]

    struct Gathering: Codable, Hashable {
        /// The home, absolute.
        var home: String
        /// Whether commands work on it where no home is named.
        var chosen: Bool
        var state: State
        @ExplicitNull var name: String?
        /// What this laptop is called there.
        @ExplicitNull var device: String?
        @ExplicitNull var folder: String?
        /// How many photos are missing there, and on this laptop alone; `null` where nobody can tell.
        @ExplicitNull var missing: Int?
        @ExplicitNull var atRisk: Int?

        /// One that could not be looked at.
        init(home: String, chosen: Bool) {
            self.home = home
            self.chosen = chosen
            state = .unreadable
        }

        enum CodingKeys: String, CodingKey {
            case home, chosen, state, name, device, folder, missing
            case atRisk = "at_risk"
        }
    }

    enum State: String, Codable, Hashable {
        case running, stopped
        /// This laptop takes part no longer.
        case left
        /// There is no such directory: a disk that is not mounted, or a home that was moved.
        case away
        /// It cannot be read now, or a restore into it was interrupted.
        case unreadable
    }
}

/// Homes and their gatherings, as text for people.
enum GatheringsText {
    static func list(_ report: GatheringsReport, cellCount: Int?) -> String {
        guard !report.gatherings.isEmpty else {
            return
                "There is no gathering on this laptop yet: `potluck host NAME` starts one, `potluck join` joins one.\n"
        }
        let table = Table(
            columns: [
                .init(title: ""), .init(title: "Gathering", isShortenable: true),
                .init(title: "As", isShortenable: true),
                .init(title: "State"), .init(title: "Missing", isNumber: true), .init(title: "At risk", isNumber: true),
                .init(title: "Home", isShortenable: true),
            ],
            rows: report.gatherings.map { gathering in
                [
                    gathering.chosen ? "*" : "", gathering.name ?? "?", gathering.device ?? "?",
                    gathering.state.rawValue, gathering.missing.map(Phrases.grouped) ?? "?",
                    gathering.atRisk.map(Phrases.grouped) ?? "?", gathering.home,
                ]
            })
        let hint =
            report.gatherings.count > 1
            ? "Commands work on the one with *; `potluck gatherings switch` chooses, `--home` names another.\n" : ""
        return table.text(cellCount: cellCount) + hint
    }

    /// What is to become of a home.
    static func plan(_ report: ForgetReport) -> String {
        let kept = report.kept.photos == 0 ? "nothing" : "\(amount(report.kept)), moved to \(report.keptIn)"
        let lines = [
            "Gathering  \(report.gathering.map { "“\($0)”" } ?? "its name has not arrived"), phrase \(report.phrase)",
            "Home       \(report.home): deleted, with the journal, this laptop's identity and settings",
            "Folder     \(report.folder.map { "\($0): its files stay" } ?? "none")",
            "There      \(amount(report.inFolder)), of which the folder has the same bytes",
            "Kept       \(kept)",
        ]
        return lines.map { PrintableText.line($0) + "\n" }.joined()
    }

    static func forgotten(_ report: ForgetReport) -> String {
        let remaining = report.remaining ?? []
        var lines = [
            remaining.isEmpty
                ? "Deleted: \(report.home)."
                : "Deleted, but for what is not Potluck's in \(report.home): \(Phrases.list(remaining))."
        ]
        if report.kept.photos > 0 { lines.append("\(amount(report.kept)) are in \(report.keptIn).") }
        return lines.map { PrintableText.line($0) + "\n" }.joined()
    }

    private static func amount(_ amount: StatusReport.Amount) -> String {
        "\(Phrases.count(amount.photos, "file")), \(Phrases.size(amount.bytes))"
    }
}
