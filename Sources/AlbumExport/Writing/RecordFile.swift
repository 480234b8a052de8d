import AlbumModel
import CFileOps
import Glibc

/// What a directory says of the export in it, in the hidden file ``name``: by it an interrupted export goes on, and a
/// finished one is brought up to date.
///
/// Lines of text. A file's line is written before the file gets its name, and counts only together with bytes of that
/// hash, so a crash at any moment leaves nothing that could be mistaken. The file is locked as long as this is there.
final class RecordFile {
    static let name = ".potluck-export"
    private static let firstLine = "potluck export 1"
    /// Of a million files.
    private static let byteCountMax = 512 << 20

    private(set) var lines: [FileKey: NamedFile] = [:]
    private let path: String
    private let subject: String
    private let descriptor: Int32

    /// - Parameter subject: Which album, with which options: what must be equal for an export to go on.
    /// - Throws: ``ExportError`` where the directory holds another export, ``DiskError``.
    init(directory: String, subject: String) throws {
        path = directory + "/" + Self.name
        self.subject = subject
        descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw DiskError.last("make", path) }
        guard cfileops_try_lock(descriptor) != EWOULDBLOCK else {
            throw ExportError(.destination, "Another export into \(directory) is under way; wait for its end.")
        }
        let text = try read()
        guard !text.isEmpty else {
            try append("\(Self.firstLine)\n\(subject)\n")
            return
        }
        var rest = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        guard rest.popFirst().map(String.init) == Self.firstLine else {
            throw ExportError(
                .destination, "\(directory) holds an export of another version of Potluck; name another directory.")
        }
        guard rest.popFirst().map(String.init) == subject else {
            throw ExportError(
                .destination,
                "\(directory) holds an export of another album, or one with other options; name another directory.")
        }
        for line in rest { take(line) }
        // A line that a crash cut off must not run into the next.
        if text.utf8.last != UInt8(ascii: "\n") { try append("\n") }
    }

    deinit {
        close(descriptor)
    }

    static func subject(_ album: ExportAlbum, _ options: ExportOptions) -> String {
        "album \(album.id.hex) size \(options.size.rawValue) place \(options.stripsPlace ? "removed" : "kept")"
    }

    /// A line that is cut off or not understood is as good as none.
    private func take(_ line: Substring) {
        let parts = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, let digest = BlobID(hex: parts[0]), let byteCount = UInt64(parts[1]),
            let treatment = Treatment(rawValue: String(parts[2]))
        else { return }
        let names = parts[3].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard names.count == 2 else { return }
        lines[FileKey(source: String(names[0]), treatment: treatment)] = NamedFile(
            name: String(names[1]), written: Written(digest: digest, byteCount: byteCount))
    }

    private static func line(_ file: NamedFile, _ key: FileKey) -> String {
        "\(file.written.digest.hex) \(file.written.byteCount) \(key.treatment.rawValue) \(key.source)/\(file.name)\n"
    }

    func note(_ file: NamedFile, for key: FileKey) throws(DiskError) {
        lines[key] = file
        try append(Self.line(file, key))
    }

    /// Writes the file anew, with one line for each file that is there.
    func compact(where isThere: (String) throws(DiskError) -> Bool) throws(DiskError) {
        for (key, line) in lines where try !isThere(line.name) { lines[key] = nil }
        let text = lines.sorted { $0.value.name < $1.value.name }
            .reduce(into: "\(Self.firstLine)\n\(subject)\n") { $0 += Self.line($1.value, $1.key) }
        let file = try OutputFile(temporary: path + ".new")
        try file.write(Array(text.utf8), at: 0)
        try file.synchronize()
        try file.rename(to: path, replacing: true)
    }

    private func append(_ text: String) throws(DiskError) {
        let bytes = Array(text.utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { throw .last("write", path) }
    }

    private func read() throws -> String {
        var bytes: [UInt8] = []
        try SourceBytes(path: path).forEachChunk { chunk, _ in
            guard bytes.count + chunk.count <= Self.byteCountMax else {
                throw ExportError(.destination, "\(path) is no record of an export; name another directory.")
            }
            bytes += chunk
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
