import AlbumModel
import HummingbirdCore
import NIOCore
import OutputFormats
import WebGallery

/// Sends an archive, or a part of it. In memory are two pieces of a file, and the directory.
struct ArchiveSending: Sendable {
    /// A file is another one now, or has gone: the connection ends, so that nobody takes the archive for whole.
    struct Changed: Error {}

    let archive: MeasuredArchive
    let source: ArchiveSource
    let desk: ArchiveDesk
    let limits: WebLimits
    let byteCount: UInt64
    let entityTag: EntityTag

    init(_ archive: MeasuredArchive, _ source: ArchiveSource, desk: ArchiveDesk, limits: WebLimits) {
        self.archive = archive
        self.source = source
        self.desk = desk
        self.limits = limits
        byteCount = ZipStream.byteCount(
            of: archive.files.map { ZipStream.File(entry: $0.entry, byteCount: $0.byteCount) })
        entityTag = archive.entityTag
    }

    @concurrent
    func write(_ range: Range<UInt64>, to writer: inout any ResponseBodyWriter) async throws {
        var zip = ZipStream(files, from: range.lowerBound)
        var rest = range.upperBound - range.lowerBound
        while rest > 0 {
            switch zip.next() {
            case .finished: return
            case .send(let bytes):
                let part = bytes.prefix(Int(min(rest, UInt64(bytes.count))))
                rest -= UInt64(part.count)
                try await part.write(to: &writer, limits)
            case .content(let index, let start, let needsCRC):
                let file = try await picture(of: archive.files[index])
                var crc: CRC32? = needsCRC ? CRC32() : nil
                if needsCRC { try await sum(file, upTo: start, &crc) }
                let end = min(file.byteCount, start + rest)
                rest -= end - start
                try await PictureBytes(file, start..<end, limits).write(to: &writer, summing: &crc)
                if let crc, end == file.byteCount {
                    desk.checksums.remember(crc.value, of: file.entityTag)
                    zip.finishFile(crc: crc.value)
                }
            }
        }
    }

    private var files: [ZipStream.File] {
        archive.files.map { file in
            let crc: UInt32?
            switch file.content {
            case .picture(_, _, let tag): crc = desk.checksums.value(of: tag)
            case .text: crc = nil
            }
            return ZipStream.File(entry: file.entry, byteCount: file.byteCount, crc: crc)
        }
    }

    /// Reads what an earlier download sent.
    private func sum(_ file: PictureFile, upTo end: UInt64, _ crc: inout CRC32?) async throws {
        var reader = PictureBytes(file, 0..<end, limits)
        while let piece = try await reader.next() { piece.withUnsafeReadableBytes { crc?.update($0) } }
    }

    private func picture(of file: MeasuredArchive.File) async throws -> PictureFile {
        switch file.content {
        case .text(let bytes):
            return PictureFile(ByteBuffer(bytes: bytes), mediaType: "text/plain", entityTag: EntityTag(hashing: bytes))
        case .picture(let kind, let blob, let tag):
            // What was made may have left the cache since.
            let answer = try await source.picture(kind, of: blob, patience: ArchiveSource.patience)
            guard case .here(let found) = answer, found.byteCount == file.byteCount, found.entityTag == tag else {
                throw Changed()
            }
            return found
        }
    }
}

/// Sends an archive while its files are made. What does not come in time is left out, or comes as it was added, and is
/// named in a text at the archive's end. In memory are two pieces of a file, and the directory.
struct ArchiveGrowing: Sendable {
    let contents: ArchiveContents
    let source: ArchiveSource
    let limits: WebLimits
    /// Files that are asked for at a time, that which is sent next before those that are made meanwhile.
    private static let askedCount = 4
    /// How long nothing is sent while files are made, one after the other.
    private static let silenceMax = Duration.seconds(60)

    /// - Returns: Photos that are all in it.
    @concurrent
    func write(to writer: inout any ResponseBodyWriter) async throws -> [PhotoKey] {
        var (zip, notes, missingCount) = (ZipWriter(), ArchiveNotes(), 0)
        var silenceBegin = ContinuousClock.now
        for (index, part) in contents.parts.enumerated() {
            try Task.checkCancellation()
            try await askAhead(from: index)
            let mayAsk = part.isHere || missingCount < ArchiveSource.askedCountMax
            let left = max(.zero, Self.silenceMax - silenceBegin.duration(to: .now))
            let patience = min(ArchiveSource.patience, left)
            let finding = mayAsk ? try await source.find(part, patience: patience) : .missing(reason: nil)
            notes.note(finding, part)
            guard case .file(let file, let kind, _) = finding else {
                missingCount += 1
                continue
            }
            let head = zip.begin(part.entry(as: kind), byteCount: file.byteCount)
            try await head[...].write(to: &writer, limits)
            var crc: CRC32? = CRC32()
            try await PictureBytes(file, 0..<file.byteCount, limits).write(to: &writer, summing: &crc)
            try await zip.end(crc: crc?.value ?? 0)[...].write(to: &writer, limits)
            silenceBegin = .now
        }
        for (entry, bytes) in notes.texts(at: contents.notePaths) {
            var crc = CRC32()
            crc.update(bytes)
            let head = zip.add(entry, crc: crc.value, byteCount: UInt64(bytes.count))
            try await (head + bytes)[...].write(to: &writer, limits)
        }
        try await zip.finish()[...].write(to: &writer, limits)
        return contents.whole(notes)
    }

    private func askAhead(from index: Int) async throws {
        for part in contents.parts.dropFirst(index).prefix(Self.askedCount) {
            guard let kind = part.kinds.first, kind.isDerived, part.isHere else { continue }
            _ = try await source.host.picture(kind, of: part.blob, in: nil)
        }
    }
}

extension ArraySlice<UInt8> {
    /// Sends them in pieces that leave one after the other.
    @concurrent
    fileprivate func write(to writer: inout any ResponseBodyWriter, _ limits: WebLimits) async throws {
        var rest = self
        while !rest.isEmpty {
            try await writer.write(ByteBuffer(bytes: rest.prefix(limits.writeByteCount)))
            rest = rest.dropFirst(limits.writeByteCount)
        }
    }
}
