import AlbumModel
import Testing

@testable import PeerTransport

/// What a founding, and with it the phrase, is made of. Values were computed with another implementation (Python's
/// hashlib and its package cryptography).
struct SeedTests {
    private let seed = Seed(bytes: Array(0..<32))!
    private let ruling = RulingID(bytes: Array(100..<132))!

    @Test func commitmentIsFixed() {
        #expect(seed.commitment.hex == "acda472274317a33f9782c4c79200af6b853caf40401bf463a0f46121a6e18e5")
    }

    /// From the phrase on, everything is as with a typed one.
    @Test func phraseIsMadeOfSeedAndRuling() throws {
        let phrase = try InvitePhrase(seed: seed, ruling: ruling)
        #expect(phrase.text == "gikuj-kizus-lasih-zokum-kupak")
        let secrets = try GatheringSecrets(phrase)
        #expect(Hexadecimal.text(secrets.tag) == "3118907bd53caa9a")
        #expect(
            Hexadecimal.text(secrets.admission) == "249405cf7e7617debdffaddf421f8817565d24c089eb725adac4d30222b2db72")
        #expect(
            Hexadecimal.text(secrets.membership) == "b34b4d8a992daade1c28bb4045812729cb082c0e81b4a20e655feb232b475a53")
    }

    /// Another seed, and the same under another ruling, give other phrases: nobody claims a phrase for a ruling of theirs.
    @Test func anythingElseGivesAnotherPhrase() throws {
        let phrase = try InvitePhrase(seed: seed, ruling: ruling)
        #expect(try InvitePhrase(seed: Seed(bytes: Array(1..<33))!, ruling: ruling) != phrase)
        #expect(try InvitePhrase(seed: seed, ruling: RulingID(bytes: Array(101..<133))!) != phrase)
    }

    /// Neither texts nor dumps of a seed, or of what holds one, tell it.
    @Test func nothingPrintsASeed() {
        var text = ""
        dump((seed: seed, number: 1), to: &text)
        #expect(!(text + "\(seed)" + String(reflecting: seed)).contains("31"))
        #expect(Seed(bytes: Array(0..<31)) == nil)
    }

    /// Two that are drawn differ.
    @Test func seedsAreDrawn() {
        var generator = SystemRandomNumberGenerator()
        #expect(Seed(drawnFrom: &generator) != Seed(drawnFrom: &generator))
    }
}
