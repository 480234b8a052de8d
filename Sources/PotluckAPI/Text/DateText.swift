import AlbumModel

extension CivilDate {
    /// `2026-11-21`.
    var text: String {
        [Digits.padded(year, to: 4), Digits.padded(month, to: 2), Digits.padded(day, to: 2)].joined(separator: "-")
    }
}

/// The time of a day.
enum DayClock {
    /// `hh:mm:ss`; `seconds` since midnight, 0 to 86,399.
    static func text(seconds: Int64) -> String {
        [seconds / 3600, seconds / 60 % 60, seconds % 60].map { Digits.padded($0, to: 2) }.joined(separator: ":")
    }
}

package enum Digits {
    /// With zeros in front, at least `digitCount` long.
    package static func padded(_ number: Int64, to digitCount: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, digitCount - digits.count)) + digits
    }
}
