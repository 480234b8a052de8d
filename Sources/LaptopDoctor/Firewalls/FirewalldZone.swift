/// A zone of firewalld, as `firewall-cmd --zone=… --list-all` prints it.
struct FirewalldZone {
    private var values: [String: [Substring]] = [:]
    /// They may let in what the lists do not name.
    private let hasRichRules: Bool

    init(text: String) {
        hasRichRules = text.contains("rule ")
        for line in text.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let key = line[..<colon].drop { $0 == " " || $0 == "\t" }
            // The first of a key counts: a rich rule may hold a colon.
            guard values[String(key)] == nil else { continue }
            values[String(key)] = line[line.index(after: colon)...].split(separator: " ")
        }
    }

    func state(agentPort: UInt16?) -> FirewallSight.State {
        guard let target = values["target"]?.first, target != "ACCEPT" else { return .open }
        let services = values["services"] ?? []
        var blocked: [FirewallSight.Traffic] = []
        if let agentPort, !services.contains("potluck"), !lets(agentPort, "tcp") {
            blocked.append(.agent(port: agentPort))
        }
        if !services.contains("mdns"), !services.contains("potluck"), !lets(5353, "udp") { blocked.append(.discovery) }
        guard !blocked.isEmpty else { return .open }
        return hasRichRules ? .unsure : .blocks(blocked)
    }

    private func lets(_ port: UInt16, _ transport: String) -> Bool {
        (values["ports"] ?? []).contains { entry in
            let halves = entry.split(separator: "/")
            guard halves.count == 2, halves[1] == transport else { return false }
            let ends = halves[0].split(separator: "-").compactMap { Int($0) }
            guard let low = ends.first, let high = ends.last, low <= high else { return false }
            return (low...high).contains(Int(port))
        }
    }

    /// The zone of an interface in what `firewall-cmd --get-active-zones` prints: names at the beginnings of lines, what
    /// is in them below, indented.
    static func zone(of interface: String, in text: String) -> String? {
        var name: Substring?
        for line in text.split(separator: "\n") {
            if line.first != " " {
                // Later versions mark the standard zone behind its name.
                name = line.split(separator: " ").first
            } else if line.contains("interfaces:"), line.split(separator: " ").contains(interface[...]) {
                return name.map(String.init)
            }
        }
        return nil
    }
}
