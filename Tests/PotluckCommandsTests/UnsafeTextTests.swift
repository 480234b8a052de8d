import AlbumModel
import PotluckAPI
import PotluckAgent
import Testing

@testable import PotluckCommands

/// What others wrote, as people and scripts see it.
@Suite struct UnsafeTextTests {
    /// Shows that text for people replaces what JSON escapes, but for what spelling needs, over all of Unicode.
    @Test func textAndJSONAgree() throws {
        var escapedCount = 0
        for value in (0...0x10FFFF) as ClosedRange<UInt32> {
            guard let scalar = Unicode.Scalar(value), value < 0x3_0000 || value >= 0xE_0000, value < 0xF_0010 else {
                continue
            }
            let isShown = PrintableText.line(String(scalar)).unicodeScalars.elementsEqual([scalar])
            #expect(isShown == (!scalar.isUnsafeToShow || scalar.isPartOfSpelling), "\(String(value, radix: 16))")
            if scalar.isUnsafeToShow { escapedCount += 1 }
        }
        #expect(escapedCount > 4000)
        for hidden in ["\u{9B}", "\u{202E}", "\u{2028}", "\u{FEFF}", "\u{200B}", "\u{E0041}", "\u{3164}", "\u{7F}"] {
            #expect(PrintableText.line(hidden) == "\u{FFFD}")
            #expect(try ReportJSON.text([hidden]).hasPrefix(#"["\u"#))
        }
        #expect(PrintableText.line("👩‍👩‍👧 ❤️ می\u{200C}خواهم") == "👩‍👩‍👧 ❤️ می\u{200C}خواهم")
    }

    /// Shows how a status lists photos that get no file: how many, what that means, and each one's reason; nothing where
    /// there are none.
    @Test func statusListsPhotosWithoutAFile() {
        var report = FakeAgent.status(missing: 0)
        report.notPlaced = .init(photos: 0, bytes: 0, items: [])
        #expect(!StatusListing.text(report, isAll: false, cellCount: nil).contains("No file"))
        let items = (1...12).map {
            StatusReport.Item(
                id: "b\($0)", album: "Beach day", name: "x\($0)\u{202E}.html", reason: "it is not a photo or a video")
        }
        report.notPlaced = .init(photos: 12, bytes: 8_400, items: items)
        let text = StatusListing.text(report, isAll: false, cellCount: nil)
        #expect(
            text.contains(
                "No file  12 photos, 8.4 kB: kept here and passed on, but not put into the folder\n"
                    + "  x1\u{FFFD}.html (Beach day): it is not a photo or a video\n"))
        #expect(text.contains("  and 2 more; --all lists them\n"))
        #expect(StatusListing.text(report, isAll: true, cellCount: nil).contains("  x12\u{FFFD}.html (Beach day)"))
        #expect(text.contains("Missing  nothing\n"))
    }

    /// Shows how many photos fell out of all albums, under a key of its own; nothing where there are none.
    @Test func statusCountsPhotosOfLaptopsThatAreOut() throws {
        var report = FakeAgent.status(missing: 0)
        #expect(!StatusListing.text(report, isAll: false, cellCount: nil).contains("Put out"))
        #expect(!(try ReportJSON.text(report)).contains("not_counted"))
        report.notCounted = .init(photos: 12, bytes: 8_400)
        let text = StatusListing.text(report, isAll: false, cellCount: nil)
        #expect(text.contains("Put out  12 photos, 8.4 kB of laptops that were put out, in no album; "))
        #expect(try ReportJSON.text(report).contains(#""not_counted":{"bytes":8400,"photos":12}"#))
    }

    /// Shows the keys of the list in a status's JSON, and that a status of before, without it, is read.
    @Test func theListHasItsPromisedShape() throws {
        var report = FakeAgent.status(missing: 0)
        #expect(!(try ReportJSON.text(report)).contains("not_placed"))
        report.notPlaced = .init(
            photos: 1, bytes: 31, items: [.init(id: "b1", album: "Beach", name: "x.html", reason: "it is empty")])
        #expect(
            try ReportJSON.text(report).contains(
                #""not_placed":{"bytes":31,"items":[{"album":"Beach","id":"b1","name":"x.html","#
                    + #""reason":"it is empty"}],"photos":1}"#))
    }
}
