import Crypto

/// A named set of photos, as ``Catalog`` folds it.
public struct Album: Sendable {
    public let id: AlbumID
    public internal(set) var name = Register<String>()
    /// The photo that stands for the album; `nil` as its value takes an earlier choice back.
    public internal(set) var cover = Register<BlobID?>()
    /// What people say is to be added to the clocks of cameras, in seconds. The keys are composed (NFC).
    public private(set) var cameraClocks: [CameraKey: Register<Int64>] = [:]
    private var clockOrder = SortedChunks<ClockCorrection>()
    private var clockSum = HashSum()
    /// The latest reading of a change to the album, none counted later than this device learned of it.
    public internal(set) var updated = ClockReading(microseconds: 0)
    /// Live and removed ones.
    public private(set) var photos: [BlobID: Photo] = [:]
    public private(set) var liveCount = 0
    private var photoSum = HashSum()
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
        hasher.update(raw: clockSum.bytes)
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

// MARK: - Clocks of cameras

/// What is shown of one camera's clock, and since when.
private struct ClockCorrection: Comparable, SortKeyed {
    var time: ChangeTime
    var camera: CameraKey

    init?(_ register: Register<Int64>, of camera: CameraKey) {
        guard let shown = register.shown else { return nil }
        time = ChangeTime(shown)
        self.camera = camera
    }

    var sortKey: ClockCorrection { self }

    static func < (left: ClockCorrection, right: ClockCorrection) -> Bool {
        (left.time, left.camera) < (right.time, right.camera)
    }
}

extension Album {
    mutating func setClock(of camera: CameraKey, _ body: (inout Register<Int64>) -> Void) {
        let (before, after) = { (register: inout Register<Int64>?) in
            let before = register.map { ($0.hash(with: camera), ClockCorrection($0, of: camera)) }
            // In its place, so that nothing of it is copied.
            if register == nil { register = Register() }
            body(&register!)
            return (before, (register!.hash(with: camera), ClockCorrection(register!, of: camera)))
        }(&cameraClocks[camera])
        if let (hash, correction) = before {
            clockSum.remove(hash)
            if let correction { clockOrder.remove(correction) }
        }
        clockSum.insert(after.0)
        if let correction = after.1 { clockOrder.insert(correction) }
    }

    /// What is shown of cameras' clocks, in seconds that are to be added. Of more than
    /// ``CatalogLimits/shownClockCountMax`` cameras those whose clocks were corrected last.
    public var shownClocks: [(camera: CameraKey, seconds: Int64)] {
        clockOrder.latest(CatalogLimits.shownClockCountMax).compactMap { correction in
            cameraClocks[correction.camera]?.shown.map { (correction.camera, $0.value) }
        }
    }
}

extension Register<Int64> {
    fileprivate func hash(with camera: CameraKey) -> SHA256Digest {
        var hasher = ManifestHasher()
        hasher.update(camera)
        hasher.update(self)
        return hasher.finalize()
    }
}
