import FoundationEssentials
import Glibc
import Logging
import NIOPosix
import PotluckAPI
import PotluckAgent
import Synchronization
import TestSupport
import Testing
import WebServer

@testable import PotluckCommands

/// An agent that answers with fixed reports, and remembers what it was asked.
final class FakeAgent: AgentAPI {
    let fakeDoors = FakeDoors()
    var doors: any DoorKeeping { fakeDoors }
    /// `status` answers with these in turn, and with the last one from then on.
    private let statuses: Mutex<[StatusReport]>
    private let skipped: [SkippedFile]
    private let leftOut: [SkippedFile]
    let leaveObstacles: [String]
    /// What is listed for an album in place of one photo.
    private let listing: PhotosReport?
    /// An album that is listed after the others where there are several, and of which no order is done.
    let closedAlbum: String?
    /// What waits for a person.
    private let held: BrakeReport.Held?
    /// Files that join it between a look at it and the decision.
    private let laterHeldCount: UInt64
    private let added = Mutex<[String]>([])
    var addedFiles: [String] { added.withLock { $0 } }
    private let noted = Mutex<[any APIRequest]>([])
    /// The requests about photos, words and clocks, in order.
    var requests: [AnyHashable] { noted.withLock { $0 }.map { AnyHashable($0) } }

    init(
        statuses: [StatusReport] = [FakeAgent.status(missing: 0)], skipped: [SkippedFile] = [],
        leftOut: [SkippedFile] = [], leaveObstacles: [String] = [], listing: PhotosReport? = nil,
        closedAlbum: String? = nil, held: BrakeReport.Held? = nil, laterHeldCount: UInt64 = 0
    ) {
        self.statuses = Mutex(statuses)
        self.skipped = skipped
        self.leftOut = leftOut
        self.leaveObstacles = leaveObstacles
        self.listing = listing
        self.closedAlbum = closedAlbum
        self.held = held
        self.laterHeldCount = laterHeldCount
    }

    func checkIsOpen(_ album: String) throws {
        if album == closedAlbum { throw PotluckError(.notFound, "It is closed.") }
    }

    static func status(missing: Int) -> StatusReport {
        let items = (0..<missing).map {
            StatusReport.Item(id: "b\($0)", album: "Beach day", name: "IMG_\($0).JPG", reason: "coming from Anna")
        }
        return StatusReport(
            device: .init(id: "c0", name: "Grandma"), gathering: .init(name: "Kuh reunion", tag: "00"),
            agent: .running, folder: "/home/g/Photos",
            missing: .init(photos: missing, bytes: UInt64(missing) * 4_200_000, unreachable: 0, items: items),
            rate: 2_100_000, atRisk: .init(photos: 1, bytes: 4_200_000), connected: 1, problems: [])
    }

    func albums() async throws -> AlbumsReport {
        AlbumsReport(albums: [
            .init(
                id: "a1", name: "Beach\u{1B}[31m day", photos: 1, bytes: 4_200_000, here: 1, copiesMin: 2,
                updated: TestConsole.now, digest: "d", digestLevel: 1)
        ])
    }

    func photos(_ query: PhotoQuery) async throws -> PhotosReport {
        note(query)
        if let album = query.album, album != "Beach day" {
            throw PotluckError(.notFound, "There is no album called “\(album)”.")
        }
        if let listing { return listing }
        let isFound = query.words != "nothing" && query.tags != ["nothing"]
        guard query.album == nil else {
            return PhotosReport(album: "Beach day", albumID: "a1", photos: isFound ? [Self.photo] : [])
        }
        var photo = Self.photo
        photo.album = "Beach day"
        photo.albumID = "a1"
        return PhotosReport(album: nil, albumID: nil, photos: isFound ? [photo] : [])
    }

    static let photo = {
        var photo = PhotosReport.Photo(
            id: "b1b2b3b4b5", name: "IMG_0001.JPG", file: "Beach day/IMG_0001.JPG", bytes: 4_200_000,
            type: "image/jpeg", by: "Anna", contributors: ["Anna"], here: true, copies: 2, where: ["Anna"])
        photo.taken = "2026-08-01T12:00:00+02:00"
        photo.caption = "Waves"
        photo.tags = ["sea", "sun"]
        photo.favourites = ["Ben"]
        return photo
    }()

    func tags(album: String?) async throws -> TagsReport {
        note(TagsRequest(album: album))
        let tags = [TagsReport.Tag(tag: "sea", photos: 12), TagsReport.Tag(tag: "sun\u{1B}[2J", photos: 1)]
        return TagsReport(album: album, albumID: album.map { _ in "a1" }, tags: album == "Empty" ? [] : tags)
    }

