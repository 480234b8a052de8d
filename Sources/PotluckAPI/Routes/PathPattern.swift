/// A path below `/api/v1` with named parts, such as `/albums/{album}/photos`.
public struct PathPattern: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    public enum Part: Hashable, Sendable {
        case literal(String)
        case parameter(String)
        /// All the parts that are left, at least one; only at the end.
        case rest
    }

    public let parts: [Part]

    /// Text in braces is a parameter's name; it takes a whole part. Two asterisks take all parts that are left.
    public init(stringLiteral text: String) {
        precondition(text.hasPrefix("/"), "a path begins with a slash")
        parts = text.split(separator: "/").map { part in
            if part == "**" { return .rest }
            return part.hasPrefix("{") && part.hasSuffix("}")
                ? .parameter(String(part.dropFirst().dropLast())) : .literal(String(part))
        }
    }

    public var parameters: [String] {
        parts.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
    }

    public var description: String {
        parts.map { part in
            switch part {
            case .literal(let text): "/\(text)"
            case .parameter(let name): "/{\(name)}"
            case .rest: "/**"
            }
        }.joined()
    }

    /// The parameters of a path that fits, still percent-encoded; `nil` for one that does not.
    public func match(_ path: some StringProtocol) -> [String: String]? {
        let found = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let isOpen = parts.last == .rest
        guard isOpen ? found.count >= parts.count : found.count == parts.count, path.hasPrefix("/") else { return nil }
        var parameters: [String: String] = [:]
        for (part, text) in zip(parts, found) {
            switch part {
            case .literal(let literal):
                guard text == literal else { return nil }
            case .parameter(let name):
                guard !text.isEmpty else { return nil }
                parameters[name] = String(text)
            case .rest: return parameters
            }
        }
        return parameters
    }

    /// The path with its parameters; `nil` where one is missing or empty.
    func path(_ values: [String: String]) -> String? {
        var path = ""
        for part in parts {
            switch part {
            case .literal(let text): path += "/\(text)"
            case .parameter(let name):
                guard let value = values[name], !value.isEmpty else { return nil }
                path += "/" + PercentCoding.encoded(value)
            case .rest: return nil
            }
        }
        return path
    }
}

/// RFC 3986, section 2.1.
public enum PercentCoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Every byte but those that section 2.3 calls unreserved.
    public static func encoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"):
                bytes.append(byte)
            case UInt8(ascii: ".") where text != "." && text != "..": bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `nil` where an escape is broken, or the bytes are not UTF-8.
    ///
    /// - Parameter plusIsSpace: as in queries that a form makes.
    public static func decoded(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
