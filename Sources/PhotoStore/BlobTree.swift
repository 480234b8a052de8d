public import AlbumModel
import Crypto
public import DiskIO
import Glibc

/// Blob files outside of a store: a backup's, or those of a home that is being restored.
///
/// They stand as a store has them, `blobs/ab/cdef…`, so a backup's blobs are a home's. A tree that is not known to be the
/// person's own may hold anything: nothing but plain files is read, and no link leads out of it. Every call blocks, and
/// one process at a time copies into a tree.
public struct BlobTree: Sendable {
    /// What became of one blob that was to be copied.
    public enum Outcome: Hashable, Sendable {
        /// It was written, read back and found right.
        case copied(byteCount: UInt64)
        /// The source has other bytes than its name says.
        case damaged
        /// The source cannot be read, or something stands in its place in the target; a sentence says which.
        case unreadable(String)
        /// The source has no such file any more.
        case absent
    }

    /// Files that share their trips to the disk. Small photos are many; large ones fill a group by themselves.
    public static let groupCountMax = 64
    public static let groupByteCountMax: UInt64 = 64 << 20
    /// A directory of a larger tree is nobody's backup: with as many in each, there were 256 million blobs.
    private static let entryCountMax = 1 << 20

    private let root: String
    private let owner: OpenDirectory.Owner

    /// - Parameters:
    ///   - root: the directory that holds `blobs/`.
    ///   - owner: `.person` for a home, whose directories may be on other disks.
    public init(root: String, of owner: OpenDirectory.Owner = .anybody) {
        self.root = root
        self.owner = owner
    }

    private func opened() throws -> OpenDirectory { try OpenDirectory(path: root, of: owner) }

    /// `nil` where there is no tree.
    private func openedBlobs() throws -> OpenDirectory? {
        do throws(FileError) {
            return try OpenDirectory(path: root, of: owner).directory(BlobPaths.blobsName)
        } catch {
            guard error.errno == ENOENT else { throw error }
            return nil
        }
    }

    private static func away(_ path: String) -> BlobError {
        BlobError(
            .system,
            "The disk with \(path) is not there, so nobody knows what is on it. See that it is, and run this again.")
    }

    private static func prefix(_ id: BlobID) -> String { String(id.hex.prefix(2)) }

    /// `ab/cdef…`, below `blobs`.
    private static func name(_ id: BlobID) -> String { "\(prefix(id))/\(id.hex.dropFirst(2))" }

    // MARK: Looking

    /// Makes the directories where they are missing, and removes what an interrupted copy left. The root must exist.
    ///
    /// Names that such a copy gave, and whose sync failed, are durable afterwards: nobody copies their blobs again.
    public func prepare() throws(BlobError) {
        try BlobError.wrapping {
            let root = try opened()
            let blobs = try root.makeDirectory(BlobPaths.blobsName, mode: 0o700)
            let staging = try root.makeDirectory(BlobPaths.stagingName, mode: 0o700)
            for name in try staging.names(atMost: Self.entryCountMax) where BlobPaths.blobID(ofPart: name) != nil {
                try staging.removeFile(name)
            }
            for prefix in BlobPaths.prefixes {
                let directory = try blobs.makeDirectory(prefix, mode: 0o700)
                if try !directory.entries(atMost: Self.entryCountMax).isEmpty { try directory.synchronize() }
            }
            try blobs.synchronize()
            try root.synchronize()
        }
    }

    /// Removes the directory of what is on its way, which is empty then.
    public func finish() {
        // One that is not empty is emptied by the next `prepare`.
        _ = try? opened().removeDirectory(BlobPaths.stagingName)
    }

    /// The blobs that are there, with their files' sizes in bytes; empty where there is no such directory.
    ///
    /// One that cannot be looked at, or is no file that a blob can have, counts as empty: copying it tells why. Throws
    /// where a directory cannot be listed, or is none, and where a home's is a bare one, which its disk is away from.
    public func blobs() throws(BlobError) -> [BlobID: UInt64] {
        try BlobError.wrapping {
            guard let blobs = try openedBlobs() else { return [:] }
            let present = Set(try blobs.names(atMost: Self.entryCountMax))
            // A store makes all of them before it takes in its first blob.
            if owner == .person, present.isDisjoint(with: BlobPaths.prefixes) { throw Self.away(blobs.path) }
            var sizes: [BlobID: UInt64] = [:]
            for prefix in BlobPaths.prefixes where present.contains(prefix) {
                guard let directory = try blobs.directory(prefix) else { continue }
                for name in try directory.names(atMost: Self.entryCountMax) {
                    guard let id = BlobID(hex: prefix + name), id.hex == prefix + name else { continue }
                    do {
                        // What goes meanwhile is not there.
                        sizes[id] = try byteCount(name, in: directory)
                    } catch {
                        sizes[id] = 0
                    }
                }
            }
            return sizes
        }
    }

    /// What copying a blob will read.
    private func byteCount(_ name: String, in directory: OpenDirectory) throws(FileError) -> UInt64? {
        guard let look = try directory.look(name) else { return nil }
        guard owner == .anybody, look.byteCount >= OpenFile.hollowByteCountMin else { return look.byteCount }
        return try Self.open(name, in: directory, owner)?.byteCount
    }

