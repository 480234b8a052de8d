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
    /// HMAC-SHA-256 of key and nonce under the gathering's membership key.
    func membershipCode(publicKey: [UInt8], nonce: [UInt8]) -> [UInt8]
    /// The device that this one goes on from, until its word is in the journal; mostly `nil`.
    var formerDevice: DeviceID? { get }
    /// The word of ``formerDevice`` for this one, for a replica that begins with `nonce`.
    func succession(nonce: [UInt8]) -> Succession?
}

extension BatchSigning {
    public var formerDevice: DeviceID? { nil }

    public func succession(nonce: [UInt8]) -> Succession? { nil }
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
