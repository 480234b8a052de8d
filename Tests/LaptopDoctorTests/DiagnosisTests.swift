import SyncEngine
import PotluckAPI
import Testing

@testable import LaptopDoctor

/// What is said of what was seen.
@Suite struct DiagnosisTests {
    private func causes(_ change: (inout Observations) -> Void) -> [Cause] {
        var seen = HealthyLaptop.observations
        change(&seen)
        return Diagnosis(seen).findings.map(\.cause)
    }

    private func alone(_ seen: inout Observations) {
        seen.agent = .running(.init(connectedCount: 0, port: 4711))
        seen.discovery = .works([HealthyLaptop.announced(HealthyLaptop.own)])
        seen.contacts = []
    }

    /// Shows that a healthy laptop has no finding, and what the verdict on it is.
    @Test func nothingIsNamedOnAHealthyLaptop() {
        let diagnosis = Diagnosis(HealthyLaptop.observations)
        #expect(diagnosis.isHealthy)
        #expect(diagnosis.verdict == "Nothing is in the way: 1 other laptop of this gathering is reached.")
        #expect(Diagnosis(HealthyLaptop.tested { _ in }).isHealthy)
    }

    /// Shows that harmless oddities are no findings: a VPN that leaves the local network alone, a firewall whose rules
    /// may not be read, a laptop from before that is off, one behind a router, other gatherings nearby.
    @Test func nothingWrongIsNamed() {
        #expect(causes { $0.network.interfaces.append(HealthyLaptop.tunnel) } == [])
        #expect(causes { $0.firewalls = [.init(tool: .ufw, state: .unreadable)] } == [])
        #expect(causes { $0.firewalls = [.init(tool: .nftables, state: .unsure)] } == [])
        #expect(
            causes {
                $0.contacts.append(
                    Contact(
                        name: "Carla",
                        attempts: [
                            .init(
                                address: .init(host: "192.168.1.30", port: 1), outcome: .unreachable, neighbour: .silent
                            )
                        ]))
                $0.contacts.append(
                    Contact(
                        name: "Dora", attempts: [.init(address: .init(host: "10.9.9.9", port: 1), outcome: .timedOut)]))
            } == [])
        #expect(
            causes {
                $0.discovery = .works([
                    HealthyLaptop.announced(HealthyLaptop.ben), HealthyLaptop.announced([9], tag: [9]),
                ])
            } == [])
        #expect(
            causes {
                $0.multicast = [
                    .init(interface: "wlan0", outcome: .returned), .init(interface: "eth0", outcome: .lost),
                ]
            } == [])
    }

    // MARK: Home, agent, settings

    /// Shows what is said of the home and its agent.
    @Test func homesAndAgents() {
        #expect(
            causes {
                $0.home.hasGathering = false
                $0.agent = .stopped
            } == [.noGathering])
        #expect(causes { $0.agent = .stopped } == [.agentStopped])
        #expect(causes { $0.agent = .silent(reason: "it said nothing.") } == [.agentSilent])
        #expect(
            causes {
                $0.home.obstacle = "The home cannot be used."
                $0.agent = .stopped
            } == [.homeUnusable])
    }

    /// Shows what others say of the phrase, that it has not come yet, and who does not get it.
    @Test func phrases() throws {
        #expect(causes { $0.home.phraseTrouble = .out } == [.putOut])
        #expect(causes { $0.home.phraseTrouble = .changed } == [.phraseChanged])
        #expect(causes { $0.home.phraseTrouble = .behind } == [.behind])
        var seen = HealthyLaptop.observations
        seen.home.earlierVersions = ["Anna", "Ben"]
        let finding = try #require(Diagnosis(seen).findings.first)
        #expect(finding.cause == .earlierVersion && finding.sentence.hasPrefix("Anna and Ben: "))
    }

    /// Shows that a port that cannot be had is named with its number, in place of the agent that cannot start.
    @Test(arguments: [
        (Observations.PortSight.Outcome.taken, "Another program has port 4711"), (.forbidden, "by root only"),
        (.foreignAddress, "no address of this laptop"),
    ])
    func ports(outcome: Observations.PortSight.Outcome, words: String) throws {
        var seen = HealthyLaptop.observations
        seen.agent = .stopped
        seen.port = .init(address: .init(host: "10.0.0.1", port: 4711), outcome: outcome)
        let diagnosis = Diagnosis(seen)
        #expect(diagnosis.findings.map(\.cause) == [.portTaken])
        #expect(diagnosis.verdict.contains(words))
    }

    /// Shows when a clock counts as wrong by itself: before the program was made, before a moment that the home
    /// remembers, or decades ahead; and that some hours either way do not.
    @Test func clocks() {
        func clock(_ now: Int64, made: Int64?, remembered: Int64? = nil) -> [Cause] {
            causes { $0.clock = .init(now: now, programMade: made, remembered: remembered) }
        }
        let (now, day) = (HealthyLaptop.now, HealthyLaptop.day)
        #expect(clock(now - 4 * 365 * day, made: now) == [.clock])
        #expect(clock(now, made: nil, remembered: now + 2 * day) == [.clock])
        #expect(clock(now + 30 * 365 * day, made: now) == [.clock])
        #expect(clock(now, made: now + day / 2, remembered: now + day / 2) == [])
        #expect(clock(now + 5 * 365 * day, made: now, remembered: now) == [])
    }

    // MARK: Network

    /// Shows that a laptop without a network is told that alone, whatever else is unseen.
    @Test func withoutANetworkThatIsAll() {
        #expect(
            causes {
                alone(&$0)
                $0.network.interfaces[0].isRunning = false
            } == [.noNetwork])
        #expect(
            causes {
                alone(&$0)
                $0.network.interfaces[0].networks = [IPv4Network(address: IPv4("169.254.3.4")!, prefixLength: 16)]
            } == [.noAddress])
        #expect(causes { $0.network.interfaces[0].networks = [] } == [], "others are reached by IPv6")
    }

    /// Shows that a VPN is named where it takes the local network away, and hides what follows from it.
    @Test func vpns() {
        let detour = NetworkSight.Detour(network: HealthyLaptop.wifi.networks[0], interface: "wlan0", tunnel: "wg0")
        let seen = HealthyLaptop.unreached(.timedOut, .unknown)
        var detoured = seen
        detoured.network.interfaces.append(HealthyLaptop.tunnel)
        detoured.network.detours = [detour]
        let diagnosis = Diagnosis(detoured)
        #expect(diagnosis.findings.map(\.cause) == [.vpn])
        #expect(diagnosis.verdict.contains("through wg0, not through wlan0"))
        #expect(
            causes {
                $0.network.interfaces.append(HealthyLaptop.tunnel)
                $0.multicast = [.init(interface: "wlan0", outcome: .forbidden)]
            } == [.vpn])
    }

    /// Shows that a firewall here is named by what it keeps out, by a query of one's own that is lost or forbidden, and
    /// by the other laptop that cannot come in; each with the command of the firewall that is on.
    @Test func firewalls() {
        var seen = HealthyLaptop.observations
        seen.firewalls = [.init(tool: .ufw, state: .blocks([.agent(port: 4711)]))]
        let diagnosis = Diagnosis(seen)
        #expect(diagnosis.findings.map(\.cause) == [.firewall])
        #expect(diagnosis.findings.first?.advice == ["sudo ufw allow 4711/tcp"])
        seen.firewalls = [.init(tool: .firewalld, state: .blocks([.agent(port: 4711)]), zone: "work")]
        let inZone = "sudo firewall-cmd --permanent --zone=work --add-port=4711/tcp && sudo firewall-cmd --reload"
        #expect(Diagnosis(seen).findings.first?.advice == [inZone])
        #expect(causes { $0.multicast = [.init(interface: "wlan0", outcome: .lost)] } == [.firewall])
        #expect(causes { $0.multicast = [.init(interface: "wlan0", outcome: .forbidden)] } == [.firewall])
        #expect(
            causes {
                $0.firewalls = [.init(tool: .nftables, state: .blocks([.discovery]))]
                $0.multicast = [.init(interface: "wlan0", outcome: .lost)]
            } == [.firewall])
        let tested = Diagnosis(HealthyLaptop.tested { $0.connectionBack = .timedOut })
        #expect(tested.findings.map(\.cause) == [.firewall])
        #expect(Diagnosis(HealthyLaptop.tested { $0.connectionBack = .forbidden }).isHealthy)
    }

    /// Shows that multicast that is switched off, or that only this laptop's neighbours answer directly, is named.
    @Test func multicast() {
        #expect(causes { $0.network.interfaces[0].carriesMulticast = false } == [.multicast])
        #expect(
            causes {
                $0.discovery = .works([])
                $0.contacts[0].isAnnounced = false
                $0.contacts[0].answersQueries = true
            } == [.multicast])
        #expect(
            causes {
                $0.discovery = .stopped
                $0.contacts[0].isAnnounced = false
                $0.contacts[0].answersQueries = true
            } == [.avahiStopped])
    }

    // MARK: Discovery

    /// Shows that Avahi's states are told apart, each with its command.
    @Test(arguments: [
        (Observations.DiscoverySight.missing, Cause.avahiMissing, "sudo apt install avahi-daemon"),
        (.stopped, .avahiStopped, "sudo systemctl enable --now avahi-daemon"),
        (.silent, .avahiSilent, "sudo systemctl restart avahi-daemon"),
    ])
    func avahi(sight: Observations.DiscoverySight, cause: Cause, command: String) {
        var seen = HealthyLaptop.observations
        alone(&seen)
        seen.discovery = sight
        let diagnosis = Diagnosis(seen)
        #expect(diagnosis.findings.map(\.cause) == [cause])
        #expect(diagnosis.findings.first?.advice == [command])
        #expect(diagnosis.verdict.hasSuffix("What helps: `\(command)`"))
    }

    /// Shows that discovery that was switched off is named where nobody is connected and no address is known.
    @Test func discoveryThatIsOff() {
        func off(_ change: (inout Observations) -> Void = { _ in }) -> [Cause] {
            causes {
                alone(&$0)
                $0.agent = .running(.init(connectedCount: 0, port: 1, looksForOthers: false))
                change(&$0)
            }
        }
        #expect(off() == [.discoveryOff])
        #expect(off { $0.home.namesPeers = true } == [.alone])
    }

    /// Shows that laptops of another gathering are named where none of this one is seen.
    @Test func otherGatherings() {
        #expect(
            causes {
                alone(&$0)
                $0.discovery = .works([HealthyLaptop.announced(HealthyLaptop.ben, tag: [9])])
            } == [.otherGathering])
    }

    /// Shows that where nothing is seen nothing is accused, and what could still be in the way is told as advice.
    @Test func aloneAccusesNobody() throws {
        var seen = HealthyLaptop.observations
        alone(&seen)
        seen.network.interfaces.append(HealthyLaptop.tunnel)
        seen.firewalls = [.init(tool: .ufw, state: .unreadable)]
        let finding = try #require(Diagnosis(seen).findings.first)
        #expect(Diagnosis(seen).findings.count == 1 && finding.cause == .alone)
        #expect(finding.advice.contains { $0.contains("potluck doctor --answer") })
        #expect(finding.advice.contains { $0.contains("sudo ufw allow 4711/tcp") })
        #expect(finding.advice.contains { $0.contains("wg0") })
    }

    // MARK: Others

    /// Shows how laptops that do not take connections are told apart by what answers on the link.
    @Test func othersThatAreNotReached() {
        func causes(_ seen: Observations) -> [Cause] { Diagnosis(seen).findings.map(\.cause) }
        #expect(causes(HealthyLaptop.unreached(.unreachable, .silent)) == [.isolation])
        #expect(causes(HealthyLaptop.unreached(.timedOut, .answers(hardware: "aa"))) == [.isolation])
        #expect(causes(HealthyLaptop.unreached(.timedOut, .answers(hardware: "bb"))) == [.firewallThere])
        #expect(causes(HealthyLaptop.unreached(.refused, .answers(hardware: "bb"))) == [.firewallThere])
        #expect(causes(HealthyLaptop.unreached(.unreachable, .silent, isAnnounced: false)) == [.alone])
        #expect(causes(HealthyLaptop.unreached(.refused, .answers(hardware: "bb"), isAnnounced: false)) == [.alone])
        var elsewhere = HealthyLaptop.unreached(.unreachable, .unknown)
        elsewhere.contacts[0].attempts[0].address = PeerAddress(host: "192.168.2.21", port: 4711)
        #expect(causes(elsewhere) == [.twoNetworks])
    }

    /// Shows that where the router alone answers, that is said.
    @Test func onlyTheRouterAnswers() {
        let verdict = Diagnosis(HealthyLaptop.unreached(.unreachable, .silent, isAnnounced: false)).verdict
        #expect(verdict.contains("The router answers") && verdict.contains("keeps its guests apart"))
    }

    /// Shows that a laptop that is reached and neither announced nor answers has no Avahi.
    @Test func avahiThere() {
        #expect(
            causes {
                $0.agent = .running(.init(connectedCount: 0, port: 4711))
                $0.discovery = .works([])
                $0.contacts[0].isAnnounced = false
                $0.contacts[0].isConnected = false
                $0.contacts[0].answersQueries = false
            } == [.avahiThere])
    }

    // MARK: The test

    /// Shows what the test's answers are taken for.
    @Test func answersOfAHelper() {
        func causes(_ change: (inout HelperAnswer) -> Void) -> [Cause] {
            Diagnosis(HealthyLaptop.tested(change)).findings.map(\.cause)
        }
        #expect(causes { $0.tag = [9] } == [.otherGathering])
        #expect(causes { $0.tag = nil } == [.otherGathering])
        #expect(causes { $0.clockDifference = -4 * 365 * HealthyLaptop.day } == [.clock])
        #expect(causes { $0.clockDifference = .min } == [.clock])
        #expect(causes { $0.clockDifference = 599_000 } == [])
        #expect(causes { $0.heardMulticast = false } == [.multicast])
        #expect(causes { $0.wasHeard = false } == [.multicast])
        #expect(causes { $0.runsAgent = false } == [.agentThere])
        #expect(causes { $0.connectionThere = .timedOut } == [.firewallThere])
        #expect(causes { $0.isAvahiWell = false } == [.avahiThere])
    }

    /// Shows what a helper that does not answer is taken for.
    @Test func helpersThatDoNotAnswer() {
        func cause(
            _ outcome: Contact.Outcome, _ neighbour: Neighbour = .unknown, host: String = "192.168.1.21",
            router: Neighbour = .answers(hardware: "aa")
        ) -> [Cause] {
            var seen = HealthyLaptop.observations
            seen.network.gateway = HealthyLaptop.gateway(router)
            seen.test = TestSight(
                host: host,
                attempt: .init(address: .init(host: host, port: 4713), outcome: outcome, neighbour: neighbour))
            return Diagnosis(seen).findings.map(\.cause)
        }
        #expect(cause(.accepted) == [.helperMissing])
        #expect(cause(.refused, .answers(hardware: "bb")) == [.helperMissing])
        #expect(cause(.timedOut, .answers(hardware: "bb")) == [.firewallThere])
        #expect(cause(.timedOut, .answers(hardware: "aa")) == [.isolation])
        #expect(cause(.unreachable, .silent) == [.isolation])
        #expect(cause(.unreachable, .silent, router: .silent) == [.helperMissing])
        #expect(cause(.unreachable, host: "192.168.9.9") == [.twoNetworks])
        #expect(cause(.unreachable, host: "fe80::1%wlan0") == [.helperMissing])
    }

    // MARK: Disks and limits

    /// Shows what is said of disks and of the kernel's limits.
    @Test func places() {
        #expect(causes { $0.places[0].fileSystem = "nfs4" } == [.networkDrive])
        #expect(causes { $0.places[0].fileSystem = "fuse.sshfs" } == [.networkDrive])
        #expect(causes { $0.places[0].space = .init(free: 999_999, reserve: 1_000_000) } == [.diskFull])
        #expect(causes { $0.places[0].space = nil } == [])
        #expect(
            causes {
                $0.places[0].fileSystem = "nfs"
                $0.places.append($0.places[0])
            } == [.networkDrive, .networkDrive])
        #expect(causes { $0.watches = .noWatch } == [.watchLimit])
        #expect(causes { $0.watches = .noInstance } == [.watchLimit])
    }

    /// Shows that the verdict is what is to be mended first, and that all of what was found is listed.
    @Test func theFirstInOrderIsTheVerdict() {
        var seen = HealthyLaptop.observations
        seen.places[0].space = .init(free: 0, reserve: 1)
        seen.watches = .noWatch
        seen.discovery = .stopped
        let diagnosis = Diagnosis(seen)
        #expect(diagnosis.findings.map(\.cause) == [.avahiStopped, .watchLimit, .diskFull])
        #expect(diagnosis.verdict.hasPrefix("Avahi does not run on this laptop"))
    }

    /// Shows that words are not used twice, and that no cause hides itself.
    @Test func causesAreDistinct() {
        #expect(Set(Cause.allCases.map(\.rawValue)).count == Cause.allCases.count)
        #expect(Cause.allCases.allSatisfy { !$0.hidden.contains($0) })
    }
}
