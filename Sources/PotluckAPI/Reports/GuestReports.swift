/// The link that lets guests in at this laptop: what `potluck guests on` prints.
public struct GuestLinkReport: Codable, Hashable, Sendable {
    /// `http://ADDRESS:PORT/g/#TOKEN`.
    public var link: String
    /// The same for each other address of this laptop.
    public var others: [String]
    /// RFC 3339; `null` where it does not end.
    @ExplicitNull public var expires: Instant?
    /// Names of the albums that guests see; `null` for all.
    @ExplicitNull public var albums: [String]?
    /// Guests may look, and not add.
    public var lookOnly: Bool
    /// What guests add shows on the wall only once the owner said so.
    public var approve: Bool
    /// Guests learn nothing of where photos were taken, and take home copies without it.
    public var hidesPlaces: Bool

    public init(
        link: String, others: [String], expires: Instant?, albums: [String]?, lookOnly: Bool, approve: Bool,
        hidesPlaces: Bool
    ) {
        self.link = link
        self.others = others
        self.expires = expires
        self.albums = albums
        self.lookOnly = lookOnly
        self.approve = approve
        self.hidesPlaces = hidesPlaces
    }

    enum CodingKeys: String, CodingKey {
        case link, others, expires, albums, approve
        case lookOnly = "look_only"
        case hidesPlaces = "hide_places"
    }
}

/// Who is here: what `potluck guests list` prints.
public struct GuestsReport: Codable, Hashable, Sendable {
    public struct Guest: Codable, Hashable, Sendable {
        public var id: String
        public var name: String
        /// When this guest came in at this laptop; `null` for one of another laptop.
        @ExplicitNull public var joined: Instant?
        @ExplicitNull public var seen: Instant?
        /// How many photos this guest has added.
        public var photos: Int
        public var revoked: Bool

        public init(id: String, name: String, joined: Instant?, seen: Instant?, photos: Int, revoked: Bool) {
            self.id = id
            self.name = name
            self.joined = joined
            self.seen = seen
            self.photos = photos
            self.revoked = revoked
        }
    }

    /// A photo that waits for the owner's word before it shows on the wall.
    public struct Waiting: Codable, Hashable, Sendable {
        public var album: String
        public var albumID: String
        public var photo: String
        public var by: String
        public var name: String

        public init(album: String, albumID: String, photo: String, by: String, name: String) {
            self.album = album
            self.albumID = albumID
            self.photo = photo
            self.by = by
            self.name = name
        }

        enum CodingKeys: String, CodingKey {
            case album, photo, by, name
            case albumID = "album_id"
        }
    }

    /// `null` while the door is closed, and while phones have no address of this laptop.
    @ExplicitNull public var link: GuestLinkReport?
    /// Whether the door is open, also where no link leads to it.
    public var isOpen: Bool
    /// Why there is no link and what to do, in a sentence; `null` where there is one.
    @ExplicitNull public var noLink: String?
    public var guests: [Guest]
    public var waiting: [Waiting]

    public init(link: GuestLinkReport?, isOpen: Bool, noLink: String?, guests: [Guest], waiting: [Waiting]) {
        self.link = link
        self.isOpen = isOpen
        self.noLink = noLink
        self.guests = guests
        self.waiting = waiting
    }

    enum CodingKeys: String, CodingKey {
        case link, guests, waiting
        case isOpen = "open"
        case noLink = "no_link"
    }
}

/// What `potluck open` opens.
public struct OwnerLinkReport: Codable, Hashable, Sendable {
    /// With a one-time code in its fragment, good for a minute.
    public var url: String

    public init(url: String) { self.url = url }
}

/// What became of the link that `potluck open` opens.
public struct OwnerLinkState: Codable, Hashable, Sendable {
    /// Whether its code may still be used: nobody has used it, and its minute is not over.
    public var waits: Bool

    public init(waits: Bool) { self.waits = waits }
}

/// The phones that are signed in as the owner's at this laptop: what `potluck phones` prints.
public struct PhonesReport: Codable, Hashable, Sendable {
    public struct Phone: Codable, Hashable, Sendable {
        /// Eight hexadecimal digits; of no use to whoever wants in.
        public var id: String
        /// When it was signed in.
        public var since: Instant
        /// When it last asked for something, to the minute.
        public var seen: Instant
        /// When it is signed out by itself.
        public var expires: Instant

        public init(id: String, since: Instant, seen: Instant, expires: Instant) {
            self.id = id
            self.since = since
            self.seen = seen
            self.expires = expires
        }
    }

    /// The one that was used last first.
    public var phones: [Phone]

    public init(phones: [Phone]) { self.phones = phones }
}
