public import AlbumModel
import DiskIO

/// What the index was made from. Where it differs from the journal's, the index is out of date.
public struct IndexStamp: Hashable, Sendable {
    /// The fold's level.
    public var foldLevel: Int
    /// The version vector, and what is left out of the fold, in an encoding that is the caller's.
    public var vector: [UInt8]

    public init(foldLevel: Int, vector: [UInt8]) {
        self.foldLevel = foldLevel
        self.vector = vector
    }
}

/// One album, as the index keeps it.
public struct AlbumRow: Hashable, Sendable {
    public var id: AlbumID
    /// As shown.
    public var name: String
    /// The clock of the last change, in microseconds since 1970.
    public var updated: UInt64
    public var digest: [UInt8]
    /// The photo that people chose for it; `nil` where nobody did.
    public var cover: BlobID?
    /// ``AlbumModel/Album/usualOffsetMinutes``: what photos are ordered by of which only the instant is known.
    public var usualOffsetMinutes: Int32?
    /// What is to be added to cameras' clocks, in seconds; cameras that are right may be left out.
    public var cameraClocks: [CameraKey: Int64]

    public init(
        id: AlbumID, name: String, updated: UInt64, digest: [UInt8], cover: BlobID? = nil,
        usualOffsetMinutes: Int32? = nil, cameraClocks: [CameraKey: Int64] = [:]
    ) {
        self.id = id
        self.name = name
        self.updated = updated
        self.digest = digest
        self.cover = cover
        self.usualOffsetMinutes = usualOffsetMinutes
        self.cameraClocks = cameraClocks
    }
}

/// One device of the gathering, as the index keeps it.
public struct DeviceRow: Hashable, Sendable {
    public var id: DeviceID
    /// By which its photos are found.
    public var name: String

    public init(id: DeviceID, name: String) {
        self.id = id
        self.name = name
    }
}

/// One guest of the gathering, as the index keeps it.
public struct GuestRow: Hashable, Sendable {
    public var id: GuestID
    /// By which what the guest added is found.
    public var name: String

    public init(id: GuestID, name: String) {
        self.id = id
        self.name = name
    }
}

/// An album with the sums over its photos.
public struct AlbumListing: Hashable, Sendable {
    public var album: AlbumRow
    /// A photo with all that belongs to it counts once.
    public var photoCount: Int
    public var byteCount: UInt64
    /// How many of the photos are on this device, with all that belongs to them.
    public var hereCount: Int
}

/// One blob that the store holds, as the index remembers it.
struct BlobRow: Hashable, Sendable {
    var id: BlobID
    var byteCount: UInt64
    /// The file's values when its bytes were last known to be right; `nil` where nobody has looked since.
    var seen: FileMark?
    /// What is known of the pieces; `nil` keeps what the index has.
    var pieceList: PieceList?
}

/// The values of a file that change when its bytes do, or when it becomes another file.
///
/// The device's number is none of them: it may change from boot to boot, and would cost a read of every blob.
struct FileMark: Hashable, Sendable {
    var inode: UInt64
    var byteCount: UInt64
    var modified: Int64
    var changed: Int64

    init(_ stat: FileStat) {
        inode = stat.inode
        byteCount = stat.byteCount
        modified = stat.modified
        changed = stat.changed
    }

    init(inode: UInt64, byteCount: UInt64, modified: Int64, changed: Int64) {
        self.inode = inode
        self.byteCount = byteCount
        self.modified = modified
        self.changed = changed
    }
}
