import ArgumentParser
import PotluckAPI

/// What narrows a listing of photos.
struct PhotoFilters: ParsableArguments {
    @Option(
        help: ArgumentHelp("Only photos with this tag; may be repeated, for photos that have all.", valueName: "tag"))
    var tag: [String] = []

    @Option(
        help: ArgumentHelp("Only photos that this device added; may be repeated, for any of them.", valueName: "device")
    )
    var by: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only photos taken then or later, such as 2026-08-01 or 2026-08-01T14:30.", valueName: "time"),
        transform: PhotoFilters.time)
    var takenAfter: LocalTime?

    @Option(
        help: ArgumentHelp("Only photos taken earlier than that.", valueName: "time"), transform: PhotoFilters.time)
    var takenBefore: LocalTime?

    @Option(
        help: ArgumentHelp("Only photos whose camera's make and model contain these words.", valueName: "words"))
    var camera: String?

    @Option(
        help: ArgumentHelp(
            "Only entries of this type: photo, video, live, motion or raw; may be repeated, for any of them.",
            valueName: "type"),
        transform: PhotoFilters.kind)
    var type: [PhotosReport.Kind] = []

    @Flag(help: "Only photos that somebody marked as a favourite.")
    var favourites = false

    @Flag(help: "Only photos that have several captions, written without knowledge of each other.")
    var conflicts = false

    func validate() throws {
        if let takenAfter, let takenBefore, takenAfter >= takenBefore {
            throw ValidationError("Nothing was taken after \(takenAfter.text) and before \(takenBefore.text).")
        }
    }

    func query(album: String?) -> PhotoQuery {
        PhotoQuery(
            album: album, tags: tag, by: by, takenAfter: takenAfter, takenBefore: takenBefore, camera: camera ?? "",
            kinds: type, isFavourite: favourites, hasConflict: conflicts)
    }

    private static func time(_ text: String) throws -> LocalTime {
        guard let time = LocalTime(parsing: text) else {
            throw ValidationError("“\(text)” is no date; write 2026-08-01, or 2026-08-01T14:30 for a time of that day.")
        }
        return time
    }

    private static func kind(_ text: String) throws -> PhotosReport.Kind {
        guard let kind = PhotosReport.Kind(rawValue: text.lowercased()) else {
            let kinds = PhotosReport.Kind.allCases.map(\.rawValue)
            throw ValidationError("“\(text)” is no type of photo; there are \(Phrases.list(kinds)).")
        }
        return kind
    }
}
