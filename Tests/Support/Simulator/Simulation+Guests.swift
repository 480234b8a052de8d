import AlbumModel
import SyncEngine

/// What guests do meanwhile at the doors of laptops. They too draw from a stream of their own.
extension Simulation {
    /// Few, so that they meet at several doors.
    private static let guests = (1...4).map { Guest(GuestID(bytes: [UInt8](repeating: $0, count: 16))!) }

    mutating func visit() throws(SimulationFailure) {
        let index = Int.random(in: laptops.indices, using: &guestsRandom)
        let kind = Int.random(in: 0..<12, using: &guestsRandom)
        var guest = Self.guests.randomElement(using: &guestsRandom)!
        // Some change their names, and two may have one.
        guest.name = guestsRandom.chance(0.8) ? "Guest \(guestsRandom.next() % 5)" : nil
        guard let engine = laptops[index].engine, !laptops[index].speaksFirstVersion else { return }
        let photos = engine.catalog.albums.values.flatMap { album in
            album.livePhotos.map { PhotoKey(album: album.id, blob: $0.key) }
        }
        guard let key = photos.sorted().randomElement(using: &guestsRandom) else { return }
        guard let contribution = contribution(kind, guest, key, engine) else { return }
        // Said in one breath: what follows the first one shares a batch.
        let count = guestsRandom.chance(0.2) ? 2 : 1
        for _ in 0..<count { try contribute(contribution, index) }
    }

    private mutating func contribution(
        _ kind: Int, _ guest: Guest, _ key: PhotoKey, _ engine: Engine
    ) -> Contribution? {
        switch kind {
        case 0, 1: return .favourite(key.album, key.blob, guest: guest)
        case 2: return .unfavourite(key.album, key.blob, guest: guest)
        case 3, 4: return .comment(key.album, key.blob, "comment \(guestsRandom.next() % 9)", guest: guest)
        case 5: return .comment(key.album, key.blob, "comment \(guestsRandom.next() % 9)", guest: nil)
        case 6:
            let comments = engine.catalog.photo(key)?.comments ?? []
            return comments.randomElement(using: &guestsRandom).map { .uncomment(key.album, key.blob, [$0.dot]) }
        case 7: return .guestRevocation(guest.id)
        case 8: return .guestEpochRaise
        case 9: return .guestPhotoWithdrawal(key.album, key.blob, guest.id)
        default: return bring(key, guest, engine)
        }
    }

    /// A photo that is here already: its bytes need not come again.
    private func bring(_ key: PhotoKey, _ guest: Guest, _ engine: Engine) -> Contribution? {
        guard engine.held.contains(key.blob), let blob = contents[key.blob] else { return nil }
        let file = PhotoFile(
            blob: key.blob, byteCount: blob.byteCount, pieceList: blob.list, name: "Guest.JPG",
            mediaType: "image/jpeg", modified: 1_700_000_000_000_000_000, guest: guest)
        return .photoInAlbum(key.album, file)
    }
}
