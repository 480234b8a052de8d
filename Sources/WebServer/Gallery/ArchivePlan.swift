import AlbumModel
import HTTPTypes
import OutputFormats
import PotluckAPI
import WebGallery

/// What somebody wants to take home of an album.
struct ArchiveOrder: Sendable {
    enum Size: String, Sendable, CaseIterable {
        case original
        /// Pictures of 2,048 px for those that have one.
        case small = "2048"
    }

    var size = Size.original
    /// `nil` for all.
    var photos: Set<BlobID>?
    /// Only what this browser did not take home before.
    var browser: String?
    var filter: GalleryFilter

    /// - Parameter pairs: Decoded names and values of a query and a form.
    /// - Throws: ``Problem`` with 400.
    init(_ pairs: [(name: String, value: String)]) throws(Problem) {
        do throws(GalleryFilter.Failure) {
            filter = try GalleryFilter(pairs)
        } catch {
            throw Problem.wrongQuery(error.name)
        }
        for (name, value) in pairs where !value.isEmpty {
            switch name {
            case "size":
                guard let size = Size(rawValue: value) else { throw Problem.wrongQuery(name) }
                self.size = size
            case "photos":
                var photos: Set<BlobID> = []
                for part in value.split(separator: ",") {
                    guard let photo = BlobID(hex: part) else { throw Problem.wrongQuery(name) }
                    photos.insert(photo)
                }
                self.photos = photos
            case "new_for":
                guard TakenHome.isBrowser(value) else { throw Problem.wrongQuery(name) }
                browser = value
            default: break
            }
        }
    }
}

/// The files of one archive, in their order; what each of them holds is asked for when its turn comes.
struct ArchivePlan: Sendable {
    struct File: Sendable {
        enum Content: Sendable {
            case picture(PictureKind, BlobID, EntityTag)
            case text([UInt8])
        }

        var entry: ZipEntry
        var byteCount: UInt64
        var content: Content
    }

    var files: [File]
    /// Those that are all in it.
    var photos: [PhotoKey]

    /// Equal for archives of equal bytes alone.
    var entityTag: EntityTag {
        var text = ""
        for file in files {
            text += "\(file.entry.name)\n\(file.entry.localMilliseconds) \(file.entry.milliseconds) \(file.byteCount) "
            switch file.content {
            case .picture(_, _, let tag): text += "\(tag.text)\n"
            case .text(let bytes): text += "\(EntityTag(hashing: bytes).text)\n"
            }
        }
        return EntityTag(hashing: text.utf8)
    }
}

/// The albums of which an archive has photos.
struct ArchiveScope: Sendable {
    struct Album: Sendable {
        var id: AlbumID
        /// `nil` for the archive of one album, whose files are in no directory.
        var directory: String?
    }

    /// The archive's, without its ending.
    let name: String
    let albums: [Album]

    init(_ album: AlbumID, name: String) {
        self.name = name
        albums = [Album(id: album, directory: nil)]
    }

    /// Of several albums, with a directory for each.
    init(_ albums: [(id: AlbumID, name: String)], name: String) {
        self.name = name
        // A file stands beside the directories, and an album may be called like it.
        let names = ArchiveNames.distinct([ArchivePlanner.noteName] + albums.map(\.name))
        self.albums = zip(albums, names.dropFirst()).map { Album(id: $0.id, directory: $1) }
    }
}

/// Finds out which files an archive has.
struct ArchivePlanner {
    let host: any GalleryHost
    /// As the visitor sees it.
    let agent: any AgentAPI
    /// What the visitor gets as originals.
    let originalKind: PictureKind
    let desk: ArchiveDesk

    static let noteName = "NOT-INCLUDED.txt"
    /// Originals of other laptops that one archive asks for.
    private static let askedCountMax = 500
    /// How long all previews together are waited for, and each.
    private static let makingPatience = Duration.seconds(240)
    private static let pictureMakingPatience = Duration.seconds(20)
    /// Previews that are asked for at once: the worker makes one after the other.
    private static let makingCount = 4

    /// A photo that somebody wants to take home.
    private struct Chosen: Sendable {
        var key: PhotoKey
        var directory: String?
        var photo: PhotosReport.Photo
    }

