import AlbumModel
import DiskIO

/// Writes an export's files one after the other, and remembers what became of each. Its calls block their own thread.
actor ExportWriter {
    private let blocking = BlockingQueue()
    nonisolated var unownedExecutor: UnownedSerialExecutor { blocking.asUnownedSerialExecutor() }

    private let report: @Sendable (ExportProgress) -> Void
    private var progress = ExportProgress()
    private var opened: (any ExportSink)?
    private(set) var files: [FileKey: NamedFile] = [:]
    private(set) var kept: Set<FileKey> = []
    private(set) var missing: [ExportSummary.Missing] = []

    init(report: @escaping @Sendable (ExportProgress) -> Void) {
        self.report = report
    }

    private var sink: any ExportSink {
        guard let opened else { preconditionFailure("an export begins before it writes") }
        return opened
    }

    var setAside: [String] { sink.setAside }

    // MARK: Beginning and end

    /// Opens the destination.
    ///
    /// - Returns: Whether an earlier export there has a gallery.
    func begin(_ make: @Sendable () throws -> any ExportSink) throws -> Bool {
        let sink = try make()
        opened = sink
        return sink.hasGallery
    }

    /// Says which files are to come. Throws where they cannot all fit.
    func prepare(for files: [PlannedFile], besides others: [FileKey: FileName], destination: String) throws {
        var names = others
        for file in files { names[file.key] = FileName(stem: file.stem, ending: file.ending) }
        try sink.prepare(for: names)
        progress.fileTotal = files.count
        progress.byteTotal = files.map(\.source.byteCount).clampedSum
        let new = files.filter { $0.treatment != .large && $0.source.path != nil && !sink.isRecorded($0.key) }
        let needed = new.map(\.source.byteCount).clampedSum
        guard let free = sink.freeByteCount, needed > free, let path = new.first?.source.path,
            !sink.shares(bytesOf: path)
        else { return }
        throw ExportError(
            .diskFull,
            "\(destination) needs \(ByteText.size([needed, 999_999].clampedSum)), and its disk has \(ByteText.size(free)) free. Make room, or name another disk."
        )
    }

    /// - Returns: ``ExportSummary/stale``.
    func finish() throws -> [String] { try sink.finish() }

    // MARK: Files

    /// A path where a ``PictureMaker`` may make a file.
    func temporaryPath() -> String { sink.temporaryPath() }

    /// Whether a file is there from an earlier export.
    func keep(_ key: FileKey, expected: BlobID?, time: FileTime?) throws -> Bool {
        guard let file = try sink.kept(key, expected: expected, time: time) else { return false }
        files[key] = file
        kept.insert(key)
        return true
    }

    /// Writes a file that is not one of the album's.
    ///
    /// - Throws: ``SourceError``, `FileError`.
    func write(_ key: FileKey, name: String, _ content: Content, expected: BlobID? = nil) throws {
        files[key] = try sink.write(key, name: name, content, expected: expected, time: nil) { _ in }
    }

    /// Writes one of the album's files; what is wrong with it alone is noted.
    ///
    /// - Throws: `FileError`.
    func add(_ file: PlannedFile, _ prepared: PreparedFile) throws {
        let before = progress
        do {
            switch prepared {
            case .kept: break
            case .missing(let reason): throw SourceError(reason: reason)
            case .content(let content, let ending): try write(file, content, ending)
            }
        } catch let error as SourceError {
            note(file, error.reason)
        } catch let error as FileError where error.isTooLargeForDisk && opened is DirectorySink {
            note(file, "its disk takes no files above 4 GB; one with exFAT or NTFS would")
        }
        progress.files = before.files + 1
        progress.bytes = [before.bytes, file.source.byteCount].clampedSum
        report(progress)
    }

    private func write(_ file: PlannedFile, _ content: Content, _ ending: String) throws {
        let expected = file.treatment == .original ? file.source.id : nil
        let end = [progress.bytes, file.source.byteCount].clampedSum
        files[file.key] = try sink.write(
            file.key, name: file.stem + ending, content, expected: expected, time: file.time
        ) { count in
            progress.bytes = min([progress.bytes, count].clampedSum, end)
            report(progress)
        }
    }

    private func note(_ file: PlannedFile, _ reason: String) {
        missing.append(ExportSummary.Missing(file: file.source, exportName: file.name, reason: reason))
    }
}

/// What has been made ready of a file, before its turn to be written.
enum PreparedFile: Sendable {
    case kept
    /// The ending is that of what was made.
    case content(Content, ending: String)
    /// Why it cannot be.
    case missing(String)
}

/// Sizes as people say them.
enum ByteText {
    /// `512 MB`, `3.2 GB`: rounded down.
    static func size(_ byteCount: UInt64) -> String {
        let megabytes = byteCount / 1_000_000
        guard megabytes >= 1000 else { return "\(megabytes) MB" }
        return "\(megabytes / 1000).\(megabytes % 1000 / 100) GB"
    }
}
