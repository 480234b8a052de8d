/// What `potluck leave-check` prints: whether the photos of this laptop are on others as well.
public struct LeaveReport: Codable, Hashable, Sendable {
    /// The most photos that are listed.
    public static let itemCountMax = 1000

    /// Every photo that is here is on so many others as were asked for.
    public var safe: Bool
    /// How many other laptops a photo should be on.
    public var others: Int
    /// What is on this laptop, each photo once; a photo of several files also where only some of them are.
    public var here: StatusReport.Amount
    /// What is on this laptop alone, and lost if it is.
    public var alone: StatusReport.Amount
    /// What is on fewer others than it should be, those that are nowhere else included. Of a photo that is there in part,
    /// the bytes of the files that are not.
    public var short: StatusReport.Amount
    /// How many of the short photos the connected laptops cannot make safe, because too few of them are connected.
    public var blocked: Int
    /// What lies in the folder and is not shared yet, counted above as being on this laptop alone; absent without an agent.
    public var incoming: StatusReport.Amount?
    /// About how long it takes until that is shared, at the pace of the last half minute; `nil` where that is not known.
    public var incomingSeconds: UInt64?
    /// What stands in the way, each a sentence.
    public var obstacles: [String]
    /// Bytes a second that leave this laptop; `null` without an agent.
    @ExplicitNull public var rate: UInt64?
    /// About how long it takes until everything is safe, at this rate; `null` where that cannot be said.
    @ExplicitNull public var seconds: UInt64?
    /// Albums of which something is here, by name.
    public var albums: [Album]
    /// The other devices.
    public var devices: [Device]
    /// The short photos, those on the fewest others first; of a photo with several files the one that is on the fewest.
    public var photos: [Photo]

    public init(
        safe: Bool, others: Int, here: StatusReport.Amount, alone: StatusReport.Amount, short: StatusReport.Amount,
        blocked: Int, incoming: StatusReport.Amount?, obstacles: [String], rate: UInt64?, seconds: UInt64?,
        albums: [Album], devices: [Device], photos: [Photo]
    ) {
        self.safe = safe
        self.others = others
        self.here = here
        self.alone = alone
        self.short = short
        self.blocked = blocked
        self.incoming = incoming
        self.obstacles = obstacles
        self.rate = rate
        self.seconds = seconds
        self.albums = albums
        self.devices = devices
        self.photos = photos
    }

    enum CodingKeys: String, CodingKey {
        case safe, others, here, alone, short, blocked, incoming, obstacles, rate, seconds, albums, devices, photos
        case incomingSeconds = "incoming_seconds"
    }

    public struct Album: Codable, Hashable, Sendable {
        /// The `AlbumID` in hexadecimal digits.
        public var id: String
        public var name: String
        /// How many of its photos are here, and of these on this laptop alone, and on too few others.
        public var here: Int
        public var alone: Int
        public var short: Int
        /// The fewest others that any of these photos is on.
        public var othersMin: Int

        public init(id: String, name: String, here: Int, alone: Int, short: Int, othersMin: Int) {
            self.id = id
            self.name = name
            self.here = here
            self.alone = alone
            self.short = short
            self.othersMin = othersMin
        }

        enum CodingKeys: String, CodingKey {
            case id, name, here, alone, short
            case othersMin = "others_min"
        }
    }

    public struct Device: Codable, Hashable, Sendable {
        /// The `DeviceID` in hexadecimal digits.
        public var id: String
        public var name: String
        public var connected: Bool
        /// How many of the photos that are here it has, whether or not with what belongs to them, as far as it said within
        /// the last days.
        public var photos: Int

        public init(id: String, name: String, connected: Bool, photos: Int) {
            self.id = id
            self.name = name
            self.connected = connected
            self.photos = photos
        }
    }

    public struct Photo: Codable, Hashable, Sendable {
        /// SHA-256 of the original, in hexadecimal digits.
        public var id: String
        /// The album's name.
        public var album: String
        public var name: String
        public var bytes: UInt64
        /// The other devices that have it.
        public var `where`: [String]

        public init(id: String, album: String, name: String, bytes: UInt64, where: [String]) {
            self.id = id
            self.album = album
            self.name = name
            self.bytes = bytes
            self.where = `where`
        }
    }
}
