import AlbumModel
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
