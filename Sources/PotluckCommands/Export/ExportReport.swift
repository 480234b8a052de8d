import AlbumExport
import AlbumModel
import PotluckAPI

/// What `potluck export --json` prints.
struct ExportReport: Encodable {
    /// The album's name.
    var album: String?
    var albumID: String?
    /// Of the directory or the archive, absolute.
    var path: String
    /// Moments of which every file is there.
    var photos: Int
    var files: Int
    var bytes: UInt64
    /// How many of the files an earlier export had left.
    var kept: Int
    var missing: [Missing]
    /// Names of files that somebody else wrote or changed.
    var setAside: [String]
    /// Names of files from an earlier export that the album no longer has.
    var stale: [String]

    struct Missing: Encodable {
        var id: String
        var name: String
        var reason: String
    }

    enum CodingKeys: String, CodingKey {
        case album, path, photos, files, bytes, kept, missing, stale
        case albumID = "album_id"
        case setAside = "set_aside"
    }

    init(_ report: PhotosReport, path: String, _ summary: ExportSummary) {
        album = report.album
        albumID = report.albumID
        self.path = path
        photos = summary.photos
        files = summary.files
        bytes = summary.bytes
        kept = summary.kept
        missing = summary.missing.map { Missing(id: $0.file.id.hex, name: $0.file.name, reason: $0.reason) }
        setAside = summary.setAside
        stale = summary.stale
    }
}

/// An export as text for people.
enum ExportListing {
    /// Longer lists are cut: the file in the export has all of them.
    private static let lineCountMax = 20

    static func text(_ summary: ExportSummary, path: String, hasGallery: Bool) -> String {
        var text = "\(Phrases.count(summary.photos, "photo")), \(Phrases.size(summary.bytes)), "
        text += "in \(PrintableText.line(path))"
        text += summary.kept > 0 ? "; \(Phrases.count(summary.kept, "file")) of them were there already.\n" : ".\n"
        if hasGallery { text += "To look at them, open \(PrintableText.line(path))/index.html in a browser.\n" }
        text += list("Missing", summary.missing.map { "\($0.exportName): \($0.reason)" })
        text += list("Set aside, since it was written or changed by somebody else", summary.setAside)
        text += list("No longer in the album, and left there", summary.stale)
        return text
    }

    private static func list(_ title: String, _ lines: [String]) -> String {
        guard !lines.isEmpty else { return "" }
        let shown = lines.prefix(lineCountMax).map { "  \(PrintableText.line($0))\n" }.joined()
        let rest = lines.count - lineCountMax
        return "\(title):\n\(shown)" + (rest > 0 ? "  and \(Phrases.grouped(rest)) more\n" : "")
    }
}
