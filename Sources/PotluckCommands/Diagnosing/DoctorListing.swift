import LaptopDoctor

/// What the doctor found, as text for people.
enum DoctorListing {
    static func text(_ report: DoctorReport) -> String {
        let width = report.checks.map(\.subject.count).max() ?? 0
        var lines = report.checks.map { check in
            check.subject + String(repeating: " ", count: width + 2 - check.subject.count) + check.result
        }
        for finding in report.findings {
            lines += ["", finding.sentence] + finding.advice.map { "  \($0)" }
        }
        lines += ["", "Verdict: \(report.verdict)"]
        return lines.map { PrintableText.line($0) + "\n" }.joined()
    }

    /// - Parameter first: One of the addresses.
    static func helping(_ addresses: [String], first: String) -> String {
        var text = "This laptop helps with a test, for 15 minutes. On the other one, type:\n\n"
        text += "    potluck doctor --with \(first)\n\n"
        let rest = addresses.filter { $0 != first }
        if !rest.isEmpty { text += "If that does not answer, try \(Phrases.list(rest)).\n" }
        return text
    }
}