    func cover(album: String) async throws -> CoverReport {
        note(CoverRequest(album: album))
        return CoverReport(album: album, albumID: "a1", cover: nil, name: nil)
    }

    func clocks(album: String, camera: String?) async throws -> ClocksReport {
        note(ClocksRequest(album: album, camera: camera))
        return ClocksReport(album: album, albumID: "a1", cameras: [Self.wrongCamera])
    }

    static let wrongCamera = {
        var camera = ClocksReport.Camera(
            by: "Anna", device: "c1", make: "Canon", model: "Canon EOS 7D", serial: nil, photos: 142)
        camera.verdict = .wrong
        camera.proposed = 3725
        camera.fault = .astray
        camera.evidence = .init(moments: 14, cameras: 3, gpsPhotos: 9, spread: 1.5)
        return camera
    }()

    func edit(_ edit: PhotoEdit) async throws -> PhotosReport {
        note(edit)
        return PhotosReport(album: "Beach day", albumID: "a1", photos: [Self.photo])
    }

    func setCover(album: String, photo: String?) async throws -> CoverReport {
        note(SetCoverRequest(album: album, photo: photo))
        return CoverReport(album: album, albumID: "a1", cover: photo.map { _ in "b1b2b3b4b5" }, name: photo)
    }

    func setClocks(_ edit: ClockEdit) async throws -> ClocksReport {
        note(edit)
        var camera = Self.wrongCamera
        camera.applied = edit.seconds ?? 3725
        return ClocksReport(album: edit.album, albumID: "a1", cameras: [camera])
    }

    func trash(album: String?) async throws -> TrashReport {
        note(TrashRequest(album: album))
        var report = TrashReport(
            trash: [
                .init(
                    id: "b1b2b3b4b5", name: "IMG_0001.JPG", album: "Beach day", albumID: "a1", bytes: 4_200_000,
                    removedBy: "Anna", removed: TestConsole.now, daysLeft: 29.4, isLastCopy: false, isInAlbum: false),
                .init(
                    id: "b2b2b3b4b5", name: "IMG_0002.JPG", album: "Beach day", albumID: "a1", bytes: 1_000,
                    removedBy: nil, removed: TestConsole.now, daysLeft: nil, isLastCopy: true, isInAlbum: false),
            ], days: 30)
        if let closedAlbum {
            report.trash.append(
                .init(
                    id: "b9b2b3b4b5", name: "IMG_0009.JPG", album: closedAlbum, albumID: closedAlbum, bytes: 1_000,
                    removedBy: nil, removed: TestConsole.now, daysLeft: 29.4, isLastCopy: false, isInAlbum: false))
        }
        return report
    }

    func hidden(album: String?) async throws -> HiddenReport {
        note(HiddenRequest(album: album))
        let albums = ["a1"] + (closedAlbum.map { [$0] } ?? [])
        return HiddenReport(
            hidden: albums.map { album in
                HiddenReport.Photo(
                    id: "b1b2b3b4b5", name: "IMG_0001.JPG", album: "Beach day", albumID: album, by: "Ben",
                    since: TestConsole.now, here: true)
            })
    }

    func leftOut(album: String?) async throws -> LeftOutReport {
        note(LeftOutRequest(album: album))
        func photo(_ number: Int, here: Bool) -> LeftOutReport.Photo {
            LeftOutReport.Photo(
                id: "b\(number)b2b3b4b5", name: "IMG_000\(number).JPG", album: "Beach day", albumID: "a1",
                bytes: 4_200_000, by: "Ben", added: TestConsole.now, here: here)
        }
        return LeftOutReport(leftOut: album == "Empty" ? [] : [photo(1, here: true), photo(2, here: false)])
    }

    func remove(_ order: RemovalOrder) async throws -> RemovalReport {
        note(order)
        try checkIsOpen(order.album)
        let outcomes: [RemovalReport.Outcome] =
            switch order.action {
            case .remove: [.removed, .hidden]
            case .removeForEveryone: [.removed]
            case .restore: [.restored]
            case .unhide: [.shown]
            case .keep: [.added]
            }
        return RemovalReport(
            album: order.album, albumID: "a1",
            photos: outcomes.map {
                .init(id: "b1b2b3b4b5", name: "IMG_0001.JPG", outcome: $0, others: $0 == .hidden ? ["Ben"] : [])
            })
    }

    func move(_ order: MoveOrder) async throws -> MoveReport {
        note(order)
        let outcomes: [MoveReport.Outcome] = order.copy == true ? [.copied] : [.moved, .moved, .hidden]
        return MoveReport(
            album: order.album, albumID: "a1", to: order.to, toID: "a2",
            photos: outcomes.map { .init(id: "b1b2b3b4b5", name: "IMG_0001.JPG", outcome: $0) })
    }

