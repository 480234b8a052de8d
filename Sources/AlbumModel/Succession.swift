import Crypto

/// A former device's word that a new one goes on from it: what the former added is the new one's own too.
///
/// The former device may live on beside the new one; nothing is taken from it.
public struct Succession: Hashable, Sendable {
    /// The former device's public key, DER (SubjectPublicKeyInfo).
    public var formerKey: [UInt8]
    /// The former key's signature over ``message(publicKey:nonce:)``.
    public var signature: [UInt8]

    public init(formerKey: [UInt8], signature: [UInt8]) {
        self.formerKey = formerKey
        self.signature = signature
    }

    public var formerDevice: DeviceID { DeviceID(digest: SHA256.hash(data: formerKey)) }

    /// What the former key signs: the new device's public key, and the random bytes of the replica that it begins with.
    public static func message(publicKey: [UInt8], nonce: [UInt8]) -> [UInt8] {
        Array("potluck succession 1".utf8) + publicKey + nonce
    }
}

/// Which devices go on from which others.
public struct Lineage: Hashable, Sendable {
    private var formers: [DeviceID: Set<DeviceID>] = [:]
    /// Every device that another goes on from.
    private(set) var allFormers: Set<DeviceID> = []

    public init() {}

    public mutating func add(_ device: DeviceID, from former: DeviceID) {
        formers[device, default: []].insert(former)
        allFormers.insert(former)
    }

    /// The devices whose word `device` showed.
    func directFormers(of device: DeviceID) -> Set<DeviceID> { formers[device] ?? [] }

    /// All that came before `device`, however far back; never itself, whatever keys sign in a circle.
    func formerDevices(of device: DeviceID) -> Set<DeviceID> {
        var found: Set<DeviceID> = []
        var waiting = Array(formers[device] ?? [])
        while let next = waiting.popLast() {
            guard next != device, found.insert(next).inserted else { continue }
            waiting += formers[next] ?? []
        }
        return found
    }

    /// The same as asking for all, without looking where there is nothing.
    func contains(_ former: DeviceID, before device: DeviceID) -> Bool {
        formers[device] != nil && formerDevices(of: device).contains(former)
    }
}
