public import AlbumModel
import DiskIO
import Glibc

/// Blob files outside of a store: a backup's, or those of a home that is being restored.
///
/// They stand as a store has them, `blobs/ab/cdef…`, so a backup's blobs are a home's. Every call blocks, and one process
/// at a time copies into a tree.
public struct BlobTree: Sendable {
    /// What became of one blob that was to be copied.
    public enum Outcome: Hashable, Sendable {
        /// It was written, read back and found right.
        case copied(byteCount: UInt64)
        /// The source has other bytes than its name says.
        case damaged
        /// The source cannot be read; a sentence says why.
        case unreadable(String)
        /// The source has no such file any more.
        case absent
    }

    /// Files that share their trips to the disk. Small photos are many; large ones fill a group by themselves.
    public static let groupCountMax = 64
    public static let groupByteCountMax: UInt64 = 64 << 20

    let paths: BlobPaths

    /// - Parameter root: the directory that holds `blobs/`.
    public init(root: String) {
        paths = BlobPaths(home: root)
    }

    /// Makes the directories where they are missing, and removes what an interrupted copy left. The root must exist.
    ///
    /// Names that such a copy gave, and whose sync failed, are durable afterwards: nobody copies their blobs again.
    public func prepare() throws(BlobError) {
        try BlobError.wrapping {
            try paths.makeDirectories()
            for name in try Files.names(in: paths.staging) { try Files.remove(paths.staging + "/" + name) }
            for directory in Set(try paths.blobIDs().map(paths.directory(of:))).sorted() {
                try Files.synchronizeDirectory(directory)
            }
        }
    }

    /// Removes the directory of what is on its way, which is empty then.
    public func finish() {
        // One that is not empty is emptied by the next `prepare`.
        rmdir(paths.staging)
    }

    /// The blobs that are there, with their files' sizes in bytes; empty where there is no such directory. One
    /// whose file cannot be looked at counts as empty: copying it tells why. Throws where a directory cannot be listed.
    public func blobs() throws(BlobError) -> [BlobID: UInt64] {
        try BlobError.wrapping {
            guard try Files.exists(paths.blobs) else { return [:] }
            var sizes: [BlobID: UInt64] = [:]
            for prefix in try Files.entries(in: paths.blobs) where [.directory, .unknown].contains(prefix.kind) {
                for name in try Files.names(in: paths.blobs + "/" + prefix.text) {
                    guard let id = BlobID(hex: prefix.text + name) else { continue }
                    do {
                        // What goes meanwhile is not there.
                        if let stat = try FileStat.find(path: paths.blob(id)) { sizes[id] = stat.byteCount }
                    } catch {
                        sizes[id] = 0
                    }
                }
            }
            return sizes
        }
    }

    /// Whether a blob's file is known to hold its bytes, as the disk gives them back; false too where it cannot be read.
    public func isWhole(_ id: BlobID) throws(BlobError) -> Bool {
        try BlobError.wrapping {
            do {
                return try Self.hash(paths.blob(id)) == id
            } catch is SystemError {
                return false
            }
        }
    }

    /// Copies blobs into another tree. A blob gets its name there when its bytes were written, synced, read back from the
    /// disk and found right; when this returns the names are durable as well. Only then a file of that name makes way, so
    /// one that may still be good stays where the source turns out to be none.
    ///
    /// - Parameter ids: at most ``groupCountMax``, which share their trips to the disk.
    /// - Throws: what is wrong with the other tree's disk.
    public func copy(_ ids: [BlobID], to other: BlobTree) throws(BlobError) -> [BlobID: Outcome] {
        try BlobError.wrapping {
            var outcomes: [BlobID: Outcome] = [:]
            var written: [(id: BlobID, file: Descriptor, byteCount: UInt64)] = []
            do {
                for id in ids {
                    let file = try Descriptor(opening: other.paths.part(id), O_RDWR | O_CREAT | O_TRUNC, mode: 0o600)
                    let outcome = try write(id, to: file)
                    outcomes[id] = outcome
                    if case .copied(let byteCount) = outcome { written.append((id, file, byteCount)) }
                }
                for (_, file, _) in written { try file.synchronize() }
                for (id, file, _) in written { try other.accept(id, file) }
            } catch {
                for id in ids { try? Files.remove(other.paths.part(id)) }
                throw error
            }
            for id in ids where written.allSatisfy({ $0.id != id }) { try Files.remove(other.paths.part(id)) }
            for directory in Set(written.map { other.paths.directory(of: $0.id) }) {
                try Files.synchronizeDirectory(directory)
            }
            return outcomes
        }
    }

    private func write(_ id: BlobID, to file: Descriptor) throws -> Outcome {
        do {
            let source = try Descriptor(opening: paths.blob(id), O_RDONLY)
            posix_fadvise(source.number, 0, 0, POSIX_FADV_SEQUENTIAL)
            defer { posix_fadvise(source.number, 0, 0, POSIX_FADV_DONTNEED) }
            let scan = try BlobScan.run(descriptor: source.number, path: source.path) { piece, offset in
                try file.writeAll(piece, at: offset)
                file.startWriteback(at: offset, byteCount: piece.count)
            }
            return scan.id == id ? .copied(byteCount: scan.byteCount) : .damaged
        } catch let error as SystemError where error.path == paths.blob(id) {
            return error.errno == ENOENT ? .absent : .unreadable(BlobError(error).message)
        }
    }

    /// Reads a synced file back, and gives it its blob's name.
    private func accept(_ id: BlobID, _ file: Descriptor) throws {
        guard try Self.hash(file.path) == id else {
            throw BlobError(
                .system,
                "\(paths.home) does not give back what was written to it: the disk or stick is failing. Use another one."
            )
        }
        // A stick's file system may know no modes.
        try? file.setMode(0o444)
        guard rename(file.path, paths.blob(id)) == 0 else { throw SystemError.last("rename", file.path) }
    }

    /// Of what the disk gives back, as far as the kernel can be made to forget what it has in memory.
    private static func hash(_ path: String) throws -> BlobID {
        let file = try Descriptor(opening: path, O_RDONLY)
        posix_fadvise(file.number, 0, 0, POSIX_FADV_DONTNEED)
        defer { posix_fadvise(file.number, 0, 0, POSIX_FADV_DONTNEED) }
        return try BlobScan.run(descriptor: file.number, path: path) { _, _ in }.id
    }
}
