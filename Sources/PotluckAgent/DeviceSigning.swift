import AlbumModel
import Crypto
import PeerTransport
import SyncEngine

/// Signs batches and statements with the device's key.
struct DeviceSigning: BatchSigning {
    let identity: DeviceIdentity
    /// The gathering's membership key.
    let membership: [UInt8]
    private let keys = PublicKeyCache()
    /// The device that this one goes on from, until its word is in the journal.
    var former: DeviceIdentity?

    init(identity: DeviceIdentity, membership: [UInt8], former: DeviceIdentity? = nil) {
        self.identity = identity
        self.membership = membership
        self.former = former
    }

    var publicKey: [UInt8] { identity.publicKeyDER }

    func signature(over message: [UInt8]) -> [UInt8] { identity.sign(message) }

    func isSignature(_ signature: [UInt8], over message: [UInt8], by publicKey: [UInt8]) -> Bool {
        keys.isSignature(signature, over: message, by: publicKey)
    }

    var formerDevice: DeviceID? { former?.deviceID }

    func succession(nonce: [UInt8]) -> Succession? {
        former.map {
            let message = Succession.message(publicKey: publicKey, nonce: nonce)
            return Succession(formerKey: $0.publicKeyDER, signature: $0.sign(message))
        }
    }

    func membershipCode(publicKey: [UInt8], nonce: [UInt8]) -> [UInt8] {
        let key = SymmetricKey(data: membership)
        return Array(HMAC<SHA256>.authenticationCode(for: publicKey + nonce, using: key))
    }
}
