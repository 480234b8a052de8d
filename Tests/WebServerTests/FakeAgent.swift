import Glibc
import Logging
import NIOPosix
import PotluckAPI
import Synchronization
import TestSupport
import Testing
import WebServer

/// A handler that answers with samples and tells what became of its calls.
final class FakeAgent: AgentAPI {
    enum Note: Hashable, Sendable {
        case peersAsked
        case peersCancelled
        case eventsAsked
        case eventsEnded
        case stopped
        /// All steps of an `add` have been told.
        case added
        /// Something about photos, words or clocks was asked.
        case request(Noted)

        static func asked(_ request: some APIRequest) -> Note { .request(Noted(request: request)) }
    }

    /// A request of any type.
    struct Noted: Hashable, Sendable {
        let request: any APIRequest

        static func == (left: Noted, right: Noted) -> Bool { AnyHashable(left.request) == AnyHashable(right.request) }
        func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(request)) }
    }

    /// What happened to calls, in order.
    let notes: AsyncStream<Note>
    private let note: AsyncStream<Note>.Continuation
    /// What `events` delivers.
    let sent: [EventRecord]
    private let photos: PhotosReport
    /// What `albums` and `photos` tell of instead of samples.
    let gathering: FakeGathering?
    private let keeper = Mutex<(any DoorKeeping)?>(nil)

    /// What is wrong; nothing to begin with.
    private let problems = Mutex<[HealthReport.Problem]>([])

    /// What `albums` and `add` throw.
    private let failure: PotluckError?
    /// Whoever follows the events.
    private let followers = Mutex<[AsyncStream<EventRecord>.Continuation]>([])

    init(
        sent: [EventRecord] = [], photos: PhotosReport = Sample.photos, failure: PotluckError? = nil,
        gathering: FakeGathering? = nil
    ) {
        self.gathering = gathering
        (notes, note) = AsyncStream.makeStream()
        self.sent = sent
        self.photos = photos
        self.failure = failure
    }

    func albums() async throws -> AlbumsReport {
        if let failure { throw failure }
        return gathering?.report() ?? Sample.albums
    }

    var doors: any DoorKeeping { keeper.withLock { $0 } ?? NoDoors() }

    /// Answers for the doors from now on.
    func keep(_ doors: any DoorKeeping) { keeper.withLock { $0 = doors } }

    func photos(_ query: PhotoQuery) async throws -> PhotosReport {
        if let gathering { return try gathering.photos(query) }
        note.yield(.asked(query))
        if let album = query.album, album != "Beach day" {
            throw PotluckError(.notFound, "There is no album called “\(album)”.")
        }
        return photos
    }

    func tags(album: String?) async throws -> TagsReport {
        note.yield(.asked(TagsRequest(album: album)))
        return Sample.tags
    }

    func cover(album: String) async throws -> CoverReport {
        note.yield(.asked(CoverRequest(album: album)))
        return Sample.cover
    }

    func clocks(album: String, camera: String?) async throws -> ClocksReport {
        note.yield(.asked(ClocksRequest(album: album, camera: camera)))
        return Sample.clocks
    }

    func edit(_ edit: PhotoEdit) async throws -> PhotosReport {
        note.yield(.asked(edit))
        return photos
    }

    func setCover(album: String, photo: String?) async throws -> CoverReport {
        note.yield(.asked(SetCoverRequest(album: album, photo: photo)))
        return Sample.cover
    }

    func setClocks(_ edit: ClockEdit) async throws -> ClocksReport {
        note.yield(.asked(edit))
        return Sample.clocks
    }

    func trash(album: String?) async throws -> TrashReport {
        note.yield(.asked(TrashRequest(album: album)))
        return TrashReport(trash: [], days: 30)
    }

    func hidden(album: String?) async throws -> HiddenReport {
        note.yield(.asked(HiddenRequest(album: album)))
        return HiddenReport(hidden: [])
    }

    func leftOut(album: String?) async throws -> LeftOutReport {
        note.yield(.asked(LeftOutRequest(album: album)))
        return LeftOutReport(leftOut: [])
    }

    func remove(_ order: RemovalOrder) async throws -> RemovalReport {
        note.yield(.asked(order))
        return RemovalReport(album: order.album, albumID: "a1", photos: [])
    }

    func move(_ order: MoveOrder) async throws -> MoveReport {
        note.yield(.asked(order))
        return MoveReport(album: order.album, albumID: "a1", to: order.to, toID: "a2", photos: [])
    }

    func rename(device name: String) async throws -> DeviceNameReport {
        note.yield(.asked(DeviceNameRequest(device: name)))
        return DeviceNameReport(device: name, formerName: "Grandma", isTold: true)
    }

    func rename(album: String, to name: String) async throws -> RenameReport {
        note.yield(.asked(RenameRequest(album: album, name: name)))
        return RenameReport(album: name, albumID: "a1", formerName: album)
    }

    func emptyTrash(_ order: TrashOrder) async throws -> RemovalReport {
        note.yield(.asked(order))
        return RemovalReport(album: order.album ?? "", albumID: "", photos: [])
    }

    func held() async throws -> BrakeReport {
        note.yield(.asked(HeldRequest()))
        return BrakeReport(held: nil)
    }

    func decide(_ decision: BrakeDecision, version: UInt64?) async throws -> BrakeReport {
        note.yield(.asked(DecideRequest(decision, version: version)))
        return BrakeReport(held: nil)
    }

    /// Answers only when it is cancelled.
    func peers() async throws -> PeersReport {
        note.yield(.peersAsked)
        let (never, hold) = AsyncStream.makeStream(of: Void.self)
        for await _ in never {}
        hold.finish()
        note.yield(.peersCancelled)
        throw CancellationError()
    }

    func hosts() async throws -> HostsReport { Sample.hosts }

    func newPhrase() async throws -> InviteReport {
        note.yield(.asked(NewPhraseRequest()))
        return Sample.hostReport.invite
    }

    func putOutPlan(_ devices: [String], recoveryCode: String?) async throws -> PutOutPlan {
        note.yield(.asked(PutOutPlanRequest(devices: devices, recoveryCode: recoveryCode)))
        return Sample.putOutPlan
    }

    func putOut(_ devices: [String], recoveryCode: String?) async throws -> InviteReport {
        note.yield(.asked(PutOutRequest(devices: devices, recoveryCode: recoveryCode)))
        return Sample.hostReport.invite
    }

    func letIn(_ devices: [String], recoveryCode: String?) async throws -> LetInReport {
        note.yield(.asked(LetInRequest(devices: devices, recoveryCode: recoveryCode)))
        return LetInReport(laptops: [.init(id: "c2", name: "Ben")])
    }

    func join(phrase: String, again: Bool) async throws -> InviteReport {
        note.yield(.asked(JoinAgainRequest(phrase: phrase, again: again)))
        return Sample.hostReport.invite
    }

    func addHost(_ device: String) async throws -> HostAddition {
        note.yield(.asked(AddHostRequest(device: device)))
        return HostAddition(id: "c1", name: "Anna", isNew: false)
    }

    func status(skipped: Bool, all: Bool) async throws -> StatusReport {
        skipped ? Sample.stoppedStatus : Sample.status
    }

    func invite() async throws -> InviteReport { Sample.invite }

    func add(
        album: String, files: [String], progress: @Sendable (AddProgress) async -> Void
    ) async throws -> AddReport {
        if let failure { throw failure }
        for done in 1...files.count { await progress(AddProgress(done: done, total: files.count)) }
        note.yield(.added)
        let photos = files.map { AddReport.Photo(id: "b1", path: $0, new: true) }
        return AddReport(album: album, albumID: "a1", photos: photos, skipped: [])
    }

    func verify(
        _ order: VerifyOrder, progress: @Sendable (VerifyProgress) async -> Void
    ) async throws -> VerifyReport {
        note.yield(.asked(order))
        await progress(Sample.verifyProgress)
        return Sample.verify
    }

    func health() async throws -> HealthReport {
        HealthReport(problems: problems.withLock { $0 }, kinds: Sample.figures.health.kinds)
    }

    func figures() async throws -> FiguresReport {
        var figures = Sample.figures
        figures.health = try await health()
        return figures
    }

    /// Lets something be wrong from now on.
    func suffer(_ problems: [HealthReport.Problem]) { self.problems.withLock { $0 = problems } }

    func stop() async { note.yield(.stopped) }

    /// Delivers what was given, and then nothing until the subscriber goes.
    func events() -> AsyncStream<EventRecord> {
        let (stream, continuation) = AsyncStream.makeStream(of: EventRecord.self)
        continuation.onTermination = { [note] _ in note.yield(.eventsEnded) }
        for event in sent { continuation.yield(event) }
        followers.withLock { $0.append(continuation) }
        note.yield(.eventsAsked)
        return stream
    }

    /// Lets something happen.
    func happen(_ event: EventRecord) {
        for follower in followers.withLock({ $0 }) { follower.yield(event) }
    }

    /// As an agent does that ends.
    func endEvents() {
        for follower in followers.withLock({ $0 }) { follower.finish() }
    }

    /// Waits for a note, dropping those before it.
    func wait(for wanted: Note) async {
        for await note in notes where note == wanted { return }
    }
}

