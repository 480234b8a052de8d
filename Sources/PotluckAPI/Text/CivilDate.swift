/// A day of the Gregorian calendar, extended backwards.
///
/// The arithmetic is Howard Hinnant's "chrono-compatible low-level date algorithms": years begin in March, in eras
/// of 400 years.
struct CivilDate {
    var year: Int64
    var month: Int64
    var day: Int64

    init(year: Int64, month: Int64, day: Int64) {
        self.year = year
        self.month = month
        self.day = day
    }

    init(daysSince1970: Int64) {
        let (era, dayOfEra) = (daysSince1970 + 719_468).flooringDivided(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSince1970: Int64 {
        let (era, yearOfEra) = (month <= 2 ? year - 1 : year).flooringDivided(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    var text: String {
        [Digits.padded(year, to: 4), Digits.padded(month, to: 2), Digits.padded(day, to: 2)].joined(separator: "-")
    }
}

extension Int64 {
    /// Quotient towards minus infinity, and a remainder that is never negative.
    func flooringDivided(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
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
