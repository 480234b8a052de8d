import AlbumModel
import SyncEngine

/// Why other laptops of the gathering that are known do not take connections.
enum ContactRules {
    static func findings(_ seen: Observations) -> [Finding] {
        let unreached = seen.contacts.filter { !$0.isReached && !$0.attempts.isEmpty }
        let kinds = unreached.map { (contact: $0, kind: kind(of: $0, seen)) }
        func names(_ kind: Kind) -> String? {
            let contacts = kinds.filter { $0.kind == kind }.map(\.contact)
            return contacts.isEmpty ? nil : Self.names(contacts)
        }
        var findings: [Finding] = []
        if let names = names(.apart) { findings.append(isolation("\(names) can be seen and not be reached")) }
        if let names = names(.closed) { findings.append(firewallThere(names, kinds.map(\.contact))) }
        if let names = names(.elsewhere), !seen.seesSomebody { findings.append(twoNetworks(names, seen)) }
        return findings + [multicast(seen), avahiThere(seen)].compactMap { $0 }
    }

    private enum Kind: Hashable {
        /// The link leads to the router alone.
        case apart
        /// It is on the link, and takes no connection.
        case closed
        /// In another network.
        case elsewhere
        /// Nothing shows that it is there.
        case away
    }

    private static func kind(of contact: Contact, _ seen: Observations) -> Kind {
        let kinds = contact.attempts.compactMap { kind(of: $0, contact, seen) }
        for kind in [Kind.closed, .apart, .elsewhere] where kinds.contains(kind) { return kind }
        return .away
    }

    private static func kind(of attempt: Contact.Attempt, _ contact: Contact, _ seen: Observations) -> Kind? {
        guard let address = IPv4(attempt.address.host), attempt.outcome != .forbidden else { return nil }
        guard seen.network.interface(leadingTo: address) != nil else { return .elsewhere }
        switch attempt.neighbour {
        case .answers(let hardware):
            // Access points that keep guests apart may answer in the place of everybody.
            if hardware == seen.network.gateway?.neighbour.hardware, address != seen.network.gateway?.address {
                return .apart
            }
            // Who is not announced may have stopped the agent: its port is closed then.
            return attempt.outcome == .refused && !contact.isAnnounced ? .away : .closed
        case .silent, .unknown: return contact.isAnnounced ? .apart : .away
        }
    }

    // MARK: What is said

    static func isolation(_ what: String) -> Finding {
        Finding(
            .isolation, "\(what): the access point keeps its guests apart, as guest and hotel networks do.",
            advice: [
                "Use another network: a phone's hotspot, a cheap router, or the network that is not for guests.",
                "Whoever runs the access point can switch it off (“client isolation”, “AP isolation”).",
            ])
    }

    private static func firewallThere(_ names: String, _ contacts: [Contact]) -> Finding {
        let port = contacts.flatMap(\.attempts).first { $0.neighbour.hardware != nil }?.address.port
        return Finding(
            .firewallThere,
            "\(names) answers in this network and takes no connections: a firewall there keeps them out.",
            advice: [
                "There: `sudo ufw allow \(port.map { "\($0)" } ?? "PORT")/tcp`.", "Or run `potluck doctor` there.",
            ])
    }

    private static func twoNetworks(_ names: String, _ seen: Observations) -> Finding {
        let own = seen.network.local.flatMap(\.networks).map(\.description).joined(separator: ", ")
        let theirs = Set(seen.contacts.flatMap(\.attempts).map(\.address.host)).sorted().joined(separator: ", ")
        return Finding(
            .twoNetworks, "Two networks: this laptop is in \(own), and \(names) at \(theirs), where nothing leads to.",
            advice: ["Join the same Wi-Fi on all laptops: not one in the guests' network and one in the other."])
    }

    private static func multicast(_ seen: Observations) -> Finding? {
        let unseen = unseenNeighbours(seen).filter { $0.answersQueries == true }
        guard !unseen.isEmpty else { return nil }
        return Finding(
            .multicast,
            "Multicast does not come back in this network: \(names(unseen)) answers when asked directly, and not when all are asked. Laptops cannot find each other by themselves.",
            advice: [
                NetworkRules.byAddress,
                "Or use another network. Whoever runs the access point can switch on multicast, and “IGMP snooping” off.",
            ])
    }

    private static func avahiThere(_ seen: Observations) -> Finding? {
        guard seen.connectedCount == 0 else { return nil }
        let unseen = unseenNeighbours(seen).filter { $0.answersQueries == false }
        guard !unseen.isEmpty else { return nil }
        return Finding(
            .avahiThere,
            "\(names(unseen)) takes connections and is not announced: Avahi does not run there, or a firewall there drops UDP port 5353.",
            advice: ["There: `sudo systemctl enable --now avahi-daemon`.", "Or run `potluck doctor` there."])
    }

    /// Laptops in a network of this one's that take connections, and were not seen by asking everybody.
    private static func unseenNeighbours(_ seen: Observations) -> [Contact] {
        guard case .works? = seen.discovery else { return [] }
        return seen.contacts.filter { contact in
            guard !contact.isAnnounced else { return false }
            return contact.attempts.contains { attempt in
                guard attempt.outcome == .accepted, let address = IPv4(attempt.address.host) else { return false }
                return seen.network.interface(leadingTo: address) != nil
            }
        }
    }

    static func names(_ contacts: [Contact]) -> String {
        let names = contacts.map { $0.name ?? $0.attempts.first?.address.host ?? "a laptop" }
        return Set(names).sorted().sentenceList
    }
}
