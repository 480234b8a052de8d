import Crypto

/// A named set of photos, as ``Catalog`` folds it.
public struct Album: Sendable {
    public let id: AlbumID
    public internal(set) var name = Register<String>()
    /// The latest reading of a change to the album, none counted later than this device learned of it.
    public internal(set) var updated = ClockReading(microseconds: 0)
    /// Live and removed ones.
    public private(set) var photos: [BlobID: Photo] = [:]
    public private(set) var liveCount = 0
    private var photoSum = PhotoSum()

    init(id: AlbumID) {
        self.id = id
    }

    /// The name that people gave it; its ID's first digits until a name arrives.
    public var ownName: String { name.shown?.value ?? "Album \(id.hex.prefix(6))" }

    /// Live photos in no order.
    public var livePhotos: some Sequence<(key: BlobID, value: Photo)> { photos.lazy.filter { $0.value.isLive } }

    /// Equal on two devices exactly when they hold the same manifest of this album.
    public var digest: [UInt8] {
        var hasher = SHA256()
        hasher.update(data: Array("potluck manifest \(Catalog.level)".utf8))
        hasher.update(data: id.bytes)
        hasher.update(data: BigEndian.bytes(UInt64(name.writes.count)))
        for write in name.writes { hasher.update(write) }
        hasher.update(data: BigEndian.bytes(UInt64(liveCount)))
        hasher.update(data: photoSum.bytes)
        return Array(hasher.finalize())
    }

    /// - Returns: whether the photo was not known before.
    mutating func updatePhoto(_ blob: BlobID, _ body: (inout Photo) -> Void) -> Bool {
        // Taken out while it changes, so that nothing of it is copied.
        let old = photos.removeValue(forKey: blob)
        let isNew = old == nil
        var photo = old ?? Photo()
        if photo.isLive {
            liveCount -= 1
            photoSum.remove(photo.fingerprint(blob))
        }
        body(&photo)
        if photo.isLive {
            liveCount += 1
            photoSum.insert(photo.fingerprint(blob))
        }
        photos[blob] = photo
        return isNew
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

extension SHA256 {
    mutating func update(_ dot: Dot) {
        update(data: dot.replica.bytes)
        update(data: BigEndian.bytes(dot.sequence))
        update(data: BigEndian.bytes(dot.branch))
    }

    mutating func update(_ write: Register<String>.Write) {
        update(write.dot)
        update(data: BigEndian.bytes(write.clock.microseconds))
        update(data: BigEndian.bytes(UInt64(write.value.utf8.count)))
        update(data: Array(write.value.utf8))
    }
}
