import LaptopDoctor
import PotluckAPI

/// What `potluck doctor` prints.
struct DoctorReport: Codable, Hashable, Sendable {
    var healthy: Bool
    /// One sentence or two.
    var verdict: String
    /// What is to be mended first comes first.
    var findings: [Finding]
    /// What was looked at, each with what was seen.
    var checks: [Check]

    struct Check: Codable, Hashable, Sendable {
        var subject: String
        var result: String
    }

    /// Ends the command with 1: all that is to be said is in the report.
    struct Found: Error {}

    init(_ seen: Observations) {
        let diagnosis = Diagnosis(seen)
        healthy = diagnosis.isHealthy
        verdict = diagnosis.verdict
        findings = diagnosis.findings
        checks = DoctorChecks.all(seen).map { Check(subject: $0.subject, result: $0.result) }
    }
}

/// What `potluck doctor --answer` prints before it waits.
struct HelperReport: Codable, Hashable, Sendable {
    /// Of this laptop; any of them may be the one that another laptop can reach.
    var addresses: [String]
    /// The TCP port.
    var port: Int
    /// How long it waits.
    var seconds: Int
}
