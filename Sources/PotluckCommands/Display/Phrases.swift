import AlbumModel
import PotluckAPI

/// Numbers and times as people say them.
enum Phrases {
    /// `1 photo`, `2 photos`, `1,234 photos`.
    static func count(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
        "\(grouped(number)) \(number == 1 ? singular : plural ?? singular + "s")"
    }

    /// `1,234,567`.
    static func grouped(_ number: Int) -> String {
        var digits = String(number.magnitude)
        var groups: [Substring] = []
        while digits.count > 3 {
            groups.insert(digits.suffix(3), at: 0)
            digits = String(digits.dropLast(3))
        }
        groups.insert(digits[...], at: 0)
        return (number < 0 ? "-" : "") + groups.joined(separator: ",")
    }

    /// `0 bytes`, `1 byte`, `512 bytes`, `4.2 MB`, `160 MB`: decimal units, one decimal below a hundred.
    static func size(_ byteCount: UInt64) -> String {
        if byteCount < 1000 { return count(Int(byteCount), "byte") }
        var unit: UInt64 = 1000
        let names = ["kB", "MB", "GB", "TB", "PB", "EB"]
        for (index, name) in names.enumerated() {
            let (below, rest) = byteCount.quotientAndRemainder(dividingBy: unit)
            let tenths = below > 99 ? 1000 : below * 10 + (rest / (unit / 100) + 5) / 10
            if tenths < 1000 || index == names.count - 1 { return "\(tenths / 10).\(tenths % 10) \(name)" }
            let whole = below + (rest >= unit / 2 ? 1 : 0)
            if whole < 1000 { return "\(whole) \(name)" }
            unit *= 1000
        }
        preconditionFailure("the last unit takes what is left")
    }

    /// `3 photos, 12.6 MB`; without the size where that of some of the files is not known.
    static func amount(_ amount: StatusReport.Amount, _ singular: String) -> String {
        let number = count(amount.photos, singular)
        return amount.unmeasured == nil ? "\(number), \(size(amount.bytes))" : number
    }

    /// `just now`, `5 minutes ago`, `yesterday`, `3 days ago`; the date when it is more than 30 days from now.
    static func ago(_ instant: Instant, now: Instant) -> String {
        let seconds = Int((now.millisecondsSince1970 - instant.millisecondsSince1970) / 1000)
        // Clocks differ between devices: a little in the future is now.
        switch seconds {
        case -600..<10: return "just now"
        case 10..<60: return "\(count(seconds, "second")) ago"
        case 60..<3600: return "\(count(seconds / 60, "minute")) ago"
        case 3600..<86_400: return "\(count(seconds / 3600, "hour")) ago"
        case 86_400..<172_800: return "yesterday"
        case 172_800..<2_592_000: return "\(count(seconds / 86_400, "day")) ago"
        default: return instant.dateText
        }
    }

    /// `3 s`, `5 min`, `2 h 5 min`, `more than a day`.
    static func duration(seconds: UInt64) -> String {
        switch seconds {
        case ..<60: return "\(max(1, seconds)) s"
        case ..<3600: return "\((seconds + 30) / 60) min"
        case ..<86_400:
            let minutes = (seconds + 30) / 60
            return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
        default: return "more than a day"
        }
    }

    /// `, about 3 min left`; nothing where that is not known.
    static func left(seconds: UInt64?) -> String { seconds.map { ", about \(duration(seconds: $0)) left" } ?? "" }

    /// `5 s`, `2 min`, `1 h 2 min 5 s`, `3 days 1 s`: nothing is rounded.
    static func exactDuration(seconds: UInt64) -> String {
        let days = seconds / 86_400
        let parts = [
            days == 0 ? nil : count(Int(days), "day"),
            seconds / 3600 % 24 == 0 ? nil : "\(seconds / 3600 % 24) h",
            seconds / 60 % 60 == 0 ? nil : "\(seconds / 60 % 60) min",
            seconds % 60 == 0 ? nil : "\(seconds % 60) s",
        ]
        return seconds == 0 ? "0 s" : parts.compactMap { $0 }.joined(separator: " ")
    }

    /// `A`, `A and B`, `A, B and C`.
    static func list(_ names: [String]) -> String { names.sentenceList }
}
