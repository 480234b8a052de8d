#if DEBUG
import AlbumModel
import PhotoStore
import SharedFolder
import StoreProbe
import SyncEngine

@testable import PotluckAgent

/// One of the photos that the operations work with, all of one album.
enum SamplePhoto: UInt8, CaseIterable, Sendable {
    case anna, ben, carla

    static let album = "Beach"
    /// What the album is called later.
    static let otherAlbum = "Strand"

    private static let contents = allCases.map { photo in
        // The folder takes what begins as a photo does.
        let bytes = [0xFF, 0xD8, 0xFF] + Samples.bytes(2997, seed: 60 + UInt64(photo.rawValue))
        return (bytes: bytes, blob: Samples.blobID(bytes))
    }

    var name: String { "\(self).jpg" }
    /// What it is called later.
    var otherName: String { "\(self) too.jpg" }
    var bytes: [UInt8] { Self.contents[Int(rawValue)].bytes }
    var blob: BlobID { Self.contents[Int(rawValue)].blob }
    var key: PhotoKey { PhotoKey(album: AlbumName.identifier(Self.album), blob: blob) }

    /// Where its file may be in the folder.
    func paths(_ probe: Probe) -> [String] {
        [Self.album, Self.otherAlbum].flatMap { directory in
            [name, otherName].map { "\(AgentSession.folder(of: probe))/\(directory)/\($0)" }
        }
    }
}

/// What a person at this laptop, or the agent itself, makes of a photo.
extension AgentSession {
    /// Makes a gathering, and these photos in it.
    static func makeHome(_ probe: Probe, _ photos: [SamplePhoto], hasFolder: Bool = true) async throws {
        _ = try await HomeSetup.host(home: probe.home, gathering: "Kuh reunion", device: "Grandma")
        try await run(probe, hasFolder: hasFolder) { try await $0.add(photos) }
    }

    func add(_ photos: [SamplePhoto]) async throws {
        for photo in photos {
            let file = PhotoFile(
                blob: try parts.blobs.ingest(bytes: photo.bytes), byteCount: UInt64(photo.bytes.count), pieceList: nil,
                name: photo.name, mediaType: "image/jpeg", modified: 1_600_000_000_000_000_000)
            _ = try await services.contributions.contribute(.photo(albumName: SamplePhoto.album, file))
        }
        if folder != nil { try await place(photos) }
    }

    /// Puts photos into the folder together that the agent may be about to put there, too.
    func place(_ photos: [SamplePhoto]) async throws {
        await services.folder.place(photos.map(\.key))
        for photo in photos {
            guard folder?.path(album: photo.key.album, blob: photo.blob) != nil else {
                throw ProbeError(sentence: "\(photo.name) has no file")
            }
            // It may have one before the trash lets go of it, and nobody waits for a trash that the disk refuses.
            guard services.removal.removedPhotos.trash[photo.key] == nil else {
                throw ProbeError(sentence: "\(photo.name) has a file, and is in the trash")
            }
            probe.acknowledge(.photo(photo.blob, PhotoFate.shown.rawValue))
        }
    }

    /// Takes photos from their album; returns once trash and folder have followed.
    func remove(_ photos: [SamplePhoto]) async throws {
        _ = try await services.removal.remove(live(photos).map(\.key))
        for photo in photos { probe.acknowledge(.photo(photo.blob, PhotoFate.removed.rawValue)) }
        await services.removal.isSettled()
        for photo in photos where services.removal.removedPhotos.trash[photo.key] != nil {
            guard folder?.path(album: photo.key.album, blob: photo.blob) == nil else {
                throw ProbeError(sentence: "\(photo.name) still has a file")
            }
            probe.acknowledge(.photo(photo.blob, PhotoFate.trashed.rawValue))
        }
    }

    /// Empties the trash of photos.
    func discard(_ photos: [SamplePhoto]) async throws {
        _ = try await services.removal.discard(photos.map(\.key), evenLastCopies: true)
        for photo in photos {
            guard services.removal.removedPhotos.trash[photo.key] == nil, !parts.blobs.contains(photo.blob) else {
                throw ProbeError(sentence: "\(photo.name) is not deleted")
            }
            probe.acknowledge(.photo(photo.blob, PhotoFate.deleted.rawValue))
        }
    }

    func hide(_ photos: [SamplePhoto]) async throws {
        try await services.removal.hide(photos.map(\.key))
        await services.removal.isSettled()
    }

    /// Brings photos back, from the trash or to be seen again.
    func restore(_ photos: [SamplePhoto]) async throws {
        let hidden = photos.filter { services.removal.isHidden($0.key) }
        try await services.removal.unhide(hidden.map(\.key))
        let live = await live(photos)
        let removed = photos.filter { !live.contains($0) }
        try await services.removal.restore(removed.map(\.key))
        for photo in photos { probe.acknowledge(.photo(photo.blob, PhotoFate.live.rawValue)) }
        await services.removal.isSettled()
        try await place(photos)
    }

    private func live(_ photos: [SamplePhoto]) async -> [SamplePhoto] {
        await services.host.ask { engine in photos.filter { engine.catalog.isLive($0.key) } }
    }
}
#endif
