import AlbumModel
import DiskIO
import FolderEngine
import Logging
import NIOPosix
import PhotoStore

/// A photo's file in the folder and the blob store's file of it may be one, so that its bytes take their space once.
extension SharedFolder {
    /// Files that people put here, ordered by path.
    public func ownFiles() -> [FolderFile] {
        let own = core.queue.read { judge in
            judge.state.files.filter { $0.value.origin == .dropped || $0.value.origin == .adopted }
        }
        return own.sorted { $0.key < $1.key }.map { path, record in
            FolderFile(path: path.text, album: record.photo.album, blob: record.photo.blob)
        }
    }

    /// Makes a person's file the blob's own, if it is as it was when its photo was added: see
    /// ``BlobStore/share(_:withFileAt:isExpected:)``.
    ///
    /// - Returns: whether they are one now, and were not before.
    public func share(_ file: FolderFile) async -> Bool {
        await relink(file) { blobs, path, record in
            try blobs.share(file.blob, withFileAt: path) { FileSignature($0) == record.signature }
        }
    }

    /// Gives a blob that is one with a person's file a file of its own again; the person's becomes writable.
    ///
    /// - Returns: whether they are two now, and were not before.
    public func separate(_ file: FolderFile) async -> Bool {
        await relink(file) { blobs, path, _ in try blobs.separate(file.blob, fromFileAt: path) }
    }

    private func relink(
        _ file: FolderFile, _ body: @escaping @Sendable (BlobStore, String, FileRecord) throws -> FileStat?
    ) async -> Bool {
        let (core, path) = (self.core, FolderPath(file.path))
        return await core.withTurns([.photo(file.blob)]) {
            guard let record = core.queue.read({ $0.state.files[path] }), record.photo.blob == file.blob else {
                return false
            }
            let stat: FileStat?
            do {
                stat = try await core.pool.perform {
                    // Where the folder or its disk is away, something else may be at its path.
                    guard core.complaint() == nil, core.complaint(about: path) == nil else { return nil }
                    return try body(core.blobs, core.root + "/" + path.text, record)
                }
            } catch {
                core.logger.warning(
                    "space not saved",
                    metadata: ["file.path": "\(path.text)", "error.message": "\(FolderError(error).message)"])
                return false
            }
            guard let stat else { return false }
            await DirectiveRunner(core: core).follow(.relinked(path, record, FileSignature(stat)))
            return true
        }
    }
}
