import Testing

@testable import MediaReader

/// Reads a date as metadata writes it, in tables: what is one, what is none, what it says of the offset.
@Suite struct FactsDateTests {
    /// 2024-07-01T12:30:05.
    static let summer: Int64 = 1_719_837_005_000

    @Test(
        arguments: [
            ("2024:07:01 12:30:05", summer, nil),
            ("2024-07-01T12:30:05Z", summer, 0),
            ("2024:07:01 12:30:05.25+02:00", summer + 250, 120),
            ("2024:07:01 12:30:05,5-0330", summer + 500, -210),
            ("2024:07:01 12:30:05+02", summer, 120),
            ("2024/07/01 12:30", summer - 5000, nil),
            ("  2024:07:01 12:30:05  ", summer, nil),
            ("2024:07:01", summer - 45_005_000, nil),
            ("2024:07", summer - 45_005_000, nil),
            ("2024", summer - 45_005_000 - 182 * 86_400_000, nil),
            ("2024:07:01   :  :  ", summer - 45_005_000, nil),
            ("2024:02:29 00:00:00", 1_709_164_800_000, nil),
            ("2016:12:31 23:59:60", 1_483_228_800_000, nil),
            ("1968:08:01 10:00:00", -44_719_200_000, nil),
            ("2026:11:24 14:41:16", 1_795_531_276_000, nil),
            // An offset that cannot be is none; the date stands.
            ("2024:07:01 12:30:05+99:99", summer, nil),
            ("2024:07:01 12:30:05 PM", summer, nil),
        ] as [(String, Int64, Int32?)])
    func datesAreRead(_ text: String, _ milliseconds: Int64, _ offset: Int32?) throws {
        let date = try #require(DateText(text))
        #expect(date.milliseconds == milliseconds)
        #expect(date.offsetMinutes == offset)
    }

    /// Zeros, blanks, days that no month has, clocks that were never set, and words.
    @Test(arguments: [
        "", "    :  :     :  :  ", "0000:00:00 00:00:00", "0000:00:00", "2024:13:45 25:61:61", "2024:02:30 10:00:00",
        "2023:02:29 10:00:00", "1900:02:29 10:00:00", "2024:00:10 10:00:00", "2024:07:01 24:00:00",
        "2024:07:01 12:60:00", "2024:07:01 12", "2024:07:01x12:30:05", "1904:01:01 00:00:00", "1970:01:01 00:00:00",
        "1970:01:01 01:00:00", "1969:12:31 19:00:00", "2036:02:07 06:28:15", "2038:01:19 03:14:07",
        "2040:02:06 06:28:15", "2106:02:07 06:28:15", "9999:12:31 23:59:59", "1799:01:01 00:00:00",
        "202:07:01 12:30:05",
        "yesterday", "２０２４:07:01 12:30:05", "-2024:07:01 12:30:05", "2024:07:99999999999999999999 12:30:05",
    ])
    func whatIsNoDateIsNone(_ text: String) {
        #expect(DateText(text) == nil)
    }

    @Test(
        arguments: [
            ("+02:00", 120), ("-05:00", -300), ("+05:45", 345), ("+14:00", 840), ("Z", 0), ("+00:00", 0),
            ("-0330", -210),
            (" +02:00 ", 120), ("", nil), ("   :  ", nil), ("+99:99", nil), ("+14:15", nil), ("02:00", nil),
            ("+2", nil),
            ("+02:60", nil), ("+02:0", nil), ("UTC", nil), ("Zulu", nil),
        ] as [(String, Int32?)])
    func offsetsAreRead(_ text: String, _ minutes: Int32?) {
        #expect(DateText.offset(text) == minutes)
    }

    /// Digits behind a decimal point, however many.
    @Test(arguments: [
        ("054", 54), ("85", 850), ("0532", 53), ("237898", 237), ("1234567", 123), ("00", 0), ("7", 700), ("", 0),
        ("  ", 0), ("x", 0), ("5x", 500),
    ])
    func fractionsAreRead(_ text: String, _ milliseconds: Int) {
        #expect(DateText.milliseconds(fraction: text) == milliseconds)
    }
}
