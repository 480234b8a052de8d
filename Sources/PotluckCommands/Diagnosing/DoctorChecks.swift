import LaptopDoctor
import SyncEngine

/// What was looked at, in a line each.
enum DoctorChecks {
    static func all(_ seen: Observations) -> [(subject: String, result: String)] {
        [
            ("Agent", agent(seen)), ("Network", network(seen.network)), ("Avahi", avahi(seen)),
            ("Multicast", multicast(seen.multicast)), ("Firewall", firewall(seen.firewalls)),
            ("Others", others(seen.contacts)), ("Disk", disk(seen.places)),
        ]
    }

    private static func agent(_ seen: Observations) -> String {
        switch seen.agent {
        case .running(let facts):
            let port = facts.port.map { " at port \($0)" } ?? ""
            return "runs\(port), \(Phrases.count(facts.connectedCount, "device")) connected"
        case .stopped: return "does not run"
        case .silent: return "gives no answer"
        }
    }

    private static func network(_ network: NetworkSight) -> String {
        let own = network.local.map { interface in
            "\(interface.name) \(interface.networks.map(\.description).joined(separator: " "))"
        }
        guard !own.isEmpty else { return "none" }
        let router: String =
            switch network.gateway?.neighbour {
            case .answers?: ", the router answers"
            case .silent?: ", the router does not answer"
            case .unknown?, nil: ""
            }
        let tunnels = network.tunnels.map { ", VPN \($0.name)" }.joined()
        return own.joined(separator: ", ") + router + tunnels
    }

    private static func avahi(_ seen: Observations) -> String {
        switch seen.discovery {
        case .works(let announced):
            let others = announced.filter { $0.devicePrefix != seen.home.devicePrefix }
            let ours = others.count { $0.tag == seen.home.tag }
            let foreign = others.count - ours
            let rest = foreign > 0 ? ", and \(foreign) of other gatherings" : ""
            return "answers; \(Phrases.count(ours, "other laptop")) of this gathering announced\(rest)"
        case .missing: return "is not installed"
        case .stopped: return "does not run"
        case .silent: return "gives no answer"
        case .noConnection: return "could not be asked: D-Bus grants no more connections"
        case nil: return "was not asked"
        }
    }

    private static func multicast(_ sights: [Observations.MulticastSight]) -> String {
        guard !sights.isEmpty else { return "was not tried" }
        return sights.map { sight in
            switch sight.outcome {
            case .returned: "comes back by \(sight.interface)"
            case .lost: "does not come back by \(sight.interface)"
            case .forbidden: "may not be sent by \(sight.interface)"
            }
        }.joined(separator: ", ")
    }

    private static func firewall(_ sights: [FirewallSight]) -> String {
        guard !sights.isEmpty else { return "none is known to be in the way" }
        return sights.map { sight in
            switch sight.state {
            case .open: "\(sight.tool.rawValue) is open"
            case .blocks: "\(sight.tool.rawValue) is in the way"
            case .unreadable: "\(sight.tool.rawValue) is on, and only root may read its rules"
            case .unsure: "\(sight.tool.rawValue) has rules that are not understood here"
            }
        }.joined(separator: ", ")
    }

    private static func others(_ contacts: [Contact]) -> String {
        guard !contacts.isEmpty else { return "none is known" }
        return contacts.map { contact in
            let address = contact.attempts.last?.address.description
            let name = contact.name ?? address ?? "a laptop"
            if contact.isConnected { return "\(name) is connected" }
            guard let last = contact.attempts.last else { return "\(name): no address is known" }
            let result: String =
                switch last.outcome {
                case .accepted: "takes connections"
                case .refused: "refuses connections"
                case .timedOut: "does not answer"
                case .unreachable: "cannot be reached"
                case .forbidden: "may not be asked from here"
                }
            return "\(name) \(result)"
        }.joined(separator: ", ")
    }

    private static func disk(_ places: [PlaceSight]) -> String {
        let free = places.compactMap { place in
            place.space.map { "\(Phrases.size($0.free)) free for the \(place.role.rawValue)" }
        }
        return free.isEmpty ? "gave no answer" : free.joined(separator: ", ")
    }
}
