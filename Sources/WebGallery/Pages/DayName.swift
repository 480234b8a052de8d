/// Days and times as pages write them, in English as everything else on them.
enum DayName {
    private static let weekdays = ["Saturday", "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// `Friday, 14 August 2026`; `Without a date` for `nil`.
    static func text(_ taken: GridTime?) -> String {
        guard let taken, let year = taken.month.year, let month = taken.month.month else { return "Without a date" }
        return "\(weekdays[weekday(year, month, taken.day)]), \(taken.day) \(months[month - 1]) \(year)"
    }

    /// `Friday, 14 August 2026, 18:40`.
    static func textWithTime(_ taken: GridTime) -> String {
        let minutes = taken.millisecondOfDay / 60_000
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(text(taken)), \(two(minutes / 60)):\(two(minutes % 60))"
    }

    /// Zeller's congruence; 0 is a Saturday.
    private static func weekday(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let (shifted, ofYear) = month < 3 ? (month + 12, year - 1) : (month, year)
        return (day + 13 * (shifted + 1) / 5 + ofYear + ofYear / 4 - ofYear / 100 + ofYear / 400) % 7
    }
}

/// Counts as people write them.
enum CountText {
    /// `1 photo`, `1,234 photos`.
    static func text(_ count: Int, _ noun: String) -> String { "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")" }

    private static func grouped(_ count: Int) -> String {
        let digits = Array(String(count))
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }
}
