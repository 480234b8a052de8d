import AlbumModel
import Crypto

/// What whoever started a gathering keeps on paper: it can take the founder's place when that laptop is gone. 128 bits,
/// always drawn; no home keeps it.
public struct RecoveryCode: Sendable, CustomStringConvertible, CustomReflectable {
    private static let byteCount = 16
    private static let wordCount = 9
    /// Of a P-256 private key.
    private static let keyByteCount = 32

    private let bytes: [UInt8]

    /// Draws a new code; `generator` must be fit for secrets, as the system's is.
    public init(drawnFrom generator: inout some RandomNumberGenerator) {
        self.init(bytes: (0..<Self.byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// - Parameter bytes: 16 of them.
    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Reads a code as a person types it: upper or lower case, words apart or together.
    public init(parsing text: String) throws(RecoveryCodeError) {
        do {
            bytes = try Proquint.bytes(checkedText: text, wordCount: Self.wordCount)
        } catch {
            throw RecoveryCodeError(mistake: error)
        }
    }

    /// Nine words with dashes, the last of them a checksum. Secret.
    public var text: String { Proquint.checkedText(bytes) }

    /// Tells nothing of it.
    public var description: String { "recovery code" }

    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The public key of the recovery key, as SubjectPublicKeyInfo: what a founding names.
    public var publicKeyDER: [UInt8] { Array(key.publicKey.derRepresentation) }

    /// ECDSA over SHA-256 by the recovery key, as ``DeviceIdentity`` signs.
    public func signature(over message: [UInt8]) -> [UInt8] { DeviceIdentity.signature(over: message, by: key) }

    /// HKDF-SHA-256 without a salt, over a label and a counter from 0 on, as far as 32 bytes are a key: which all but one
    /// in 2^32 are.
    private var key: P256.Signing.PrivateKey {
        for counter in UInt8.min ... .max {
            let derived = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: bytes), info: Array("potluck recovery 1".utf8) + [counter],
                outputByteCount: Self.keyByteCount)
            let raw = derived.withUnsafeBytes { Array($0) }
            if let key = try? P256.Signing.PrivateKey(rawRepresentation: raw) { return key }
        }
        preconditionFailure("256 derived keys are not all outside of the curve's order")
    }
}

/// Why a text is no recovery code.
public struct RecoveryCodeError: Error, Hashable, Sendable, CustomStringConvertible {
    let mistake: Proquint.Mistake

    public var description: String {
        switch mistake {
        case .word(let word): "“\(word)” cannot be part of a recovery code: compare it letter by letter."
        case .wordCount(let count): "A recovery code has nine words of five letters, not \(count)."
        case .checksum: "One of the words is mistyped: compare the recovery code with the paper."
        }
    }
}
