public import AlbumModel
import DiskIO
import FolderEngine
import NIOPosix
import PhotoStore
import Synchronization

extension SharedFolder {
    /// Takes photos into the blob store once more, from files of the folder that still hold them.
    ///
    /// Reads only files that are as they were when they were last looked at; others are found by a scan, and told of by
    /// ``FolderNotice/stored(_:)``.
    /// - Returns: those whose bytes are durable in the store again.
    public func takeAgain(_ blobs: Set<BlobID>) async -> Set<BlobID> {
        let core = self.core
        let files = core.queue.read { $0.state.files.filter { blobs.contains($0.value.photo.blob) } }
        var taken: Set<BlobID> = []
        for (path, record) in files.sorted(by: { $0.key < $1.key }) where !taken.contains(record.photo.blob) {
            // It fails for a file that is not as it was, for a full disk, and at the agent's end: peers are asked then.
            let blob = try? await core.pool.perform { try LostBytes.take(path, record, core) }
            if let blob = blob ?? nil { taken.insert(blob) }
        }
        return taken
    }
}

enum LostBytes {
    static func take(_ path: FolderPath, _ record: FileRecord, _ core: FolderCore) throws -> BlobID? {
        try take(path, signature: record.signature, blob: record.photo.blob, core)?.id
    }

    /// Takes a file's bytes into the store; `nil` if it is not as it was, or holds other bytes. Blocks.
    static func take(
        _ path: FolderPath, signature: FileSignature, blob: BlobID, _ core: FolderCore
    ) throws -> IngestedBlob? {
        let absolute = path.absolute(in: core.root)
        guard let file = try? Descriptor(opening: absolute, .read(followsLink: false)) else { return nil }
        guard isAsKnown(file, signature) else { return nil }
        do throws(BlobError) {
            return try core.blobs.ingest(descriptor: file.number, expecting: blob) { isAsKnown(file, signature) }
        } catch {
            // Other bytes have no place in the store: no album names them.
            guard error.code == .contentChanged else { throw error }
            return nil
        }
    }

    private static func isAsKnown(_ file: Descriptor, _ signature: FileSignature) -> Bool {
        guard let stat = try? FileStat(descriptor: file.number), stat.isRegularFile else { return false }
        return FileSignature(stat) == signature
    }
}
