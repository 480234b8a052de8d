/// What `potluck pack` prints.
public struct PackReport: Codable, Hashable, Sendable {
    /// Of the pack, absolute.
    public var directory: String
    @ExplicitNull public var gathering: String?
    /// Batches of changes that were written now.
    public var batches = 0
    /// Photos of this packing that are in the pack.
    public var photos = 0
    /// How many of them were there already.
    public var kept = 0
    /// Thumbnails of this packing that are in the pack.
    public var thumbnails = 0
    /// Of photos and thumbnails that were written now.
    public var bytes: UInt64 = 0
    /// Photos that this laptop knows of and whose bytes it does not have.
    public var absent = 0
    /// Photos for which there was no room.
    public var unpacked = 0
    /// Photos that could not be packed, each with the reason.
    public var leftOut: [PackedPhoto] = []

    public init(directory: String, gathering: String?) {
        self.directory = directory
        self.gathering = gathering
    }

    enum CodingKeys: String, CodingKey {
        case directory, gathering, batches, photos, kept, thumbnails, bytes, absent, unpacked
        case leftOut = "left_out"
    }
}

/// What `potluck unpack` prints.
public struct UnpackReport: Codable, Hashable, Sendable {
    /// Of the pack, absolute.
    public var directory: String
    @ExplicitNull public var gathering: String?
    /// The name of the laptop that packed last; `null` where that cannot be read.
    @ExplicitNull public var packedBy: String?
    /// When it did.
    @ExplicitNull public var packedAt: Instant?
    /// Whether it came to its end; `null` where that cannot be read.
    @ExplicitNull public var whole: Bool?
    /// Batches of changes that were new here.
    public var batches = 0
    /// Batches that were not taken, since they are not properly signed or lack others.
    public var refused = 0
    /// Batches that were packed and cannot be read any more.
    public var unreadable = 0
    /// Photos that were taken from the pack.
    public var photos = 0
    public var thumbnails = 0
    /// Of both.
    public var bytes: UInt64 = 0
    /// Files that were packed and are gone from the pack.
    public var gone = 0
    /// Photos whose files in the pack are damaged, each with the reason.
    public var damaged: [PackedPhoto] = []
    /// Photos that this laptop still misses.
    public var missing = 0
    /// An agent runs, and puts the photos into the folder.
    public var isRunning: Bool

    public init(directory: String, isRunning: Bool) {
        self.directory = directory
        self.isRunning = isRunning
    }

    /// Something of the pack could not be used.
    public var isDamaged: Bool { [refused, unreadable, gone, damaged.count].contains { $0 > 0 } }
    /// Nothing of it was new.
    public var isNothing: Bool { [photos, batches, thumbnails].allSatisfy { $0 <= 0 } }

    enum CodingKeys: String, CodingKey {
        case directory, gathering, whole, batches, refused, unreadable, photos, thumbnails, bytes, gone, damaged
        case missing
        case packedBy = "packed_by"
        case packedAt = "packed_at"
        case isRunning = "running"
    }
}

/// A photo that could not go in or out.
public struct PackedPhoto: Codable, Hashable, Sendable {
    public var id: String
    public var name: String
    /// The end of a sentence.
    public var reason: String

    public init(id: String, name: String, reason: String) {
        self.id = id
        self.name = name
        self.reason = reason
    }
}

/// How far a packing is.
public struct PackProgress: Hashable, Sendable {
    /// Files that are in the pack, or left out.
    public var files = 0
    public var fileTotal = 0
    public var bytes: UInt64 = 0
    public var byteTotal: UInt64 = 0

    public init() {}
}
