/// What batches changed, so that caches can follow.
public struct CatalogDifference: Hashable, Sendable {
    /// Those of which anything changed, their photos included.
    public var albums: Set<AlbumID> = []
    /// Photos whose adds or names changed.
    public var photos: Set<PhotoKey> = []
    /// Those of ``photos`` that came to be live.
    public var addedPhotos: Set<PhotoKey> = []
    /// Those of ``photos`` that ceased to be live; where a photo did both, the catalog knows how it ended.
    public var removedPhotos: Set<PhotoKey> = []
    /// Photos of which facts came, live or not.
    public var readPhotos: Set<PhotoKey> = []
    /// Photos whose captions, tags, favours or comments changed, live or not.
    public var wordedPhotos: Set<PhotoKey> = []
    /// Blobs that some photo's facts came, or ceased, to name as its thumbnail, the photo being live or not.
    public var thumbnails: Set<BlobID> = []
    public var devices: Set<DeviceID> = []
    public var gatheringNamed = false
    /// Guests that were named or revoked.
    public var guests: Set<GuestID> = []
    public var guestEpochRaised = false
    /// Devices whose door for guests opened, closed or moved.
    public var guestDoors: Set<DeviceID> = []

    public init() {}

    /// Every photo of which something changed.
    public var allPhotos: Set<PhotoKey> { photos.union(readPhotos).union(wordedPhotos) }

    public var isEmpty: Bool {
        albums.isEmpty && photos.isEmpty && devices.isEmpty && !gatheringNamed && guests.isEmpty && !guestEpochRaised
            && guestDoors.isEmpty
    }
}
