import AlbumModel
import Testing

@testable import PeerTransport

struct GatheringSecretsTests {
    /// The derivation is part of the protocol: values computed with another implementation (Python's hashlib).
    @Test func derivationIsFixed() throws {
        let secrets = try GatheringSecrets(InvitePhrase(parsing: "lusab-babad-safom-bahaf-livuk"))
        #expect(Hexadecimal.text(secrets.tag) == "ae53100db100c7ff")
        #expect(
            Hexadecimal.text(secrets.admission) == "1c3451a4a58aecc2b7401d14f601a95e9922f4477dbea9951508ef8dde18bf30")
        #expect(
            Hexadecimal.text(secrets.membership) == "481fc5637fefd8a7524254331a9752a79ad2ac4122332461e422d2f1d8d40f0f")
    }

    /// What a home keeps gives the same secrets again; anything else gives none.
    @Test func secretsSurviveTheirBytes() {
        let secrets = GatheringSecrets.test(7)
        #expect(GatheringSecrets(bytes: secrets.bytes) == secrets)
        #expect(GatheringSecrets(bytes: Array(secrets.bytes.dropLast())) == nil)
    }
}
