import PotluckAPI

/// What people say of photos, as text for people.
enum WordsListing {
    static func tags(_ report: TagsReport, cellCount: Int?) -> String {
        guard !report.tags.isEmpty else {
            let place = report.album.map { "in “\(PrintableText.line($0))”" } ?? "of the gathering"
            return "No photo \(place) has a tag yet. `potluck tag` gives one.\n"
        }
        let table = Table(
            columns: [.init(title: "Tag", isShortenable: true), .init(title: "Photos", isNumber: true)],
            rows: report.tags.map { [$0.tag, Phrases.grouped($0.photos)] })
        return table.text(cellCount: cellCount) + "\(Phrases.count(report.tags.count, "tag"))\n"
    }

    /// `IMG_0001.JPG: sea, dawn`.
    static func tags(of report: PhotosReport) -> String {
        lines(report) { $0.tags.isEmpty ? "no tags" : $0.tags.joined(separator: ", ") }
    }

    static func captions(of report: PhotosReport) -> String {
        lines(report) { PhotoTable.captions(of: $0) ?? "no caption" }
    }

    static func favourites(of report: PhotosReport) -> String {
        lines(report) { photo in
            photo.favourites.isEmpty ? "nobody's favourite" : "favourite of \(Phrases.list(photo.favourites))"
        }
    }

    static func cover(_ report: CoverReport) -> String {
        let album = "“\(report.album)”"
        let sentence =
            report.cover.map { id in
                "The cover of \(album) is \(report.name ?? "a photo that is not known here") (\(id.prefix(8)))."
            } ?? "\(album) has no chosen cover. `potluck cover ALBUM PHOTO` chooses one."
        return PrintableText.line(sentence) + "\n"
    }

    private static func lines(_ report: PhotosReport, _ words: (PhotosReport.Photo) -> String) -> String {
        report.photos.map { PrintableText.line("\($0.name): \(words($0))") + "\n" }.joined()
    }
}