    func rename(device name: String) async throws -> DeviceNameReport {
        note(DeviceNameRequest(device: name))
        return DeviceNameReport(
            device: name, formerName: "Grandma", isTold: true, isTaken: try await peers().hasLaptop(named: name))
    }

    func rename(album: String, to name: String) async throws -> RenameReport {
        note(RenameRequest(album: album, name: name))
        return RenameReport(album: name, albumID: "a1", formerName: album)
    }

    func emptyTrash(_ order: TrashOrder) async throws -> RemovalReport {
        note(order)
        return RemovalReport(
            album: "", albumID: "",
            photos: [.init(id: "b1", name: "a.jpg", outcome: .deleted), .init(id: "b2", name: "b.jpg", outcome: .kept)])
    }

    func held() async throws -> BrakeReport {
        note(HeldRequest())
        return BrakeReport(held: held)
    }

    func decide(_ decision: BrakeDecision, version: UInt64?) async throws -> BrakeReport {
        note(DecideRequest(decision, version: version))
        guard var held else { return BrakeReport(held: nil) }
        held.version += laterHeldCount
        held.vanished += Int(laterHeldCount)
        return BrakeReport(held: held)
    }

    func note(_ request: some APIRequest) { noted.withLock { $0.append(request) } }

    func peers() async throws -> PeersReport {
        PeersReport(peers: [
            .init(
                id: "c1c1c1c1c1", name: "Anna", connected: true, address: "10.77.0.1:4711", found: .dnsSD,
                lastSeen: TestConsole.now, photos: 1)
        ])
    }

    func hosts() async throws -> HostsReport {
        HostsReport(
            founding: .known,
            hosts: [
                .init(id: "c0c0c0c0c0", name: "Grand\u{1B}ma", isHere: true),
                .init(id: "c1c1c1c1c1", name: nil, isHere: false),
            ], phrase: isPhraseNew ? .init(since: TestConsole.now, have: 2, laptops: 3) : nil,
            waiting: [
                .init(id: "c2c2c2c2c2c2c2c2c2", name: "Ben", isOut: true),
                .init(id: "c8c8c8c8c8c8c8c8c8", name: nil, isOut: false),
                .init(id: "c9c9c9c9c9c9c9c9c9", name: "Anna", isOut: false),
            ], ownID: "c0c0c0c0c0c0c0c0c0")
    }

    /// Somebody changed the phrase.
    private var isPhraseNew: Bool {
        requests.contains { $0.base is NewPhraseRequest || $0.base is PutOutRequest }
    }

    func putOutPlan(_ devices: [String], recoveryCode: String?) async throws -> PutOutPlan {
        note(PutOutPlanRequest(devices: devices, recoveryCode: recoveryCode))
        return Sample.putOutPlan
    }

    func putOut(_ devices: [String], recoveryCode: String?) async throws -> InviteReport {
        note(PutOutRequest(devices: devices, recoveryCode: recoveryCode))
        return Sample.hostReport.invite
    }

    func letIn(_ devices: [String], recoveryCode: String?) async throws -> LetInReport {
        note(LetInRequest(devices: devices, recoveryCode: recoveryCode))
        guard devices != ["Carla"] else { throw PotluckError(.badSetting, "Only a host can: Anna, Grandma.") }
        return LetInReport(laptops: devices.map { .init(id: "c2c2c2c2c2c2", name: $0) })
    }

    func newPhrase() async throws -> InviteReport {
        note(NewPhraseRequest())
        return Sample.hostReport.invite
    }

    func join(phrase: String, again: Bool) async throws -> InviteReport {
        note(JoinAgainRequest(phrase: phrase, again: again))
        return Sample.hostReport.invite
    }

    func addHost(_ device: String) async throws -> HostAddition {
        note(AddHostRequest(device: device))
        guard device != "Carla" else { throw PotluckError(.badSetting, "Only a host can: Anna, Grandma.") }
        return HostAddition(id: "c1c1c1c1c1", name: device, isNew: device != "Anna")
    }

    func status(skipped: Bool, all: Bool) async throws -> StatusReport {
        statuses.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
    }

    func invite() async throws -> InviteReport {
        InviteReport(
            gathering: "Kuh reunion", phrase: "lusab-babad-gutih-tugad-kabok",
            link: "potluck://join/lusab-babad-gutih-tugad-kabok")
    }

