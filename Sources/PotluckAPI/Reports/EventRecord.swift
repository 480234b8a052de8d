/// One thing that happened, as `potluck events` prints it: `at`, `event`, and what else this kind has.
public struct EventRecord: Codable, Hashable, Sendable {
    public var at: Instant
    public var event: Kind
    /// The `DeviceID` of the device that this is about.
    public var peer: String?
    /// The `AlbumID` of the album that this is about.
    public var album: String?
    /// The SHA-256 of the photo that this is about.
    public var photo: String?
    /// The name of the photo, else of the album, else of the device that this is about.
    public var name: String?
    /// The name of the device that removed the photo, or of whoever added it.
    public var by: String?
    /// The photo's path below the folder.
    public var file: String?
    /// What the other device can be dialled at, `HOST:PORT`.
    public var address: String?
    /// How many files of photos are still missing: a Live Photo has two.
    public var missingPhotos: Int?
    /// How many bytes are still missing.
    public var missingBytes: UInt64?
    /// Bytes a second that arrive now.
    public var rate: UInt64?
    /// What is wrong and what to do, in words.
    public var message: String?

    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        case peerConnected = "peer.connected"
        case peerLost = "peer.lost"
        case albumChanged = "album.changed"
        case photoAdded = "photo.added"
        case photoHere = "photo.here"
        case photoRemoved = "photo.removed"
        /// Something else about a photo of an album: its thumbnail, date, words, favourites or comments.
        case photoChanged = "photo.changed"
        /// A guest was named or revoked, or a new epoch began.
        case guestsChanged = "guests.changed"
        case transferProgress = "transfer.progress"
        /// Files went or changed in such numbers that a person is asked.
        case brakeHeld = "brake.held"
        /// Nothing waits for a person's word any more.
        case brakeReleased = "brake.released"
        case problem
    }

    enum CodingKeys: String, CodingKey {
        case at, event, peer, album, photo, name, by, file, address, rate, message
        case missingPhotos = "missing_photos"
        case missingBytes = "missing_bytes"
    }

    /// An event with nothing but its time and kind; set what else is known.
    public init(at: Instant, event: Kind) {
        self.at = at
        self.event = event
    }
}

extension EventRecord {
    public static func peerConnected(at: Instant, peer: String, name: String?, address: String?) -> EventRecord {
        var record = EventRecord(at: at, event: .peerConnected)
        record.peer = peer
        record.name = name
        record.address = address
        return record
    }

    public static func peerLost(at: Instant, peer: String, name: String?) -> EventRecord {
        var record = EventRecord(at: at, event: .peerLost)
        record.peer = peer
        record.name = name
        return record
    }

    public static func albumChanged(at: Instant, album: String, name: String) -> EventRecord {
        var record = EventRecord(at: at, event: .albumChanged)
        record.album = album
        record.name = name
        return record
    }

    public static func photoAdded(
        at: Instant, album: String, photo: String, name: String, by: String?
    ) -> EventRecord {
        var record = EventRecord(at: at, event: .photoAdded)
        record.album = album
        record.photo = photo
        record.name = name
        record.by = by
        return record
    }

    public static func photoHere(
        at: Instant, album: String, photo: String, name: String, file: String?
    ) -> EventRecord {
        var record = EventRecord(at: at, event: .photoHere)
        record.album = album
        record.photo = photo
        record.name = name
        record.file = file
        return record
    }

    public static func photoRemoved(
        at: Instant, album: String, photo: String, name: String, by: String? = nil
    ) -> EventRecord {
        var record = EventRecord(at: at, event: .photoRemoved)
        record.album = album
        record.photo = photo
        record.name = name
        record.by = by
        return record
    }

    public static func photoChanged(at: Instant, album: String, photo: String) -> EventRecord {
        var record = EventRecord(at: at, event: .photoChanged)
        record.album = album
        record.photo = photo
        return record
    }

    public static func guestsChanged(at: Instant) -> EventRecord { EventRecord(at: at, event: .guestsChanged) }

    public static func transferProgress(
        at: Instant, missingPhotos: Int, missingBytes: UInt64, rate: UInt64?
    ) -> EventRecord {
        var record = EventRecord(at: at, event: .transferProgress)
        record.missingPhotos = missingPhotos
        record.missingBytes = missingBytes
        record.rate = rate
        return record
    }

    public static func brakeHeld(at: Instant, message: String) -> EventRecord {
        var record = EventRecord(at: at, event: .brakeHeld)
        record.message = message
        return record
    }

    public static func brakeReleased(at: Instant) -> EventRecord { EventRecord(at: at, event: .brakeReleased) }

    public static func problem(at: Instant, message: String) -> EventRecord {
        var record = EventRecord(at: at, event: .problem)
        record.message = message
        return record
    }
}
