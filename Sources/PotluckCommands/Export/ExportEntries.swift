import AlbumExport
import AlbumModel
import Glibc
import PotluckAgent

/// What a listing says of an album's photos, as entries of an export.
struct ExportEntries {
    private let home: String

    /// - Parameter home: the home's absolute path.
    init(home: String) {
        self.home = home
    }

    func callAsFunction(_ report: PhotosReport) -> [ExportEntry] {
        let zone = TakenText.commonOffset(report.photos.compactMap(\.taken))
        return report.photos.compactMap { entry($0, zone: zone) }
    }

    /// - Parameter zone: what is assumed where a photo tells an instant and no place.
    private func entry(_ photo: PhotosReport.Photo, zone: Int32?) -> ExportEntry? {
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
            taken: photo.taken.flatMap { TakenText.reading($0, zone: zone) }, caption: photo.caption ?? "",
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

/// When a photo was taken, as listings tell it: `2026-07-04T14:03:22`, with `+02:00` where the photo says so, and with
/// `Z` where it tells an instant and no place.
enum TakenText {
    /// - Parameter zone: minutes east of UTC for an instant; `nil` for this laptop's zone.
    static func reading(_ text: String, zone: Int32?) -> ExportEntry.Reading? {
        let (clock, rest) = parts(text)
        guard let local = Instant(parsing: clock + "Z")?.millisecondsSince1970 else { return nil }
        if rest == "Z" {
            let offset = zone ?? laptopOffset(at: local)
            return ExportEntry.Reading(localMilliseconds: local + Int64(offset) * 60_000, offsetMinutes: offset)
        }
        guard rest.isEmpty || offset(rest) != nil else { return nil }
        return ExportEntry.Reading(localMilliseconds: local, offsetMinutes: offset(rest))
    }

    /// The offset that most of these state; the eastern one of several, so that it is always the same.
    static func commonOffset(_ texts: [String]) -> Int32? {
        var counts: [Int32: Int] = [:]
        for text in texts {
            if let offset = offset(parts(text).rest) { counts[offset, default: 0] += 1 }
        }
        return counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
    }

    /// The clock's text, and what follows it.
    private static func parts(_ text: String) -> (clock: String, rest: String) {
        guard let t = text.firstIndex(of: "T") else { return (text, "") }
        let end = text[t...].firstIndex { "Z+-".contains($0) } ?? text.endIndex
        return (String(text[..<end]), String(text[end...]))
    }

    /// Minutes of `+02:00`; `nil` for anything else.
    private static func offset(_ text: String) -> Int32? {
        let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false).map { Int32($0) }
        guard let sign = text.first, "+-".contains(sign), parts.count == 2, let hours = parts[0],
            let minutes = parts[1],
            (0...14).contains(hours), (0..<60).contains(minutes)
        else { return nil }
        return (sign == "-" ? -1 : 1) * (hours * 60 + minutes)
    }

    private static func laptopOffset(at milliseconds: Int64) -> Int32 {
        var time = time_t(milliseconds / 1000)
        var clock = tm()
        localtime_r(&time, &clock)
        return Int32(clock.tm_gmtoff / 60)
    }
}
