import AlbumModel
import CFileOps
import Glibc

/// An export as files in a directory, which can be interrupted and brought up to date.
///
/// A file that stands where one of ours belongs is replaced only if we made it of the same thing and nobody changed it
/// since; any other is set aside under a name like it. Photos are never removed.
final class DirectorySink: ExportSink {
    /// Files of this prefix are being written; one without a process is a crash's.
    private static let partPrefix = ".potluck-part-"

    private(set) var setAside: [String] = []
    private let root: String
    private let write: OutputFile.Write
    private let record: RecordFile
    private var names: [FileKey: FileName] = [:]
    /// What this export has made or kept.
    private var present: Set<FileKey> = []
    /// Whether the disk shares bytes of files, as far as was tried.
    private var clones = true
    private var partCount = 0

    /// - Throws: ``ExportError`` where the directory is no place for this export, ``DiskError``.
    init(path: String, subject: String, write: @escaping OutputFile.Write = OutputFile.systemWrite) throws {
        root = path
        self.write = write
        if try !Paths.exists(path) { try Paths.makeDirectory(path) }
        let present = try Paths.names(in: path)
        guard present.isEmpty || present.contains(RecordFile.name) else {
            throw ExportError(
                .destination,
                "\(path) holds other files already. Name a new or an empty directory, for example one inside of it.")
        }
        record = try RecordFile(directory: path, subject: subject)
        for name in present where name.hasPrefix(Self.partPrefix) { unlink(path + "/" + name) }
    }

    var hasGallery: Bool { record.lines[GalleryPage.key] != nil }
    var freeByteCount: UInt64? { Paths.freeByteCount(root) }

    func temporaryPath(_ number: Int) -> String { path("\(Self.partPrefix)made-\(number)") }

    private func path(_ name: String) -> String { root + "/" + name }

    private func newPart() throws(DiskError) -> OutputFile {
        partCount += 1
        return try OutputFile(temporary: path("\(Self.partPrefix)\(partCount)"), write: write)
    }

    func isRecorded(_ key: FileKey) -> Bool { record.lines[key] != nil }

    func shares(bytesOf source: String) -> Bool {
        // Where nothing can be read or made, the first real file says so.
        guard let source = try? SourceBytes(path: source), let part = try? newPart() else { return false }
        clones = part.clone(source)
        return clones
    }

    // MARK: What is there already

    /// Moves away what has got another name since, so that no two files are in each other's way.
    func prepare(for names: [FileKey: FileName]) throws {
        self.names = names
        for (key, line) in record.lines.sorted(by: { $0.value.name < $1.value.name }) {
            guard let wanted = wantedName(key), wanted != line.name, try Paths.exists(path(line.name)) else { continue }
            try Paths.moveWithoutReplacing(path(line.name), to: path(MovedName.text(key)))
        }
    }

    /// The name that a file is to have; one that was made keeps the ending that it was given then.
    private func wantedName(_ key: FileKey) -> String? {
        guard let name = names[key] else { return nil }
        guard key.treatment.isPicture, let line = record.lines[key], let dot = line.name.lastIndex(of: ".") else {
            return name.text
        }
        return name.stem + line.name[dot...]
    }

    func kept(_ key: FileKey, expected: BlobID?, time: FileTime?) throws -> NamedFile? {
        let line = record.lines[key]
        guard let name = wantedName(key), let digest = expected ?? line?.written.digest else { return nil }
        let moved = path(MovedName.text(key))
        if try Paths.exists(moved) {
            guard SourceBytes.digest(ofFileAt: moved)?.digest == digest else {
                try putBack(moved, as: line?.name ?? name)
                return nil
            }
            if try Paths.exists(path(name)) { try setAside(name) }
            try Paths.moveWithoutReplacing(moved, to: path(name))
        }
        guard let written = SourceBytes.digest(ofFileAt: path(name)), written.digest == digest else { return nil }
        let file = NamedFile(name: name, written: written)
        if line != file { try record.note(file, for: key) }
        if let time { Paths.setModified(path(name), time) }
        present.insert(key)
        return file
    }

    /// A file that somebody changed gets its old name again, or one like it.
    private func putBack(_ moved: String, as name: String) throws {
        let free = try Paths.exists(path(name)) ? nameLike(name) : name
        try Paths.moveWithoutReplacing(moved, to: path(free))
        setAside.append(free)
    }

