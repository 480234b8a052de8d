import AlbumModel
import Synchronization
import WebGallery

/// What guests added at this laptop lately: for twelve hours they may take it back.
///
/// Counted here, at the door, by this laptop's clock: other laptops' clocks say nothing about it.
struct GuestAdditions: Sendable {
    static let documentName = "guest-additions"
    /// Milliseconds.
    static let lifetime: Int64 = 12 * 3_600_000

    enum Answer: Hashable, Sendable {
        case mayTakeBack
        /// Longer ago than ``lifetime``.
        case isTooLate
        /// Somebody else's, or older than what is remembered.
        case isUnknown
    }

    private let list: AdditionList
    private let keeper: DocumentKeeper
    private let clock: GalleryClock

    /// - Throws: Where the document cannot be read.
    init(host: any GalleryHost, clock: GalleryClock) async throws {
        self.clock = clock
        let list = AdditionList(try await host.document(Self.documentName) ?? [])
        self.list = list
        keeper = DocumentKeeper(host, name: Self.documentName) { list.text }
    }

    /// Durable when it returns.
    func note(_ photo: PhotoKey, by guest: GuestID) async throws {
        list.insert(photo, by: guest, at: clock.wall())
        try await keeper.keep()
    }

    func answer(_ photo: PhotoKey, by guest: GuestID) -> Answer {
        guard let time = list.time(of: photo, by: guest) else { return .isUnknown }
        return clock.wall() - time < Self.lifetime ? .mayTakeBack : .isTooLate
    }

    func forget(_ photo: PhotoKey, by guest: GuestID) async throws {
        list.remove(photo, by: guest)
        try await keeper.keep()
    }
}

/// Who added which photo when; a line each in its text.
private final class AdditionList: Sendable {
    /// Some 100 bytes each in the document; further ones end the oldest.
    private static let countMax = 10_000

    private struct Key: Hashable {
        var guest: GuestID
        var photo: PhotoKey
    }

    private let times: Mutex<[Key: Int64]>

    /// - Parameter text: A line that cannot be read is left out: its photo can no longer be taken back, nothing else.
    init(_ text: [UInt8]) {
        var times: [Key: Int64] = [:]
        for line in text.split(separator: UInt8(ascii: "\n")) {
            let parts = String(decoding: line, as: UTF8.self).split(separator: " ")
            guard parts.count == 4, let guest = Base64URL.bytes(parts[0]).flatMap({ GuestID(bytes: $0) }),
                let album = Base64URL.bytes(parts[1]).flatMap({ AlbumID(bytes: $0) }),
                let blob = Base64URL.bytes(parts[2]).flatMap({ BlobID(bytes: $0) }), let time = Int64(parts[3])
            else { continue }
            times[Key(guest: guest, photo: PhotoKey(album: album, blob: blob))] = time
        }
        self.times = Mutex(times)
    }

    /// The oldest first.
    var text: [UInt8] {
        let lines = times.withLock { $0.sorted { $0.value < $1.value } }.map { key, time in
            let parts = [key.guest.bytes, key.photo.album.bytes, key.photo.blob.bytes].map { Base64URL.text($0) }
            return parts.joined(separator: " ") + " \(time)\n"
        }
        return Array(lines.joined().utf8)
    }

    /// The first time counts.
    func insert(_ photo: PhotoKey, by guest: GuestID, at time: Int64) {
        times.withLock { times in
            let key = Key(guest: guest, photo: photo)
            guard times[key] == nil else { return }
            times[key] = time
            guard times.count > Self.countMax else { return }
            // Some at once: to look for the oldest takes as long as to sort all.
            for (key, _) in times.sorted(by: { $0.value < $1.value }).prefix(Self.countMax / 10) { times[key] = nil }
        }
    }

    func time(of photo: PhotoKey, by guest: GuestID) -> Int64? {
        times.withLock { $0[Key(guest: guest, photo: photo)] }
    }

    func remove(_ photo: PhotoKey, by guest: GuestID) {
        times.withLock { _ = $0.removeValue(forKey: Key(guest: guest, photo: photo)) }
    }
}
