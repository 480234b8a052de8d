import AlbumExport
import AlbumModel
import ArgumentParser
import PotluckAPI

struct ExportCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Copy an album as ordinary files, for a stick, a disk or people without Potluck.",
        discussion: ManPage.discussion(
            """
            Files are named by time and person, like “2026-07-04 14.03.22 Anna IMG_0102.heic”, and dated as taken. \
            Originals keep every byte, and are checked while they are copied. A file CHECKSUMS is written beside them, \
            which `sha256sum --check CHECKSUMS` compares. Works with and without an agent.

            DIR must be new or empty, or hold an earlier export of the same album with the same options. Then only what \
            is missing or has changed is written, so that an export that was interrupted goes on. Nothing is ever \
            overwritten that somebody else wrote or changed: it is set aside under a name like it.

            Photos that are not on this laptop are listed at the end and in MISSING.txt, and the exit status is 1.
            """,
            examples: [
                ("potluck export \"Beach day\" /media/stick/Beach", "Copy all originals of an album."),
                ("potluck export \"Beach day\" ~/Beach --gallery", "With index.html, to look at them in a browser."),
                ("potluck export \"Beach day\" ~/Beach.zip --zip --size large", "One archive of pictures for the web."),
                (
                    "potluck export \"Beach day\" ~/public --strip-place",
                    "Copies that do not tell where they were taken."
                ),
            ],
            statuses: [.failed, .notFound, .tryAgain, .badSetting]))

    @Argument(help: "The album's name or ID.")
    var album: String

    @Argument(
        help: ArgumentHelp("The directory; with --zip, the archive's name.", valueName: "dir"), completion: .directory)
    var destination: String

    @Flag(name: .long, help: "Make one ZIP archive.")
    var zip = false

    @Flag(name: .long, help: "Leave out of the copies where photos were taken; nothing else of them changes.")
    var stripPlace = false

    @Option(
        name: .long,
        help: "What is copied: original, or large for pictures of at most 2048 pixels and no RAW files or sidecars.")
    var size: Size = .original

    @Flag(name: .long, help: "Add pages that show the photos in any browser, without a network.")
    var gallery = false

    @OptionGroup var common: CommonOptions

    enum Size: String, CaseIterable, ExpressibleByArgument {
        case original, large

        var option: ExportOptions.Size { self == .large ? .large : .original }
    }

    func validate() throws {
        guard !destination.isEmpty else { throw ValidationError("Say where the photos are to go.") }
        let hasEnding = destination.lowercased().hasSuffix(".zip")
        if zip, !hasEnding { throw ValidationError("An archive needs a name that ends in .zip.") }
        if !zip, hasEnding { throw ValidationError("For an archive add --zip.") }
    }

    func run() async throws {
        let report = try await ask { try await $0.photos(album: album) }
        let path = FilePaths.absolute(destination, from: console.directory)
        let summary = try await export(report, to: zip ? .archive(path) : .directory(path))
        try show(ExportReport(report, path: path, summary)) {
            ExportListing.text(summary, path: path, hasGallery: gallery && !zip)
        }
        guard summary.missing.isEmpty else {
            let count = Phrases.count(summary.missing.count, "file")
            throw PotluckError(
                .failed, "\(count) could not be exported; \(AlbumExporter.missingName) there says which and why.")
        }
    }

    private func export(_ report: PhotosReport, to destination: ExportDestination) async throws -> ExportSummary {
        guard let name = report.album, let id = report.albumID.flatMap({ AlbumID(hex: $0) }) else {
            throw PotluckError(.failed, "The agent's answer is not understood: it names no album.")
        }
        let options = ExportOptions(size: size.option, stripsPlace: stripPlace, hasGallery: gallery)
        let home = try home().path
        let entries = ExportEntries(home: home)(report)
        let line = progressLine("Exporting")
        defer { line.clear() }
        do {
            return try await MediaPictures.with(home: home) { pictures in
                let exporter = AlbumExporter(
                    album: ExportAlbum(id: id, name: name), options: options, pictures: pictures)
                return try await exporter.export(entries, to: destination) { line.show($0) }
            }
        } catch let error as ExportError {
            throw PotluckError(.failed, error.message)
        }
    }
}
