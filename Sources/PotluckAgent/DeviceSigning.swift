import AlbumModel
import Crypto
import PeerTransport
import SyncEngine

/// Signs batches and statements with the device's key.
struct DeviceSigning: BatchSigning {
    let identity: DeviceIdentity
    let membership: MembershipKeys
    private let keys = PublicKeyCache()
    /// The device that this one goes on from, until its word is in the journal.
    var former: DeviceIdentity?

    init(identity: DeviceIdentity, membership: MembershipKeys, former: DeviceIdentity? = nil) {
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

    var epochs: [EpochPrefix] { membership.later.map(\.epoch) }

    func membershipCode(publicKey: [UInt8], nonce: [UInt8], epoch: EpochPrefix?) -> [UInt8]? {
        membership.key(of: epoch).map {
            Array(HMAC<SHA256>.authenticationCode(for: publicKey + nonce, using: SymmetricKey(data: $0)))
        }
    }
}

/// By which replicas prove that their devices know a phrase.
struct MembershipKeys: Hashable, Sendable {
    struct Later: Hashable {
        let epoch: EpochPrefix
        let key: [UInt8]
    }

    /// Of the first epoch, or of the only phrase that is known; `nil` where that was never told.
    let first: [UInt8]?
    /// Of later epochs, the newest first.
    let later: [Later]

    init(first: [UInt8]?, later: [Later] = []) {
        (self.first, self.later) = (first, later)
    }

    init(_ phrases: HeldPhrases) {
        let epochs = phrases.epochs
        let founding = epochs.first { $0.ruling == phrases.founding }?.secrets
        self.init(
            first: (epochs.isEmpty ? phrases.entry.secrets : founding)?.membership,
            later: epochs.filter { $0.ruling != phrases.founding }
                .map { Later(epoch: EpochPrefix($0.ruling), key: $0.secrets.membership) })
    }

    fileprivate func key(of epoch: EpochPrefix?) -> [UInt8]? {
        guard let epoch else { return first }
        return later.first { $0.epoch == epoch }?.key
    }
}
