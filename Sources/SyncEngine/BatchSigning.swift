public import AlbumModel
import Crypto
import WireFormat

/// Signs and checks batches and statements. A value handed to the engine, so that a simulation's may be cheap.
public protocol BatchSigning: Sendable {
    /// This device's public key, DER (SubjectPublicKeyInfo).
    var publicKey: [UInt8] { get }
    /// This device's signature over some bytes, which begin with a label that says what they are.
    func signature(over message: [UInt8]) -> [UInt8]
    func isSignature(_ signature: [UInt8], over message: [UInt8], by publicKey: [UInt8]) -> Bool
    /// The epochs after the first one whose membership keys this device holds, newest first. This device's replicas begin
    /// under the newest; without any, under the first epoch's, or that of the only phrase that is known.
    var epochs: [EpochPrefix] { get }
    /// HMAC-SHA-256 of key and nonce under an epoch's membership key.
    ///
    /// - Parameter epoch: `nil` for the first epoch; where no founding is known, for that of the only phrase that is.
    /// - Returns: `nil` if the epoch's key is not held.
    func membershipCode(publicKey: [UInt8], nonce: [UInt8], epoch: EpochPrefix?) -> [UInt8]?
    /// The device that this one goes on from, until its word is in the journal; mostly `nil`.
    var formerDevice: DeviceID? { get }
    /// The word of ``formerDevice`` for this one, for a replica that begins with `nonce`.
    func succession(nonce: [UInt8]) -> Succession?
}

extension BatchSigning {
    public var epochs: [EpochPrefix] { [] }

    public var formerDevice: DeviceID? { nil }

    public func succession(nonce: [UInt8]) -> Succession? { nil }
}

extension BatchSigning {
    /// With which this device begins a replica now.
    ///
    /// - Parameter nonce: 16 random bytes.
    public func replicaProof(nonce: [UInt8]) -> ReplicaProof {
        let epoch = epochs.first
        guard let code = membershipCode(publicKey: publicKey, nonce: nonce, epoch: epoch) else {
            preconditionFailure("the key of an epoch is not held that is said to be")
        }
        return ReplicaProof(
            publicKey: publicKey, nonce: nonce, membershipCode: code, epoch: epoch, succession: succession(nonce: nonce)
        )
    }
}

/// Under which epoch a replica's proof was made.
enum ProofJudgement: Hashable, Sendable {
    /// `nil` is the first epoch.
    case right(EpochPrefix?)
    case wrong
    /// The key that it would take is not held: whether it is right cannot be told.
    case unknownEpoch
}

extension BatchSigning {
    /// Looks at the code of a proof alone.
    ///
    /// One that names no epoch is of the first, or its author had entered by a later phrase and met nobody who knew which:
    /// so it is held against all keys.
    func judge(_ proof: ReplicaProof) -> ProofJudgement {
        func isRight(_ epoch: EpochPrefix?) -> Bool? {
            membershipCode(publicKey: proof.publicKey, nonce: proof.nonce, epoch: epoch).map {
                $0 == proof.membershipCode
            }
        }
        if let epoch = proof.epoch {
            guard let isRight = isRight(epoch) else { return .unknownEpoch }
            return isRight ? .right(epoch) : .wrong
        }
        if isRight(nil) == true { return .right(nil) }
        if let epoch = epochs.first(where: { isRight($0) == true }) { return .right(epoch) }
        return epochs.isEmpty ? .wrong : .unknownEpoch
    }
}

/// The bytes that bind batches, replicas and devices together.
public enum BatchSignature {
    /// What a signature covers.
    public static func message(_ batch: BatchID) -> [UInt8] { Array("potluck batch 1".utf8) + batch.bytes }

    public static func batchID(_ content: [UInt8]) -> BatchID { BatchID(digest: SHA256.hash(data: content)) }

    public static func deviceID(publicKey: [UInt8]) -> DeviceID { DeviceID(digest: SHA256.hash(data: publicKey)) }

    /// The replica that a device begins with 16 random bytes.
    public static func replicaID(publicKey: [UInt8], nonce: [UInt8]) -> ReplicaID {
        ReplicaID(digest: SHA256.hash(data: Array("potluck replica 1".utf8) + publicKey + nonce))
    }
}

/// What a device's statement is about: itself, or who is in.
package enum StatementKind: String {
    case addresses = "potluck addresses 1"
    case summary = "potluck summary 1"
    case ruling = "potluck ruling 1"

    /// What a signature covers.
    package func message(_ content: [UInt8]) -> [UInt8] { Array(rawValue.utf8) + content }
}

extension BatchSigning {
    func sign(_ content: [UInt8], _ kind: StatementKind) -> SignedStatement {
        SignedStatement(content: content, signature: signature(over: kind.message(content)))
    }

    func isSigned(_ statement: SignedStatement, _ kind: StatementKind, by publicKey: [UInt8]) -> Bool {
        isSignature(statement.signature, over: kind.message(statement.content), by: publicKey)
    }
}
