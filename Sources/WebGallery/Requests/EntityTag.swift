import Crypto

/// A version of what an address stands for, by RFC 9110, section 8.8.3.
public struct EntityTag: Hashable, Sendable {
    /// What stands in the quotes.
    public var opaque: String
    /// Equal weak tags promise content that means the same, not equal bytes.
    public var isWeak: Bool

    /// - Parameter opaque: Characters of section 8.8.3's `etagc`; our own are base64url and hexadecimal digits.
    public init(opaque: String, isWeak: Bool = false) {
        precondition(opaque.utf8.allSatisfy(Self.isPlain), "a character that no entity tag has")
        self.opaque = opaque
        self.isWeak = isWeak
    }

    /// A strong tag of these bytes: 128 bits of their SHA-256.
    public init(hashing bytes: some Sequence<UInt8>) {
        self.init(opaque: Base64URL.text(SHA256.hash(data: Array(bytes)).prefix(16)))
    }

    /// Reads one tag, without blanks around it.
    public init?(parsing text: some StringProtocol) {
        var rest = Array(text.utf8)[...]
        isWeak = rest.starts(with: "W/".utf8)
        if isWeak { rest = rest.dropFirst(2) }
        guard rest.count >= 2, rest.first == Self.quote, rest.last == Self.quote,
            rest.dropFirst().dropLast().allSatisfy(Self.isPlain)
        else { return nil }
        opaque = String(decoding: rest.dropFirst().dropLast(), as: UTF8.self)
    }

    /// As it stands in a header field.
    public var text: String { (isWeak ? "W/" : "") + "\"\(opaque)\"" }

    /// Both are strong and alike.
    public func isStronglyEqual(to other: EntityTag) -> Bool { !isWeak && !other.isWeak && opaque == other.opaque }

    /// Alike, strong or weak.
    public func isWeaklyEqual(to other: EntityTag) -> Bool { opaque == other.opaque }

    fileprivate static let quote = UInt8(ascii: "\"")

    fileprivate static func isPlain(_ unit: UInt8) -> Bool { unit == 0x21 || unit >= 0x23 && unit != 0x7F }
}

/// What `If-Match` and `If-None-Match` hold, by RFC 9110, sections 13.1.1 and 13.1.2.
enum EntityTagList: Hashable {
    /// `*`: whatever there is.
    case any
    case tags([EntityTag])

    /// Takes what is no tag for nothing: a list of nothing matches nothing.
    init(parsing text: String) {
        if text.trimmingBlanks == "*" {
            self = .any
            return
        }
        var tags: [EntityTag] = []
        var rest = text.utf8[...]
        while !rest.isEmpty {
            rest = rest.drop { Self.isBlank($0) || $0 == UInt8(ascii: ",") }
            // A comma may stand within the quotes.
            let start = rest.startIndex
            if rest.starts(with: "W/".utf8) { rest = rest.dropFirst(2) }
            guard rest.first == EntityTag.quote,
                let end = rest.dropFirst().firstIndex(of: EntityTag.quote)
            else { break }
            rest = rest[rest.index(after: end)...]
            if let tag = EntityTag(parsing: text[start..<rest.startIndex]) { tags.append(tag) }
        }
        self = .tags(tags)
    }

    private static func isBlank(_ unit: UInt8) -> Bool { unit == UInt8(ascii: " ") || unit == UInt8(ascii: "\t") }

    func contains(_ current: EntityTag?, _ isEqual: (EntityTag, EntityTag) -> Bool) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): current.map { tag in tags.contains { isEqual($0, tag) } } ?? false
        }
    }
}
