import Crypto

/// 128 random bits that open a door: a link's, a guest's, a session's.
///
/// It is shown as 22 characters of base64url. What prints or logs a value of this type gets no secret.
public struct SecretToken: Sendable, CustomStringConvertible, CustomReflectable {
    public static let byteCount = 16
    public static let characterCount = 22

    private let bytes: [UInt8]

    /// Draws one.
    public init(using generator: inout some RandomNumberGenerator) {
        bytes = (0..<2).flatMap { _ in
            withUnsafeBytes(of: generator.next() as UInt64) { Array($0) }
        }
    }

    /// `nil` unless there are exactly ``byteCount`` bytes.
    init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// Reads ``text``.
    public init?(parsing text: some StringProtocol) {
        guard text.utf8.count == Self.characterCount, let bytes = Base64URL.bytes(text) else { return nil }
        self.init(bytes: bytes)
    }

    /// The secret itself, for a link, a cookie or a bearer.
    public var text: String { Base64URL.text(bytes) }

    /// Under which it is kept: from it nobody finds the token.
    public var digest: TokenDigest { TokenDigest(of: bytes) }

    /// Takes as long for tokens that differ early as for those that differ late.
    public func matches(_ other: SecretToken) -> Bool { ConstantTime.areEqual(bytes, other.bytes) }

    public var description: String { "SecretToken" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension SecretToken: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let token = SecretToken(parsing: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a token")
        }
        self = token
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// SHA-256 of a token: enough to recognise it, and of no use to whoever reads it.
///
/// A token has 128 random bits, so its hash needs neither salt nor slowness.
public struct TokenDigest: Hashable, Sendable {
    private let bytes: [UInt8]

    fileprivate init(of token: [UInt8]) {
        bytes = Array(SHA256.hash(data: token))
    }

    public func matches(_ token: SecretToken) -> Bool { ConstantTime.areEqual(bytes, token.digest.bytes) }

    /// By which people tell sessions apart: the first eight hexadecimal digits.
    public var shortName: String {
        bytes.prefix(4).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}

extension TokenDigest: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let bytes = Base64URL.bytes(try container.decode(String.self)), bytes.count == SHA256.byteCount else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a digest")
        }
        self.bytes = bytes
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Base64URL.text(bytes))
    }
}

enum ConstantTime {
    /// Time depends on the lengths alone.
    static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for (one, other) in zip(left, right) { difference |= one ^ other }
        return difference == 0
    }
}
