/// What a person says about one of the limits.
public enum LimitWord: Hashable, Sendable, RawRepresentable, Codable {
    /// As the settings say.
    case standard
    case off
    /// Bytes a second.
    case rate(UInt64)

    /// Slower, a photo would take so long that peers take this laptop for dead.
    public static let rateMin: UInt64 = 10_000

    public init?(rawValue: String) {
        switch rawValue {
        case "default": self = .standard
        case "off": self = .off
        default:
            guard let rate = UInt64(rawValue), rate >= Self.rateMin else { return nil }
            self = .rate(rate)
        }
    }

    public var rawValue: String {
        switch self {
        case .standard: "default"
        case .off: "off"
        case .rate(let rate): "\(rate)"
        }
    }

    /// Reads `off`, `default`, or an amount a second such as `500 kB` or `2 MB/s`.
    public init?(parsing text: String) {
        let word = text.lowercased()
        if let plain = LimitWord(rawValue: word) {
            self = plain
        } else if let rate = ByteAmount.parse(word.hasSuffix("/s") ? String(word.dropLast(2)) : word),
            rate >= Self.rateMin
        {
            self = .rate(rate)
        } else {
            return nil
        }
    }
}
