import Testing

@testable import PeerTransport

struct InvitePhraseTests {
    private let text = "lusab-babad-safom-bahaf-livuk"

    /// The proquints of the published example (127.0.0.1 and 192.168.1.2), and the checksum as computed elsewhere.
    @Test func phraseIsReadAndWritten() throws {
        let phrase = try InvitePhrase(parsing: text)
        #expect(phrase.key == [0x7f, 0, 0, 1, 0xc0, 0xa8, 1, 2])
        #expect(phrase.text == text)
        #expect(phrase.link == "potluck://join/" + text)
    }

    /// Whatever a person or a camera makes of it, it is the same phrase.
    @Test(arguments: [
        "lusab babad safom bahaf livuk", "LUSAB-Babad-safom-bahaf-LIVUK", "  lusabbabadsafombahaflivuk\n",
        "potluck://join/lusab-babad-safom-bahaf-livuk", "“lusab – babad – safom – bahaf – livuk”",
    ])
    func phraseIsReadInManyForms(_ form: String) throws {
        #expect(try InvitePhrase(parsing: form).text == text)
    }

    /// What is written can be read again, whatever the key.
    @Test func phrasesSurviveTheirText() throws {
        for _ in 0..<200 {
            let phrase = InvitePhrase(key: (0..<8).map { _ in UInt8.random(in: .min ... .max) })
            #expect(try InvitePhrase(parsing: phrase.link) == phrase)
        }
    }

    /// A mistake is told by what it is: an impossible word, a missing word, a checksum that does not fit.
    @Test func mistakesAreTold() {
        #expect(throws: PhraseError.word("lusex")) {
            try InvitePhrase(parsing: "lusex-babad-safom-bahaf-livuk")
        }
        #expect(throws: PhraseError.word("lusa")) { try InvitePhrase(parsing: "lusa-babad-safom-bahaf-livuk") }
        #expect(throws: PhraseError.wordCount(4)) { try InvitePhrase(parsing: "lusab-babad-safom-bahaf") }
        #expect(throws: PhraseError.wordCount(0)) { try InvitePhrase(parsing: "") }
        #expect(throws: PhraseError.checksum) { try InvitePhrase(parsing: "lusab-babad-safom-bahaf-livul") }
    }

    /// Two words exchanged, or one letter wrong in any place, never pass as another phrase.
    @Test func everySingleLetterCounts() {
        for place in text.indices where text[place] != "-" {
            for letter in "abdfghijklmnoprstuvz" where letter != text[place] {
                var wrong = text
                wrong.replaceSubrange(place...place, with: String(letter))
                // One in 65,536 changes of the key would pass; none of these does.
                #expect(throws: PhraseError.self) { try InvitePhrase(parsing: wrong) }
            }
        }
        #expect(throws: PhraseError.checksum) { try InvitePhrase(parsing: "babad-lusab-safom-bahaf-livuk") }
    }
}
