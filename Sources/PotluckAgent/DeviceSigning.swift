import AlbumModel
import Crypto
import PeerTransport
import SyncEngine

/// Signs batches with the device's key.
struct DeviceSigning: BatchSigning {
    let identity: DeviceIdentity
    /// The gathering's membership key.
    let membership: [UInt8]

    var publicKey: [UInt8] { identity.publicKeyDER }

    func signature(of batch: BatchID) -> [UInt8] { identity.sign(BatchSignature.message(batch)) }

    func isSignature(_ signature: [UInt8], of batch: BatchID, by publicKey: [UInt8]) -> Bool {
        DeviceIdentity.verify(
            signature: signature, bytes: BatchSignature.message(batch), publicKeyDER: publicKey)
    }

    func membershipCode(publicKey: [UInt8], nonce: [UInt8]) -> [UInt8] {
        let key = SymmetricKey(data: membership)
        return Array(HMAC<SHA256>.authenticationCode(for: publicKey + nonce, using: key))
    }
}
