import AlbumModel

/// A date and a time of day as a clock shows them, in no time zone.
struct CivilTime: Hashable, Sendable {
    /// From the first photograph that is left to the end of this century.
    static let years = 1826...2099

    /// From 1970-01-01T00:00:00.
    let milliseconds: Int64

    /// - Parameter milliseconds: of the second.
    /// - Returns: `nil` for what is no date, and for dates that only clocks show which were never set.
    init?(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, milliseconds: Int = 0
    ) {
        guard Self.years.contains(year), (1...12).contains(month),
            (1...CivilDate.dayCount(year: year, month: month)).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second),
            (0...999).contains(milliseconds)
        else { return nil }
        let days = Self.days(year, month, day)
        let seconds = Int64(((days * 24 + hour) * 60 + minute) * 60 + second)
        guard !Self.unsetDays.contains(days), !Self.unsetSeconds.contains(seconds) else { return nil }
        self.milliseconds = seconds * 1000 + Int64(milliseconds)
    }

    /// The days on which computers' and films' clocks begin, in any time zone.
    private static let unsetDays: Set<Int> = [
        days(1903, 12, 31), days(1904, 1, 1), days(1969, 12, 31), days(1970, 1, 1),
    ]

    /// Where clocks of 31 and 32 bits end that begin in 1970, in 1904 and in 1900: all bits set stands for "not set".
    private static let unsetSeconds: Set<Int64> = [(1 << 31) - 1, (1 << 32) - 1 - 2_082_844_800, 2_085_978_495]

    /// Days since 1970-01-01.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        Int(CivilDate(year: Int64(year), month: Int64(month), day: Int64(day)).daysSince1970)
    }
}
