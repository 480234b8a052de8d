import AlbumExport
import AlbumModel
import PotluckAPI
import PotluckAgent

/// What a listing says of an album's photos, as entries of an export.
struct ExportEntries {
    private let home: String

    /// - Parameter home: the home's absolute path.
    init(home: String) {
        self.home = home
    }

    func callAsFunction(_ report: PhotosReport) -> [ExportEntry] {
        report.photos.compactMap(entry)
    }

    private func entry(_ photo: PhotosReport.Photo) -> ExportEntry? {
        guard let lead = file(photo.id, name: photo.name, mediaType: photo.type, byteCount: photo.bytes) else {
            return nil
        }
        let companions = photo.companions.compactMap { companion in
            ExportEntry.Role(rawValue: companion.role).flatMap { role in
                file(companion.id, name: companion.name, mediaType: "", byteCount: nil)
                    .map { ExportEntry.Companion(file: $0, role: role) }
            }
        }
        return ExportEntry(
            lead: lead, companions: companions, person: photo.by ?? "",
            taken: photo.taken.flatMap(TakenText.reading), caption: photo.caption ?? "",
            tags: photo.tags, kind: kind(photo), size: size(photo),
            // A peer's word: it may be longer than any number here.
            durationMilliseconds: photo.duration.flatMap { UInt64(exactly: ($0 * 1000).rounded()) },
            thumbnail: photo.thumbnail.flatMap { file($0, name: "", mediaType: "image/jpeg", byteCount: nil) })
    }

    /// By the type of its content where nobody has read it yet.
    private func kind(_ photo: PhotosReport.Photo) -> ExportEntry.Kind {
        if let kind = photo.kind.flatMap({ ExportEntry.Kind(rawValue: $0.rawValue) }) { return kind }
        if photo.type.hasPrefix("video/") { return .video }
        return photo.type.hasPrefix("image/") ? .photo : .sidecar
    }

    private func size(_ photo: PhotosReport.Photo) -> PixelSize? {
        guard let width = photo.width, let height = photo.height else { return nil }
        return PixelSize(width: width, height: height)
    }

    /// - Parameter byteCount: `nil` where the listing does not say.
    private func file(_ hex: String, name: String, mediaType: String, byteCount: UInt64?) -> ExportFile? {
        guard let id = BlobID(hex: hex) else { return nil }
        let file = HomeFiles.file(of: id, home: home)
        return ExportFile(
            id: id, name: name, mediaType: mediaType, byteCount: byteCount ?? file?.byteCount ?? 0, path: file?.path)
    }
}
