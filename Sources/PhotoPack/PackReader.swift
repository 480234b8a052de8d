public import AlbumModel
public import DiskIO
import Glibc
public import WireFormat

/// Reads a pack. Every call blocks. Whatever the files hold, nothing here takes more memory than a file of batches.
///
/// Nothing but plain files is read, and no link is followed: a stick may hold anything.
public struct PackReader: Sendable {
    public let directory: String
    /// `nil` where it is damaged: what is there can be read all the same.
    public let manifest: PackManifest?
    private let root: OpenDirectory

    /// - Parameters:
    ///   - directory: an absolute path.
    ///   - tag: the gathering's own, in hexadecimal digits.
    /// - Throws: where there is no pack of this gathering.
    public init(directory: String, tag: String) throws(PackError) {
        let root = try PackError.wrapping(directory) { try Self.open(directory) }
        try self.init(root, tag: tag)
    }

    /// - Parameter root: the pack's directory.
    init(_ root: OpenDirectory, tag: String) throws(PackError) {
        directory = root.path
        self.root = root
        manifest = try PackError.wrapping(directory) { try Self.manifest(root, tag: tag) }
    }

    private static func open(_ directory: String) throws -> OpenDirectory {
        do throws(FileError) {
            return try OpenDirectory(path: directory)
        } catch {
            guard error.isAbsent else { throw error }
            throw PackError(.destination, "There is no \(directory). If it is on a stick, plug it in first.")
        }
    }

    private static func manifest(_ root: OpenDirectory, tag: String) throws -> PackManifest? {
        let names = try root.names()
        guard names.contains(PackLayout.manifest) || names.contains(PackLayout.batches) else {
            throw PackError(
                .destination,
                "\(root.path) holds no pack. Name the directory that was given to `potluck pack`: a file \(PackLayout.manifest) is in it."
            )
        }
        guard let manifest = try PackManifest.read(in: root) else { return nil }
        guard manifest.tag == tag else { throw PackError.foreign(root.path, manifest) }
        return manifest
    }

    /// The files of batches, in their order.
    public func batchFiles() throws(PackError) -> [Int] {
        try PackError.wrapping(directory) {
            guard let batches = try root.directory(PackLayout.batches) else { return [] }
            let numbers = try batches.names(atMost: PackLimits.entryCountMax).compactMap(PackLayout.batchFileNumber)
            guard numbers.count <= PackLimits.batchFileCountMax else {
                throw FileError(.tooLarge, "list", batches.path)
            }
            return numbers.sorted()
        }
    }

    /// The content of one of them. A file that cannot be read, or is gone, is as good as one that is damaged.
    ///
    /// - Throws: where something stands there that no packing made, such as a link or an endless file.
    public func batches(inFile number: Int) throws(PackError) -> BatchFileContent {
        try PackError.wrapping(directory) {
            do throws(FileError) {
                let file = try root.file(PackLayout.batchFile(number))
                return BatchFile.read(try file?.bytes(atMost: PackLimits.batchFileByteCountMax) ?? [])
            } catch {
                guard !error.isObstacle else { throw error }
                return BatchFile.read([])
            }
        }
    }

    /// What devices said that they hold, whose signatures are still to be checked; none where the file is damaged.
    ///
    /// - Throws: where something stands there that no packing made.
    public func summaries() throws(PackError) -> [SignedStatement] {
        try PackError.wrapping(directory) {
            do throws(FileError) {
                let file = try root.file(PackLayout.summaries)
                return SummaryFile.read(try file?.bytes(atMost: PackLimits.summariesByteCountMax) ?? [])
            } catch {
                guard !error.isObstacle else { throw error }
                return []
            }
        }
    }

    /// How many files `blobs/` has.
    public func blobCount() throws(PackError) -> Int {
        try PackError.wrapping(directory) { try PackLayout.blobCount(in: root) }
    }

    /// A blob's file, whose bytes are still to be checked.
    ///
    /// - Returns: `nil` where the pack does not have it.
    /// - Throws: where it cannot be read.
    public func open(_ blob: BlobID) throws(PackError) -> OpenFile? {
        try PackError.wrapping(directory) {
            let file = try root.file(PackLayout.file(of: blob))
            try file?.refuseHoles()
            return file
        }
    }

    /// Looks whether the pack is still there: what could not be read of a disk that is away is not damaged.
    ///
    /// - Throws: where the disk does not answer any longer.
    public func requirePresence() throws(PackError) {
        try PackError.wrapping(directory) {
            let away = FileError(errno: ENODEV, "open", directory)
            guard manifest != nil else {
                guard try root.names().contains(PackLayout.batches) else { throw away }
                return
            }
            guard let file = try root.file(PackLayout.manifest) else { throw away }
            // From the disk: the first reading left its bytes in memory.
            file.dropCache()
            _ = try file.bytes(atMost: PackLimits.manifestByteCountMax)
        }
    }

    /// Whether the pack may have a file for a blob: ``open(_:)`` tells what is wrong with one that nobody can look at.
    public func contains(_ blob: BlobID) -> Bool {
        do throws(FileError) {
            return try root.look(PackLayout.file(of: blob)) != nil
        } catch {
            return true
        }
    }
}

extension PackLayout {
    /// Files that may be blobs, by their names.
    static func blobCount(in root: OpenDirectory) throws(FileError) -> Int {
        guard let blobs = try root.directory(blobs) else { return 0 }
        var count = 0
        for prefix in try blobs.entries(atMost: PackLimits.entryCountMax)
        where prefix.kind == .directory && prefix.name.count == 2 {
            guard let directory = try blobs.directory(prefix.text) else { continue }
            count += try directory.entries(atMost: PackLimits.entryCountMax).count { entry in
                entry.kind == .file && BlobID(hex: prefix.text + entry.text) != nil
            }
        }
        return count
    }
}

extension PackError {
    static func foreign(_ directory: String, _ manifest: PackManifest) -> PackError {
        let name = manifest.gathering.map { " (“\($0)”, packed by \(manifest.packedBy))" } ?? ""
        return PackError(
            .foreign,
            "\(directory) is a pack of another gathering\(name). Only who is in that gathering can use it; for this one, name another directory."
        )
    }
}
