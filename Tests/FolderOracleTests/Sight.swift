import AlbumModel
import PhotoStore
import PotluckAPI
import SharedFolder
import TestSupport

@testable import PotluckAgent

/// What one laptop shows at a moment.
struct Sight: Sendable {
    var disk: [DiskPath: BlobID]
    /// Which photo its agent takes each file for.
    var known: [DiskPath: PhotoKey]
    var albums: [AlbumsReport.Album] = []
    /// By album's ID.
    var photos: [String: [PhotosReport.Photo]] = [:]
    var hidden: Set<PhotoKey> = []
    var trash: Set<PhotoKey> = []
    var isHeld: Bool

    /// - Parameter isWhole: whether listings are asked for as well.
    init(_ laptop: Laptop, isWhole: Bool) async throws {
        guard let control = await laptop.control else { throw TookTooLong(description: "\(laptop.name) is down") }
        isHeld = control.services.folder.heldGroup != nil
        known = Dictionary(
            uniqueKeysWithValues: (control.services.folder.files?.files() ?? []).map {
                (DiskPath($0.path), PhotoKey(album: $0.album, blob: $0.blob))
            })
        disk = Disk.files(below: laptop.hands.root)
        disk[DiskPath(SharedFolder.markerName)] = nil
        guard isWhole else { return }
        albums = try await control.albums().albums
        for album in albums { photos[album.id] = try await control.photos(PhotoQuery(album: album.id)).photos }
        hidden = Set(try await control.hidden(album: nil).hidden.map { try Self.key($0.albumID, $0.id) })
        trash = Set(try await control.trash(album: nil).trash.map { try Self.key($0.albumID, $0.id) })
    }

    private static func key(_ album: String, _ id: String) throws -> PhotoKey {
        guard let album = AlbumID(hex: album), let blob = BlobID(hex: id) else {
            throw TookTooLong(description: "no ID: \(album) \(id)")
        }
        return PhotoKey(album: album, blob: blob)
    }
}
