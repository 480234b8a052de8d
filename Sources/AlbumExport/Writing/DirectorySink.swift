import AlbumModel
import DiskIO

/// An export as files in a directory, which can be interrupted and brought up to date.
///
/// A file that stands where one of ours belongs is replaced only if we made it of the same thing and nobody changed it
/// since; any other is set aside under a name like it. Photos are never removed. The directory may have been prepared by
/// anybody: nothing is written, moved or removed but plain files below it.
final class DirectorySink: ExportSink {
    private static let parts = PartNames(prefix: ".potluck-part-")

    private(set) var setAside: [String] = []
    private let root: OpenDirectory
    private let write: TemporaryFile.Write
    private let record: RecordFile
    private var names: [FileKey: FileName] = [:]
    /// What this export has made or kept.
    private var present: Set<FileKey> = []
    /// Whether the disk shares bytes of files, as far as was tried.
    private var clones = true
    private var partCount = 0

    /// - Throws: ``ExportError`` where the directory is no place for this export, `FileError`.
    init(path: String, subject: String, write: @escaping TemporaryFile.Write = TemporaryFile.systemWrite) throws {
        self.write = write
        if try !Disk.exists(path, followsLink: false) { try Disk.makeDirectory(path, mode: 0o755) }
        root = try OpenDirectory(path: path)
        let present = try root.names()
        guard present.isEmpty || present.contains(RecordFile.name) else {
            throw ExportError(
                .destination,
                "\(path) holds other files already. Name a new or an empty directory, for example one inside of it.")
        }
        record = try RecordFile(directory: root, subject: subject)
        for name in present where Self.parts.contains(name) { try root.removeFile(name) }
    }

    var hasGallery: Bool { record.lines[GalleryPage.key] != nil }
    var freeByteCount: UInt64? { root.freeByteCount }

    func temporaryPath() -> String { root.path(of: Self.parts.made()) }

    private func newPart() throws(FileError) -> TemporaryFile {
        partCount += 1
        return try TemporaryFile(in: root, name: Self.parts.numbered(partCount), mode: 0o644, write: write)
    }

    func isRecorded(_ key: FileKey) -> Bool { record.lines[key] != nil }

    func shares(bytesOf source: String) -> Bool {
        // Where nothing can be read or made, the first real file says so.
        guard let source = try? OpenFile.source(source), let part = try? newPart() else { return false }
        clones = part.clone(source)
        return clones
    }

    // MARK: What is there already

    /// Moves away what has got another name since, so that no two files are in each other's way.
    func prepare(for names: [FileKey: FileName]) throws {
        self.names = names
        for (key, line) in record.lines.sorted(by: { $0.value.name < $1.value.name }) {
            guard let wanted = wantedName(key), wanted != line.name, try isFile(line.name) else { continue }
            try root.rename(line.name, to: MovedName.text(key), replacing: false)
        }
    }

    private func isFile(_ name: String) throws(FileError) -> Bool { try root.look(name)?.kind == .file }

