import AlbumModel
import ArgumentParser
import Glibc
import PeerTransport

@main
struct MakeGatheringCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "make-gathering",
        abstract: "Make homes of one large gathering, for measurements.",
        discussion: """
            Makes home1, home2 … in a directory, each of a laptop of its own that has joined the gathering and knows all \
            of it: batches of devices that are elsewhere, really signed, in a real journal. Each photo has a second \
            change: date, camera, of every other device's a place, and unless held a thumbnail. Prints the invite \
            phrase.

              make-gathering /var/tmp/reunion --homes 2 --held
              make-gathering /var/tmp/reunion --photos 1000 --singly 100
            """)

    @Argument(help: "Where the homes are made; they must not be there yet.")
    var directory: String

    @Option(help: "How many homes to make.")
    var homes = 1

    @Option(help: "Photos in all.")
    var photos = 100_000

    @Option(help: "Replicas that added them.")
    var replicas = 50

    @Option(help: "Albums that they are in.")
    var albums = 100

    @Option(help: "Photos that were dropped one by one, each in a batch of its own.")
    var singly = 10_000

    @Option(help: "Photos in each batch of the others.")
    var run = 50

    @Flag(help: "Photos are a few bytes each, and every home holds them all; else they have 4 MB, and nobody has them.")
    var held = false

    @Flag(help: "Homes remember a signed summary of each device: two of three hold any photo.")
    var summaries = false

    func validate() throws {
        guard homes >= 1, photos >= 1, replicas >= 1, run >= 1 else { throw ValidationError("Counts begin at 1.") }
        guard (1...photos).contains(albums), (0...photos).contains(singly) else {
            throw ValidationError("There cannot be more albums or single photos than photos.")
        }
        // A photo's two changes take up to 250 bytes each, and a batch has at most 256 KiB.
        guard run <= 500 else { throw ValidationError("A batch has room for 500 photos.") }
    }

    func run() async throws {
        var random = SystemRandomNumberGenerator()
        // Of no ruling that anybody has: its homes know no hosts.
        let phrase = try InvitePhrase(seed: Seed(drawnFrom: &random), ruling: RulingID(content: []))
        let plan = GatheringPlan(
            photoCount: photos, replicaCount: replicas, albumCount: albums, singleCount: singly, runPhotoCount: run)
        let twoDaysAgo = Int64(time(nil)) - 2 * 24 * 3600
        let maker = PhotoMaker(plan: plan, isTiny: held, start: twoDaysAgo)
        let gathering = Gathering(maker, membership: try GatheringSecrets(phrase).membership)
        for number in 1...homes {
            let home = GatheringHome(path: "\(absolute(directory))/home\(number)")
            guard access(home.path, F_OK) != 0 else { throw ValidationError("\(home.path) is there already.") }
            try await home.join(phrase.text, as: "Laptop \(number)")
            try home.store(gathering.batches)
            if held { try home.store(maker) }
            if summaries { try home.remember(gathering.records(at: UInt64(time(nil)) * 1_000_000)) }
        }
        print(phrase.text)
    }

    private func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let current = getcwd(nil, 0) else { return path }
        defer { free(current) }
        return "\(String(cString: current))/\(path)"
    }
}