    /// A file that the archive is to have.
    private struct Part: Sendable {
        var blob: BlobID
        var directory: String?
        var name: String
        var time: ArchiveTime
        /// Which photo it belongs to.
        var photo: Int
        var kinds: [PictureKind]
        var isHere: Bool
    }

    /// One that it has.
    private struct Found: Sendable {
        var part: Part
        var kind: PictureKind
        var byteCount: UInt64
        var entityTag: EntityTag
    }

    /// - Throws: ``Problem`` with 404 where nothing is left to take, with 503 where nothing of it is here yet.
    func plan(_ order: ArchiveOrder, _ scope: ArchiveScope) async throws -> ArchivePlan {
        let photos = try await chosen(order, scope)
        let parts = photos.enumerated().flatMap { index, photo in self.parts(of: photo, index, order.size) }
        let found = try await find(parts)
        let missing = Set(zip(parts, found).compactMap { part, found in found == nil ? part.photo : nil })
        guard found.contains(where: { $0 != nil }) else {
            throw Problem(
                .serviceUnavailable, "fetching",
                "These photos are on other laptops and are being fetched; try again in a minute.", retryAfter: 30)
        }
        return assemble(photos, found.compactMap { $0 }, missing)
    }

    private func chosen(_ order: ArchiveOrder, _ scope: ArchiveScope) async throws -> [Chosen] {
        var (wanted, new): ([Chosen], [Chosen]) = ([], [])
        for album in scope.albums {
            let photos = try await chosen(order, album)
            wanted += photos
            guard let browser = order.browser else { continue }
            let missing = try await desk.home.missing(photos.map(\.key.blob), in: album.id, for: browser)
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
        try await agent.photos(PhotoQuery(album: album.id.hex)).photos.compactMap { photo in
            guard let blob = BlobID(hex: photo.id), order.photos?.contains(blob) ?? true,
                order.filter.isEmpty || GalleryPhoto(photo).map({ order.filter.contains($0) }) ?? false
            else { return nil }
            return Chosen(key: PhotoKey(album: album.id, blob: blob), directory: album.directory, photo: photo)
        }
    }

    private func parts(of chosen: Chosen, _ index: Int, _ size: ArchiveOrder.Size) -> [Part] {
        let photo = chosen.photo
        let main = Part(
            blob: chosen.key.blob, directory: chosen.directory, name: photo.name, time: ArchiveTime(photo.taken),
            photo: index, kinds: size == .small && photo.kind != .video ? [.preview, originalKind] : [originalKind],
            isHere: photo.here)
        guard size == .original else { return [main] }
        return [main]
            + photo.companions.compactMap { companion in
                BlobID(hex: companion.id).map { blob in
                    var part = main
                    (part.blob, part.name) = (blob, companion.name)
                    return part
                }
            }
    }

    // MARK: Files

    /// In the order of the parts; `nil` for what is not here.
    private func find(_ parts: [Part]) async throws -> [Found?] {
        let deadline = ContinuousClock.now + Self.makingPatience
        var found: [Found?] = []
        found.reserveCapacity(parts.count)
        var askedCount = 0
        var rest = parts[...]
        while !rest.isEmpty {
            try Task.checkCancellation()
            let group = rest.prefix(Self.makingCount)
            rest = rest.dropFirst(Self.makingCount)
            let mayAsk = askedCount < Self.askedCountMax
            let answers = try await withThrowingTaskGroup { tasks in
                for (index, part) in group.enumerated() where part.isHere || mayAsk {
                    tasks.addTask { (index, try await find(part, deadline)) }
                }
                return try await tasks.reduce(into: [Found?](repeating: nil, count: group.count)) { $0[$1.0] = $1.1 }
            }
            askedCount += answers.count { $0 == nil }
            found += answers
        }
        return found
    }

    private func find(_ part: Part, _ deadline: ContinuousClock.Instant) async throws -> Found? {
        for kind in part.kinds {
            let limit = min(deadline, .now + Self.pictureMakingPatience)
            let patience = kind.isDerived && part.isHere ? limit : nil
            if let file = try await host.picture(kind, of: part.blob, until: patience) {
                return Found(part: part, kind: kind, byteCount: file.byteCount, entityTag: file.entityTag)
            }
        }
        return nil
    }

    private func assemble(_ photos: [Chosen], _ found: [Found], _ missing: Set<Int>) -> ArchivePlan {
        var names = found.map { found in
            let name = found.part.name
            return (directory: found.part.directory, name: found.kind == .preview ? Self.jpegName(name) : name)
        }
        if !missing.isEmpty { names.append((nil, Self.noteName)) }
        let paths = Self.paths(names)
        var files = zip(found, paths).map { found, path in
            ArchivePlan.File(
                entry: found.part.time.entry(path), byteCount: found.byteCount,
                content: .picture(found.kind, found.part.blob, found.entityTag))
        }
        if !missing.isEmpty, let path = paths.last {
            let note = Array(Self.note(missing.sorted().map { Self.label(photos[$0]) }).utf8)
            let latest = found.map(\.part.time).max { $0.local < $1.local } ?? ArchiveTime(nil)
            files.append(
                ArchivePlan.File(entry: latest.entry(path), byteCount: UInt64(note.count), content: .text(note)))
        }
        let whole = photos.indices.filter { !missing.contains($0) }
        return ArchivePlan(files: files, photos: whole.map { photos[$0].key })
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

    private static func label(_ chosen: Chosen) -> String {
        let name = FileLabel.cleaned(chosen.photo.name)
        return chosen.directory.map { "\($0)/\(name)" } ?? name
    }

    /// With line ends for every editor.
    private static func note(_ labels: [String]) -> String {
        let lines = [
            "Not everything is in this archive. The originals of these photos are on other laptops",
            "and were not here yet. They are being fetched; take them home later.", "",
        ]
        return (lines + labels).map { $0 + "\r\n" }.joined()
    }

    /// `IMG_1.HEIC` becomes `IMG_1.jpg`; the name of a JPEG stays.
    private static func jpegName(_ name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name + ".jpg" }
        let ending = name[dot...].lowercased()
        return [".jpg", ".jpeg"].contains(ending) ? name : name[..<dot] + ".jpg"
    }
}

/// When a photo was taken, as archives tell it: 1980 where nobody knows.
private struct ArchiveTime: Sendable {
    /// What the clock showed, in milliseconds from 1970.
    var local: Int64
    /// The same instant in UTC; where the offset is not known, as if it were none.
    var universal: Int64

