import AlbumModel
import DiskIO
import PhotoPack
import SyncEngine
import WireFormat

/// Who takes in what a pack holds: a running agent, or a home without one.
protocol PackReceiver: Sendable {
    /// The gathering's tag, in hexadecimal digits.
    var tag: String { get }
    /// Whether an agent puts the photos into the folder.
    var isRunning: Bool { get }
    /// Checks and stores batches; returns once they are durable, and count.
    func carry(_ page: BatchPage) async throws -> CarriedOutcome
    /// Checks and keeps what devices said that they hold.
    func carry(_ summaries: [SignedStatement]) async
    /// The blobs that are missing: thumbnails first, then the newest photo first.
    func wants() async -> [CarriedWant]
    /// What a photo is called in one of its albums.
    func name(of blob: BlobID) async -> String
    /// Copies a blob into the store and checks it on the way; durable when it returns.
    ///
    /// - Throws: `BlobError`.
    func take(_ blob: BlobID, from file: OpenFile) async throws
    /// Photos that are missing still.
    func missingCount() async -> Int
    /// Everything was taken in that could be.
    func finish() async throws
}

extension Engine {
    func anyName(of blob: BlobID) -> String {
        let album = catalog.liveAlbums(of: blob).first
        let name = album.flatMap { catalog.photo(PhotoKey(album: $0, blob: blob)) }?.shownName
        return name ?? String(blob.hex.prefix(12))
    }
}
