import NIOCore
import Testing

@testable import PotluckAgent

/// The quick way to write a listing gives the bytes that the general way gives.
@Suite struct ControlPhotosTextTests {
    @Test func sameBytesAsTheEncoder() throws {
        var odd = Sample.photos
        for text in [
            "plain", "\"quoted\" \\ back", "tab\tline\nfeed\r\u{8}\u{C}\u{1}\u{1F}", "Été 😀 日本 \u{7F}\u{2028}", "a/b",
        ] {
            odd.photos.append(
                PhotosReport.Photo(
                    id: text, name: text, file: text, bytes: .max, type: text, taken: nil, by: text,
                    contributors: [text, text], here: false, copies: nil, where: [text], tags: [], caption: text))
        }
        for report in [Sample.photos, odd, PhotosReport(album: "", albumID: "a", photos: [])] {
            #expect(
                String(buffer: PhotosText.line(report))
                    == String(buffer: try ReportJSON.line(ControlReply(result: report))))
        }
    }
}
