import SyncEngine

/// Dials laptops of the gathering, and finds out why they do not answer.
enum ContactProbe {
    private static let dialPatience = Duration.seconds(4)
    private static let neighbourPatience = Duration.seconds(10)
    private static let queryPatience = Duration.seconds(3)
    /// Of one laptop, the most promising first.
    private static let addressCountMax = 4
    private static let contactCountMax = 32

    /// A laptop to dial.
    struct Candidate: Hashable, Sendable {
        var name: String?
        var devicePrefix: [UInt8]?
        var isAnnounced: Bool
        var isConnected: Bool
        var addresses: [PeerAddress]
    }

    static func look(_ candidates: [Candidate], _ network: NetworkSight) async -> [Contact] {
        let dialled = await withTaskGroup(of: (Int, Contact).self) { group in
            for (index, candidate) in candidates.prefix(contactCountMax).enumerated() {
                group.addTask { (index, await dial(candidate, network)) }
            }
            var contacts: [(Int, Contact)] = []
            for await contact in group { contacts.append(contact) }
            return contacts.sorted { $0.0 < $1.0 }.map(\.1)
        }
        return await withNeighbours(dialled)
    }

    private static func dial(_ candidate: Candidate, _ network: NetworkSight) async -> Contact {
        var contact = Contact(
            name: candidate.name, devicePrefix: candidate.devicePrefix, isAnnounced: candidate.isAnnounced,
            isConnected: candidate.isConnected)
        let addresses = Array(candidate.addresses.prefix(addressCountMax))
        // A connection that is there needs no other one to prove it.
        contact.attempts =
            candidate.isConnected ? addresses.map { .init(address: $0, outcome: .accepted) } : await attempts(addresses)
        // Whether its Avahi answers matters only of one that is there and was not announced.
        let reached = contact.attempts.first { $0.outcome == .accepted }.flatMap { IPv4($0.address.host) }
        if !contact.isAnnounced, let reached, network.interface(leadingTo: reached) != nil {
            contact.answersQueries = await ProbeThreads.run(within: queryPatience) {
                DirectQuery.isAnswered(by: reached)
            }
        }
        return contact
    }

    /// All at once, in the order of the addresses.
    private static func attempts(_ addresses: [PeerAddress]) async -> [Contact.Attempt] {
        await withTaskGroup(of: (Int, Contact.Attempt).self) { group in
            for (index, address) in addresses.enumerated() {
                group.addTask { (index, await attempt(address)) }
            }
            var attempts: [(Int, Contact.Attempt)] = []
            for await attempt in group { attempts.append(attempt) }
            return attempts.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    static func attempt(_ address: PeerAddress) async -> Contact.Attempt {
        let outcome = await ProbeThreads.run(within: dialPatience + .seconds(1)) {
            TCPSocket.connect(to: address, until: .now + dialPatience).outcome
        }
        return Contact.Attempt(address: address, outcome: outcome ?? .timedOut)
    }

    /// Adds who answers on the link, where a connection failed.
    private static func withNeighbours(_ contacts: [Contact]) async -> [Contact] {
        let failed = contacts.filter { !$0.isReached }.flatMap(\.attempts).compactMap { IPv4($0.address.host) }
        guard !failed.isEmpty else { return contacts }
        let neighbours = await neighbours(failed)
        return contacts.map { contact in
            var contact = contact
            contact.attempts = contact.attempts.map { attempt in
                var attempt = attempt
                attempt.neighbour = IPv4(attempt.address.host).flatMap { neighbours[$0] } ?? .unknown
                return attempt
            }
            return contact
        }
    }

    static func neighbours(_ addresses: [IPv4]) async -> [IPv4: Neighbour] {
        await ProbeThreads.run(within: neighbourPatience) { Neighbours.look(for: addresses) } ?? [:]
    }
}
