import AlbumModel
import PeerTransport
import SyncEngine

/// Signs rulings with the key of the recovery code; checks as this device does.
struct RecoverySigning: BatchSigning {
    let code: RecoveryCode
    let device: any BatchSigning

    var publicKey: [UInt8] { code.publicKeyDER }

    func signature(over message: [UInt8]) -> [UInt8] { code.signature(over: message) }

    func isSignature(_ signature: [UInt8], over message: [UInt8], by publicKey: [UInt8]) -> Bool {
        device.isSignature(signature, over: message, by: publicKey)
    }

    /// Nobody begins a replica with this key.
    func membershipCode(publicKey: [UInt8], nonce: [UInt8], epoch: EpochPrefix?) -> [UInt8]? { nil }
}
