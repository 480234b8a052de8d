import AlbumModel
import HTTPTypes
import PotluckAPI
import WebGallery

/// Finds out which files an archive has.
struct ArchivePlanner {
    let source: ArchiveSource
    /// As the visitor sees it.
    let agent: any AgentAPI
    /// What the visitor gets as originals.
    let originalKind: PictureKind
    let home: TakenHome

    /// Files that are looked for at once.
    private static let lookCount = 4

    /// A photo that somebody wants to take home.
    private struct Chosen: Sendable {
        var key: PhotoKey
        var directory: String?
        var photo: PhotosReport.Photo
    }

    /// Waits for nothing that is being made.
    ///
    /// - Throws: ``Problem`` with 404 where nothing is left to take, with 503 where nothing of it is here yet.
    func plan(_ order: ArchiveOrder, _ scope: ArchiveScope) async throws -> ArchivePlan {
        let contents = contents(try await chosen(order, scope), order.size)
        guard let findings = try await look(contents.parts) else { return .growing(contents) }
        try Self.checkSome(findings)
        return .measured(Self.measured(contents, findings))
    }

    private func chosen(_ order: ArchiveOrder, _ scope: ArchiveScope) async throws -> [Chosen] {
        var (wanted, new): ([Chosen], [Chosen]) = ([], [])
        for album in scope.albums {
            let photos = try await chosen(order, album)
            wanted += photos
            guard let browser = order.browser else { continue }
            let missing = try await home.missing(photos.map(\.key.blob), in: album.id, for: browser)
            new += photos.filter { missing.contains($0.key.blob) }
        }
        guard !wanted.isEmpty else { throw Problem(.notFound, "no_photos", "There are no photos to take home.") }
        guard order.browser != nil else { return wanted }
        guard !new.isEmpty else {
            throw Problem(.notFound, "nothing_new", "There is nothing new: this browser took all of it home.")
        }
        return new
    }

    private func chosen(_ order: ArchiveOrder, _ album: ArchiveScope.Album) async throws -> [Chosen] {
        let searched = album.name.map { SearchedAlbum(name: $0) }
        return try await agent.photos(PhotoQuery(album: album.id.hex)).photos.compactMap { photo in
            guard let blob = BlobID(hex: photo.id), order.photos?.contains(blob) ?? true,
                order.filter.isEmpty || GalleryPhoto(photo).map({ order.filter.contains($0, in: searched) }) ?? false
            else { return nil }
            return Chosen(key: PhotoKey(album: album.id, blob: blob), directory: album.directory, photo: photo)
        }
    }

    // MARK: Contents

    private func contents(_ chosen: [Chosen], _ size: ArchiveOrder.Size) -> ArchiveContents {
        var parts: [ArchivePart] = []
        var names: [(directory: String?, name: String)] = []
        for (index, chosen) in chosen.enumerated() {
            for part in self.parts(of: chosen, index, size) {
                parts.append(part)
                // Which of both it is turns out while it is sent: neither is another file's name.
                names.append((chosen.directory, part.path))
                if part.smallPath != part.path { names.append((chosen.directory, part.smallPath)) }
            }
        }
        var paths = Self.paths(names + ArchiveNotes.names.map { (nil, $0) })[...]
        for index in parts.indices {
            let isOne = parts[index].smallPath == parts[index].path
            parts[index].path = paths.removeFirst()
            parts[index].smallPath = isOne ? parts[index].path : paths.removeFirst()
        }
        return ArchiveContents(photos: chosen.map(\.key), parts: parts, notePaths: Array(paths))
    }

