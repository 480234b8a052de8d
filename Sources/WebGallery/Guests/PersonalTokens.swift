public import AlbumModel
public import Crypto

/// The tokens by which guests come back as themselves: in another browser, after a closed page, at another laptop.
///
/// None is stored: each is the first 128 bits of HMAC-SHA-256 over the guest's ID and how often it was renewed, under a
/// key that the caller keeps. Laptops that share the key know each other's guests.
public struct PersonalTokens: Sendable {
    private static let label = "potluck guest 1"

    private let key: SymmetricKey

    /// - Parameter key: At least 128 bits.
    public init(key: SymmetricKey) {
        precondition(key.bitCount >= 128, "a key this short can be guessed")
        self.key = key
    }

    /// - Parameter key: At least 16 bytes.
    public init(key: [UInt8]) { self.init(key: SymmetricKey(data: key)) }

    /// - Parameter renewal: Counts from 0; a token of an earlier number opens nothing any more.
    public func token(of guest: GuestID, renewal: Int = 0) -> SecretToken {
        var code = HMAC<SHA256>(key: key)
        code.update(data: Array(Self.label.utf8))
        code.update(data: guest.bytes)
        code.update(data: Array("\(renewal)".utf8))
        guard let token = SecretToken(bytes: Array(code.finalize()).prefix(SecretToken.byteCount)) else {
            preconditionFailure("a code of 256 bits has 128")
        }
        return token
    }

    /// Whose token was typed. Compares with all of them, each in constant time: there are at most some hundreds.
    ///
    /// - Parameter guests: With the number of times that each one's token was renewed.
    public func guest(for typed: String, among guests: some Sequence<(guest: GuestID, renewal: Int)>) -> GuestID? {
        guard let typed = SecretToken(parsing: typed) else { return nil }
        var found: GuestID?
        for (guest, renewal) in guests where token(of: guest, renewal: renewal).matches(typed) { found = guest }
        return found
    }

    /// - Parameter origin: Such as `http://10.0.0.5:4712`.
    public static func address(of token: SecretToken, at origin: String) -> String { "\(origin)/g/#me=\(token.text)" }
}
