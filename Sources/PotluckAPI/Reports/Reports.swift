import AlbumModel

/// What `potluck albums` prints.
///
/// The keys of every report are a promise to scripts: some may be added, none renamed. Sizes are bytes, instants
/// RFC 3339, and what is unknown is `null`. Names come from people and other devices: they are labels, not yet safe
/// for a terminal.
public struct AlbumsReport: Codable, Hashable, Sendable {
    public var albums: [Album]

    public init(albums: [Album]) {
        self.albums = albums
    }

    public struct Album: Codable, Hashable, Sendable {
        /// The `AlbumID` in hexadecimal digits.
        public var id: String
        public var name: String
        public var photos: Int
        public var bytes: UInt64
        /// How many of the photos are whole on this device.
        public var here: Int
        /// The fewest copies that any photo has, this device's included; `null` where that is not known.
        @ExplicitNull public var copiesMin: Int?
        /// When the album last changed.
        @ExplicitNull public var updated: Instant?
        /// Equal on two devices of one `digestLevel` exactly when both hold the same manifest of this album.
        public var digest: String
        public var digestLevel: Int
        /// SHA-256 of the photo that was chosen as the album's cover; `null` where none was.
        @ExplicitNull public var cover: String?

        public init(
            id: String, name: String, photos: Int, bytes: UInt64, here: Int, copiesMin: Int?, updated: Instant?,
            digest: String, digestLevel: Int, cover: String? = nil
        ) {
            self.id = id
            self.name = name
            self.photos = photos
            self.bytes = bytes
            self.here = here
            self.copiesMin = copiesMin
            self.updated = updated
            self.digest = digest
            self.digestLevel = digestLevel
            self.cover = cover
        }

        enum CodingKeys: String, CodingKey {
            case id, name, photos, bytes, here, updated, digest, cover
            case copiesMin = "copies_min"
            case digestLevel = "digest_level"
        }
    }
}

/// What `potluck peers` prints: every known device but this one.
public struct PeersReport: Codable, Hashable, Sendable {
    public var peers: [Peer]

    public init(peers: [Peer]) {
        self.peers = peers
    }

    /// Whether another laptop is called so, or only differently in case or white space at the ends.
    public func hasLaptop(named name: String) -> Bool {
        let key = AlbumName.key(name)
        return peers.contains { $0.name.map { AlbumName.key($0) } == key }
    }

    /// How a device's address was learned.
    public enum Found: String, Codable, Hashable, Sendable, CaseIterable {
        case dnsSD = "dns-sd"
        case `static`
        case gossip
        case inbound
    }

    public struct Peer: Codable, Hashable, Sendable {
        /// The `DeviceID` in hexadecimal digits.
        public var id: String
        /// `null` until the device's own change with its name has arrived.
        @ExplicitNull public var name: String?
        public var connected: Bool
        /// What can be dialled, `HOST:PORT`.
        @ExplicitNull public var address: String?
        @ExplicitNull public var found: Found?
        @ExplicitNull public var lastSeen: Instant?
        /// How many of the gathering's photos it said that it holds, whether or not with what belongs to them; `null` where
        /// that is not known.
        @ExplicitNull public var photos: Int?
        /// Whether its person decides who takes part, as ``HostsReport`` lists; `null` where nobody has told it yet, or the
        /// gathering has no hosts.
        @ExplicitNull public var isHost: Bool?
        /// Whether hosts put it out; absent where that is not so.
        public var isOut: Bool?

        public init(
            id: String, name: String?, connected: Bool, address: String?, found: Found?, lastSeen: Instant?,
            photos: Int?, isHost: Bool? = nil, isOut: Bool? = nil
        ) {
            self.id = id
            self.name = name
            self.connected = connected
            self.address = address
            self.found = found
            self.lastSeen = lastSeen
            self.photos = photos
            self.isHost = isHost
            self.isOut = isOut
        }

        enum CodingKeys: String, CodingKey {
            case id, name, connected, address, found, photos
            case isHost = "host"
            case isOut = "out"
            case lastSeen = "last_seen"
        }
    }
}

/// What `join` and `invite` print; `host` says more (``HostReport``).
public struct InviteReport: Codable, Hashable, Sendable {
    /// The gathering's name; `null` on a device that joined and has not met another one yet.
    @ExplicitNull public var gathering: String?
    /// The invite phrase, such as `lusab-babad-gutih-tugad-kabok`.
    public var phrase: String
    /// `potluck://join/<phrase>`, what the QR code holds.
    public var link: String
    /// Why nobody may come in by the phrase, and what to do; absent where nothing is known against it.
    public var problem: String?

    public init(gathering: String?, phrase: String, link: String, problem: String? = nil) {
        self.gathering = gathering
        self.phrase = phrase
        self.link = link
        self.problem = problem
    }
}

/// What `potluck add` prints.
public struct AddReport: Codable, Hashable, Sendable {
    /// The album's name.
    public var album: String
    /// The `AlbumID` in hexadecimal digits.
    public var albumID: String
    /// The files that are in the album now, in the order in which they were named.
    public var photos: [Photo]
    /// The files that are not though they were meant, each with the reason.
    public var skipped: [SkippedFile]
    /// What is in directories that were named and is no photo or film, each with the reason.
    public var leftOut: [SkippedFile]

    public init(
        album: String, albumID: String, photos: [Photo], skipped: [SkippedFile], leftOut: [SkippedFile] = []
    ) {
        self.album = album
        self.albumID = albumID
        self.photos = photos
        self.skipped = skipped
        self.leftOut = leftOut
    }

    enum CodingKeys: String, CodingKey {
        case album, photos, skipped
        case albumID = "album_id"
        case leftOut = "left_out"
    }

    public struct Photo: Codable, Hashable, Sendable {
        /// SHA-256 of the file, in hexadecimal digits.
        public var id: String
        /// The path as it was sent.
        public var path: String
        /// `false` where the album held these bytes already.
        public var new: Bool

        public init(id: String, path: String, new: Bool) {
            self.id = id
            self.path = path
            self.new = new
        }
    }
}

/// A file that is not shared.
public struct SkippedFile: Codable, Hashable, Sendable {
    public var path: String
    /// Why, in words.
    public var reason: String

    public init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }
}
