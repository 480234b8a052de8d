import AlbumModel
import DiskIO
import Glibc
import OutputFormats

/// An export as one ZIP archive with one directory in it, under a hidden name until it is whole.
final class ArchiveSink: ExportSink {
    let hasGallery = false
    let setAside: [String] = []
    private let path: String
    private let directory: String
    private let parent: OpenDirectory
    private let output: TemporaryFile
    /// Of what pictures are made.
    private let parts: PartNames
    private var writer = ZipWriter()
    /// Of the photos so far: what texts of ours are dated, so that equal albums make equal archives.
    private var newest = FileTime(milliseconds: 0)

    /// - Parameter directory: The name of the directory in the archive.
    /// - Throws: ``ExportError`` where there is something at `path`, `FileError`.
    init(path: String, directory: String, write: @escaping TemporaryFile.Write = TemporaryFile.systemWrite) throws {
        self.path = path
        self.directory = directory
        parent = try OpenDirectory(path: Paths.parent(path))
        guard try parent.look(Paths.lastPart(path)) == nil else { throw Self.exists(path) }
        let part = ".\(Paths.lastPart(path)).potluck-part"
        do throws(FileError) {
            output = try TemporaryFile(in: parent, name: part, mode: 0o644, write: write)
        } catch {
            guard error.errno == EWOULDBLOCK else { throw error }
            throw ExportError(.destination, "Another export to \(path) is under way; wait for its end.")
        }
        parts = PartNames(prefix: part + "-")
        // What pictures an export that was killed had under way.
        for name in try parent.names() where parts.contains(name) { try parent.removeFile(name) }
    }

    private static func exists(_ path: String) -> ExportError {
        ExportError(
            .destination, "\(path) exists already, and is left as it is. Name another file, or remove it first.")
    }

    var freeByteCount: UInt64? { parent.freeByteCount }

    func temporaryPath() -> String { parent.path(of: parts.made()) }

    func prepare(for names: [FileKey: FileName]) {}

    func isRecorded(_ key: FileKey) -> Bool { false }

    func shares(bytesOf path: String) -> Bool { false }

    func kept(_ key: FileKey, expected: BlobID?, time: FileTime?) -> NamedFile? { nil }

    func write(
        _ key: FileKey, name: String, _ content: Content, expected: BlobID?, time: FileTime?,
        progress: (UInt64) -> Void
    ) throws -> NamedFile {
        switch content {
        case .bytes(let bytes):
            return try add(name, byteCount: UInt64(bytes.count), expected: expected, time: time ?? newest) { body in
                try bytes.withUnsafeBytes { try body($0, 0) }
            }
        case .file(let path), .made(let path):
            let source = try OpenFile.source(path)
            defer { if case .made = content { try? Disk.remove(path) } }
            // When this laptop got its small pictures is nobody's business.
            let time = time ?? (key.treatment.isPhoto ? FileTime(milliseconds: source.modifiedMilliseconds) : newest)
            if key.treatment.isPhoto, time.milliseconds > newest.milliseconds { newest = time }
            return try add(name, byteCount: source.byteCount, expected: expected, time: time) { body in
                try source.forEachSourceChunk { bytes, offset in
                    try body(bytes, offset)
                    progress(UInt64(bytes.count))
                }
            }
        }
    }

    /// Writes the content, then the header before it, which tells the content's CRC. Until the header is there nothing of
    /// the file counts.
    private func add(
        _ name: String, byteCount: UInt64, expected: BlobID?, time: FileTime,
        _ forEachChunk: ((UnsafeRawBufferPointer, UInt64) throws -> Void) throws -> Void
    ) throws -> NamedFile {
        let entry = ZipEntry(
            name: "\(directory)/\(name)", localMilliseconds: time.localMilliseconds, milliseconds: time.milliseconds)
        let start = writer.offset
        let contentStart = start + UInt64(ZipWriter.headerByteCount(entry, byteCount: byteCount))
        var digest = StreamDigest(withCRC: true)
        try forEachChunk { bytes, offset in
            digest.update(bytes)
            try output.write(bytes, at: contentStart + offset)
        }
        let written = digest.written
        guard written.byteCount == byteCount, expected == nil || written.digest == expected else {
            throw SourceError.damaged
        }
        try output.write(writer.add(entry, crc: digest.crcValue, byteCount: byteCount), at: start)
        return NamedFile(name: name, written: written)
    }

    func finish() throws -> [String] {
        let start = writer.offset
        try output.write(writer.finish(), at: start)
        // What failed last may have left bytes behind the end.
        try output.truncate(to: writer.offset)
        try output.synchronize()
        do throws(FileError) {
            try output.rename(to: Paths.lastPart(path), replacing: false)
        } catch {
            guard error.errno == EEXIST else { throw error }
            throw Self.exists(path)
        }
        try parent.synchronizeFileSystem()
        return []
    }
}
