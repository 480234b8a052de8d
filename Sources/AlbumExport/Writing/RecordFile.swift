import AlbumModel
import DiskIO

/// What a directory says of the export in it, in the hidden file ``name``: by it an interrupted export goes on, and a
/// finished one is brought up to date.
///
/// Lines of text. A file's line is written before the file gets its name, and counts only together with bytes of that
/// hash, so a crash at any moment leaves nothing that could be mistaken. Anybody may have written the file: a line is
/// believed only if it names a file as an export could have made it. The file is locked as long as this is there.
final class RecordFile {
    static let name = ".potluck-export"
    private static let firstLine = "potluck export 1"
    /// Of a million files.
    private static let byteCountMax: UInt64 = 512 << 20
    /// A line has two hashes, a few words, and a name of at most 255 bytes.
    private static let lineByteCountMax = 1024

    private(set) var lines: [FileKey: NamedFile] = [:]
    private let directory: OpenDirectory
    private let subject: String
    private let file: AppendedFile

    /// - Parameter subject: Which album, with which options: what must be equal for an export to go on.
    /// - Throws: ``ExportError`` where the directory holds another export, `FileError`.
    init(directory: OpenDirectory, subject: String) throws {
        self.directory = directory
        self.subject = subject
        file = try AppendedFile(in: directory, name: Self.name, mode: 0o644)
        guard file.tryLock() else {
            throw ExportError(.destination, "Another export into \(directory.path) is under way; wait for its end.")
        }
        let (lineCount, isCutOff) = try read()
        // A line that a crash cut off must not run into the next.
        if isCutOff { try append("\n") }
        if lineCount == 0 { try append(Self.firstLine + "\n") }
        if lineCount < 2 { try append(subject + "\n") }
    }

    static func subject(_ album: ExportAlbum, _ options: ExportOptions) -> String {
        "album \(album.id.hex) size \(options.size.rawValue) place \(options.stripsPlace ? "removed" : "kept")"
    }

    // MARK: Reading

    private func read() throws -> (lineCount: Int, isCutOff: Bool) {
        let record = try file.reopened()
        guard record.byteCount <= Self.byteCountMax else {
            throw ExportError(.destination, "\(record.path) is no record of an export; name another directory.")
        }
        // What is there of a line; a longer one is cut, and no name of ours.
        var (line, lineCount): ([UInt8], Int) = ([], 0)
        try record.forEachChunk { chunk, _ in
            var rest = chunk[...]
            while !rest.isEmpty {
                let end = rest.firstIndex(of: UInt8(ascii: "\n"))
                let part = rest[..<(end ?? rest.endIndex)]
                line += part.prefix(Self.lineByteCountMax + 1 - line.count)
                // Not a record's first line, however it ends.
                if lineCount < 2, line.count > Self.lineByteCountMax { try take(line, number: lineCount) }
                rest = rest[part.endIndex...]
                guard end != nil else { break }
                try take(line, number: lineCount)
                (line, lineCount) = ([], lineCount + 1)
                rest = rest.dropFirst()
            }
        }
        guard !line.isEmpty else { return (lineCount, false) }
        try take(line, number: lineCount)
        return (lineCount + 1, true)
    }

    private func take(_ line: [UInt8], number: Int) throws {
        let text = String(decoding: line, as: UTF8.self)
        switch number {
        case 0:
            guard text != Self.firstLine else { return }
            throw ExportError(
                .destination, "\(directory.path) holds an export of another version of Potluck; name another directory."
            )
        case 1:
            guard text != subject else { return }
            throw ExportError(
                .destination,
                "\(directory.path) holds an export of another album, or one with other options; name another directory."
            )
        default:
            guard let (key, file) = Self.file(text) else { return }
            lines[key] = file
        }
    }

    /// `nil` for a line that is cut off, or that no export would write.
    private static func file(_ line: String) -> (FileKey, NamedFile)? {
        let parts = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, let digest = BlobID(hex: parts[0]), let byteCount = UInt64(parts[1]),
            let treatment = Treatment(rawValue: String(parts[2]))
        else { return nil }
        let names = parts[3].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard names.count == 2 else { return nil }
        let key = FileKey(source: String(names[0]), treatment: treatment)
        guard ExportName.canBe(String(names[1]), of: key), treatment != .original || key.source == digest.hex else {
            return nil
        }
        return (key, NamedFile(name: String(names[1]), written: Written(digest: digest, byteCount: byteCount)))
    }

    // MARK: Writing

    private static func line(_ file: NamedFile, _ key: FileKey) -> String {
        "\(file.written.digest.hex) \(file.written.byteCount) \(key.treatment.rawValue) \(key.source)/\(file.name)\n"
    }

    func note(_ file: NamedFile, for key: FileKey) throws(FileError) {
        lines[key] = file
        try append(Self.line(file, key))
    }

    /// Writes the file anew, with one line for each file that is there.
    func compact(where isThere: (String) throws(FileError) -> Bool) throws(FileError) {
        for (key, line) in lines where try !isThere(line.name) { lines[key] = nil }
        let text = lines.sorted { $0.value.name < $1.value.name }
            .reduce(into: "\(Self.firstLine)\n\(subject)\n") { $0 += Self.line($1.value, $1.key) }
        let file = try TemporaryFile(in: directory, name: Self.name + ".new", mode: 0o644)
        try file.append(Array(text.utf8))
        try file.synchronize()
        try file.rename(to: Self.name, replacing: true)
    }

    private func append(_ text: String) throws(FileError) { try file.append(Array(text.utf8)) }
}
