import AlbumModel
import PhotoStore
import SyncEngine

/// What a home remembers of itself, as facts of the journal.
extension FactKind {
    /// Who this device is and which gathering it is in; keys are ``IdentityKey``.
    static let identity = FactKind(rawValue: "identity")
    /// Addresses of a device, newest first, one a line; the key is its `DeviceID`.
    static let address = FactKind(rawValue: "address")
    /// What a device last said that it holds, and when; the key is its `DeviceID`.
    static let holdings = FactKind(rawValue: "holdings")
    /// Which album a first-level directory stands for; the key is the directory's name.
    static let directory = FactKind(rawValue: "directory")
}

/// Keys of ``FactKind/identity``.
enum IdentityKey: String {
    /// The device's private key, raw.
    case deviceKey
    /// The private key of the device that this one goes on from, until its word is in the journal.
    case formerKey
    case deviceName
    case phrase
    /// What scrypt made of the phrase, so that a start does not take it anew.
    case secrets
    /// A ``TypedPhrase``: the gathering's new phrase, typed in a home that does not know its epoch yet.
    case joining
    /// What other laptops say of the phrase that is known here, a ``PhraseNews``; gone once a laptop is linked.
    case phraseNews
    /// The name given to `host`; others learn it from a change.
    case gatheringName
    /// The port that was drawn once.
    case port
    /// The replica that this device continues.
    case replica
    /// A ``JournalPlace``: it differs after a copy.
    case journalStamp
    /// The folder's path as of the last run, for listings without an agent: see ``PhotoStore/Journal/folder(home:)``.
    case folder
    /// When this laptop left the gathering, as text: no agent runs then.
    case left

    var bytes: [UInt8] { Array(rawValue.utf8) }
}

extension FactChange {
    static func identity(_ values: [IdentityKey: [UInt8]]) -> [FactChange] {
        values.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { FactChange(kind: .identity, key: $0.key.bytes, value: $0.value) }
    }
}

extension Journal {
    func identity(_ key: IdentityKey) throws(StoreError) -> [UInt8]? { try fact(.identity, key.bytes) }

    func identityText(_ key: IdentityKey) throws(StoreError) -> String? {
        try identity(key).map { String(decoding: $0, as: UTF8.self) }
    }

    func setIdentity(_ values: [IdentityKey: [UInt8]]) throws(StoreError) { try setFacts(FactChange.identity(values)) }

    /// Addresses of devices that were connected in earlier runs, newest first.
    func addresses() throws(StoreError) -> [(DeviceID, [PeerAddress])] {
        try facts(.address).compactMap { key, value in
            guard let device = DeviceID(bytes: key) else { return nil }
            let lines = String(decoding: value, as: UTF8.self).split(separator: "\n")
            return (device, lines.compactMap { PeerAddress(parsing: String($0)) })
        }
    }

    /// The folder's absolute path as of the last run; `nil` before the first. One inside the home is kept as its path
    /// there, so that it is found again when the home is moved.
    func folder(home: String) throws(StoreError) -> String? {
        try identityText(.folder).map { $0.hasPrefix("/") ? $0 : home + "/" + $0 }
    }

    func setFolder(_ path: String, home: String) throws(StoreError) {
        let inside = home + "/"
        let kept = path.hasPrefix(inside) ? String(path.dropFirst(inside.count)) : path
        try setIdentity([.folder: Array(kept.utf8)])
    }
}
