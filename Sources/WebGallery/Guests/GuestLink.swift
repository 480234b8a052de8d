/// The link that lets guests in at this laptop, and what they may do who came by it.
///
/// It is kept as it is, with its secret, in the home: the wall and the owner's page show it again and again.
public struct GuestLink: Codable, Sendable {
    public var token: SecretToken
    /// Hexadecimal digits of the albums that guests see; `nil` for all, also those to come.
    public var albums: [String]?
    /// Guests may not add, and not write.
    public var isLookOnly: Bool
    /// What guests add shows on the wall only after a tap of the owner.
    public var needsApproval: Bool
    /// Guests learn nothing of where photos were taken.
    public var hidesPlaces: Bool
    /// Milliseconds since 1970 at which it ends; `nil` for never.
    public var expires: Int64?

    public init(
        token: SecretToken, albums: [String]? = nil, isLookOnly: Bool = false, needsApproval: Bool = false,
        hidesPlaces: Bool = false, expires: Int64? = nil
    ) {
        self.token = token
        self.albums = albums
        self.isLookOnly = isLookOnly
        self.needsApproval = needsApproval
        self.hidesPlaces = hidesPlaces
        self.expires = expires
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        token = try container.decode(SecretToken.self, forKey: .token)
        albums = try container.decodeIfPresent([String].self, forKey: .albums)
        isLookOnly = try container.decode(Bool.self, forKey: .isLookOnly)
        needsApproval = try container.decode(Bool.self, forKey: .needsApproval)
        // Links of before do not say it.
        hidesPlaces = try container.decodeIfPresent(Bool.self, forKey: .hidesPlaces) ?? false
        expires = try container.decodeIfPresent(Int64.self, forKey: .expires)
    }

    public enum Admission: Hashable, Sendable {
        case admitted
        /// 401: not this link's token.
        case wrong
        /// 410: the token is right, and its time is over.
        case ended
    }

    /// - Parameter now: Milliseconds since 1970.
    public func admission(_ typed: String, now: Int64) -> Admission {
        guard let typed = SecretToken(parsing: typed), typed.matches(token) else { return .wrong }
        return restrictions.hasEnded(now: now) ? .ended : .admitted
    }

    /// What bounds the guests who come by it.
    public var restrictions: GuestRestrictions {
        GuestRestrictions(
            albums: albums.map { Set($0) }, isLookOnly: isLookOnly, hidesPlaces: hidesPlaces, expires: expires)
    }

    /// - Parameter origin: Such as `http://10.0.0.5:4712`.
    public func address(at origin: String) -> String { "\(origin)/g/#\(token.text)" }

    private enum CodingKeys: String, CodingKey {
        case token, albums, expires
        case isLookOnly = "look_only"
        case needsApproval = "approve"
        case hidesPlaces = "hide_places"
    }
}
