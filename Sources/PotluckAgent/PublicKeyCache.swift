import Crypto
import PeerTransport
import Synchronization

/// Keys of devices as they were read once: reading one, with the check that its point is on the curve, costs a good
/// part of what checking a signature costs, and a journal has thousands of signatures by few devices.
final class PublicKeyCache: Sendable {
    /// Four times the largest gathering.
    private let countMax: Int

    private let keys = Mutex<[[UInt8]: P256.Signing.PublicKey]>([:])

    init(countMax: Int = 4096) {
        self.countMax = countMax
    }

    /// How many keys are kept.
    var count: Int { keys.withLock { $0.count } }

    /// - Parameter der: the key in its DER form (SubjectPublicKeyInfo).
    func isSignature(_ signature: [UInt8], over message: [UInt8], by der: [UInt8]) -> Bool {
        key(der).map { DeviceIdentity.verify(signature: signature, bytes: message, publicKey: $0) } ?? false
    }

    private func key(_ der: [UInt8]) -> P256.Signing.PublicKey? {
        if let known = keys.withLock({ $0[der] }) { return known }
        guard let key = try? P256.Signing.PublicKey(derRepresentation: der) else { return nil }
        keys.withLock { keys in
            if keys.count >= countMax { keys.removeAll() }
            keys[der] = key
        }
        return key
    }
}
