/// What ufw's own files say, which all may read but for the rules.
struct UfwSettings {
    private let isOn: Bool
    /// Whether what no rule names gets in.
    private let letsIn: Bool
    /// `nil` where they may not be read.
    private let rules: [Rule]?

    private struct Rule {
        var lets: Bool
        var transport: String
        var ports: [ClosedRange<Int>]
    }

    /// - Parameters:
    ///   - configuration: `ufw.conf`; `nil` where there is none.
    ///   - defaults: `/etc/default/ufw`.
    ///   - rules: `user.rules`.
    init(configuration: String?, defaults: String?, rules: String?) {
        isOn = configuration.flatMap { Self.value("ENABLED", in: $0) }?.lowercased() == "yes"
        letsIn = defaults.flatMap { Self.value("DEFAULT_INPUT_POLICY", in: $0) } == "ACCEPT"
        self.rules = rules.map { $0.split(separator: "\n").compactMap(Self.rule) }
    }

    func state(agentPort: UInt16?) -> FirewallSight.State {
        guard isOn, !letsIn else { return .open }
        guard let rules else { return .unreadable }
        // Answers to port 5353 are let in by ufw's standing rules.
        guard let agentPort else { return .open }
        for rule in rules where ["tcp", "any"].contains(rule.transport) {
            guard rule.ports.contains(where: { $0.contains(Int(agentPort)) }) else { continue }
            return rule.lets ? .open : .blocks([.agent(port: agentPort)])
        }
        return .blocks([.agent(port: agentPort)])
    }

    private static func value(_ key: String, in text: String) -> String? {
        for line in text.split(separator: "\n") where line.hasPrefix(key + "=") {
            return line.dropFirst(key.count + 1).filter { $0 != "\"" }
        }
        return nil
    }

    /// `### tuple ### allow tcp 4711 0.0.0.0/0 any 0.0.0.0/0 in`: what is let in from some addresses counts as let in.
    private static func rule(_ line: Substring) -> Rule? {
        let words = line.split(separator: " ")
        guard line.hasPrefix("### tuple ###"), words.count >= 10, words.last?.hasPrefix("in") == true else {
            return nil
        }
        let action = words[3].split(separator: "_").first ?? ""
        let ports = words[5].split(separator: ",").compactMap { part -> ClosedRange<Int>? in
            if part == "any" { return 0...65_535 }
            let ends = part.split(separator: ":").compactMap { Int($0) }
            guard let low = ends.first, let high = ends.last, low <= high else { return nil }
            return low...high
        }
        return Rule(lets: ["allow", "limit"].contains(action), transport: String(words[4]), ports: ports)
    }
}
