public import AlbumModel
public import Crypto
import FoundationEssentials

/// A device's P-256 key: what it signs changes and opens connections with.
public struct DeviceIdentity: Sendable {
    /// Of every signature that ``sign(_:)`` gives.
    public static let signatureByteCount = 64

    let key: P256.Signing.PrivateKey
    /// SHA-256 of ``publicKeyDER``.
    public let deviceID: DeviceID
    /// The public key as SubjectPublicKeyInfo.
    public let publicKeyDER: [UInt8]

    /// Draws a new key.
    public init() {
        self.init(key: P256.Signing.PrivateKey())
    }

    /// The identity whose ``rawPrivateKey`` was kept; `nil` if these are not the bytes of a P-256 private key.
    public init?(rawPrivateKey: [UInt8]) {
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: rawPrivateKey) else { return nil }
        self.init(key: key)
    }

    private init(key: P256.Signing.PrivateKey) {
        self.key = key
        publicKeyDER = Array(key.publicKey.derRepresentation)
        deviceID = DeviceID(digest: SHA256.hash(data: publicKeyDER))
    }

    /// The private key, 32 bytes. Secret.
    public var rawPrivateKey: [UInt8] { Array(key.rawRepresentation) }

    /// ECDSA over the SHA-256 of `bytes`: r and s, ``signatureByteCount`` bytes. Another call gives another signature.
    public func sign(_ bytes: [UInt8]) -> [UInt8] { Self.signature(over: bytes, by: key) }

    static func signature(over bytes: [UInt8], by key: P256.Signing.PrivateKey) -> [UInt8] {
        do {
            return Array(try key.signature(for: bytes).rawRepresentation)
        } catch {
            preconditionFailure("a P-256 key that was read or drawn can sign: \(error)")
        }
    }

    /// Whether `signature` over `bytes` was made by the key in `publicKeyDER`; `false` for malformed input of any kind.
    public static func verify(signature: [UInt8], bytes: [UInt8], publicKeyDER: [UInt8]) -> Bool {
        guard let key = try? P256.Signing.PublicKey(derRepresentation: publicKeyDER) else { return false }
        return verify(signature: signature, bytes: bytes, publicKey: key)
    }

    /// The same with a key that was read before.
    public static func verify(signature: [UInt8], bytes: [UInt8], publicKey: P256.Signing.PublicKey) -> Bool {
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
        return publicKey.isValidSignature(signature, for: bytes)
    }

    /// The device of a public key; `nil` unless `publicKeyDER` is a P-256 key in exactly the form of ``publicKeyDER``,
    /// so that one key has one name.
    public static func deviceID(publicKeyDER: [UInt8]) -> DeviceID? {
        guard let key = try? P256.Signing.PublicKey(derRepresentation: publicKeyDER),
            Array(key.derRepresentation) == publicKeyDER
        else { return nil }
        return DeviceID(digest: SHA256.hash(data: publicKeyDER))
    }
}
