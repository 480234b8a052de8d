/// What is wrong with this laptop's own network, and what on this laptop stands in the way.
enum NetworkRules {
    static func findings(_ seen: Observations) -> [Finding] {
        var findings: [Finding] = []
        if let finding = network(seen) {
            findings.append(finding)
        } else {
            findings += [vpn(seen), firewall(seen), multicast(seen)].compactMap { $0 }
        }
        return findings
    }

    private static func network(_ seen: Observations) -> Finding? {
        let running = seen.network.interfaces.filter { $0.kind == .local && $0.isRunning }
        guard !running.isEmpty else {
            return Finding(
                .noNetwork, "This laptop is in no network: no Wi-Fi is joined and no cable is plugged in.",
                advice: ["Join the Wi-Fi that the others are in."])
        }
        // Where others are reached, made-up addresses or IPv6 do.
        let addresses = running.flatMap(\.networks).map(\.address)
        guard !seen.seesSomebody, addresses.allSatisfy(\.isLinkLocal) else { return nil }
        let own =
            addresses.first.map { "it made one up (\($0)), and most others will have another kind" } ?? "it has none"
        return Finding(
            .noAddress, "Nobody gives this laptop an address in its network: \(own).",
            advice: ["Join the Wi-Fi once more, or restart the router."])
    }

    private static func vpn(_ seen: Observations) -> Finding? {
        let tunnels = seen.network.tunnels.map(\.name)
        if let detour = seen.network.detours.first {
            let way =
                detour.isForbidden
                ? "nothing may be sent into \(detour.network) while the VPN \(detour.tunnel) is on"
                : "addresses of \(detour.network) are reached through \(detour.tunnel), not through \(detour.interface)"
            return finding("A VPN is in the way: \(way).")
        }
        let isForbidden = seen.multicast.contains { $0.outcome == .forbidden }
        guard isForbidden, let tunnel = tunnels.first else { return nil }
        return finding("The VPN \(tunnel) forbids this laptop to send into its own network.")
        func finding(_ sentence: String) -> Finding {
            Finding(
                .vpn, sentence,
                advice: [
                    "Allow the local network in the VPN's settings (“local network sharing”, “allow LAN”), or disconnect it while photos are shared."
                ])
        }
    }

    // MARK: Firewall

    private static func firewall(_ seen: Observations) -> Finding? {
        for sight in seen.firewalls {
            guard case .blocks(let blocked) = sight.state, !blocked.isEmpty else { continue }
            let what = blocked.map(words).joined(separator: ", and ")
            return Finding(
                .firewall, "The firewall of this laptop (\(sight.tool.rawValue)) keeps out \(what).",
                advice: blocked.map { command(sight.tool, $0, zone: sight.zone) })
        }
        if seen.network.tunnels.isEmpty, seen.multicast.contains(where: { $0.outcome == .forbidden }) {
            return Finding(
                .firewall, "A firewall of this laptop forbids it to send queries for other laptops (UDP port 5353).",
                advice: ["Allow UDP port 5353 to 224.0.0.251, out and in."])
        }
        if let answer = seen.test?.answer, let back = answer.connectionBack, ![.accepted, .forbidden].contains(back) {
            let port = seen.agentPort.map { " \($0)" } ?? ""
            return Finding(
                .firewall,
                "The other laptop cannot connect to this one: a firewall of this laptop keeps out connections to the agent's port\(port).",
                advice: open(seen))
        }
        return nil
    }

    private static func words(_ traffic: FirewallSight.Traffic) -> String {
        switch traffic {
        case .agent(let port): "connections of other laptops (TCP port \(port))"
        case .discovery: "what tells of other laptops (UDP port 5353)"
        }
    }

    static func command(
        _ tool: FirewallSight.Tool, _ traffic: FirewallSight.Traffic, zone: String? = nil
    ) -> String {
        let firewalld = "sudo firewall-cmd --permanent" + (zone.map { " --zone=\($0)" } ?? "")
        return switch (tool, traffic) {
        case (.nftables, .agent(let port)):
            "Let it in where the rules are, before what drops it: `tcp dport \(port) accept`."
        case (.nftables, .discovery): "Let it in where the rules are, before what drops it: `udp dport 5353 accept`."
        case (.ufw, .agent(let port)): "sudo ufw allow \(port)/tcp"
        case (.ufw, .discovery): "sudo ufw allow 5353/udp"
        case (.firewalld, .agent(let port)): "\(firewalld) --add-port=\(port)/tcp && sudo firewall-cmd --reload"
        case (.firewalld, .discovery): "\(firewalld) --add-service=mdns && sudo firewall-cmd --reload"
        }
    }

    /// What opens the agent's port with the firewall that is on here; for ufw where none is known.
    static func open(_ seen: Observations) -> [String] {
        let traffic = FirewallSight.Traffic.agent(port: seen.agentPort ?? 4711)
        let commands = seen.firewalls.filter { $0.state != .open }.map { command($0.tool, traffic, zone: $0.zone) }
        let fixed = "Where the port is not fixed, fix it: `listen = \":4711\"` in potluck.toml."
        return (commands.isEmpty ? [command(.ufw, traffic)] : commands) + (seen.port == nil ? [fixed] : [])
    }

    private static func multicast(_ seen: Observations) -> Finding? {
        if let interface = seen.network.local.first, seen.network.local.allSatisfy({ !$0.carriesMulticast }) {
            return Finding(
                .multicast,
                "Multicast is switched off on \(interface.name), and without it laptops cannot find each other.",
                advice: ["sudo ip link set \(interface.name) multicast on", byAddress])
        }
        let lost = seen.multicast.filter { $0.outcome == .lost }.map(\.interface)
        guard let interface = lost.first, lost.count == seen.multicast.count else { return nil }
        return Finding(
            .firewall,
            "What tells of other laptops does not come in by \(interface): this laptop's own query does not come back, so a firewall here drops UDP port 5353.",
            advice: ["sudo ufw allow 5353/udp", "Or, with firewalld: `sudo firewall-cmd --add-service=mdns`."])
    }

    static let byAddress =
        "Without it: one laptop runs `potluck up --listen :4711`, the others `potluck up --peer ITS-ADDRESS:4711`."
}
