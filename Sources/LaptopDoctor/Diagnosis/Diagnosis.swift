/// What was found, computed from what was seen.
public struct Diagnosis: Hashable, Sendable {
    /// In the order of ``Cause``; those that another one explains are left out.
    public var findings: [Finding]
    /// One sentence or two.
    public var verdict: String

    public var isHealthy: Bool { findings.isEmpty }

    public init(_ seen: Observations) {
        let all =
            HomeRules.findings(seen) + NetworkRules.findings(seen) + DiscoveryRules.findings(seen)
            + ContactRules.findings(seen) + TestRules.findings(seen) + PlaceRules.findings(seen)
        let hidden = all.reduce(into: Set<Cause>()) { $0.formUnion($1.cause.hidden) }
        let order = Dictionary(uniqueKeysWithValues: Cause.allCases.enumerated().map { ($1, $0) })
        let shown = all.filter { !hidden.contains($0.cause) }
        findings = shown.enumerated()
            .filter { index, finding in
                // One cause that is seen in two ways is told once; two disks are two findings.
                finding.cause.isOfDisks || !shown[..<index].contains { $0.cause == finding.cause }
            }
            .sorted { (order[$0.element.cause]!, $0.offset) < (order[$1.element.cause]!, $1.offset) }
            .map(\.element)
        verdict = Self.verdict(findings, seen)
    }

    private static func verdict(_ findings: [Finding], _ seen: Observations) -> String {
        guard let first = findings.first else {
            let count = max(seen.connectedCount, seen.contacts.count(where: \.isReached))
            let others = count == 1 ? "1 other laptop" : "\(count) other laptops"
            if seen.test != nil, count == 0 { return "Nothing is in the way between this laptop and the other one." }
            return "Nothing is in the way: \(others) of this gathering \(count == 1 ? "is" : "are") reached."
        }
        guard let step = first.advice.first else { return first.sentence }
        return "\(first.sentence) \(Self.sentence(step))"
    }

    /// A command line is led in.
    private static func sentence(_ advice: String) -> String {
        advice.hasSuffix(".") || advice.hasSuffix("?") ? advice : "What helps: `\(advice)`"
    }
}
