import Testing

@testable import WebGallery

/// What clocks showed, and the months of the grid.
@Suite struct GridTimeTests {
    /// Shows that a time is read as it stands, whatever its offset, and what is none is refused.
    @Test func textsAreRead() throws {
        let taken = try #require(GridTime(parsing: "2026-08-14T18:40:07.25+02:00"))
        #expect(taken.month.text == "2026-08")
        #expect(taken.day == 14)
        #expect(taken.millisecondOfDay == ((18 * 60 + 40) * 60 + 7) * 1000 + 250)
        #expect(GridTime(parsing: "2026-08-14T18:40:07.250Z") == taken)
        #expect(GridTime(parsing: "2024-02-29T00:00:00") != nil)
        for text in [
            "", "2026-08-14", "2026-08-14 18:40:07", "2026-13-01T00:00:00", "2026-02-29T00:00:00",
            "2026-00-10T00:00:00", "2026-08-00T00:00:00", "2026-08-14T24:00:00", "2026-08-14T18:60:00",
            "2026-08-14T18:40", "2026-08-14T18:40:07.", "2026-08-14T18:40:07Zx", "0000-01-01T00:00:00",
            "12026-08-14T18:40:07", "２０２６-08-14T18:40:07", "-026-08-14T18:40:07",
        ] {
            #expect(GridTime(parsing: text) == nil, "\(text)")
        }
    }

    /// Shows that the one number orders as time does.
    @Test func theyOrderAsTimeDoes() {
        let texts = [
            "0001-01-01T00:00:00", "1999-12-31T23:59:59.999", "2000-01-01T00:00:00", "2026-08-09T23:00:00",
            "2026-08-10T00:00:00", "2026-08-10T00:00:00.001", "2026-09-01T00:00:00", "9999-12-31T23:59:59",
        ]
        let times = texts.map { clock($0) }
        #expect(times == times.sorted())
        #expect(Set(times).count == times.count)
    }

    /// Shows that months are written as they are read, and come newest first with the undated ones at the end.
    @Test func monthsAreNewestFirst() {
        for text in ["2026-08", "0001-01", "9999-12", "undated"] { #expect(GridMonth(parsing: text)?.text == text) }
        for text in ["2026-8", "2026-13", "2026-00", "0000-01", "2026_08", "Undated", "2026-08-01", "+026-08"] {
            #expect(GridMonth(parsing: text) == nil, "\(text)")
        }
        let months = ["undated", "2025-12", "2026-02", "2026-11"].compactMap { GridMonth(parsing: $0) }
        #expect(months.sorted().map(\.text) == ["2026-11", "2026-02", "2025-12", "undated"])
    }

    /// Shows names of days against a calendar that this code does not have.
    @Test func daysHaveNames() {
        #expect(DayName.text(clock("2026-08-14T18:40:00")) == "Friday, 14 August 2026")
        #expect(DayName.text(clock("2000-02-29T00:00:00")) == "Tuesday, 29 February 2000")
        #expect(DayName.text(clock("1970-01-01T00:00:00")) == "Thursday, 1 January 1970")
        #expect(DayName.text(clock("1900-03-01T00:00:00")) == "Thursday, 1 March 1900")
        #expect(DayName.textWithTime(clock("2026-08-14T08:05:59")) == "Friday, 14 August 2026, 08:05")
        #expect(DayName.text(nil) == "Without a date")
    }
}
