import AlbumModel
import PeerTransport
import SyncEngine
import WireFormat

@testable import PotluckAgent

/// A device of a gathering that says anything, well signed: also what no engine would. A copy of it that goes on by
/// itself forks its replica.
struct Guest: Sendable {
    private let signing: DeviceSigning
    private let nonce = (0..<16).map { _ in UInt8.random(in: 0...255) }
    private var last: BatchID?
    private var sequence: UInt64 = 0

    /// - Parameter former: the device that this one goes on from.
    init(_ membership: Membership, former: Guest? = nil) {
        signing = DeviceSigning(
            identity: DeviceIdentity(), membership: MembershipKeys(first: membership.secrets.membership),
            former: former?.signing.identity)
    }

    var device: DeviceID { signing.identity.deviceID }

    private var replica: ReplicaID { BatchSignature.replicaID(publicKey: signing.publicKey, nonce: nonce) }

    /// What later changes name these by.
    struct Said: Sendable {
        var signed: SignedBatch
        var dots: [Dot]
    }

    /// - Parameter ahead: by how much its clock is wrong, in microseconds.
    mutating func say(_ changes: [Change], ahead: UInt64 = 0) -> Said {
        let proof = signing.replicaProof(nonce: nonce)
        let batch = Batch(
            replica: replica, firstSequence: sequence + 1, previous: last,
            clock: ClockReading(microseconds: SystemClock().wall + ahead), changes: changes,
            proof: last == nil ? proof : nil)
        let content = batch.encoded()
        let id = BatchSignature.batchID(content)
        last = id
        sequence = batch.lastSequence
        return Said(
            signed: SignedBatch(content: content, signature: signing.signature(over: BatchSignature.message(id))),
            dots: (batch.firstSequence...batch.lastSequence).map {
                Dot(replica: replica, sequence: $0, branch: id.prefix)
            })
    }
}

extension RunningAgent {
    /// Takes in what a guest said, as if it had been carried here; returns once it is durable.
    ///
    /// - Returns: whether it was new, and accepted.
    func hear(_ said: Guest.Said) async throws -> Bool {
        let outcome = try await services.contributions.carry(BatchPage(batches: [said.signed], page: 0))
        return outcome.newCount == 1 && outcome.refusals.isEmpty
    }
}
