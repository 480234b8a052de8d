/// What `potluck originals` and `potluck fetch` print.
public struct OriginalsReport: Codable, Hashable, Sendable {
    public var albums: [Album]

    public init(albums: [Album]) {
        self.albums = albums
    }

    /// Which originals are pulled.
    public enum Policy: String, Codable, Hashable, Sendable, CaseIterable {
        case all
        case none
        case own
    }

    public struct Album: Codable, Hashable, Sendable {
        /// The `AlbumID` in hexadecimal digits.
        public var id: String
        public var name: String
        public var originals: Policy
        public var photos: Int
        /// How many of them are whole on this laptop.
        public var here: Int
        /// Photos that are not here and are not pulled because of the policy.
        public var leftOut: StatusReport.Amount

        public init(
            id: String, name: String, originals: Policy, photos: Int, here: Int, leftOut: StatusReport.Amount
        ) {
            self.id = id
            self.name = name
            self.originals = originals
            self.photos = photos
            self.here = here
            self.leftOut = leftOut
        }

        enum CodingKeys: String, CodingKey {
            case id, name, originals, photos, here
            case leftOut = "left_out"
        }
    }
}

/// What `potluck pause`, `potluck resume` and `potluck limit` print.
public struct TransfersReport: Codable, Hashable, Sendable {
    /// No originals are pulled, because somebody said `potluck pause`.
    public var paused: Bool
    /// Bytes a second that photos and thumbnails leave with at most; `null` for no limit.
    @ExplicitNull public var limitUp: UInt64?
    /// The same of what comes.
    @ExplicitNull public var limitDown: UInt64?

    public init(paused: Bool, limitUp: UInt64?, limitDown: UInt64?) {
        self.paused = paused
        self.limitUp = limitUp
        self.limitDown = limitDown
    }

    enum CodingKeys: String, CodingKey {
        case paused
        case limitUp = "limit_up"
        case limitDown = "limit_down"
    }
}

/// What is to be changed of this laptop's transfers; `nil` changes nothing.
public struct TransferEdit: Codable, Hashable, Sendable {
    public var isPaused: Bool?
    public var up: LimitWord?
    public var down: LimitWord?

    public init(isPaused: Bool? = nil, up: LimitWord? = nil, down: LimitWord? = nil) {
        self.isPaused = isPaused
        self.up = up
        self.down = down
    }

    private enum CodingKeys: String, CodingKey {
        case up, down
        case isPaused = "paused"
    }
}

/// How the disk of the home is filled, as `potluck status` prints it.
public struct DiskReport: Codable, Hashable, Sendable {
    /// Bytes that this person may still use.
    public var free: UInt64
    /// Bytes that are kept free of originals.
    public var reserve: UInt64

    /// What takes how much of it, as of some minutes ago; `nil` where nobody looked yet.
    public var use: Use?

    public init(free: UInt64, reserve: UInt64) {
        self.free = free
        self.reserve = reserve
    }

    /// In bytes.
    public struct Use: Codable, Hashable, Sendable {
        /// Originals of photos in albums.
        public var photos: UInt64
        /// Originals of photos that were removed from their albums.
        public var trash: UInt64
        /// Small pictures, and what belongs to no album.
        public var pictures: UInt64
        /// Files of the folder that share no space with these.
        public var folder: UInt64

        public init(photos: UInt64, trash: UInt64, pictures: UInt64, folder: UInt64) {
            self.photos = photos
            self.trash = trash
            self.pictures = pictures
            self.folder = folder
        }
    }
}
