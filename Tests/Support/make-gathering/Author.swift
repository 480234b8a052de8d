import AlbumModel
import Crypto
import PeerTransport
import PhotoStore
import SyncEngine
import WireFormat

/// A device of the gathering that is not here: it has a key, and one replica that it goes on with.
struct Author {
    let device: DeviceID
    let replica: ReplicaID
    private let identity = DeviceIdentity()
    /// Until the first batch has carried it.
    private var proof: ReplicaProof?
    private var nextSequence: UInt64 = 1
    private var previous: BatchID?

    /// - Parameter membership: the gathering's key for new replicas.
    init(membership: [UInt8]) {
        var random = SystemRandomNumberGenerator()
        let nonce = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
        let publicKey = identity.publicKeyDER
        let code = HMAC<SHA256>.authenticationCode(for: publicKey + nonce, using: SymmetricKey(data: membership))
        proof = ReplicaProof(publicKey: publicKey, nonce: nonce, membershipCode: Array(code))
        device = BatchSignature.deviceID(publicKey: publicKey)
        replica = BatchSignature.replicaID(publicKey: publicKey, nonce: nonce)
    }

    /// The end of its replica; `nil` before its first batch.
    var head: Head? { previous.map { Head(sequence: nextSequence - 1, branch: $0.prefix) } }

    /// The next batch of this replica, signed, as a journal that has just learned of it keeps it.
    mutating func sign(_ changes: [Change], clock: ClockReading) -> JournalBatch {
        let batch = Batch(
            replica: replica, firstSequence: nextSequence, previous: previous, clock: clock, changes: changes,
            proof: proof)
        let content = batch.encoded()
        let id = BatchSignature.batchID(content)
        let signature = identity.sign(BatchSignature.message(id))
        (proof, previous, nextSequence) = (nil, id, batch.lastSequence + 1)
        return JournalBatch(
            id: id, replica: replica, firstSequence: batch.firstSequence, lastSequence: batch.lastSequence,
            batch: SignedBatch(content: content, signature: signature), received: clock.microseconds)
    }

    /// What is remembered of this device after it signed that it holds `presence`.
    ///
    /// - Parameter time: microseconds since 1970.
    func record(of presence: Presence, at time: UInt64) -> HoldingsRecord {
        let summary = PresenceSummary(device: device, number: time, presence: presence)
        let content = summary.encoded()
        let statement = SignedStatement(
            content: content, signature: identity.sign(StatementKind.summary.message(content)))
        return HoldingsRecord(
            saidAt: time, position: nil, summaryFloor: time, presence: presence, lost: [], denied: [],
            summary: .init(number: time, statement: statement))
    }
}
