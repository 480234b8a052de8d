import AlbumModel
import PhotoStore

extension FactKind {
    /// Photos that are not to be seen on this laptop; the key is the photo's ``AlbumModel/PhotoKey/factKey``, the value a
    /// ``HiddenEntry``.
    static let hidden = FactKind(rawValue: "hidden")
    /// Photos that left their albums and whose bytes are kept for some time; the key likewise, the value a ``TrashEntry``.
    static let trash = FactKind(rawValue: "trash")
    /// How many of the journal's batches the trash has followed, in eight bytes; the key is empty.
    static let trashFollowed = FactKind(rawValue: "trash-followed")
    /// For how many seconds agents have run in this home, in eight bytes; the key is empty.
    static let runningTime = FactKind(rawValue: "running-time")
}

extension PhotoKey {
    /// The album's bytes, then the blob's.
    var factKey: [UInt8] { album.bytes + blob.bytes }

    /// `nil` unless there are exactly as many bytes.
    init?(factKey: [UInt8]) {
        guard factKey.count == AlbumID.byteCount + BlobID.byteCount,
            let album = AlbumID(bytes: factKey.prefix(AlbumID.byteCount)),
            let blob = BlobID(bytes: factKey.dropFirst(AlbumID.byteCount))
        else { return nil }
        self.init(album: album, blob: blob)
    }
}

/// Since when a photo is hidden here.
struct HiddenEntry: Hashable, Sendable {
    /// Microseconds since 1970.
    var since: UInt64
}

/// A photo that left its album while its bytes were here.
///
/// What it was called, and who removed it, the catalog knows.
struct TrashEntry: Hashable, Sendable {
    /// For how long agents had run in this home when the removal was learned of, in seconds: what counts for the end of
    /// its time, since the clock of a change or of a machine may be wrong.
    var learnedAfter: UInt64
    /// The same moment on this machine's clock, in microseconds since 1970: for people.
    var learnedAt: UInt64
    /// Other devices that were known to hold the bytes then, ordered.
    var holders: [DeviceID]

    /// Holders that are remembered; more do not change what is kept.
    private static let holderCountMax = 8

    init(learnedAfter: UInt64, learnedAt: UInt64, holders: [DeviceID]) {
        self.learnedAfter = learnedAfter
        self.learnedAt = learnedAt
        self.holders = Array(holders.sorted().prefix(Self.holderCountMax))
    }

    /// For how many seconds more the photo is kept; 0 once its time is over. Numbers of a home that somebody prepared may
    /// be any: an entry from a later time than now is kept for all of its days.
    func secondsLeft(runningSeconds: UInt64, days: Int) -> UInt64 {
        let (time, isEndless) = UInt64(max(0, days)).multipliedReportingOverflow(by: 86_400)
        guard !isEndless else { return .max }
        return time - min(time, runningSeconds - min(runningSeconds, learnedAfter))
    }

    func isOverdue(runningSeconds: UInt64, days: Int) -> Bool {
        learnedAfter <= runningSeconds && secondsLeft(runningSeconds: runningSeconds, days: days) == 0
    }

    /// Of the devices that held the bytes and hold them still, the first keeps them until a person says otherwise: the
    /// others may give their space back without the last copy going.
    ///
    /// - Parameter isHolder: whether a device is proved to hold the bytes now. What was proved when the removal was
    ///   learned of says nothing weeks later: the device may have lost them since, or be gone.
    func isKeptElsewhere(than device: DeviceID, isHolder: (DeviceID) -> Bool) -> Bool {
        holders.contains { $0 < device && isHolder($0) }
    }
}

/// What this laptop alone remembers of photos: those that are hidden here, and those in its trash.
struct RemovedPhotos: Sendable {
    var hidden: [PhotoKey: HiddenEntry] = [:]
    var trash: [PhotoKey: TrashEntry] = [:]
    /// How many of the journal's batches the trash has followed; `nil` where no run has noted that yet.
    var followedBatchCount: Int?
    /// Photos that later batches removed: a crash, or batches that came while no agent ran, left them without entries.
    private(set) var unfollowed: Set<PhotoKey> = []

