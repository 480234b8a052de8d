import AlbumModel
import Glibc
import PeerTransport
import PhotoStore
import PotluckAPI
import SyncEngine

/// Who this device is, and the gathering that it is a member of.
struct Membership: Sendable {
    let identity: DeviceIdentity
    /// The device that this one goes on from, until its word is in the journal.
    let former: DeviceIdentity?
    let deviceName: String
    let phrase: InvitePhrase
    let secrets: GatheringSecrets
    /// Only known where the gathering was started, until the change with its name arrives.
    let gatheringName: String?

    /// - Returns: `nil` where the home has no gathering.
    /// - Throws: ``PotluckError`` where what is there cannot be read.
    static func load(_ journal: Journal) throws -> Membership? {
        guard let phraseText = try journal.identityText(.phrase) else { return nil }
        guard let key = try journal.identity(.deviceKey), let identity = DeviceIdentity(rawPrivateKey: key),
            let phrase = try? InvitePhrase(parsing: phraseText),
            let secrets = try journal.identity(.secrets).flatMap(GatheringSecrets.init(bytes:))
        else {
            throw PotluckError(.failed, "The journal in this home is damaged: its identity cannot be read.")
        }
        let former = try journal.identity(.formerKey).flatMap(DeviceIdentity.init(rawPrivateKey:))
        return Membership(
            identity: identity, former: former,
            deviceName: try journal.identityText(.deviceName) ?? DeviceName.standard,
            phrase: phrase, secrets: secrets, gatheringName: try journal.identityText(.gatheringName))
    }

    var signing: DeviceSigning { DeviceSigning(identity: identity, membership: secrets.membership, former: former) }

    func inviteReport(gathering: String?) -> InviteReport {
        InviteReport(gathering: gathering ?? gatheringName, phrase: phrase.text, link: phrase.link)
    }
}

/// What a laptop is called where nobody says otherwise.
enum DeviceName {
    /// A copy's, which has to be told from the one that it was copied from.
    static func standard(besides former: String?) -> String {
        let name = standard
        return name == former ? "\(name) (2)" : name
    }

    static var standard: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "Laptop" }
        let host = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return host.isEmpty ? "Laptop" : host
    }
}
