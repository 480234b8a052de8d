import Crypto

/// A named set of photos, as ``Catalog`` folds it.
public struct Album: Sendable {
    public let id: AlbumID
    public internal(set) var name = Register<String>()
    /// The photo that stands for the album; `nil` as its value takes an earlier choice back.
    public internal(set) var cover = Register<BlobID?>()
    /// What people say is to be added to the clocks of cameras, in seconds. The keys are composed (NFC).
    public internal(set) var cameraClocks: [CameraKey: Register<Int64>] = [:]
    /// The latest reading of a change to the album, none counted later than this device learned of it.
    public internal(set) var updated = ClockReading(microseconds: 0)
    /// Live and removed ones.
    public private(set) var photos: [BlobID: Photo] = [:]
    public private(set) var liveCount = 0
    private var photoSum = PhotoSum()
    private var offsets = OffsetCounts()

    init(id: AlbumID) {
        self.id = id
    }

    /// The name that people gave it; its ID's first digits until a name arrives.
    public var ownName: String { name.shown?.value ?? "Album \(id.hex.prefix(6))" }

    /// Live photos in no order.
    public var livePhotos: some Sequence<(key: BlobID, value: Photo)> { photos.lazy.filter { $0.value.isLive } }

    /// Minutes east of UTC that most live photos state, of equally frequent ones the smallest: where people were, as
    /// far as their cameras knew. `nil` where no photo states any.
    public var usualOffsetMinutes: Int32? { offsets.mostFrequent }

    /// Equal on two devices exactly when they hold the same manifest of this album.
    public var digest: [UInt8] {
        var hasher = ManifestHasher()
        hasher.update(raw: "potluck manifest \(Catalog.level)".utf8)
        hasher.update(id)
        hasher.update(name)
        hasher.update(cover)
        hasher.update(UInt64(cameraClocks.count))
        for (camera, clock) in cameraClocks.sorted(by: { $0.key < $1.key }) {
            hasher.update(camera)
            hasher.update(clock)
        }
        hasher.update(UInt64(liveCount))
        hasher.update(raw: photoSum.bytes)
        return Array(hasher.finalize())
    }

    /// What became of a photo that changed.
    struct PhotoUpdate {
        /// It was not known before.
        var isNew: Bool
        var before: PhotoShare
        var after: PhotoShare
    }

    /// What the album counts of a photo, and what others ask about its change.
    struct PhotoShare {
        /// `nil` unless the photo is live.
        fileprivate var fingerprint: SHA256Digest?
        fileprivate var taken: CaptureTime?
        private(set) var thumbnail: BlobID?

        var isLive: Bool { fingerprint != nil }

        fileprivate init(of photo: Photo, _ blob: BlobID) {
            if photo.isLive { fingerprint = photo.fingerprint(blob) }
            guard let facts = photo.facts else { return }
            taken = facts.taken
            thumbnail = facts.thumbnail?.blob
        }
    }

    /// - Parameter time: of the change; later ones than ``updated`` take its place.
    mutating func updatePhoto(_ blob: BlobID, at time: ClockReading, _ body: (inout Photo) -> Void) -> PhotoUpdate {
        updated = max(updated, time)
        let knownCount = photos.count
        // In its place, so that nothing of it is copied, and it is looked for once.
        let (before, after) = { (photo: inout Photo) in
            let before = PhotoShare(of: photo, blob)
            body(&photo)
            return (before, PhotoShare(of: photo, blob))
        }(&photos[blob, default: Photo()])
        if let fingerprint = before.fingerprint {
            liveCount -= 1
            photoSum.remove(fingerprint)
            offsets.remove(before.taken)
        }
        if let fingerprint = after.fingerprint {
            liveCount += 1
            photoSum.insert(fingerprint)
            offsets.insert(after.taken)
        }
        return PhotoUpdate(isNew: photos.count > knownCount, before: before, after: after)
    }
}

/// The fingerprints of a set, added up word by word: a photo joins or leaves without a look at the others.
private struct PhotoSum: Hashable, Sendable {
    private var words = SIMD4<UInt64>(repeating: 0)

    mutating func insert(_ fingerprint: SHA256Digest) { words &+= Self.words(fingerprint) }
    mutating func remove(_ fingerprint: SHA256Digest) { words &-= Self.words(fingerprint) }

    var bytes: [UInt8] { (0..<4).flatMap { BigEndian.bytes(words[$0]) } }

    private static func words(_ digest: SHA256Digest) -> SIMD4<UInt64> {
        digest.withUnsafeBytes { $0.loadUnaligned(as: SIMD4<UInt64>.self) }
    }
}