    /// 1980-01-01T00:00:00, the first that archives can tell.
    private static let unknown: Int64 = 315_532_800_000

    /// - Parameter taken: As in ``PhotosReport/Photo/taken``.
    init(_ taken: String?) {
        guard let taken, let time = LocalTime(parsing: taken.prefix(19)) else {
            (local, universal) = (Self.unknown, Self.unknown)
            return
        }
        local = time.milliseconds
        let offset = taken.suffix(6)
        let minutes = offset.split(separator: ":").compactMap { Int64($0.drop { $0 == "+" || $0 == "-" }) }
        guard taken.utf8.count > 19, let sign = offset.first, sign == "+" || sign == "-", minutes.count == 2 else {
            universal = local
            return
        }
        universal = local - (sign == "-" ? -1 : 1) * (minutes[0] * 60 + minutes[1]) * 60_000
    }

    func entry(_ name: String) -> ZipEntry {
        ZipEntry(name: name, localMilliseconds: local, milliseconds: universal)
    }
}

extension PictureSource {
    private static var askingInterval: Duration { .milliseconds(250) }

    /// A picture that is there, or made until a deadline; `nil` where it is not.
    ///
    /// - Parameter deadline: `nil` to ask once.
    func picture(
        _ kind: PictureKind, of blob: BlobID, until deadline: ContinuousClock.Instant?
    ) async throws -> PictureFile? {
        while true {
            switch try await picture(kind, of: blob) {
            case .here(let file): return file
            case .none: return nil
            case .later:
                guard let deadline, ContinuousClock.now < deadline else { return nil }
                try await Task.sleep(for: Self.askingInterval)
            }
        }
    }
}
