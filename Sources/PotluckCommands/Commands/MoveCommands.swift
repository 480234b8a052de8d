import ArgumentParser
import PotluckAPI
import PotluckClient

/// Which photos go to which album.
struct MovedPhotos: ParsableArguments {
    @Argument(help: "The album's name or ID.")
    var album: String

    @Argument(help: ArgumentHelp("The photos' file names or IDs.", valueName: "photo"))
    var photos: [String] = []

    @Option(help: ArgumentHelp("The other album's name or ID; it is made if there is none.", valueName: "album"))
    var to: String

    @Flag(help: "All photos that the album has now.")
    var all = false

    func validate() throws {
        try WholeAlbums.validate(photos: photos, all: all)
        guard to.contains(where: { !$0.isWhitespace }) else { throw ValidationError("The album needs a name.") }
    }
}

struct MoveCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Put photos into another album.",
        discussion: ManPage.discussion(
            """
            Does what moving their files to another directory of the folder does, for everyone: photos are in the other \
            album with their captions, tags and likes, and those that this laptop added leave the first. One that somebody \
            else added stays there for all others, and is hidden there on this laptop. A raw file or a film that belongs to \
            a photo goes with it. What is not on this laptop cannot be moved from here. Needs a running agent.

            A photo is named by its file name, or by its ID, of which the first six digits or more will do.
            """,
            examples: [
                ("potluck move \"Beach day\" IMG_0001.JPG --to \"Old times\"", "Move a photo."),
                ("potluck move \"Beach dya\" --all --to \"Beach day\"", "Make one album of two."),
            ],
            statuses: [.failed, .notFound, .notRunning, .tryAgain, .badSetting]))

    @OptionGroup var moved: MovedPhotos
    @OptionGroup var common: CommonOptions

    func run() async throws { try await move(moved, isCopy: false) }
}

struct CopyCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Put photos into another album, too.",
        discussion: ManPage.discussion(
            """
            They are in both albums, in the other one with their captions and tags, added by this laptop. Bytes are stored \
            once. A raw file or a film that belongs to a photo goes with it. What is not on this laptop cannot be copied \
            from here. Needs a running agent.

            A photo is named by its file name, or by its ID, of which the first six digits or more will do.
            """,
            examples: [
                ("potluck copy \"Beach day\" IMG_0001.JPG --to \"Best of\"", "Have a photo in two albums."),
                ("potluck copy \"Beach day\" --all --to \"Summer\"", "Have all of them there."),
            ],
            statuses: [.failed, .notFound, .notRunning, .tryAgain, .badSetting]))

    @OptionGroup var moved: MovedPhotos
    @OptionGroup var common: CommonOptions

    func run() async throws { try await move(moved, isCopy: true) }
}

extension PotluckSubcommand {
    fileprivate func move(_ moved: MovedPhotos, isCopy: Bool) async throws {
        let client = try AgentClient(home: home().path)
        var photos = moved.photos
        if moved.all {
            photos = try await client.photos(PhotoQuery(album: moved.album, isBrief: true)).photos.map(\.id)
            guard !photos.isEmpty else { throw PotluckError(.notFound, "“\(moved.album)” has no photos.") }
        }
        let report = try await client.ask(MoveOrder(album: moved.album, photos: photos, to: moved.to, copy: isCopy))
        try show(report) { RemovalListing.moved(report) }
    }
}
