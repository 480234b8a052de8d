import FoundationEssentials
import PotluckAPI
import TestSupport
import Testing

/// The quick way to write a listing gives the bytes that the general way gives.
@Suite struct PhotosTextTests {
    private let reports = {
        var odd = Sample.photos
        for text in [
            "plain", "\"quoted\" \\ back", "tab\tline\nfeed\r\u{8}\u{C}\u{1}\u{1F}", "Été 😀 日本 \u{7F}\u{2028}", "a/b",
            "{", "\u{9B}31m \u{202E}gpj \u{2066}\u{200E}\u{FEFF} 👩‍👩‍👧 \u{E0041}\u{F0000}\u{3164}",
        ] {
            var photo = PhotosReport.Photo(
                id: text, name: text, file: text, bytes: .max, type: text, by: text, contributors: [text, text],
                here: false, copies: nil, where: [text])
            (photo.album, photo.albumID, photo.caption) = (text, text, text)
            (photo.tags, photo.favourites) = ([text], [text, text])
            photo.captions = [.init(by: nil, caption: text), .init(by: text, caption: "")]
            photo.companions = [
                .init(id: text, name: text, bytes: .max, role: "raw"),
                .init(id: "", name: "", bytes: 0, role: "sidecar"),
            ]
            odd.photos.append(photo)
        }
        for number in [0, 1, -1, 0.5, -94.288772, 0.000001, 100_000_000, 1e17, -0.0, 1.0 / 3] {
            var photo = Sample.barePhoto
            (photo.latitude, photo.longitude, photo.altitude, photo.duration) = (number, -number, number, number)
            odd.photos.append(photo)
        }
        return [
            Sample.photos, odd, PhotosReport(album: "", albumID: "a", photos: []),
            PhotosReport(album: nil, albumID: nil, photos: odd.photos),
        ]
    }()

    private static func text(_ document: JSONDocument) -> String { String(decoding: document.bytes, as: UTF8.self) }

    /// Shows that every report is the same text, whatever it holds.
    @Test func sameBytesAsTheEncoder() throws {
        for report in reports { #expect(Self.text(JSONDocument(photos: report)) == (try ReportJSON.text(report))) }
    }

    /// Shows that a long listing comes in pieces of bounded length, which together are the whole.
    @Test func aLongListingComesInPieces() throws {
        let long = PhotosReport(
            album: "A", albumID: "a1", photos: Array(repeating: Sample.photos.photos, count: 600).flatMap(\.self))
        let pieces = Array(JSONDocument(photos: long))
        #expect(pieces.count > 4)
        #expect(pieces.allSatisfy { !$0.isEmpty && $0.count < 160 << 10 })
        #expect(String(decoding: pieces.joined(), as: UTF8.self) == (try ReportJSON.text(long)))
    }

    /// Shows that a brief listing says the same with less, and that what is left out is read as unknown.
    @Test func briefTextsReadTheSame() throws {
        for report in reports {
            let bytes = JSONDocument(photos: report, isBrief: true).bytes
            #expect(try ReportJSON.value(PhotosReport.self, from: Data(bytes)) == report)
        }
        let brief = JSONDocument(
            photos: PhotosReport(album: "A", albumID: "a1", photos: [Sample.barePhoto]), isBrief: true)
        #expect(
            Self.text(brief)
                == #"{"album":"A","album_id":"a1","photos":[{"bytes":1,"companions":[],"contributors":[],"#
                + #""favourites":[],"here":false,"id":"b2","name":"IMG_0002.JPG","tags":[],"type":"image/jpeg","#
                + #""where":[]}]}"#)
    }
}
