import AlbumModel
import HTTPTypes
import Synchronization

/// How many albums guests may make: the name of each is kept by every laptop for ever.
final class NewAlbums: Sendable {
    /// Albums that one guest makes within ``lifetime``.
    static let countMax = 20
    /// Milliseconds in which an album counts.
    static let lifetime: Int64 = 24 * 3_600_000

    private let clock: GalleryClock
    /// When each was first asked for.
    private let asked = Mutex<[GuestID: [AlbumID: Int64]]>([:])

    init(clock: GalleryClock) {
        self.clock = clock
    }

    /// - Parameter guest: `nil` for the owner, who is not limited.
    /// - Throws: ``Problem`` with 429; an album that was asked for before is no further one.
    func admit(_ album: AlbumID, by guest: GuestID?) throws(Problem) {
        guard let guest else { return }
        let now = clock.steady()
        let isAdmitted = asked.withLock { asked in
            asked = asked.compactMapValues { albums in
                let current = albums.filter { now - $0.value < Self.lifetime }
                return current.isEmpty ? nil : current
            }
            let albums = asked[guest] ?? [:]
            guard albums[album] != nil || albums.count < Self.countMax else { return false }
            asked[guest, default: [:]][album] = albums[album] ?? now
            return true
        }
        guard isAdmitted else {
            throw Problem(
                .tooManyRequests, "too_many_albums", "You made many albums today; choose one that is there.",
                retryAfter: 3600)
        }
    }
}