    init() {}

    /// Reads the journal; entries that a later version wrote are left alone.
    init(_ journal: Journal) throws {
        for (key, value) in try journal.facts(.hidden) {
            if let photo = PhotoKey(factKey: key), let entry = HiddenEntry(bytes: value) { hidden[photo] = entry }
        }
        for (key, value) in try journal.facts(.trash) {
            if let photo = PhotoKey(factKey: key), let entry = TrashEntry(bytes: value) { trash[photo] = entry }
        }
        if let bytes = try journal.fact(.trashFollowed, []), bytes.count == 8 {
            followedBatchCount = Int(clamping: BigEndian.word(bytes))
        }
    }

    static func fact(followedBatchCount: Int) -> FactChange {
        FactChange(kind: .trashFollowed, key: [], value: BigEndian.bytes(UInt64(followedBatchCount)))
    }

    /// Takes note of what a batch of the journal changed.
    ///
    /// - Parameter number: counts from 0, in the journal's order.
    mutating func note(_ difference: CatalogDifference, ofBatch number: Int) {
        guard let followedBatchCount, number >= followedBatchCount else { return }
        unfollowed.formUnion(difference.removedPhotos)
    }

    /// Photos whose time in the trash is over, ordered.
    ///
    /// - Parameters:
    ///   - runningSeconds: for how long agents have run in this home.
    ///   - days: how long photos are kept.
    func overdue(runningSeconds: UInt64, days: Int) -> [PhotoKey] {
        trash.filter { $0.value.isOverdue(runningSeconds: runningSeconds, days: days) }.keys.sorted()
    }
}

extension HiddenEntry {
    private static let version: UInt8 = 1

    /// A version, then the time, most significant byte first.
    var bytes: [UInt8] { [Self.version] + BigEndian.bytes(since) }

    init?(bytes: [UInt8]) {
        guard bytes.count == 9, bytes[0] == Self.version else { return nil }
        self.init(since: BigEndian.word(bytes[1...]))
    }
}

extension TrashEntry {
    private static let version: UInt8 = 1

    /// A version, both times, then the holders.
    var bytes: [UInt8] {
        [Self.version] + BigEndian.bytes(learnedAfter) + BigEndian.bytes(learnedAt) + holders.flatMap(\.bytes)
    }

    init?(bytes: [UInt8]) {
        guard bytes.count >= 17, bytes[0] == Self.version, (bytes.count - 17) % DeviceID.byteCount == 0 else {
            return nil
        }
        let starts = stride(from: 17, to: bytes.count, by: DeviceID.byteCount)
        let holders = starts.compactMap { DeviceID(bytes: bytes[$0..<$0 + DeviceID.byteCount]) }
        self.init(
            learnedAfter: BigEndian.word(bytes[1..<9]), learnedAt: BigEndian.word(bytes[9..<17]), holders: holders)
    }
}

/// For how long agents have run in a home: the trash's clock. It stands while the machine sleeps, and cannot be set.
struct RunningTime: Sendable {
    /// A hundred years. No home has run for longer: more is not believed, or all that is in the trash would be due at once.
    static let secondsMax: UInt64 = 100 * 365 * 86_400

    /// What the journal remembers of earlier runs, in seconds.
    private let before: UInt64
    private let start = SuspendingClock.now

    init(before: UInt64 = 0) { self.before = before <= Self.secondsMax ? before : 0 }

    init(_ journal: Journal) throws {
        let bytes = try journal.fact(.runningTime, [])
        self.init(before: bytes.map { $0.count == 8 ? BigEndian.word($0[...]) : 0 } ?? 0)
    }

    var seconds: UInt64 { before + UInt64(max(0, (SuspendingClock.now - start).components.seconds)) }

    var fact: FactChange { FactChange(kind: .runningTime, key: [], value: BigEndian.bytes(seconds)) }
}
