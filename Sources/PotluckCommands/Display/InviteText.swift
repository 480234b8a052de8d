import PotluckAPI

/// An invite as text for people.
enum InviteText {
    enum Qualifier {
        /// Only as a part of what ``text(_:code:)`` tells.
        case hosted
        case joined
        case shown
    }

    /// - Parameter code: The QR code's lines, where one is wanted.
    static func text(_ report: InviteReport, _ qualifier: Qualifier, code: String?) -> String {
        if let problem = report.problem {
            return "\(PrintableText.lines(problem))\n\nThe phrase of this laptop may let nobody in: \(report.phrase)\n"
        }
        let name = report.gathering.map { "“\(PrintableText.line($0))”" }
        var text = ""
        switch qualifier {
        case .hosted: text += "\(name ?? "The gathering") is open. `potluck up` starts sharing on this laptop.\n\n"
        case .joined: text += "This laptop is in \(name ?? "the gathering"). `potluck up` starts sharing.\n\n"
        case .shown: text += name.map { "\($0) takes more laptops.\n\n" } ?? ""
        }
        text += "On each other laptop:\n\n    potluck join \(report.phrase)\n\nAs a link: \(report.link)\n"
        if let code { text += "\n\(code)" }
        return text + "\nWhoever knows the phrase can see every photo: give it only to people whom you invite.\n"
    }

    /// A new phrase, and who has it.
    ///
    /// - Parameter code: The QR code's lines, where one is wanted.
    static func text(_ report: InviteReport, _ spread: HostsReport.Phrase?, code: String?) -> String {
        var text = "New phrase: \(report.phrase)\n"
        if let spread { text += Self.spread(spread) + "\n" }
        text += "\nOn each other laptop that comes:\n\n    potluck join \(report.phrase)\n\nAs a link: \(report.link)\n"
        if let code { text += "\n\(code)" }
        return text
    }

    static func spread(_ spread: HostsReport.Phrase) -> String {
        guard spread.laptops > 1 else { return "No other laptop takes part yet." }
        guard spread.have == spread.laptops else {
            return "\(spread.have) of \(spread.laptops) laptops have it; the others get it when they are back."
        }
        return spread.laptops == 2 ? "Both laptops have it." : "All \(spread.laptops) laptops have it."
    }

    /// - Parameter code: The QR code's lines, where one is wanted.
    static func text(_ report: HostReport, code: String?) -> String {
        text(report.invite, .hosted, code: code) + """

            Recovery code, for paper:

                \(report.recoveryCode)

            It is shown this once and kept nowhere. If this laptop is lost or stolen, whoever
            has the code puts it out on another one: `potluck put-out DEVICE --recovery`.

            """
    }
}
