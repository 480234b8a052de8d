/// Goes through XML, or what claims to be, from tag to tag, once and without ever looking back.
struct MarkupScanner {
    struct Attribute {
        var name: String
        var value: String
    }

    enum Part {
        case element(name: String, attributes: [Attribute])
        /// Between two tags, without white space around it.
        case text(String)
        case end
    }

    private static let attributeCountMax = 128

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// `nil` at the end.
    mutating func next() -> Part? {
        while position < bytes.count {
            if bytes[position] != UInt8(ascii: "<") {
                let text = Self.unescaped(take { $0 == UInt8(ascii: "<") })
                if !text.isEmpty { return .text(text) }
            } else if let part = tag() {
                return part
            }
        }
        return nil
    }

    /// A tag's parts; `nil` for comments and instructions, which are skipped.
    private mutating func tag() -> Part? {
        position += 1
        guard position < bytes.count else { return nil }
        switch bytes[position] {
        case UInt8(ascii: "!"), UInt8(ascii: "?"):
            _ = take { $0 == UInt8(ascii: ">") }
            position += 1
            return nil
        case UInt8(ascii: "/"):
            _ = take { $0 == UInt8(ascii: ">") }
            position += 1
            return .end
        default:
            let name = String(decoding: take(until: Self.endsName), as: UTF8.self)
            return .element(name: name, attributes: attributes())
        }
    }

    private mutating func attributes() -> [Attribute] {
        var found: [Attribute] = []
        while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
            let name = take(until: Self.endsName)
            guard !name.isEmpty else {
                position += 1
                continue
            }
            skipSpace()
            guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else { continue }
            position += 1
            skipSpace()
            guard position < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[position])
            else { continue }
            let quote = bytes[position]
            position += 1
            let value = take { $0 == quote }
            position += 1
            guard found.count < Self.attributeCountMax else { continue }
            found.append(Attribute(name: String(decoding: name, as: UTF8.self), value: Self.unescaped(value)))
        }
        position += 1
        return found
    }

    private mutating func take(until ends: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = position
        while position < bytes.count, !ends(bytes[position]) { position += 1 }
        return bytes[start..<position]
    }

    private mutating func skipSpace() {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func endsName(_ byte: UInt8) -> Bool {
        isSpace(byte) || [UInt8(ascii: "="), UInt8(ascii: "/"), UInt8(ascii: ">")].contains(byte)
    }

    private static let entities: [(String, String)] = [
        ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&"),
    ]

    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
        let text = Text.clean(bytes)
        guard text.contains("&") else { return text }
        var result = "", rest = text[...]
        while let mark = rest.firstIndex(of: "&") {
            result += rest[..<mark]
            rest = rest[mark...]
            let entity = entities.first { rest.hasPrefix($0.0) }
            result += entity?.1 ?? "&"
            rest = rest.dropFirst(entity?.0.count ?? 1)
        }
        return result + rest
    }
}
