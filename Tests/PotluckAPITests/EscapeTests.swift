import AlbumModel
import FoundationEssentials
import PotluckAPI
import TestSupport
import Testing

/// Names from others reach scripts as they are, and terminals and logs only in a form that does nothing there.
@Suite struct EscapeTests {
    /// C1 controls, marks of direction, line separators, characters of no width, fillers, tags, and what has no meaning.
    private static let ranges: [ClosedRange<UInt32>] = [
        0...0x1F, 0x7F...0x9F, 0xAD...0xAD, 0x34F...0x34F, 0x61C...0x61C, 0x115F...0x1160, 0x180E...0x180E,
        0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0x3164...0x3164, 0xE000...0xE000, 0xFE00...0xFE0F,
        0xFEFF...0xFEFF, 0xFFA0...0xFFA0, 0xFFF0...0xFFFB, 0xFFFE...0xFFFF, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A,
        0xE0000...0xE0FFF, 0xF0000...0xF0000, 0x10FFFF...0x10FFFF,
    ]

    private static let unsafeScalars = ranges.joined().compactMap { Unicode.Scalar($0) }

    /// Shows that every unsafe character is written in ASCII and read as it was, in the general and in the quick writing,
    /// while letters, spaces, accents and emoji stay readable.
    @Test func unsafeCharactersAreEscaped() throws {
        #expect(Self.unsafeScalars.count > 4000)
        for scalar in Self.unsafeScalars {
            let name = "a\(scalar)b"
            let document = try ReportJSON.text(Self.report(name))
            #expect(document.utf8.allSatisfy { (0x20..<0x7F).contains($0) }, "\(String(scalar.value, radix: 16))")
            let read = try JSONDecoder().decode(PhotosReport.self, from: Data(document.utf8))
            #expect(read.photos.map(\.name) == [name])
            #expect(String(decoding: JSONDocument(photos: Self.report(name)).bytes, as: UTF8.self) == document)
        }
        let plain = "Zoë 日本 é e\u{301} 한국어 😀 שלום –"
        #expect(try ReportJSON.text(Self.report(plain)).contains(#""name":"\#(plain)""#))
    }

    /// Shows the escapes themselves: lower-case digits, a surrogate pair beyond the first 65,536 characters.
    @Test func escapesHaveFourDigits() throws {
        #expect(
            try ReportJSON.text(["\u{9B}\u{202E}\u{E0041}\u{7F}\n\"\\"])
                == #"["\u009b\u202e\udb40\udc41\u007f\n\"\\"]"#)
    }

    /// Shows that an event's line, and what an older agent wrote raw, come out escaped.
    @Test func eventsAndOldAgentsAreEscaped() throws {
        let name = "x\u{9B}2J\u{202E}gpj.exe"
        let at = Instant(millisecondsSince1970: 0)
        let event = try ReportJSON.text(EventRecord.photoAdded(at: at, album: "a", photo: "b", name: name, by: name))
        #expect(event.contains(#""by":"x\u009b2J\u202egpj.exe""#) && event.utf8.allSatisfy { $0 < 0x7F })
        let old = Data(#"{"name":"\#(name)"}"#.utf8)
        #expect(ReportJSON.safeText(old) == #"{"name":"x\u009b2J\u202egpj.exe"}"#)
    }

    private static func report(_ name: String) -> PhotosReport {
        var photo = Sample.barePhoto
        photo.name = name
        return PhotosReport(album: nil, albumID: nil, photos: [photo])
    }
}
