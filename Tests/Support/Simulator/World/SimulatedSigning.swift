import AlbumModel
import Crypto
import SyncEngine

enum Keys {
    /// The key pair that 32 bytes give.
    static func pair(_ seed: [UInt8], _ options: SimulationOptions) -> any BatchSigning {
        options.usesP256 ? P256Signing(seed: seed) : CheapSigning(publicKey: seed)
    }
}

/// Cheap, deterministic and unforgeable by the simulation's honest code: a keyed hash under the public key.
struct CheapSigning: BatchSigning {
    let publicKey: [UInt8]

    func signature(over message: [UInt8]) -> [UInt8] { Self.sign(message, publicKey) }

    func isSignature(_ signature: [UInt8], over message: [UInt8], by publicKey: [UInt8]) -> Bool {
        signature == Self.sign(message, publicKey)
    }

    func membershipCode(publicKey: [UInt8], nonce: [UInt8], epoch: EpochPrefix?) -> [UInt8]? {
        epoch == nil ? Membership.code(publicKey: publicKey, nonce: nonce, Membership.first) : nil
    }

    private static func sign(_ message: [UInt8], _ publicKey: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: publicKey + message))
    }
}

/// What agents use, with keys drawn from the seed.
struct P256Signing: BatchSigning {
    private let key: P256.Signing.PrivateKey
    let publicKey: [UInt8]

    init(seed: [UInt8]) {
        // A hash is a valid key but for one chance in 2^32; hashing again finds the next.
        var candidate = Array(SHA256.hash(data: seed))
        while true {
            if let key = try? P256.Signing.PrivateKey(rawRepresentation: candidate) {
                self.key = key
                publicKey = Array(key.publicKey.derRepresentation)
                return
            }
            candidate = Array(SHA256.hash(data: candidate))
        }
    }

    func signature(over message: [UInt8]) -> [UInt8] {
        // Signing fails only for keys that are none.
        guard let signature = try? key.signature(for: message) else { return [] }
        return Array(signature.rawRepresentation)
    }

    func isSignature(_ signature: [UInt8], over message: [UInt8], by publicKey: [UInt8]) -> Bool {
        guard let key = try? P256.Signing.PublicKey(derRepresentation: publicKey),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
        else { return false }
        return key.isValidSignature(signature, for: message)
    }

    func membershipCode(publicKey: [UInt8], nonce: [UInt8], epoch: EpochPrefix?) -> [UInt8]? {
        epoch == nil ? Membership.code(publicKey: publicKey, nonce: nonce, Membership.first) : nil
    }
}

/// A key whose device goes on from a former one: that of a home that was copied or moved.
struct SuccessorSigning: BatchSigning {
    private let own: any BatchSigning
    let former: any BatchSigning

    init(_ own: any BatchSigning, goingOnFrom former: any BatchSigning) {
        self.own = own
        self.former = former
    }

    var publicKey: [UInt8] { own.publicKey }

    func signature(over message: [UInt8]) -> [UInt8] { own.signature(over: message) }

    func isSignature(_ signature: [UInt8], over message: [UInt8], by publicKey: [UInt8]) -> Bool {
        own.isSignature(signature, over: message, by: publicKey)
    }

    var epochs: [EpochPrefix] { own.epochs }

    func membershipCode(publicKey: [UInt8], nonce: [UInt8], epoch: EpochPrefix?) -> [UInt8]? {
        own.membershipCode(publicKey: publicKey, nonce: nonce, epoch: epoch)
    }

    var formerDevice: DeviceID? { BatchSignature.deviceID(publicKey: former.publicKey) }

    func succession(nonce: [UInt8]) -> Succession? {
        let message = Succession.message(publicKey: publicKey, nonce: nonce)
        return Succession(formerKey: former.publicKey, signature: former.signature(over: message))
    }
}

/// A key that holds the membership keys of later epochs, too.
struct EpochSigning: BatchSigning {
    private let own: any BatchSigning
    let epochs: [EpochPrefix]
    private let seeds: [EpochPrefix: Seed]

    /// - Parameter seeds: of epochs after the first one, newest first.
    init(_ own: any BatchSigning, _ seeds: [(RulingID, Seed)]) {
        self.own = own
        epochs = seeds.map { EpochPrefix($0.0) }
        self.seeds = Dictionary(uniqueKeysWithValues: seeds.map { (EpochPrefix($0.0), $0.1) })
    }

    var publicKey: [UInt8] { own.publicKey }

    func signature(over message: [UInt8]) -> [UInt8] { own.signature(over: message) }

    func isSignature(_ signature: [UInt8], over message: [UInt8], by publicKey: [UInt8]) -> Bool {
        own.isSignature(signature, over: message, by: publicKey)
    }

    func membershipCode(publicKey: [UInt8], nonce: [UInt8], epoch: EpochPrefix?) -> [UInt8]? {
        guard let epoch else { return own.membershipCode(publicKey: publicKey, nonce: nonce, epoch: nil) }
        return seeds[epoch].map { Membership.code(publicKey: publicKey, nonce: nonce, $0.bytes) }
    }

    var formerDevice: DeviceID? { own.formerDevice }

    func succession(nonce: [UInt8]) -> Succession? { own.succession(nonce: nonce) }
}

/// The one gathering that all simulated devices belong to.
private enum Membership {
    static let first = Array("simulated gathering".utf8)

    static func code(publicKey: [UInt8], nonce: [UInt8], _ key: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: publicKey + nonce, using: SymmetricKey(data: key)))
    }
}
