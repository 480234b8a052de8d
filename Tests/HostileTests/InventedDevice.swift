import AlbumModel
import Crypto
import Foundation
import PeerTransport
import SyncEngine
import WireFormat

/// A device that the attacker made up: it has a key, and signs what it likes. A copy of it forks its replica.
struct InventedDevice: Sendable {
    let identity: DeviceIdentity
    let replica: ReplicaID
    /// The end of its replica.
    private(set) var head = Head(sequence: 0, branch: 0)
    /// Until the first batch has carried it.
    private var proof: ReplicaProof?
    private var previous: BatchID?

    var id: DeviceID { identity.deviceID }

    /// - Parameter identity: another replica of a device, where it is named.
    init(_ identity: DeviceIdentity = DeviceIdentity()) {
        self.identity = identity
        let (key, nonce) = (identity.publicKeyDER, randomBytes(16))
        let code = HMAC<SHA256>.authenticationCode(
            for: key + nonce, using: SymmetricKey(data: Reunion.secrets.membership))
        proof = ReplicaProof(publicKey: key, nonce: nonce, membershipCode: Array(code))
        replica = BatchSignature.replicaID(publicKey: key, nonce: nonce)
    }

    static var wallClock: UInt64 { UInt64(Date().timeIntervalSince1970 * 1e6) }

    /// The next batch of its replica.
    mutating func sign(_ changes: [Change], clock: UInt64 = wallClock) -> SignedBatch {
        let batch = Batch(
            replica: replica, firstSequence: head.sequence + 1, previous: previous,
            clock: ClockReading(microseconds: clock), changes: changes, proof: proof)
        let content = batch.encoded()
        let id = BatchSignature.batchID(content)
        (proof, previous) = (nil, id)
        head = Head(sequence: batch.lastSequence, branch: id.prefix)
        return SignedBatch(content: content, signature: identity.sign(BatchSignature.message(id)))
    }

    /// As many batches as these changes take, which are all about as long as the first.
    mutating func signAll(_ changes: [Change]) -> [SignedBatch] {
        guard let first = changes.first else { return [] }
        let sample = Batch(
            replica: replica, firstSequence: 1, previous: nil, clock: .zero, changes: [first], proof: nil)
        let count = max(1, (CatalogLimits.batchByteCountMax * 3 / 4) / sample.encoded().count)
        return stride(from: 0, to: changes.count, by: count).map { start in
            sign(Array(changes[start..<min(start + count, changes.count)]))
        }
    }

    /// That it holds something, as it would say it.
    ///
    /// - Parameter presence: the message as bytes.
    func summary(_ presence: [UInt8], number: UInt64 = wallClock) -> SignedStatement {
        let content = Proto.bytes(1, id.bytes) + Proto.number(2, number) + Proto.bytes(3, presence)
        return SignedStatement(
            content: content, signature: identity.sign(Array("potluck summary 1".utf8) + content))
    }
}
