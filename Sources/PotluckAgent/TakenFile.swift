import AlbumModel
import DiskIO
import FolderEngine
import PhotoStore
import PotluckAPI
import SyncEngine

/// A file that a person hands over, as a contribution.
enum TakenFile {
    /// Copies a file into the store; durable when it returns. Blocks.
    ///
    /// - Parameters:
    ///   - name: That it came with; the last part of its path for `nil`.
    ///   - modified: Nanoseconds since 1970; the file's own for `nil`.
    ///   - expected: What its bytes have to be; others are not kept.
    /// - Throws: ``PotluckError``; ``BlobError`` with `.contentChanged` for other bytes; ``NoMedia`` for what is neither
    ///   photo nor film.
    static func take(
        _ path: String, name given: String? = nil, modified: Int64? = nil, expecting expected: BlobID? = nil,
        into blobs: BlobStore
    ) throws -> PhotoFile {
        let file: Descriptor
        do throws(FileError) {
            file = try Descriptor(opening: path, .read(followsLink: true))
        } catch {
            throw PotluckError(.failed, error.causeText)
        }
        let before = try FileStat(descriptor: file.number)
        guard before.isRegularFile else { throw PotluckError(.failed, "it is not a file") }
        // One that cannot be read fails as a whole below.
        let head = (try? file.bytes(atMost: MediaContent.headByteCount)) ?? []
        let name = AlbumName.composed(given ?? String(path.split(separator: "/").last ?? "photo"))
        let type: MediaType
        switch MediaContent(head: head, byteCount: before.byteCount, name: name) {
        case .media(let known): type = known
        case .refused(let reason): throw NoMedia(reason: reason)
        }
        let blob = try blobs.ingest(descriptor: file.number, expecting: expected) {
            try FileStat(descriptor: file.number) == before
        }
        return PhotoFile(
            blob: blob.id, byteCount: blob.byteCount, pieceList: blob.pieceList, name: name, mediaType: type.name,
            modified: modified ?? before.modified)
    }
}

/// A file is neither photo nor film.
struct NoMedia: Error {
    /// A clause.
    var reason: String
}
