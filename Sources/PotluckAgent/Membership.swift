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
    /// The phrases that are known here.
    let phrases: HeldPhrases
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
        let phrases = try HeldPhrases(journal, entry: TypedPhrase(phrase, secrets))
        return Membership(
            identity: identity, former: former,
            deviceName: try journal.identityText(.deviceName) ?? DeviceName.standard,
            phrases: phrases, gatheringName: try journal.identityText(.gatheringName))
    }

    /// The phrase that this home entered by, and what was made of it.
    var phrase: InvitePhrase { phrases.entry.phrase }
    var secrets: GatheringSecrets { phrases.entry.secrets }

    /// What DNS-SD shows of the newest phrase.
    var tag: [UInt8] { phrases.keyring.newest.secrets.tag }

    /// Names the gathering for as long as it lasts: the first phrase's, or that of the one by which the home was entered.
    var gatheringTag: [UInt8] {
        (phrases.epochs.first { $0.ruling == phrases.founding }?.secrets ?? secrets).tag
    }

    var signing: DeviceSigning {
        DeviceSigning(identity: identity, membership: MembershipKeys(phrases), former: former)
    }

    /// With the phrase that lets others in. Blocks for about 100 ms where that was never typed here.
    ///
    /// - Throws: when there is no memory for it.
    func inviteReport(gathering: String?) throws -> InviteReport {
        let phrase = try phrases.newest()
        return InviteReport(
            gathering: gathering ?? gatheringName, phrase: phrase.text, link: phrase.link,
            problem: phrases.news?.sentence(of: identity.deviceID))
    }
}
