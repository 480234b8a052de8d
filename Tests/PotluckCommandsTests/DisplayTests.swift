import AlbumExport
import PotluckAPI
import PotluckAgent
import Testing

@testable import PotluckCommands

/// What people see.
@Suite struct DisplayTests {
    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (4_200_000, "4.2 MB"),
        (99_949_999, "99.9 MB"), (99_950_000, "100 MB"), (160_400_000, "160 MB"), (999_499_999, "999 MB"),
        (999_500_000, "1.0 GB"), (999_950, "1.0 MB"), (2_000_000_000_000, "2.0 TB"), (UInt64.max, "18.4 EB"),
    ])
    /// Shows that sizes have decimal units and are rounded into the next unit, never to 1000 of one.
    func sizes(byteCount: UInt64, text: String) {
        #expect(Phrases.size(byteCount) == text)
    }

    /// Shows how long ago is said, also of a clock that is ahead.
    @Test(arguments: [
        (0, "just now"), (-300, "just now"), (1, "just now"), (45, "45 seconds ago"), (60, "1 minute ago"),
        (300, "5 minutes ago"), (3600, "1 hour ago"), (90_000, "yesterday"), (259_200, "3 days ago"),
        (2_592_000, "2026-10-22"), (-86_400, "2026-11-22"),
    ])
    func relativeTimes(secondsAgo: Int64, text: String) {
        let then = Instant(millisecondsSince1970: TestConsole.now.millisecondsSince1970 - secondsAgo * 1000)
        #expect(Phrases.ago(then, now: TestConsole.now) == text)
    }

    /// Shows plural forms, grouped digits, durations and lists.
    @Test func wordsAndNumbers() {
        #expect(Phrases.count(1, "photo") == "1 photo")
        #expect(Phrases.count(0, "photo") == "0 photos")
        #expect(Phrases.count(12_345, "photo") == "12,345 photos")
        #expect(Phrases.grouped(-1_234_567) == "-1,234,567")
        #expect(
            [0, 59, 90, 7200, 7500, 100_000].map(Phrases.duration) == [
                "1 s", "59 s", "2 min", "2 h", "2 h 5 min", "more than a day",
            ])
        #expect(Phrases.list(["A"]) == "A")
        #expect(Phrases.list(["A", "B", "C"]) == "A, B and C")
    }

    /// Shows that names from others cannot move the cursor, colour the terminal, reverse the text or hide in it, while
    /// letters, emoji and their joiners stay.
    @Test func hostileNamesAreHarmless() {
        #expect(PrintableText.line("a\u{1B}[2Jb") == "a\u{FFFD}[2Jb")
        #expect(PrintableText.line("a\nb\r\tc\u{7F}\u{9B}") == "a\u{FFFD}b\u{FFFD}\u{FFFD}c\u{FFFD}\u{FFFD}")
        #expect(
            PrintableText.line("gpj.\u{202E}exe\u{2066}\u{200B}\u{FEFF}") == "gpj.\u{FFFD}exe\u{FFFD}\u{FFFD}\u{FFFD}")
        #expect(PrintableText.line("Zoë 👩‍👩‍👧 日本") == "Zoë 👩‍👩‍👧 日本")
        #expect(PrintableText.lines("a\nb\u{7}") == "a\nb\u{FFFD}")
    }

    /// Shows that the width of wide characters, emoji and combined letters is what terminals use.
    @Test func widths() {
        #expect(TextWidth.of("abc") == 3)
        #expect(TextWidth.of("e\u{301}") == 1)
        #expect(TextWidth.of("日本") == 4)
        #expect(TextWidth.of("👩‍👩‍👧") == 2)
        #expect(TextWidth.of("한국어") == 6)
        #expect(TextWidth.shortened("日本語", to: 4) == "日…")
        #expect(TextWidth.shortened("abc", to: 3) == "abc")
    }

    /// Shows that a table is as wide as it must be without a terminal, that columns line up beside wide characters, and
    /// that numbers stand to the right.
    @Test func tablesLineUp() {
        let table = Table(
            columns: [
                .init(title: "Album", isShortenable: true), .init(title: "Photos", isNumber: true),
                .init(title: "Tags", isOptional: true),
            ],
            rows: [["日本", "5", ""], ["Beach day", "1,000", ""]])
        #expect(table.text(cellCount: nil) == "Album      Photos\n日本            5\nBeach day   1,000\n")
    }

    /// Shows that in every width from narrow to wide no line is longer than the terminal, as long as columns can give.
    @Test(arguments: 30...100)
    func tablesFitTheTerminal(cellCount: Int) {
        let table = Table(
            columns: [
                .init(title: "Photo", isShortenable: true), .init(title: "By", isShortenable: true),
                .init(title: "Size", isNumber: true),
            ],
            rows: [
                [String(repeating: "長い名前", count: 10), String(repeating: "Anna ", count: 10), "4.2 MB"],
                ["a.jpg", "Ben", "160 MB"],
            ])
        for line in table.text(cellCount: cellCount).split(separator: "\n") {
            #expect(TextWidth.of(String(line)) <= cellCount)
        }
    }

    /// Shows the QR code's size: 33 modules for a link, four light ones around, two rows in a line.
    @Test func theQRCodeHasItsQuietZone() throws {
        let text = try #require(QRCode.text("potluck://join/lusab-babad-gutih-tugad-kabok", isColoured: false))
        let lines = text.split(separator: "\n")
        #expect(lines.count == 21)
        #expect(lines.allSatisfy { $0.count == 41 })
        #expect(lines[0].allSatisfy { $0 == " " })
        #expect(lines[2].hasPrefix("    █▀▀▀▀▀█"))
        let coloured = try #require(QRCode.text("x", isColoured: true))
        #expect(coloured.hasPrefix("\u{1B}[38;5;16;48;5;231m"))
        #expect(coloured.hasSuffix("\u{1B}[0m\n"))
    }

    /// Shows how far something is, with what the rest takes where that is known.
    @Test func progressIsSaid() {
        let progress = ExportProgress(files: 1200, fileTotal: 5000, bytes: 4_200_000_000, byteTotal: 17_000_000_000)
        let text = "Exporting: 1,200 of 5,000 files, 4.2 GB of 17.0 GB"
        #expect(ProgressLine.text("Exporting", "file", progress, seconds: nil) == text)
        #expect(ProgressLine.text("Exporting", "file", progress, seconds: 170) == text + ", about 3 min left")
    }

    /// Shows that the time left follows the pace of the last half minute, and that nothing is said of it at first, at the
    /// end, and while nothing is done.
    @Test func theTimeLeftFollowsThePace() {
        var remaining = RemainingTime<ContinuousClock.Instant>()
        let start = ContinuousClock.now
        func left(_ milliseconds: Int, done: UInt64, rest: UInt64) -> UInt64? {
            remaining.seconds(done: done, rest: rest, now: start + .milliseconds(milliseconds))
        }
        #expect(left(0, done: 500, rest: 1000) == nil)
        #expect(left(2900, done: 600, rest: 900) == nil)
        // 100 a second.
        #expect(left(3000, done: 800, rest: 700) == 7)
        for second in 4...10 { #expect(left(second * 1000, done: UInt64(500 + second * 100), rest: 2000) == 20) }
        // A tenth of that from here on: after half a minute what was before counts no longer.
        for second in 11...40 { _ = left(second * 1000, done: UInt64(1500 + (second - 10) * 10), rest: 2000) }
        #expect(left(40_500, done: 1805, rest: 2000) == 200)
        #expect(left(41_000, done: 1810, rest: 0) == nil)
        #expect(left(90_000, done: 1810, rest: 2000) == nil)
        #expect(left(90_100, done: 1811, rest: .max) == 1_000_000_000)
    }

    /// Shows that lines written while a live line is shown stand above it, and that clearing leaves nothing.
    @Test func theLiveLineStaysLast() {
        let console = TestConsole()
        let live = console.console(isTerminal: true, environment: [:]).live
        live.show("1 of 2", cellCount: 80)
        live.write("warning: hello\n")
        live.show("1 of 2", cellCount: 80)
        live.clear()
        live.clear()
        #expect(console.outcome(0).errors == "\r\u{1B}[2K1 of 2\r\u{1B}[2Kwarning: hello\n1 of 2\r\u{1B}[2K")
    }
}
