/// When photos were taken, as an album shows it: what cameras showed, corrected as people said.
extension CaptureTime {
    /// When a file was modified; its offset is that of UTC.
    ///
    /// - Parameter modified: nanoseconds since 1970, UTC.
    public init(modified: Int64) {
        let (quotient, remainder) = modified.quotientAndRemainder(dividingBy: 1_000_000)
        self.init(
            localMilliseconds: remainder < 0 ? quotient - 1 : quotient, offsetMinutes: 0, source: .modification)
    }

    /// Says when, not what clocks showed there: files are dated in UTC, and so are videos that state no place's time, and
    /// names that some phones give.
    public var isInstant: Bool {
        switch source {
        case .modification: true
        case .quickTime: (offsetMinutes ?? 0) == 0
        case .fileName: offsetMinutes == 0
        case .exif, .xmp: false
        }
    }
}

extension Album {
    /// What the photo's camera is to be corrected by, in seconds.
    public func clockSeconds(of photo: Photo) -> Int64 {
        guard !cameraClocks.isEmpty, let camera = photo.cameraKey else { return 0 }
        return cameraClocks[camera]?.shown?.value ?? 0
    }

    /// When the photo was taken, its camera's clock corrected; when the file was modified until somebody has read it.
    /// `nil` for a photo that is not live.
    public func taken(_ photo: Photo) -> CaptureTime? {
        guard let first = photo.adds.first else { return nil }
        guard var taken = photo.facts?.taken else { return CaptureTime(modified: first.modified) }
        taken.localMilliseconds += clockSeconds(of: photo) * 1000
        return taken
    }

    /// Where a photo stands among the others; `nil` for one that is not live.
    public func order(_ blob: BlobID) -> AlbumOrder? {
        guard let photo = photos[blob], let taken = taken(photo) else { return nil }
        let shift = taken.isInstant ? Int64(usualOffsetMinutes ?? 0) * 60_000 : 0
        return AlbumOrder(localMilliseconds: taken.localMilliseconds + shift, name: photo.shownName, blob: blob)
    }
}

extension Photo {
    /// The camera in the hands of the photo's first contributor; `nil` where the photo names none, or is not live.
    public var cameraKey: CameraKey? {
        guard let contributor = firstContributor, let camera = facts?.camera,
            !(camera.make.isEmpty && camera.model.isEmpty && camera.serial.isEmpty)
        else { return nil }
        return CameraKey(contributor: contributor, make: camera.make, model: camera.model, serial: camera.serial)
    }
}

/// The order of an album's photos: by what clocks showed where people were, then by name, then by blob.
///
/// An instant of which no local time is known counts as if it was where most of the album was.
public struct AlbumOrder: Hashable, Comparable, Sendable {
    /// From 1970-01-01T00:00:00 in no time zone.
    public var localMilliseconds: Int64
    public var name: String
    public var blob: BlobID

    public init(localMilliseconds: Int64, name: String, blob: BlobID) {
        self.localMilliseconds = localMilliseconds
        self.name = name
        self.blob = blob
    }

    /// Names by their bytes, as SQLite compares them.
    public static func < (left: AlbumOrder, right: AlbumOrder) -> Bool {
        if left.localMilliseconds != right.localMilliseconds {
            return left.localMilliseconds < right.localMilliseconds
        }
        if !left.name.utf8.elementsEqual(right.name.utf8) {
            return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
        }
        return left.blob < right.blob
    }

    public static func == (left: AlbumOrder, right: AlbumOrder) -> Bool { !(left < right) && !(right < left) }

    public func hash(into hasher: inout Hasher) { hasher.combine(blob) }
}

/// How many live photos state which offset.
struct OffsetCounts: Sendable {
    private struct Entry: Comparable, SortKeyed {
        var count: Int
        var offset: Int32

        var sortKey: Entry { self }

        /// The most frequent last, of equally frequent ones the smallest.
        static func < (left: Entry, right: Entry) -> Bool {
            (left.count, right.offset) < (right.count, left.offset)
        }
    }

    private var counts: [Int32: Int] = [:]
    private var order = SortedChunks<Entry>()

    mutating func insert(_ taken: CaptureTime?) { count(taken, by: 1) }

    mutating func remove(_ taken: CaptureTime?) { count(taken, by: -1) }

    private mutating func count(_ taken: CaptureTime?, by step: Int) {
        guard let taken, !taken.isInstant, let offset = taken.offsetMinutes else { return }
        let before = counts[offset] ?? 0
        let after = before + step
        counts[offset] = after == 0 ? nil : after
        order.remove(Entry(count: before, offset: offset))
        if after != 0 { order.insert(Entry(count: after, offset: offset)) }
    }

    var mostFrequent: Int32? { order.last?.offset }
}