    /// A blob's file; `nil` where there is none.
    private static func open(
        _ name: String, in directory: OpenDirectory, _ owner: OpenDirectory.Owner
    ) throws(FileError) -> OpenFile? {
        guard let file = try directory.file(name) else { return nil }
        guard file.byteCount <= BlobStore.byteCountMax else { throw FileError(.tooLarge, "read", file.path) }
        // In a home a film may be a clone of a file with holes, which a person put into the folder.
        if owner == .anybody { try file.refuseHoles() }
        return file
    }

    /// Whether a blob's file is known to hold its bytes, as the disk gives them back; false too where it cannot be read.
    public func isWhole(_ id: BlobID) throws(BlobError) -> Bool {
        try BlobError.wrapping {
            do {
                guard let blobs = try openedBlobs(), let file = try Self.open(Self.name(id), in: blobs, owner) else {
                    return false
                }
                return try Self.hash(file) == id
            } catch is FileError {
                return false
            }
        }
    }

    // MARK: Copying

    private struct Written {
        var id: BlobID
        var file: TemporaryFile
        var byteCount: UInt64
    }

    /// Copies blobs into another tree. A blob gets its name there when its bytes were written, synced, read back from the
    /// disk and found right; when this returns the names are durable as well. Only then a file of that name makes way, so
    /// one that may still be good stays where the source turns out to be none.
    ///
    /// - Parameter ids: at most ``groupCountMax``, which share their trips to the disk.
    /// - Throws: what is wrong with the other tree's disk, or where this tree is not there any more: a disk that is away has
    ///   lost nothing.
    public func copy(_ ids: [BlobID], to other: BlobTree) throws(BlobError) -> [BlobID: Outcome] {
        try BlobError.wrapping {
            guard let source = try openedBlobs() else { throw Self.away(root) }
            let target = try other.opened()
            let blobs = try target.makeDirectory(BlobPaths.blobsName, mode: 0o700)
            let staging = try target.makeDirectory(BlobPaths.stagingName, mode: 0o700)
            var outcomes: [BlobID: Outcome] = [:]
            var written: [Written] = []
            for id in ids {
                if let obstacle = try Self.obstacle(id, in: blobs) {
                    outcomes[id] = .unreadable(obstacle)
                    continue
                }
                let file = try TemporaryFile(in: staging, name: BlobPaths.partName(id), mode: 0o600)
                let outcome = try write(id, from: source, to: file)
                outcomes[id] = outcome
                if case .copied(let byteCount) = outcome {
                    written.append(Written(id: id, file: file, byteCount: byteCount))
                }
            }
            for each in written { try each.file.synchronize() }
            for each in written { try other.accept(each, into: blobs) }
            for prefix in Set(written.map { Self.prefix($0.id) }) {
                try blobs.directory(prefix)?.synchronize()
            }
            return outcomes
        }
    }

    /// What stands at a blob's place and is no file, as a sentence.
    private static func obstacle(_ id: BlobID, in blobs: OpenDirectory) throws(FileError) -> String? {
        try blobs.makeDirectory(prefix(id), mode: 0o700)
        guard let look = try blobs.look(name(id)), look.kind != .file else { return nil }
        return BlobError(FileError(.obstacle(look.kind, wanted: .file), "replace", blobs.path(of: name(id)))).message
    }

    private func write(_ id: BlobID, from blobs: OpenDirectory, to file: TemporaryFile) throws -> Outcome {
        let found: OpenFile?
        do throws(FileError) {
            found = try Self.open(Self.name(id), in: blobs, owner)
        } catch {
            return .unreadable(BlobError(error).message)
        }
        guard let source = found else {
            // The directory was there when the blob was found in it.
            guard try blobs.directory(Self.prefix(id)) != nil else { throw Self.away(blobs.path) }
            return .absent
        }
        defer { source.dropCache() }
        do {
            var hasher = SHA256()
            try source.forEachChunk { bytes, offset in
                hasher.update(bufferPointer: bytes)
                try file.write(bytes, at: offset)
            }
            return BlobID(digest: hasher.finalize()) == id ? .copied(byteCount: source.byteCount) : .damaged
        } catch let error as FileError where error.path == source.path {
            return .unreadable(BlobError(error).message)
        }
    }

    /// Reads a synced file back, and gives it its blob's name.
    private func accept(_ written: Written, into blobs: OpenDirectory) throws {
        guard try Self.hash(written.file.reopened()) == written.id else {
            throw BlobError(
                .system,
                "\(root) does not give back what was written to it: the disk or stick is failing. Use another one.")
        }
        written.file.setMode(0o444)
        try written.file.rename(to: Self.name(written.id), in: blobs, replacing: true)
    }

    /// Of what the disk gives back, as far as the kernel can be made to forget what it has in memory.
    private static func hash(_ file: OpenFile) throws -> BlobID {
        file.dropCache()
        defer { file.dropCache() }
        return BlobID(digest: try file.sha256())
    }
}