    func add(
        album: String, files: [String], progress: @Sendable (AddProgress) async -> Void
    ) async throws -> AddReport {
        added.withLock { $0 += files }
        await progress(AddProgress(done: files.count, total: files.count))
        let left = Set((skipped + leftOut).map(\.path))
        let photos = files.filter { !left.contains($0) }.map { AddReport.Photo(id: "b1", path: $0, new: true) }
        return AddReport(album: album, albumID: "a1", photos: photos, skipped: skipped, leftOut: leftOut)
    }

    func verify(
        _ order: VerifyOrder, progress: @Sendable (VerifyProgress) async -> Void
    ) async throws -> VerifyReport {
        note(order)
        await progress(VerifyProgress(files: 1, fileTotal: 2, bytes: 4_200_000, byteTotal: 8_400_000))
        return VerifyReport(findings: [Self.damage(isMended: order.repair)], batches: 3, files: 2, bytes: 8_400_000)
    }

    private static func damage(isMended: Bool) -> VerifyReport.Finding {
        VerifyReport.Finding(
            .photoDamaged, photo: "b1b2b3b4b5", album: "Beach day", name: "IMG_0001.JPG",
            message: "IMG_0001.JPG\u{1B}[2J is damaged.",
            remedy: isMended ? "It is fetched again from Anna." : "Mend it.", mended: isMended)
    }

    func health() async throws -> HealthReport { Sample.figures.health }
    func figures() async throws -> FiguresReport { Sample.figures }
    func stop() async {}

    /// One event, and the end.
    func events() -> AsyncStream<EventRecord> {
        AsyncStream { continuation in
            continuation.yield(.peerLost(at: TestConsole.now, peer: "c1", name: "Anna"))
            continuation.finish()
        }
    }
}

/// What a command wrote.
struct Outcome: Hashable, Sendable {
    var status: Int32
    var output: String
    var errors: String

    private static let eraseLine = "\r\u{1B}[2K"

    /// What the line of progress showed, one after the other; `nil` where nothing was drawn, or the last was not erased.
    var progress: [String]? {
        let parts = errors.split(separator: Self.eraseLine, omittingEmptySubsequences: false)
        guard parts.count > 2, let rest = parts.last, rest.isEmpty || rest.hasSuffix("\n") else { return nil }
        return parts[1..<(parts.count - 1)].map(String.init)
    }
}

/// A terminal, or pipes, that remember what was written.
final class TestConsole: Sendable {
    static let now = Instant(millisecondsSince1970: 1_795_268_669_250)

    private let output = Mutex("")
    private let errors = Mutex("")
    private let input: Mutex<[String]>
    /// The person's browser; by default there is none.
    private let browser: @Sendable (_ path: String) -> Bool

    init(input: [String] = [], browser: @escaping @Sendable (_ path: String) -> Bool = { _ in false }) {
        self.input = Mutex(input)
        self.browser = browser
    }

    func console(isTerminal: Bool, environment: [String: String]) -> Console {
        Console(
            write: { text in self.output.withLock { $0 += text } },
            live: LiveLine { text in self.errors.withLock { $0 += text } },
            readLine: { self.input.withLock { $0.isEmpty ? nil : $0.removeFirst() } },
            inputIsTerminal: isTerminal, outputIsTerminal: isTerminal, errorIsTerminal: isTerminal,
            cellCount: { isTerminal ? 60 : nil }, environment: environment, directory: "/work dir",
            now: { Self.now }, openFile: browser)
    }

    func outcome(_ status: Int32) -> Outcome {
        Outcome(status: status, output: output.withLock { $0 }, errors: errors.withLock { $0 })
    }
}

/// Runs one command; without an environment, with a person's home that does not exist.
func run(
    _ arguments: String..., isTerminal: Bool = false, environment: [String: String] = ["HOME": "/nonexistent"],
    input: [String] = []
) async -> Outcome {
    let console = TestConsole(input: input)
    let status = await PotluckCommandLine.run(
        arguments, console: console.console(isTerminal: isTerminal, environment: environment))
    return console.outcome(status)
}

/// A home with an agent in it while the body runs.
func withAgent(_ agent: FakeAgent, _ body: (_ home: String) async throws -> Void) async throws {
    try await withTemporaryHome { home in
        let server = try WebServer(
            agent: agent, doors: [.owner(path: try AgentSocket.path(home: home))], logger: Logger(label: "test"))
        try await server.serve { try await body(home) }
    }
}

func withTemporaryHome(_ body: (_ home: String) async throws -> Void) async throws {
    var template = Array("/tmp/potluck-commands-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    let home = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    // What cannot be removed stays in /tmp and hurts nobody.
    defer { try? FileManager.default.removeItem(atPath: home) }
    try await body(home)
}
