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
    var photos: [BlobID]

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

/// Finds out which files an archive has.
struct ArchivePlanner {
    let host: any GalleryHost
    /// As the visitor sees it.
    let agent: any AgentAPI
    let desk: ArchiveDesk

    static let noteName = "NOT-INCLUDED.txt"
    /// Originals of other laptops that one archive asks for.
    private static let askedCountMax = 500
    /// How long all previews together are waited for, and each.
    private static let makingPatience = Duration.seconds(240)
    private static let pictureMakingPatience = Duration.seconds(20)
    /// Previews that are asked for at once: the worker makes one after the other.
    private static let makingCount = 4

    /// A file that the archive is to have.
    private struct Part: Sendable {
        var blob: BlobID
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
    func plan(_ order: ArchiveOrder, _ album: AlbumID) async throws -> ArchivePlan {
        let photos = try await chosen(order, album)
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

    private func chosen(_ order: ArchiveOrder, _ album: AlbumID) async throws -> [PhotosReport.Photo] {
        var photos = try await agent.photos(PhotoQuery(album: album.hex)).photos
        if let wanted = order.photos {
            photos = photos.filter { photo in BlobID(hex: photo.id).map { wanted.contains($0) } ?? false }
        }
        if !order.filter.isEmpty {
            photos = photos.filter { photo in GalleryPhoto(photo).map { order.filter.contains($0) } ?? false }
        }
        guard !photos.isEmpty else { throw Problem(.notFound, "no_photos", "There are no photos to take home.") }
        guard let browser = order.browser else { return photos }
        let missing = try await desk.home.missing(photos.compactMap { BlobID(hex: $0.id) }, in: album, for: browser)
        photos = photos.filter { photo in BlobID(hex: photo.id).map { missing.contains($0) } ?? false }
        guard !photos.isEmpty else {
            throw Problem(.notFound, "nothing_new", "There is nothing new: this browser took all of it home.")
        }
        return photos
    }

    private func parts(of photo: PhotosReport.Photo, _ index: Int, _ size: ArchiveOrder.Size) -> [Part] {
        guard let blob = BlobID(hex: photo.id) else { return [] }
        let time = ArchiveTime(photo.taken)
        let isSmall = size == .small && photo.kind != .video
        let main = Part(
            blob: blob, name: photo.name, time: time, photo: index,
            kinds: isSmall ? [.preview, .original] : [.original],
            isHere: photo.here)
        guard size == .original else { return [main] }
        return [main]
            + photo.companions.compactMap { companion in
                BlobID(hex: companion.id).map { blob in
                    Part(
                        blob: blob, name: companion.name, time: time, photo: index, kinds: [.original],
                        isHere: photo.here)
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
            let patience = kind == .preview && part.isHere ? limit : nil
            if let file = try await host.picture(kind, of: part.blob, until: patience) {
                return Found(part: part, kind: kind, byteCount: file.byteCount, entityTag: file.entityTag)
            }
        }
        return nil
    }

    private func assemble(
        _ photos: [PhotosReport.Photo], _ found: [Found], _ missing: Set<Int>
    ) -> ArchivePlan {
        var names = found.map { $0.kind == .preview ? Self.jpegName($0.part.name) : $0.part.name }
        if !missing.isEmpty { names.append(Self.noteName) }
        let distinct = ArchiveNames.distinct(names)
        var files = zip(found, distinct).map { found, name in
            ArchivePlan.File(
                entry: found.part.time.entry(name), byteCount: found.byteCount,
                content: .picture(found.kind, found.part.blob, found.entityTag))
        }
        if !missing.isEmpty, let name = distinct.last {
            let note = Array(Self.note(missing.sorted().map { photos[$0].name }).utf8)
            let latest = found.map(\.part.time).max { $0.local < $1.local } ?? ArchiveTime(nil)
            files.append(
                ArchivePlan.File(entry: latest.entry(name), byteCount: UInt64(note.count), content: .text(note)))
        }
        let whole = photos.indices.filter { !missing.contains($0) }
        return ArchivePlan(files: files, photos: whole.compactMap { BlobID(hex: photos[$0].id) })
    }

    /// With line ends for every editor.
    private static func note(_ names: [String]) -> String {
        let lines = [
            "Not everything is in this archive. The originals of these photos are on other laptops",
            "and were not here yet. They are being fetched; take them home later.", "",
        ]
        return (lines + names.map { FileLabel.cleaned($0) }).map { $0 + "\r\n" }.joined()
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