    /// SHA-256 and size of a file; `nil` where it has another size, or cannot be read.
    ///
    /// - Parameter byteCounts: sizes that it may have; `nil` for any.
    private func written(_ name: String, byteCounts: [UInt64]?) -> Written? {
        do {
            guard let file = try root.file(name), byteCounts?.contains(file.byteCount) ?? true else { return nil }
            try file.refuseHoles()
            var digest = StreamDigest()
            try file.forEachChunk { bytes, _ in digest.update(bytes) }
            return digest.written
        } catch {
            return nil
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
        let byteCounts = line.map { [$0.written.byteCount] }
        let moved = MovedName.text(key)
        if let look = try root.look(moved) {
            guard look.kind == .file else {
                throw FileError(.obstacle(look.kind, wanted: .file), "rename", root.path(of: moved))
            }
            guard written(moved, byteCounts: byteCounts)?.digest == digest else {
                try putBack(moved, as: line?.name ?? name)
                return nil
            }
            if try root.look(name) != nil { try setAside(name) }
            try root.rename(moved, to: name, replacing: false)
        }
        guard let written = written(name, byteCounts: byteCounts), written.digest == digest else { return nil }
        let file = NamedFile(name: name, written: written)
        if line != file { try record.note(file, for: key) }
        if let time { try root.file(name)?.setModified(time.specification) }
        present.insert(key)
        return file
    }

    /// A file that somebody changed gets its old name again, or one like it.
    private func putBack(_ moved: String, as name: String) throws {
        let free = try root.look(name) != nil ? nameLike(name) : name
        try root.rename(moved, to: free, replacing: false)
        setAside.append(free)
    }

    /// - Throws: an obstacle where no plain file stands there: it was not exported, and is no photo that was changed.
    private func setAside(_ name: String) throws {
        if let look = try root.look(name), look.kind != .file {
            throw FileError(.obstacle(look.kind, wanted: .file), "rename", root.path(of: name))
        }
        let free = try nameLike(name)
        try root.rename(name, to: free, replacing: false)
        setAside.append(free)
    }

    /// `IMG_1 (other).jpg`, or with a number, where nothing stands.
    private func nameLike(_ name: String) throws -> String {
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        var number = 1
        while true {
            let free = "\(name[..<dot]) (other\(number == 1 ? "" : " \(number)"))\(name[dot...])"
            if try root.look(free) == nil { return free }
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
        if let time = time ?? modified { part.setModified(time.specification) }
        // The gallery's pictures are many and can be made again: the sync at the end is soon enough.
        if key.treatment.isPhoto { try part.synchronize() }
        let file = NamedFile(name: name, written: written)
        try place(part, file, key)
        present.insert(key)
        return file
    }

    private func fill(
        _ content: Content, _ progress: (UInt64) -> Void
    ) throws -> (TemporaryFile, Written, modified: FileTime?) {
        var digest = StreamDigest()
        switch content {
        case .bytes(let bytes):
            let part = try newPart()
            bytes.withUnsafeBytes { digest.update($0) }
            try part.write(bytes, at: 0)
            return (part, digest.written, nil)
        case .made(let path):
            let part = try TemporaryFile(adopting: Paths.lastPart(path), in: root, mode: 0o644)
            try part.reopened().forEachSourceChunk { bytes, _ in
                digest.update(bytes)
                progress(UInt64(bytes.count))
            }
            return (part, digest.written, nil)
        case .file(let path):
            let (source, part) = (try OpenFile.source(path), try newPart())
            let isClone = clones && part.clone(source)
            clones = isClone
            // Of a clone its own bytes are checked; else what is checked is what is written.
            try (isClone ? part.reopened() : source).forEachSourceChunk { bytes, offset in
                digest.update(bytes)
                if !isClone { try part.write(bytes, at: offset) }
                progress(UInt64(bytes.count))
            }
            return (part, digest.written, FileTime(milliseconds: source.modifiedMilliseconds))
        }
    }

    /// Gives a whole file its name.
    private func place(_ part: TemporaryFile, _ file: NamedFile, _ key: FileKey) throws {
        if let slash = file.name.lastIndex(of: "/") {
            try root.makeDirectory(String(file.name[..<slash]), mode: 0o755)
        }
        var isOurs = false
        if try root.look(file.name) != nil {
            let line = record.lines[key].flatMap { $0.name == file.name ? $0.written : nil }
            let sizes = [file.written.byteCount] + (line.map { [$0.byteCount] } ?? [])
            let current = written(file.name, byteCounts: sizes)
            isOurs = current != nil && (current == file.written || current == line)
            if !isOurs { try setAside(file.name) }
        }
        try record.note(file, for: key)
        try part.rename(to: file.name, replacing: isOurs)
    }

    // MARK: The end

    func finish() throws -> [String] {
        for name in try root.names() {
            guard let key = MovedName.key(name), try isFile(name) else { continue }
            try putBack(name, as: record.lines[key]?.name ?? key.source)
        }
        var stale: [String] = []
        for (key, line) in record.lines where !present.contains(key) {
            guard try isFile(line.name) else { continue }
            if key.treatment.isPhoto {
                stale.append(line.name)
            } else if written(line.name, byteCounts: [line.written.byteCount]) == line.written {
                try root.removeFile(line.name)
            }
        }
        try record.compact { [root] name throws(FileError) in try root.look(name) != nil }
        try root.synchronizeFileSystem()
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
        let key = FileKey(source: String(parts[1]), treatment: treatment)
        return text == self.text(key) && BlobID(hex: key.source) != nil ? key : nil
    }
}
