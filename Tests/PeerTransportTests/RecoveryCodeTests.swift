import AlbumModel
import Testing

@testable import PeerTransport

struct RecoveryCodeTests {
    /// Words and key are part of what a founding promises: values computed with another implementation (Python's hashlib,
    /// and its package cryptography).
    @Test func wordsAndKeyAreFixed() {
        let code = RecoveryCode(bytes: Array(200..<216))
        #expect(code.text == "sogan-sorar-sugat-suraz-tagid-tarig-tigij-tiril-gigud")
        #expect(
            Hexadecimal.text(code.publicKeyDER)
                == "3059301306072a8648ce3d020106082a8648ce3d030107034200046d935240a6fc7c71e8f9ddbdf44ab4bb0cd4d01a6c9"
                + "52c520d7e306f4a6dca2897d370db4de51e9e8de3c4c93fc43189ff4a03b4ef807ca4213e357c771ce3a1")
        #expect(DeviceIdentity.deviceID(publicKeyDER: code.publicKeyDER) != nil)
    }

    /// A code is read as a person types it from paper, and a mistake is told by what it is.
    @Test func codesAreReadFromPaper() throws {
        let code = RecoveryCode(bytes: Array(200..<216))
        for text in [code.text, code.text.uppercased().replacing("-", with: " "), code.text.replacing("-", with: "")] {
            #expect(try RecoveryCode(parsing: " \(text)\n").publicKeyDER == code.publicKeyDER)
        }
        for (text, words) in [
            ("lusab-babad", "nine words of five letters, not 2"), (code.text + "-lusab", "not 10"),
            (code.text.replacing("sogan", with: "sogax"), "“sogax”"),
            (code.text.replacing("sogan", with: "sogam"), "mistyped"), ("", "not 0"),
        ] {
            let error = #expect(throws: RecoveryCodeError.self) { try RecoveryCode(parsing: text) }
            #expect(error.map { "\($0)".contains(words) } == true, "\(text): \(String(describing: error))")
        }
    }

    /// What the code's key signs others can check.
    @Test func theKeySigns() {
        let code = RecoveryCode(bytes: Array(200..<216))
        let signature = code.signature(over: [1, 2])
        #expect(DeviceIdentity.verify(signature: signature, bytes: [1, 2], publicKeyDER: code.publicKeyDER))
        #expect(!DeviceIdentity.verify(signature: signature, bytes: [1], publicKeyDER: code.publicKeyDER))
    }

    /// Each is another one, and has nine words.
    @Test func codesAreDrawn() {
        var generator = SystemRandomNumberGenerator()
        let codes = (0..<20).map { _ in RecoveryCode(drawnFrom: &generator) }
        #expect(Set(codes.map(\.text)).count == codes.count)
        #expect(Set(codes.map(\.publicKeyDER)).count == codes.count)
        #expect(codes.allSatisfy { $0.text.split(separator: "-").count == 9 })
    }
}
