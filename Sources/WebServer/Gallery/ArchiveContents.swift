import AlbumModel
import OutputFormats
import PotluckAPI
import WebGallery

/// A file that an archive is to have.
struct ArchivePart: Sendable {
    var blob: BlobID
    /// Where the file stands in the archive.
    var path: String
    /// Where it stands as a smaller picture.
    var smallPath: String
    var time: ArchiveTime
    /// Which photo it belongs to.
    var photo: Int
    /// The first of these that there is.
    var kinds: [PictureKind]
    var isHere: Bool

    func entry(as kind: PictureKind) -> ZipEntry { time.entry(kind == .preview ? smallPath : path) }
}

/// What an archive is to have.
struct ArchiveContents: Sendable {
    var photos: [PhotoKey]
    var parts: [ArchivePart]
    /// Where ``ArchiveNotes/names`` stand.
    var notePaths: [String]

    /// Those of which nothing is missing.
    func whole(_ notes: ArchiveNotes) -> [PhotoKey] {
        photos.indices.filter { !notes.incomplete.contains($0) }.map { photos[$0] }
    }
}

/// What there is of a part.
enum ArchiveFinding: Sendable {
    /// - Parameter reason: Why there is no smaller picture, where one was wanted.
    case file(PictureFile, PictureKind, reason: String?)
    /// It is being made here.
    case making
    /// - Parameter reason: `nil` where it is on its way from another laptop.
    case missing(reason: String?)
}

/// What of an archive is not as somebody wanted it: texts that stand in it, so that nobody takes it for more.
struct ArchiveNotes: Sendable {
    /// Of what is left out, and of what is larger than it was to be.
    static let names = ["NOT-INCLUDED.txt", "NOT-SMALLER.txt"]

    private var missing: [String] = []
    private var larger: [String] = []
    private var latest: ArchiveTime?
    /// Photos of which something is missing.
    private(set) var incomplete: Set<Int> = []

    mutating func note(_ finding: ArchiveFinding, _ part: ArchivePart) {
        switch finding {
        case .file(_, let kind, let reason):
            if latest.map({ $0.local < part.time.local }) ?? true { latest = part.time }
            if kind != .preview, let reason { larger.append("\(part.path): \(reason)") }
        case .making, .missing:
            incomplete.insert(part.photo)
            missing.append("\(part.path): \(Self.reason(finding))")
        }
    }

    private static func reason(_ finding: ArchiveFinding) -> String {
        switch finding {
        case .missing(let reason?): reason
        case .making: "It was not prepared in time."
        case .missing, .file: "It is on another laptop and is being fetched."
        }
    }

    /// Those that there are, with line ends for every editor.
    ///
    /// - Parameter paths: In the order of ``names``.
    func texts(at paths: [String]) -> [(entry: ZipEntry, bytes: [UInt8])] {
        let heads = [
            "Not everything is in this archive. These files are not; take them home later, or ask for them.",
            "These files are as large as they were added: no smaller pictures of them could be made.",
        ]
        var texts: [(entry: ZipEntry, bytes: [UInt8])] = []
        for (path, (head, lines)) in zip(paths, zip(heads, [missing, larger])) where !lines.isEmpty {
            let text = ([head, ""] + lines).map { $0 + "\r\n" }.joined()
            texts.append(((latest ?? ArchiveTime(nil)).entry(path), Array(text.utf8)))
        }
        return texts
    }
}

/// When a photo was taken, as archives tell it: 1980 where nobody knows.
struct ArchiveTime: Sendable {
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
