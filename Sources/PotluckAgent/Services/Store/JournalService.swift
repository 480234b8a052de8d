import AlbumModel
import Logging
import NIOCore
import PhotoStore
import SyncEngine
import Synchronization

/// What the engine has written to the journal: batches, rulings, and what is remembered of others.
final class JournalService: Sendable {
    struct State {
        /// The replica that the journal names as this device's own.
        var replica: ReplicaID?
        /// The next run begins another one.
        var isReplicaGivenUp = false
        /// Devices whose records are to be written, and whether some are being written.
        var unsavedHoldings: Set<DeviceID> = []
        var isSavingHoldings = false
    }

    let host: EngineHost
    let parts: AgentParts
    let jobs: JobQueue
    let peers: KnownPeers
    let admissions: AdmissionService
    let problems: Problems
    let state = Mutex(State())

    init(
        host: EngineHost, parts: AgentParts, jobs: JobQueue, problems: Problems, peers: KnownPeers,
        admissions: AdmissionService
    ) {
        self.host = host
        self.parts = parts
        self.jobs = jobs
        self.problems = problems
        self.peers = peers
        self.admissions = admissions
    }

    /// Makes batches durable, and only then says so: the engine folds and announces nothing before.
    func store(_ batches: [AcceptedBatch], ownReplica: ReplicaID?) {
        jobs.add { await self.append(batches, ownReplica: ownReplica) }
    }

    private func append(_ batches: [AcceptedBatch], ownReplica: ReplicaID?) async {
        var facts: [FactChange] = []
        if let ownReplica, state.withLock({ !$0.isReplicaGivenUp && $0.replica != ownReplica }) {
            // A new device's first batch carries the former key's word: from here on nobody needs that key.
            facts = [
                FactChange(kind: .identity, key: IdentityKey.replica.bytes, value: ownReplica.bytes),
                FactChange(kind: .identity, key: IdentityKey.formerKey.bytes, value: nil),
            ]
        }
        do {
            try await parts.journalPool.perform { [self, facts] in
                try parts.journal.append(
                    batches.map {
                        JournalBatch(
                            id: $0.id, replica: $0.batch.replica, firstSequence: $0.batch.firstSequence,
                            lastSequence: $0.batch.lastSequence, batch: $0.signed, received: $0.received)
                    }, facts: facts)
                // In the order in which they are written.
                if let ownReplica { state.withLock { $0.replica = ownReplica } }
            }
            problems.note(.storage, nil)
            await host.feed(.stored)
        } catch {
            await host.feed(.storeFailed("\(error)"))
        }
    }

    /// The replica that was given up must not be gone on with after a crash.
    func forgetReplica() {
        state.withLock { $0.replica = nil }
        jobs.add { await self.writeForgottenReplica() }
    }

    private func writeForgottenReplica() async {
        do {
            try await parts.journalPool.perform { [self] in
                // Else the next one is written already, with its first batch.
                guard state.withLock({ $0.replica == nil }) else { return }
                try parts.journal.setFacts([
                    FactChange(kind: .identity, key: IdentityKey.replica.bytes, value: nil)
                ])
            }
        } catch {
            jobs.add(after: Self.retryInterval) { await self.writeForgottenReplica() }
        }
    }

    /// As often as the engine tries a batch again that the disk refused.
    private static let retryInterval = TimeAmount.seconds(15)

    /// Keeps an address of a device for the next run.
    func remember(_ device: DeviceID, _ address: PeerAddress) {
        jobs.add { [parts] in
            // A forgotten address is found again by discovery.
            try? await parts.journalPool.perform { try parts.journal.remember(device, address) }
        }
    }
}

extension Journal {
    /// The address is the first of those that are kept.
    fileprivate func remember(_ device: DeviceID, _ address: PeerAddress) throws {
        let old = try fact(.address, device.bytes).map { String(decoding: $0, as: UTF8.self) } ?? ""
        var addresses = old.split(separator: "\n").map(String.init)
        guard addresses.first != address.description else { return }
        addresses.removeAll { $0 == address.description }
        addresses.insert(address.description, at: 0)
        let text = addresses.prefix(EngineLimits().addressesPerDeviceMax).joined(separator: "\n")
        try setFacts([FactChange(kind: .address, key: device.bytes, value: Array(text.utf8))])
    }
}
