import Glibc

/// What the firewalls of this laptop do, read and never changed.
enum FirewallProbe {
    static func look(_ network: NetworkSight, agentPort: UInt16?) -> [FirewallSight] {
        var sights: [FirewallSight] = []
        let ufw = ufw(agentPort)
        let firewalld = firewalld(network, agentPort)
        if let ufw, ufw != .open { sights.append(FirewallSight(tool: .ufw, state: ufw)) }
        if let firewalld, firewalld.state != .open { sights.append(firewalld) }
        if let nftables = nftables(network, agentPort), nftables != .open {
            // The rules that ufw and firewalld made are theirs to change.
            let isTheirs = sights.contains { if case .blocks = $0.state { true } else { false } }
            if !isTheirs { sights.append(FirewallSight(tool: .nftables, state: nftables)) }
        }
        return sights
    }

    // MARK: ufw

    /// `nil` where it is not installed.
    private static func ufw(_ agentPort: UInt16?) -> FirewallSight.State? {
        guard let configuration = SystemFile.text("/etc/ufw/ufw.conf") else { return nil }
        return UfwSettings(
            configuration: configuration, defaults: SystemFile.text("/etc/default/ufw"),
            rules: SystemFile.text("/etc/ufw/user.rules")
        ).state(agentPort: agentPort)
    }

    // MARK: firewalld

    /// `nil` where it does not run.
    private static func firewalld(_ network: NetworkSight, _ agentPort: UInt16?) -> FirewallSight? {
        guard case .printed(let state) = ProgramOutput.of("firewall-cmd", ["--state"]), state.hasPrefix("running")
        else {
            return nil
        }
        guard case .printed(let zones) = ProgramOutput.of("firewall-cmd", ["--get-active-zones"]) else {
            return FirewallSight(tool: .firewalld, state: .unreadable)
        }
        for interface in network.local {
            let zone = FirewalldZone.zone(of: interface.name, in: zones)
            let arguments = (zone.map { ["--zone=\($0)"] } ?? []) + ["--list-all"]
            var state = FirewallSight.State.unreadable
            if case .printed(let text) = ProgramOutput.of("firewall-cmd", arguments) {
                state = FirewalldZone(text: text).state(agentPort: agentPort)
            }
            if state != .open { return FirewallSight(tool: .firewalld, state: state, zone: zone) }
        }
        return FirewallSight(tool: .firewalld, state: .open)
    }

    // MARK: nftables

    private static func nftables(_ network: NetworkSight, _ agentPort: UInt16?) -> FirewallSight.State? {
        // Without root it fails, whether there are rules or not.
        guard case .printed(let text) = ProgramOutput.of("nft", ["-j", "list", "ruleset"]) else { return nil }
        guard let rules = FirewallRules(json: text) else { return .unsure }
        return rules.state(network, agentPort: agentPort)
    }
}

extension FirewallRules {
    /// What becomes of the traffic that Potluck needs, by each local interface.
    func state(_ network: NetworkSight, agentPort: UInt16?) -> FirewallSight.State {
        var blocked: [FirewallSight.Traffic] = []
        var isSure = true
        func ask(_ traffic: FirewallSight.Traffic, _ packet: Packet) {
            switch fate(of: packet) {
            case .accepted: break
            case .dropped: if !blocked.contains(traffic) { blocked.append(traffic) }
            case .unsure: isSure = false
            }
        }
        for interface in network.local {
            for own in interface.networks {
                guard let other = own.samples.first else { continue }
                if let agentPort {
                    ask(
                        .agent(port: agentPort),
                        .connection(to: agentPort, at: own.address, from: other, by: interface.name))
                }
                ask(.discovery, .announcement(from: other, by: interface.name))
            }
        }
        if !blocked.isEmpty { return .blocks(blocked) }
        return isSure ? .open : .unsure
    }
}
