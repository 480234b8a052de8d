/// What keeps this laptop from looking for others, and whom it sees.
enum DiscoveryRules {
    static func findings(_ seen: Observations) -> [Finding] {
        [off(seen), avahi(seen), gathering(seen), alone(seen)].compactMap { $0 }
    }

    private static func off(_ seen: Observations) -> Finding? {
        let looks: Bool
        if case .running(let facts) = seen.agent {
            looks = facts.looksForOthers
        } else {
            looks = seen.home.wantsDiscovery
        }
        guard !looks, !seen.home.namesPeers, !seen.seesSomebody else { return nil }
        return Finding(
            .discoveryOff, "This laptop is told not to look for others, and knows no address of one.",
            advice: ["Start the agent without `--no-discovery`, and remove `discovery` from potluck.toml."])
    }

    private static func avahi(_ seen: Observations) -> Finding? {
        switch seen.discovery {
        case .missing:
            Finding(
                .avahiMissing, "Avahi is not installed on this laptop, so laptops cannot find each other.",
                advice: ["sudo apt install avahi-daemon"])
        case .stopped:
            Finding(
                .avahiStopped, "Avahi does not run on this laptop, so laptops cannot find each other.",
                advice: ["sudo systemctl enable --now avahi-daemon"])
        case .silent:
            Finding(
                .avahiSilent, "Avahi on this laptop gives no answer, so laptops cannot find each other.",
                advice: ["sudo systemctl restart avahi-daemon"])
        case .works, .noConnection, nil: nil
        }
    }

    private static func gathering(_ seen: Observations) -> Finding? {
        guard case .works(let announced)? = seen.discovery, let own = seen.home.tag, !seen.seesSomebody else {
            return nil
        }
        let others = announced.filter { $0.devicePrefix != seen.home.devicePrefix }
        let foreign = Set(others.filter { $0.tag != own }.map(\.devicePrefix))
        guard !foreign.isEmpty, !others.contains(where: { $0.tag == own }) else { return nil }
        let laptops = foreign.count == 1 ? "One laptop is" : "\(foreign.count) laptops are"
        return Finding(
            .otherGathering, "\(laptops) here in another gathering, and none in this laptop's.",
            advice: [
                "Compare the phrases: `potluck invite` on both laptops.",
                "To be in the other one: `potluck --home DIR join PHRASE` with a home of its own.",
            ])
    }

    private static func alone(_ seen: Observations) -> Finding? {
        guard seen.home.hasGathering, !seen.seesSomebody, seen.test?.answer == nil else { return nil }
        var advice = [
            "Are the others on, in the same Wi-Fi, and does `potluck up` run there?",
            "If so, test with one of them: run `potluck doctor --answer` there, and here what it prints.",
        ]
        let unread = seen.firewalls.filter { $0.state == .unreadable || $0.state == .unsure }
        if let firewall = unread.first, let port = seen.agentPort {
            let command = NetworkRules.command(firewall.tool, .agent(port: port), zone: firewall.zone)
            advice.append("A firewall is on here (\(firewall.tool.rawValue)); if it is in the way: \(command)")
        }
        if let tunnel = seen.network.tunnels.first {
            advice.append("A VPN is on here (\(tunnel.name)); try without it.")
        }
        return Finding(
            .alone,
            "Nothing on this laptop is in the way, and no other laptop of this gathering is seen.\(router(seen))",
            advice: advice)
    }

    private static func router(_ seen: Observations) -> String {
        guard case .answers? = seen.network.gateway?.neighbour, !seen.contacts.isEmpty else { return "" }
        return
            " The router answers, and none of the laptops that are known from before: they are off or elsewhere, or the access point keeps its guests apart."
    }
}
