import Testing

@testable import LaptopDoctor

/// What firewalls do, read from their own texts.
@Suite struct FirewallTests {
    private static let network = NetworkSight(interfaces: [HealthyLaptop.wifi])

    /// Rules of one table, as nft prints them: chains as (name, hook, policy), rules as (chain, expressions).
    private func state(
        chains: [(name: String, policy: String?)] = [("in", "drop")],
        rules: [(chain: String, expressions: String)] = [],
        sets: String = ""
    ) -> FirewallSight.State? {
        let name = #""family":"inet","table":"t""#
        let chainTexts = chains.map { chain in
            let base = chain.policy.map { #","type":"filter","hook":"input","prio":0,"policy":"\#($0)""# } ?? ""
            return #"{"chain":{\#(name),"name":"\#(chain.name)","handle":1\#(base)}}"#
        }
        let ruleTexts = rules.map {
            #"{"rule":{\#(name),"chain":"\#($0.chain)","handle":2,"expr":[\#($0.expressions)]}}"#
        }
        let all = ([#"{"metainfo":{"version":"1"}}"#] + chainTexts + (sets.isEmpty ? [] : [sets]) + ruleTexts)
        let json = #"{"nftables":[\#(all.joined(separator: ","))]}"#
        return FirewallRules(json: json)?.state(Self.network, agentPort: 4711)
    }

    private func match(_ left: String, _ right: String, _ operation: String = "==") -> String {
        #"{"match":{"op":"\#(operation)","left":\#(left),"right":\#(right)}}"#
    }

    private let tcp = #"{"payload":{"protocol":"tcp","field":"dport"}}"#
    private let udp = #"{"payload":{"protocol":"udp","field":"dport"}}"#
    private let accept = #"{"accept":null}"#
    private let both: [FirewallSight.Traffic] = [.agent(port: 4711), .discovery]

    private var letsDiscoveryIn: (chain: String, expressions: String) { ("in", "\(match(udp, "5353")),\(accept)") }

    /// Shows that no rules are no firewall, and that a chain that drops all drops what Potluck needs.
    @Test func policies() {
        #expect(state(chains: []) == .open)
        #expect(state(chains: [("in", "accept")]) == .open)
        #expect(state() == .blocks(both))
    }

    /// Shows that known connections and the loopback device, which every rule set lets in, do not let in others.
    @Test func usualRulesDoNotLetOthersIn() {
        let known = match(#"{"ct":{"key":"state"}}"#, #"["established","related"]"#, "in")
        let loopback = match(#"{"meta":{"key":"iif"}}"#, #""lo""#)
        let ping = match(#"{"payload":{"protocol":"icmp","field":"type"}}"#, #""echo-request""#)
        let rules = [known, loopback, ping].map { ("in", "\($0),\(accept)") }
        #expect(state(rules: rules) == .blocks(both))
        let map =
            #"{"vmap":{"key":{"ct":{"key":"state"}},"data":{"set":[["established",{"accept":null}],["invalid",{"drop":null}]]}}}"#
        #expect(state(rules: [("in", map)]) == .blocks(both))
    }

    /// Shows that a port is let in by its number, a range, a set, a named set, its interface or its network.
    @Test func portsAreLetIn() {
        let set = #"{"set":{"family":"inet","table":"t","name":"open","type":"inet_service","elem":[22,4711]}}"#
        for right in ["4711", #"{"range":[4000,5000]}"#, #"{"set":[22,{"range":[4700,4720]}]}"#, #""@open""#] {
            let rule = ("in", "\(match(tcp, right)),\(accept)")
            #expect(state(rules: [rule, letsDiscoveryIn], sets: set) == .open, "\(right)")
        }
        let wifi = match(#"{"meta":{"key":"iifname"}}"#, #""wlan*""#)
        let near = match(
            #"{"payload":{"protocol":"ip","field":"saddr"}}"#, #"{"prefix":{"addr":"192.168.1.0","len":24}}"#)
        #expect(state(rules: [("in", "\(wifi),\(accept)")]) == .open)
        #expect(state(rules: [("in", "\(near),\(accept)")]) == .open)
        #expect(
            state(rules: [("in", "\(match(tcp, "22")),\(accept)"), letsDiscoveryIn]) == .blocks([.agent(port: 4711)]))
        #expect(state(rules: [("in", "\(match(tcp, "4711")),\(accept)")]) == .blocks([.discovery]))
    }

    /// Shows that chains are followed, and that what is not understood accuses nobody.
    @Test func chainsAreFollowed() {
        let chains: [(String, String?)] = [("in", "accept"), ("more", nil)]
        let jump = ("in", #"{"jump":{"target":"more"}}"#)
        #expect(state(chains: chains, rules: [jump, ("more", #"{"drop":null}"#)]) == .blocks(both))
        #expect(state(chains: chains, rules: [jump, ("more", #"{"return":null}"#)]) == .open)
        #expect(state(chains: chains, rules: [jump, ("more", #"{"reject":{"type":"tcp reset"}}"#)]) == .blocks(both))
        let unknown = #"{"xt":{"type":"match","name":"recent"}}"#
        #expect(state(rules: [("in", "\(unknown),\(accept)")]) == .unsure)
        #expect(state(chains: [("in", "accept")], rules: [("in", "\(unknown),{\"drop\":null}")]) == .unsure)
        #expect(FirewallRules(json: "Operation not permitted") == nil)
    }

    // MARK: ufw

    private func ufw(_ rules: String?, enabled: String = "yes", policy: String = "DROP") -> FirewallSight.State {
        UfwSettings(
            configuration: "# comment\nENABLED=\(enabled)\nLOGLEVEL=low\n",
            defaults: "IPV6=yes\nDEFAULT_INPUT_POLICY=\"\(policy)\"\n", rules: rules
        ).state(agentPort: 4711)
    }

    /// Shows what ufw's files say: off, on with and without a rule for the port, and rules that only root may read.
    @Test func ufw() {
        let line =
            "### tuple ### allow tcp 4711 0.0.0.0/0 any 0.0.0.0/0 in\n-A ufw-user-input -p tcp --dport 4711 -j ACCEPT\n"
        #expect(ufw(nil, enabled: "no") == .open)
        #expect(ufw("", policy: "ACCEPT") == .open)
        #expect(ufw("") == .blocks([.agent(port: 4711)]))
        #expect(ufw(line) == .open)
        #expect(ufw(line.replacing("4711", with: "22")) == .blocks([.agent(port: 4711)]))
        #expect(ufw(line.replacing("4711", with: "4700:4720,80")) == .open)
        #expect(ufw(line.replacing("tcp 4711", with: "any any")) == .open)
        #expect(ufw(line.replacing("allow", with: "deny")) == .blocks([.agent(port: 4711)]))
        #expect(ufw(nil) == .unreadable)
    }

    // MARK: firewalld

    private func zone(target: String = "default", services: String, ports: String = "", rest: String = "")
        -> FirewallSight.State
    {
        let text = """
            public (active)
              target: \(target)
              interfaces: wlan0
              services: \(services)
              ports: \(ports)
              rich rules: \(rest)
            """
        return FirewalldZone(text: text).state(agentPort: 4711)
    }

    /// Shows what firewalld's zone lets in: by service, port or range; and that rich rules make it unsure.
    @Test func firewalld() {
        #expect(zone(services: "ssh mdns") == .blocks([.agent(port: 4711)]))
        #expect(zone(services: "ssh", ports: "1025-65535/tcp") == .blocks([.discovery]))
        #expect(zone(services: "ssh mdns", ports: "1025-65535/udp 1025-65535/tcp") == .open)
        #expect(zone(services: "potluck") == .open)
        #expect(zone(target: "ACCEPT", services: "") == .open)
        #expect(
            zone(services: "", rest: "\n\trule family=\"ipv4\" port port=\"4711\" protocol=\"tcp\" accept") == .unsure)
        let zones = "home\n  interfaces: eth0\npublic (default)\n  interfaces: wlan0 wlan1\n"
        #expect(FirewalldZone.zone(of: "wlan1", in: zones) == "public")
        #expect(FirewalldZone.zone(of: "tun0", in: zones) == nil)
    }
}
