import AlbumModel
import Crypto
import Foundation
import Testing

@testable import WebGallery

/// Secrets that open doors.
@Suite struct GuestTokensTests {
    /// Shows base64url against the examples of RFC 4648, section 10, and that there is one text for each value.
    @Test func base64urlIsStrict() {
        let examples = ["": "", "f": "Zg", "fo": "Zm8", "foo": "Zm9v", "foob": "Zm9vYg", "fooba": "Zm9vYmE"]
        for (plain, text) in examples {
            #expect(Base64URL.text(Array(plain.utf8)) == text)
            #expect(Base64URL.bytes(text) == Array(plain.utf8))
        }
        #expect(Base64URL.text([0xFB, 0xFF]) == "-_8" && Base64URL.bytes("-_8") == [0xFB, 0xFF])
        for text in ["Zg==", "Zh", "Z", "Zm9", "Z+8", "Zm8/", "Zm 9v", "Zm9vé"] {
            #expect(Base64URL.bytes(text) == nil, "\(text)")
        }
        var generator = SeededGenerator(state: 3)
        for count in 0..<40 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            #expect(Base64URL.bytes(Base64URL.text(bytes)) == bytes)
        }
    }

    @Test func tokensAreTexts() throws {
        let secret = token(1)
        #expect(secret.text.utf8.count == 22)
        let same = try #require(SecretToken(parsing: secret.text))
        #expect(same.matches(secret) && !token(2).matches(secret))
        #expect(secret.digest.matches(secret) && !secret.digest.matches(token(2)))
        #expect(secret.digest == same.digest)
        for text in ["", secret.text + "A", String(secret.text.dropLast()), "é" + secret.text.dropFirst(2)] {
            #expect(SecretToken(parsing: text) == nil)
        }
        // The last character of 22 has four bits that mean nothing, and have to be 0.
        #expect(SecretToken(parsing: "AAAAAAAAAAAAAAAAAAAAAB") == nil)
    }

    /// Shows that every single bit makes tokens differ.
    @Test func everyBitCounts() {
        let bytes = [UInt8](repeating: 0x55, count: 16)
        for bit in 0..<128 {
            var other = bytes
            other[bit / 8] ^= 1 << (bit % 8)
            #expect(!ConstantTime.areEqual(bytes, other))
        }
        #expect(ConstantTime.areEqual(bytes, bytes) && !ConstantTime.areEqual(bytes, Array(bytes.dropLast())))
    }

    /// Shows that no secret gets into a log by accident.
    @Test func secretsAreNotPrinted() throws {
        let secret = token(1)
        let link = GuestLink(token: secret)
        var dumped = ""
        dump(link, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), "\(link)", String(reflecting: link), dumped] {
            #expect(!text.contains(secret.text))
            #expect(!text.contains("\(secret.text.utf8.first!)") || !text.contains("UInt8"))
        }
    }

    /// Shows what a link answers, and that it is the same after being written down.
    @Test func linksLetIn() throws {
        let link = GuestLink(
            token: token(1), albums: ["00ff"], isLookOnly: true, needsApproval: false, hidesPlaces: true, expires: 1000)
        let read = try JSONDecoder().decode(GuestLink.self, from: try JSONEncoder().encode(link))
        for link in [link, read] {
            #expect(link.admission(token(1).text, now: 999) == .admitted)
            #expect(link.admission(token(1).text, now: 1000) == .ended)
            #expect(link.admission(token(2).text, now: 999) == .wrong)
            #expect(link.admission("", now: 999) == .wrong)
            #expect(link.address(at: "http://10.0.0.5:4712") == "http://10.0.0.5:4712/g/#\(token(1).text)")
            #expect(link.albums == ["00ff"] && link.isLookOnly && !link.needsApproval && link.hidesPlaces)
        }
        #expect(GuestLink(token: token(1)).admission(token(1).text, now: .max) == .admitted)
    }

    /// Shows that a link that was written down before places could be hidden still lets in, and hides none.
    @Test func olderLinksAreRead() throws {
        let document = #"{"token":"\#(token(1).text)","look_only":true,"approve":false}"#
        let link = try JSONDecoder().decode(GuestLink.self, from: Data(document.utf8))
        #expect(link.admission(token(1).text, now: 0) == .admitted)
        #expect(link.isLookOnly && !link.hidesPlaces && link.albums == nil && link.expires == nil)
    }

    /// Shows that a guest's token is the same at every laptop with the key, and another for every guest and renewal.
    @Test func guestsComeBackAsThemselves() throws {
        let tokens = PersonalTokens(key: SymmetricKey(data: [UInt8](repeating: 1, count: 32)))
        let elsewhere = PersonalTokens(key: SymmetricKey(data: [UInt8](repeating: 1, count: 32)))
        let stranger = PersonalTokens(key: SymmetricKey(data: [UInt8](repeating: 2, count: 32)))
        let guests = (0..<50).map { (guest: guest(UInt64($0)), renewal: $0 % 3) }
        for (guest, renewal) in guests {
            let text = elsewhere.token(of: guest, renewal: renewal).text
            #expect(tokens.guest(for: text, among: guests) == guest)
            #expect(tokens.guest(for: stranger.token(of: guest, renewal: renewal).text, among: guests) == nil)
            #expect(tokens.guest(for: tokens.token(of: guest, renewal: renewal + 1).text, among: guests) == nil)
        }
        #expect(tokens.guest(for: "me", among: guests) == nil)
        #expect(Set(guests.map { tokens.token(of: $0.guest).text }).count == guests.count)
        let address = PersonalTokens.address(of: token(1), at: "http://10.0.0.5:4712")
        #expect(address == "http://10.0.0.5:4712/g/#me=\(token(1).text)")
    }

    @Test func guestsHaveIDs() throws {
        let one = guest(1)
        #expect(GuestID(hex: one.hex) == one && one.hex.utf8.count == 32 && one != guest(2))
        #expect(try JSONDecoder().decode([GuestID].self, from: try JSONEncoder().encode([one])) == [one])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([GuestID].self, from: Data("[\"ab\"]".utf8)) }
    }

    /// Shows a code's life: once, within 60 s, among not too many attempts.
    @Test func codesWorkOnce() {
        var codes = OneTimeCodes()
        codes.issue(token(1), now: 0)
        codes.issue(token(2), now: 10_000)
        #expect(codes.redeem(token(3).text, now: 20_000) == .wrong)
        #expect(codes.waits(token(2).text, now: 20_000) && !codes.waits(token(3).text, now: 20_000))
        #expect(codes.redeem(token(2).text, now: 20_000) == .accepted)
        #expect(!codes.waits(token(2).text, now: 20_000))
        #expect(codes.waits(token(1).text, now: 59_999) && !codes.waits(token(1).text, now: 60_000))
        #expect(codes.redeem(token(2).text, now: 20_000) == .wrong)
        #expect(codes.redeem(token(1).text, now: 59_999) == .accepted)
        codes.issue(token(4), now: 100_000)
        #expect(codes.redeem(token(4).text, now: 160_000) == .wrong)
    }

    @Test func attemptsAndCodesAreBounded() {
        var codes = OneTimeCodes()
        for number in 0..<9 { codes.issue(token(UInt64(number)), now: 0) }
        #expect(codes.redeem(token(0).text, now: 0) == .wrong)
        #expect(codes.redeem(token(1).text, now: 0) == .accepted)
        for _ in 2..<30 { #expect(codes.redeem("guess", now: 1000) == .wrong) }
        #expect(codes.redeem(token(8).text, now: 2000) == .tooMany(wait: 58_000))
        #expect(codes.redeem("guess", now: 60_000) == .wrong)
        codes.issue(token(20), now: 61_000)
        #expect(codes.redeem(token(20).text, now: 61_000) == .accepted)
    }
}