/// A server in a directory of its own while the body runs.
func withServer<Result: Sendable>(
    _ agent: FakeAgent, limits: WebLimits = WebLimits(), _ body: (_ path: String) async throws -> Result
) async throws -> Result {
    let home = try makeTemporaryDirectory()
    defer { removeDirectory(home) }
    let path = try AgentSocket.path(home: home)
    let server = try WebServer(agent: agent, doors: [.owner(path: path, limits: limits)], logger: Logger(label: "test"))
    let result = try await server.serve { try await body(path) }
    #expect(access(path, F_OK) != 0, "the socket stays behind")
    return result
}

func makeTemporaryDirectory() throws -> String {
    var template = Array("/tmp/potluck-web-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
}

/// Empty but for what a server leaves.
func removeDirectory(_ path: String) {
    unlink(path + "/control.sock")
    rmdir(path)
}

/// Of a laptop whose doors for browsers cannot be opened.
private struct NoDoors: DoorKeeping {
    private static let failure = PotluckError(.badSetting, "This laptop has no doors for browsers.")

    func openGuestDoor(_ order: GuestDoorOrder) async throws -> GuestLinkReport { throw Self.failure }
    func closeGuestDoor(everywhere: Bool) async throws { throw Self.failure }
    func guests() async throws -> GuestsReport { throw Self.failure }
    func revoke(guest: String) async throws -> GuestsReport { throw Self.failure }
    func approve(album: String, photos: [String]) async throws -> GuestsReport { throw Self.failure }
    func ownerLink() async throws -> OwnerLinkReport { throw Self.failure }
    func ownerLinkWaits(code: String) async -> Bool { false }
    func ownerPass() async throws -> OwnerLinkReport { throw Self.failure }
    func phones() async throws -> PhonesReport { throw Self.failure }
    func endPhone(_ phone: String) async throws -> PhonesReport { throw Self.failure }
}
