import PotluckAPI

/// A listing of photos as text for people: a line for each photo, and below it what people say of it.
enum PhotoTable {
    private static let indent = "    "

    static func text(_ report: PhotosReport, cellCount: Int?) -> String {
        let table = Table(columns: columns, rows: report.photos.map(row))
        let lines = table.lines(cellCount: cellCount)
        var text = "\(lines[0])\n"
        for (line, photo) in zip(lines.dropFirst(), report.photos) {
            text += "\(line)\n"
            for words in [captions(of: photo), words(of: photo)].compactMap({ $0 }) + comments(of: photo) {
                text += shortened(indent + PrintableText.line(words), cellCount) + "\n"
            }
        }
        let bytes = report.photos.reduce(0) { $0 + size(of: $1) }
        text += "\(Phrases.count(report.photos.count, "photo")), \(Phrases.size(bytes))\n"
        if report.photos.contains(where: isGuessed) {
            text += "“\(guessMark)” before a time: it is the file's, since the photo itself tells none.\n"
        }
        return text
    }

    private static let guessMark = "~"

    /// Copying a file changes its time, so it may be of another day.
    private static func isGuessed(_ photo: PhotosReport.Photo) -> Bool {
        photo.taken != nil && photo.takenFrom == .mtime
    }

    private static func taken(_ photo: PhotosReport.Photo) -> String {
        photo.taken.map { (isGuessed(photo) ? guessMark : "") + TakenText.shown($0) } ?? ""
    }

    private static let columns: [Table.Column] = [
        .init(title: "Photo", isShortenable: true, isKey: true),
        .init(title: "Album", isShortenable: true, isOptional: true),
        .init(title: "Taken", isOptional: true),
        .init(title: "By", isShortenable: true),
        .init(title: "Size", isNumber: true, isDispensable: true),
        .init(title: "Here", isShortenable: true),
        .init(title: "Copies", isNumber: true, isOptional: true, isDispensable: true),
        .init(title: "ID"),
    ]

    private static func row(_ photo: PhotosReport.Photo) -> [String] {
        [
            photo.name, photo.album ?? "", taken(photo), photo.contributors.joined(separator: ", "),
            Phrases.size(size(of: photo)), place(photo), photo.copies.map { "\($0)" } ?? "", String(photo.id.prefix(8)),
        ]
    }

    /// With what belongs to it, as albums are counted.
    private static func size(of photo: PhotosReport.Photo) -> UInt64 {
        photo.companions.reduce(photo.bytes) { $0 + $1.bytes }
    }

    private static func place(_ photo: PhotosReport.Photo) -> String {
        if photo.here { return "yes" }
        return photo.where.isEmpty ? "no" : "on \(Phrases.list(photo.where))"
    }

    /// `sea, dawn · favourite of Anna · video, 12 s`; `nil` where there is nothing to say.
    private static func words(of photo: PhotosReport.Photo) -> String? {
        var parts: [String] = []
        if !photo.tags.isEmpty { parts.append(photo.tags.joined(separator: ", ")) }
        if !photo.favourites.isEmpty { parts.append("favourite of \(Phrases.list(photo.favourites))") }
        if let kind = kind(of: photo) { parts.append(kind) }
        if let problem = photo.problem { parts.append(problem) }
        return parts.isEmpty ? nil : parts.joined(separator: " · ")
    }

    /// The caption; all that were written at one time without knowledge of each other, each with its writer.
    static func captions(of photo: PhotosReport.Photo) -> String? {
        guard let captions = photo.captions else { return photo.caption.map(quoted) }
        return captions.map { caption in
            let text = caption.caption.isEmpty ? "no caption" : quoted(caption.caption)
            return caption.by.map { "\(text) (\($0))" } ?? text
        }.joined(separator: " or ")
    }

    /// `Lena (at Grandma's laptop): “What a day”`, a line each, in the order of time.
    private static func comments(of photo: PhotosReport.Photo) -> [String] {
        (photo.comments ?? []).map { "\($0.by): \(quoted($0.text))" }
    }

    /// On one line.
    private static func quoted(_ text: String) -> String {
        "“\(text.split(whereSeparator: \.isNewline).joined(separator: " "))”"
    }

    private static func kind(of photo: PhotosReport.Photo) -> String? {
        let raw = photo.companions.contains { $0.role == "raw" } ? "with its raw file" : nil
        let seconds = photo.duration.map { ", \(Phrases.duration(seconds: UInt64(max(0, $0.rounded()))))" } ?? ""
        switch photo.kind {
        case .video: return "video" + seconds
        case .live: return "live photo"
        case .motion: return "motion photo"
        case .raw: return "raw"
        case .photo, nil: return raw
        }
    }

    private static func shortened(_ line: String, _ cellCount: Int?) -> String {
        cellCount.map { TextWidth.shortened(line, to: $0) } ?? line
    }
}
