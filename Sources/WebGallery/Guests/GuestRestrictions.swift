/// What bounds a guest besides being one: what the link allows, and what a ticket carries to another laptop.
///
/// Restrictions come together by ``narrowed(by:)`` alone. A further one is a field whose default restricts nothing and a
/// line there; laptops that do not know it would not heed it, so the number of the ticket's form changes with it.
public struct GuestRestrictions: Codable, Hashable, Sendable {
    /// Hexadecimal digits of the albums that the guest sees; `nil` for all, also those to come.
    public var albums: Set<String>?
    /// The guest may not add, and not write.
    public var isLookOnly: Bool
    /// The guest does not learn where photos were taken.
    public var hidesPlaces: Bool
    /// Milliseconds since 1970 at which all of it ends; `nil` for never.
    public var expires: Int64?

    /// Restricts nothing where nothing is named.
    public init(
        albums: Set<String>? = nil, isLookOnly: Bool = false, hidesPlaces: Bool = false, expires: Int64? = nil
    ) {
        self.albums = albums
        self.isLookOnly = isLookOnly
        self.hidesPlaces = hidesPlaces
        self.expires = expires
    }

    /// What both allow.
    public func narrowed(by other: GuestRestrictions) -> GuestRestrictions {
        let albums =
            switch (albums, other.albums) {
            case (let own?, let others?): own.intersection(others)
            case (let only?, nil), (nil, let only?): only
            case (nil, nil): nil as Set<String>?
            }
        return GuestRestrictions(
            albums: albums, isLookOnly: isLookOnly || other.isLookOnly, hidesPlaces: hidesPlaces || other.hidesPlaces,
            expires: [expires, other.expires].compactMap(\.self).min())
    }

    /// - Parameter now: Milliseconds since 1970.
    public func hasEnded(now: Int64) -> Bool { expires.map { now >= $0 } ?? false }

    private enum CodingKeys: String, CodingKey {
        case albums, expires
        case isLookOnly = "look_only"
        case hidesPlaces = "hide_places"
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        // In an order of its own: equal restrictions are equal bytes.
        try container.encodeIfPresent(albums?.sorted(), forKey: .albums)
        try container.encode(isLookOnly, forKey: .isLookOnly)
        try container.encode(hidesPlaces, forKey: .hidesPlaces)
        try container.encodeIfPresent(expires, forKey: .expires)
    }
}