    /// With names for paths.
    private func parts(of chosen: Chosen, _ index: Int, _ size: ArchiveOrder.Size) -> [ArchivePart] {
        let photo = chosen.photo
        let isSmall = size == .small && photo.kind != .video
        let main = ArchivePart(
            blob: chosen.key.blob, path: photo.name, smallPath: isSmall ? Self.jpegName(photo.name) : photo.name,
            time: ArchiveTime(photo.taken), photo: index, kinds: isSmall ? [.preview, originalKind] : [originalKind],
            isHere: photo.here)
        guard size == .original else { return [main] }
        return [main]
            + photo.companions.compactMap { companion in
                BlobID(hex: companion.id).map { blob in
                    var part = main
                    (part.blob, part.path, part.smallPath) = (blob, companion.name, companion.name)
                    return part
                }
            }
    }

    /// Within the archive, in the order of the files; no two of a directory are called the same.
    private static func paths(_ files: [(directory: String?, name: String)]) -> [String] {
        var paths = [String](repeating: "", count: files.count)
        for (directory, indices) in Dictionary(grouping: files.indices, by: { files[$0].directory }) {
            for (index, name) in zip(indices, ArchiveNames.distinct(indices.map { files[$0].name })) {
                paths[index] = directory.map { "\($0)/\(name)" } ?? name
            }
        }
        return paths
    }

    /// `IMG_1.HEIC` becomes `IMG_1.jpg`; the name of a JPEG stays.
    private static func jpegName(_ name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name + ".jpg" }
        let ending = name[dot...].lowercased()
        return [".jpg", ".jpeg"].contains(ending) ? name : name[..<dot] + ".jpg"
    }

    // MARK: What is there

    /// In the order of the parts; `nil` where something is still to be made.
    private func look(_ parts: [ArchivePart]) async throws -> [ArchiveFinding]? {
        var findings: [ArchiveFinding] = []
        findings.reserveCapacity(parts.count)
        var askedCount = 0
        var rest = parts[...]
        while !rest.isEmpty {
            try Task.checkCancellation()
            let group = rest.prefix(Self.lookCount)
            rest = rest.dropFirst(Self.lookCount)
            let mayAsk = askedCount < ArchiveSource.askedCountMax
            let answers = try await withThrowingTaskGroup { tasks in
                for (index, part) in group.enumerated() where part.isHere || mayAsk {
                    tasks.addTask { (index, try await source.find(part)) }
                }
                let none = [ArchiveFinding](repeating: .missing(reason: nil), count: group.count)
                return try await tasks.reduce(into: none) { $0[$1.0] = $1.1 }
            }
            for answer in answers {
                switch answer {
                case .making: return nil
                case .missing: askedCount += 1
                case .file: break
                }
            }
            findings += answers
        }
        return findings
    }

    /// - Throws: ``Problem`` where nothing is there.
    private static func checkSome(_ findings: [ArchiveFinding]) throws {
        var known: String?
        for finding in findings {
            guard case .missing(let reason) = finding else { return }
            known = known ?? reason
        }
        let isComing = findings.contains { if case .missing(nil) = $0 { true } else { false } }
        guard let known, !isComing else {
            throw Problem(
                .serviceUnavailable, "fetching",
                "These photos are on other laptops and are being fetched; try again in a minute.", retryAfter: 30)
        }
        throw Problem(.notFound, "no_photos", "There is nothing to take home now. \(known)")
    }

    private static func measured(_ contents: ArchiveContents, _ findings: [ArchiveFinding]) -> MeasuredArchive {
        var notes = ArchiveNotes()
        var files: [MeasuredArchive.File] = []
        for (part, finding) in zip(contents.parts, findings) {
            notes.note(finding, part)
            guard case .file(let file, let kind, _) = finding else { continue }
            files.append(
                MeasuredArchive.File(
                    entry: part.entry(as: kind), byteCount: file.byteCount,
                    content: .picture(kind, part.blob, file.entityTag)))
        }
        files += notes.texts(at: contents.notePaths).map { text in
            MeasuredArchive.File(entry: text.entry, byteCount: UInt64(text.bytes.count), content: .text(text.bytes))
        }
        return MeasuredArchive(files: files, photos: contents.whole(notes))
    }
}
