public import AlbumModel
import DiskIO

/// Reads a pack. Every call blocks. Whatever the files hold, nothing here takes more memory than a file of batches.
public struct PackReader: Sendable {
    public let directory: String
    /// `nil` where it is damaged: what is there can be read all the same.
    public let manifest: PackManifest?

    /// - Parameters:
    ///   - directory: an absolute path.
    ///   - tag: the gathering's own, in hexadecimal digits.
    /// - Throws: where there is no pack of this gathering.
    public init(directory: String, tag: String) throws(PackError) {
        self.directory = directory
        manifest = try PackError.wrapping(directory) { try Self.manifest(directory, tag: tag) }
    }

    private static func manifest(_ directory: String, tag: String) throws -> PackManifest? {
        switch PathPresence(of: directory, followsLink: true) {
        case .present: break
        case .absent: throw PackError(.destination, "There is no \(directory). If it is on a stick, plug it in first.")
        case .unknown(let errno): throw StickError(number: errno, call: "look at", path: directory)
        }
        let names = try Directories.names(in: directory)
        guard names.contains(PackLayout.manifest) || names.contains(PackLayout.batches) else {
            throw PackError(
                .destination,
                "\(directory) holds no pack. Name the directory that was given to `potluck pack`: a file \(PackLayout.manifest) is in it."
            )
        }
        guard let manifest = try PackManifest.read(in: directory) else { return nil }
        guard manifest.tag == tag else { throw PackError.foreign(directory, manifest) }
        return manifest
    }

    /// The files of batches, in their order.
    public func batchFiles() throws(PackError) -> [Int] {
        try PackError.wrapping(directory) {
            try Directories.names(in: "\(directory)/\(PackLayout.batches)").compactMap(PackLayout.batchFileNumber)
                .sorted()
        }
    }

    /// What one of them holds. A file that cannot be read, or is gone, is as good as one that is damaged.
    public func batches(inFile number: Int) -> BatchFileContent {
        let path = "\(directory)/\(PackLayout.batchFile(number))"
        let bytes = try? PackedFile(path: path)?.bytes(atMost: PackLimits.batchFileByteCountMax)
        return BatchFile.read(bytes ?? [])
    }

    /// How many files `blobs/` has.
    public func blobCount() throws(PackError) -> Int {
        try PackError.wrapping(directory) { try PackLayout.blobCount(in: directory) }
    }

    /// A blob's file, whose bytes are still to be checked.
    ///
    /// - Returns: `nil` where the pack does not have it.
    /// - Throws: where it cannot be read.
    public func open(_ blob: BlobID) throws(PackError) -> PackedFile? {
        try PackError.wrapping(directory) { try PackedFile(path: "\(directory)/\(PackLayout.file(of: blob))") }
    }

    /// Whether the pack may have a file for a blob: ``open(_:)`` tells what is wrong with one that nobody can look at.
    public func contains(_ blob: BlobID) -> Bool {
        PathPresence(of: "\(directory)/\(PackLayout.file(of: blob))") != .absent
    }
}

extension PackLayout {
    static func blobCount(in root: String) throws -> Int {
        var count = 0
        for name in try Directories.names(in: "\(root)/\(blobs)") where name.utf8.count == 2 {
            count += try Directories.names(in: "\(root)/\(blobs)/\(name)").count { $0.utf8.count == 62 }
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
