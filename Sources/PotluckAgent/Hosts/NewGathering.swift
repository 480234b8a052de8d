import AlbumModel
import PeerTransport
import SyncEngine
import WireFormat

/// What a gathering begins with: its founder's key, the founding ruling, and the phrase that is made of that and a seed.
struct NewGathering {
    let identity: DeviceIdentity
    /// Told once, and kept nowhere: the founding has its public key alone.
    let recoveryCode: RecoveryCode
    let phrase: InvitePhrase
    let secrets: GatheringSecrets
    /// What the home keeps of it.
    let facts: [FactChange]

    /// Draws all of it; blocks for about 200 ms.
    ///
    /// - Throws: when there is no memory for the phrase.
    init() throws {
        var random = SystemRandomNumberGenerator()
        identity = DeviceIdentity()
        recoveryCode = RecoveryCode(drawnFrom: &random)
        let seed = Seed(drawnFrom: &random)
        let founding = Ruling(
            authorKey: identity.publicKeyDER, after: [],
            kind: .founding(.init(recoveryKey: recoveryCode.publicKeyDER, commitment: seed.commitment))
        ).signed(using: DeviceSigning(identity: identity, membership: MembershipKeys(first: nil)))
        let ruling = RulingID(content: founding.content)
        phrase = try InvitePhrase(seed: seed, ruling: ruling)
        secrets = try GatheringSecrets(phrase)
        facts = [.ruling(founding), .epoch(ruling, seed, secrets)]
    }
}