    private func setAside(_ name: String) throws {
        let free = try nameLike(name)
        try Paths.moveWithoutReplacing(path(name), to: path(free))
        setAside.append(free)
    }

    /// `IMG_1 (other).jpg`, or with a number, where nothing stands.
    private func nameLike(_ name: String) throws -> String {
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        var number = 1
        while true {
            let free = "\(name[..<dot]) (other\(number == 1 ? "" : " \(number)"))\(name[dot...])"
            if try !Paths.exists(path(free)) { return free }
            number += 1
        }
    }

    // MARK: New files

    func write(
        _ key: FileKey, name: String, _ content: Content, expected: BlobID?, time: FileTime?,
        progress: (UInt64) -> Void
    ) throws -> NamedFile {
        let (part, written, modified) = try fill(content, progress)
        guard expected == nil || written.digest == expected else { throw SourceError.damaged }
        if let time = time ?? modified { part.setModified(time) }
        // The gallery's pictures are many and can be made again: the sync at the end is soon enough.
        if key.treatment.isPhoto { try part.synchronize() }
        let file = NamedFile(name: name, written: written)
        try place(part, file, key)
        present.insert(key)
        return file
    }

    private func fill(
        _ content: Content, _ progress: (UInt64) -> Void
    ) throws -> (OutputFile, Written, modified: FileTime?) {
        var digest = StreamDigest()
        switch content {
        case .bytes(let bytes):
            let part = try newPart()
            bytes.withUnsafeBytes { digest.update($0) }
            try part.write(bytes, at: 0)
            return (part, digest.written, nil)
        case .made(let path):
            let part = try OutputFile(adopting: path)
            try SourceBytes(path: path).forEachChunk { bytes, _ in
                digest.update(bytes)
                progress(UInt64(bytes.count))
            }
            return (part, digest.written, nil)
        case .file(let path):
            let (source, part) = (try SourceBytes(path: path), try newPart())
            let isClone = clones && part.clone(source)
            clones = isClone
            // Of a clone its own bytes are checked; else what is checked is what is written.
            try (isClone ? SourceBytes(path: part.path) : source).forEachChunk { bytes, offset in
                digest.update(bytes)
                if !isClone { try part.write(bytes, at: offset) }
                progress(UInt64(bytes.count))
            }
            return (part, digest.written, FileTime(milliseconds: source.modified))
        }
    }

    /// Gives a whole file its name.
    private func place(_ part: OutputFile, _ file: NamedFile, _ key: FileKey) throws {
        if let slash = file.name.lastIndex(of: "/") { try Paths.makeDirectory(path(String(file.name[..<slash]))) }
        var isOurs = false
        if try Paths.exists(path(file.name)) {
            let current = SourceBytes.digest(ofFileAt: path(file.name))
            let line = record.lines[key]
            isOurs = current == file.written || (line?.name == file.name && line?.written == current)
            if !isOurs { try setAside(file.name) }
        }
        try record.note(file, for: key)
        try part.rename(to: path(file.name), replacing: isOurs)
    }

    // MARK: The end

    func finish() throws -> [String] {
        for name in try Paths.names(in: root) {
            guard let key = MovedName.key(name) else { continue }
            try putBack(path(name), as: record.lines[key]?.name ?? key.source)
        }
        var stale: [String] = []
        for (key, line) in record.lines where !present.contains(key) {
            guard try Paths.exists(path(line.name)) else { continue }
            if key.treatment.isPhoto {
                stale.append(line.name)
            } else if SourceBytes.digest(ofFileAt: path(line.name)) == line.written {
                unlink(path(line.name))
            }
        }
        try record.compact { [path] name throws(DiskError) in try Paths.exists(path(name)) }
        try Paths.synchronize(root)
        return stale.sorted()
    }
}

/// Names of files that are whole and on their way from one name to another.
private enum MovedName {
    private static let prefix = ".potluck-moved-"

    static func text(_ key: FileKey) -> String { "\(prefix)\(key.treatment.rawValue)-\(key.source)" }

    static func key(_ text: String) -> FileKey? {
        guard text.hasPrefix(prefix) else { return nil }
        let parts = text.dropFirst(prefix.count).split(separator: "-", maxSplits: 1)
        guard parts.count == 2, let treatment = Treatment(rawValue: String(parts[0])) else { return nil }
        return FileKey(source: String(parts[1]), treatment: treatment)
    }
}
