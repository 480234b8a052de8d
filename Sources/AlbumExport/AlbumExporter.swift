import AlbumModel
import DiskIO

/// Writes an album as ordinary files that need no Potluck: into a directory, or into a ZIP archive.
///
/// Each file is named by time and person, dated as taken, and listed in `CHECKSUMS` as `sha256sum --check` reads it.
/// Originals are checked against their hash while they are copied. A file appears whole or not at all; an export that
/// was interrupted goes on where it was when it is started again.
public struct AlbumExporter: Sendable {
    public static let checksumsName = "CHECKSUMS"
    public static let missingName = "MISSING.txt"
    /// How many pictures are made ahead: enough to keep a few decoders busy, some megabytes each.
    private static let madeAheadMax = 6

    private let album: ExportAlbum
    private let options: ExportOptions
    private let pictures: (any PictureMaker)?

    /// - Parameter pictures: Needed for large pictures and for copies without places; without it a gallery has small
    ///   pictures of those photos only whose ``ExportEntry/thumbnail`` is here.
    public init(album: ExportAlbum, options: ExportOptions, pictures: (any PictureMaker)?) {
        self.album = album
        self.options = options
        self.pictures = pictures
    }

    /// Writes all entries. What cannot be exported is listed, and does not stop the others.
    ///
    /// - Parameter progress: Called from a thread of its own, at least once for each mebibyte.
    /// - Throws: ``ExportError``, or `CancellationError`; then no file is half, and the next export goes on.
    public func export(
        _ entries: [ExportEntry], to destination: ExportDestination,
        progress: @escaping @Sendable (ExportProgress) -> Void
    ) async throws -> ExportSummary {
        let writer = ExportWriter(report: progress)
        do {
            return try await export(ExportPlan(entries, options), to: destination, writer)
        } catch let error as FileError {
            throw Self.sentence(error, destination)
        } catch let error as SourceError {
            throw ExportError(.failed, "The export stopped: \(error.reason).")
        }
    }

    private func export(
        _ plan: ExportPlan, to destination: ExportDestination, _ writer: ExportWriter
    ) async throws -> ExportSummary {
        guard pictures != nil || (options.size == .original && !options.stripsPlace) else {
            throw ExportError(.failed, "Nothing here can make other pictures of photos; export the originals.")
        }
        let hadGallery = try await writer.begin { try open(destination) }
        let gallery = options.hasGallery || hadGallery ? GalleryMaker(plan, pictures) : nil
        try await writer.prepare(for: plan.files, besides: gallery?.names ?? [:], destination: destination.path)
        try await inOrder(plan.files, width: Self.madeAheadMax) { file in
            try await prepare(file, writer)
        } use: { file, prepared in
            try await writer.add(file, prepared)
        }
        try await gallery?.make(album: album.name, writer, aheadMax: Self.madeAheadMax)
        return try await finish(plan, writer)
    }

    private func open(_ destination: ExportDestination) throws -> any ExportSink {
        let parent = Paths.parent(destination.path)
        guard try Disk.exists(parent, followsLink: false) else {
            throw ExportError(.destination, "There is no directory \(parent). Make it, or plug in its disk.")
        }
        switch destination {
        case .directory(let path):
            return try DirectorySink(path: path, subject: RecordFile.subject(album, options))
        case .archive(let path): return try ArchiveSink(path: path, directory: ExportName.directory(album.name))
        }
    }

    // MARK: One file

    /// Makes what is to be written of a file, unless it is there already.
    private func prepare(_ file: PlannedFile, _ writer: ExportWriter) async throws -> PreparedFile {
        let expected = file.treatment == .original ? file.source.id : nil
        if try await writer.keep(file.key, expected: expected, time: file.time) { return .kept }
        guard let path = file.source.path else { return .missing(SourceError.notHere.reason) }
        guard file.treatment != .original, let pictures else { return .content(.file(path), ending: file.ending) }
        do {
            guard file.treatment == .large else {
                let path = await writer.temporaryPath()
                return .content(try await Self.placeless(file.source, pictures, path), ending: file.ending)
            }
            let picture = try await pictures.picture(of: file.source, fitting: ExportOptions.largeSide)
            return .content(.bytes(picture.bytes), ending: FileEnding.ofPicture(mediaType: picture.mediaType))
        } catch let error as CancellationError {
            throw error
        } catch let error as ExportError {
            throw error
        } catch {
            // An original in its place would have what was to be left out.
            return .missing("\(error)")
        }
    }

    private static func placeless(
        _ file: ExportFile, _ pictures: any PictureMaker, _ path: String
    ) async throws -> Content {
        do {
            try await pictures.copyWithoutPlace(of: file, to: path)
            return .made(path)
        } catch {
            try? Disk.remove(path)
            throw error
        }
    }

    // MARK: The end

    /// Writes the lists, and sums up.
    private func finish(_ plan: ExportPlan, _ writer: ExportWriter) async throws -> ExportSummary {
        var summary = ExportSummary()
        summary.missing = await writer.missing
        if !summary.missing.isEmpty {
            try await writer.write(
                FileKey(source: Self.missingName, treatment: .text), name: Self.missingName,
                .bytes(Array(ExportLists.missing(summary.missing, album: album.name).utf8)))
        }
        let (files, kept) = (await writer.files, await writer.kept)
        try await writer.write(
            FileKey(source: Self.checksumsName, treatment: .text), name: Self.checksumsName,
            .bytes(Array(ExportLists.checksums(Array(files.values)).utf8)))
        summary.stale = try await writer.finish()
        summary.setAside = await writer.setAside
        summary.photos = plan.moments.count { moment in
            ([moment.lead] + moment.companions).allSatisfy { files[$0.key] != nil }
        }
        for file in plan.files {
            guard let written = files[file.key]?.written else { continue }
            summary.files += 1
            summary.bytes += written.byteCount
            summary.kept += kept.contains(file.key) ? 1 : 0
        }
        return summary
    }

    private static func sentence(_ error: FileError, _ destination: ExportDestination) -> ExportError {
        switch destination {
        case .directory where error.isFull:
            ExportError(
                .diskFull,
                "The disk of \(destination.path) is full. What is there is complete; make room and export again: it goes on where it stopped."
            )
        case .archive where error.isFull:
            ExportError(
                .diskFull,
                "The disk of \(destination.path) is full, and nothing was left there. Make room, or name another disk.")
        case .archive where error.isTooLargeForDisk:
            ExportError(
                .diskFull,
                "The disk of \(destination.path) takes no files above 4 GB. Export into a directory instead, or to a disk with exFAT or NTFS."
            )
        case _ where error.isObstacle:
            ExportError(.destination, "The export stopped: \(error.obstacleSentence)")
        default: ExportError(.failed, "The export stopped: \(error.reason).")
        }
    }
}
