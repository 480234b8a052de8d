import PotluckAPI
import SyncEngine

/// What the test with another laptop showed.
enum TestRules {
    static func findings(_ seen: Observations) -> [Finding] {
        guard let test = seen.test else { return [] }
        guard let answer = test.answer else { return [missing(test, seen)] }
        return [gathering(answer, seen), clock(answer, test), multicast(answer, test), agent(answer, test)]
            .compactMap { $0 } + avahi(answer, test)
    }

    private static func missing(_ test: TestSight, _ seen: Observations) -> Finding {
        let host = test.host
        guard test.attempt.outcome != .accepted else {
            return Finding(
                .helperMissing, "\(host) takes connections and does not answer as a helper.",
                advice: ["Run `potluck doctor --answer` there, of the same version of Potluck."])
        }
        guard let address = IPv4(test.attempt.address.host) else {
            return Finding(
                .helperMissing, "Nobody answers at \(host): helpers have IPv4 addresses alone.",
                advice: ["Take the address that `potluck doctor --answer` prints on the other laptop."])
        }
        guard seen.network.interface(leadingTo: address) != nil else {
            let own = seen.network.local.flatMap(\.networks).map(\.description).joined(separator: ", ")
            return Finding(
                .twoNetworks, "Two networks: this laptop is in \(own), and \(address) is in another one.",
                advice: ["Join the same Wi-Fi on both laptops."])
        }
        if case .answers(let hardware) = test.attempt.neighbour {
            if hardware == seen.network.gateway?.neighbour.hardware, address != seen.network.gateway?.address {
                return ContactRules.isolation("The router answers in the place of \(host)")
            }
            guard test.attempt.outcome != .refused else {
                return Finding(
                    .helperMissing, "\(host) is there, and no helper runs on it.",
                    advice: ["Run `potluck doctor --answer` there, and this again."])
            }
            return Finding(
                .firewallThere, "\(host) is there, and a firewall on it keeps connections out.",
                advice: [
                    "Make the test the other way round: `potluck doctor --answer` here.",
                    "There: `sudo ufw allow \(test.attempt.address.port)/tcp` for the test.",
                ])
        }
        if case .answers? = seen.network.gateway?.neighbour {
            return ContactRules.isolation("The router answers, and \(host) in the same network does not")
        }
        return Finding(
            .helperMissing, "Nobody answers at \(host).",
            advice: ["Is that its address? `potluck doctor --answer` there prints it."])
    }

    private static func gathering(_ answer: HelperAnswer, _ seen: Observations) -> Finding? {
        guard let own = seen.home.tag, answer.tag != own else { return nil }
        guard answer.tag != nil else {
            return Finding(
                .otherGathering, "The other laptop is in no gathering yet.", advice: ["There: `potluck join PHRASE`."])
        }
        return Finding(
            .otherGathering, "The other laptop is in another gathering.",
            advice: ["Compare the phrases: `potluck invite` on both laptops."])
    }

    /// A change counts as made at most 10 minutes ahead of its receiver's clock.
    private static let differenceMax: Int64 = 600_000

    private static func clock(_ answer: HelperAnswer, _ test: TestSight) -> Finding? {
        guard answer.clockDifference.magnitude > differenceMax.magnitude else { return nil }
        let direction = answer.clockDifference > 0 ? "ahead of" : "behind"
        return Finding(
            .clock,
            "The clocks differ: that of \(test.host) is \(duration(answer.clockDifference.magnitude)) \(direction) this one's. Photos get a wrong place in time.",
            advice: ["Set the one that is wrong: `timedatectl set-ntp true`."])
    }

    /// `11 minutes`, `3 hours`, `2 days`, `4 years`.
    private static func duration(_ milliseconds: UInt64) -> String {
        let minutes = milliseconds / 60_000
        let (count, unit): (UInt64, String) =
            switch minutes {
            case ..<120: (minutes, "minute")
            case ..<2880: (minutes / 60, "hour")
            case ..<1_051_200: (minutes / 1440, "day")
            default: (minutes / 525_600, "year")
            }
        return "\(count) \(unit)\(count == 1 ? "" : "s")"
    }

    private static func multicast(_ answer: HelperAnswer, _ test: TestSight) -> Finding? {
        let direction: String
        switch (answer.heardMulticast, answer.wasHeard) {
        case (true, true): return nil
        case (false, false): direction = "neither laptop gets what the other one sends to all"
        case (false, true): direction = "\(test.host) does not get what this laptop sends to all"
        case (true, false): direction = "this laptop does not get what \(test.host) sends to all"
        }
        return Finding(
            .multicast, "Multicast does not get through: \(direction). Laptops cannot find each other by themselves.",
            advice: [
                NetworkRules.byAddress,
                "Or use another network. A firewall that drops UDP port 5353 on either laptop does the same.",
            ])
    }

    private static func agent(_ answer: HelperAnswer, _ test: TestSight) -> Finding? {
        guard answer.runsAgent else {
            return Finding(.agentThere, "No agent runs on \(test.host).", advice: ["There: `potluck up`."])
        }
        guard let outcome = answer.connectionThere, outcome != .accepted else { return nil }
        return Finding(
            .firewallThere, "\(test.host) does not take connections to its agent: a firewall there keeps them out.",
            advice: ["Run `potluck doctor` there: it names the port and the command."])
    }

    private static func avahi(_ answer: HelperAnswer, _ test: TestSight) -> [Finding] {
        guard !answer.isAvahiWell else { return [] }
        return [
            Finding(
                .avahiThere, "Avahi does not run on \(test.host).",
                advice: ["There: `sudo systemctl enable --now avahi-daemon`."])
        ]
    }
}
