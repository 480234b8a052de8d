import FoundationEssentials
import Glibc
import Logging
import PotluckAPI
import PotluckClient
import Synchronization
import TestSupport
import Testing
import WebServer

/// The API over a real Unix socket, with a fake agent behind it and the command line's client before it.
@Suite(.timeLimit(.minutes(1))) struct RequestTests {
    /// Shows that every listing arrives as the agent gave it.
    @Test func listingsArriveWhole() async throws {
        try await withServer(FakeAgent()) { path async throws in
            let client = AgentClient(path: path)
            #expect(try await client.albums() == Sample.albums)
            #expect(try await client.photos(album: "Beach day") == Sample.photos)
            #expect(try await client.tags(album: nil) == Sample.tags)
            #expect(try await client.cover(album: "Beach day") == Sample.cover)
            #expect(try await client.clocks(album: "Beach day", camera: nil) == Sample.clocks)
            #expect(try await client.status(skipped: false, all: false) == Sample.status)
            #expect(try await client.status(skipped: true, all: true) == Sample.stoppedStatus)
            #expect(try await client.invite() == Sample.invite)
            #expect(try await client.trash(album: nil) == TrashReport(trash: [], days: 30))
            #expect(try await client.hidden(album: "Beach day") == HiddenReport(hidden: []))
            #expect(try await client.leftOut(album: "Beach day") == LeftOutReport(leftOut: []))
            #expect(try await client.originals(album: "Beach day") == Sample.originals("Beach day", .all))
            #expect(try await client.leaveCheck(others: 7).others == 7)
            #expect(try await client.ask(TransfersRequest()).paused == false)
        }
    }

    /// Shows that every change arrives, and its answer.
    @Test func changesArriveWhole() async throws {
        try await withServer(FakeAgent()) { path async throws in
            let client = AgentClient(path: path)
            #expect(try await client.ask(PhotoEdit(album: "Beach day", photos: ["b1"])) == Sample.photos)
            #expect(try await client.ask(SetCoverRequest(album: "Beach day", photo: "b1")) == Sample.cover)
            #expect(try await client.ask(ClockEdit(album: "Beach day")) == Sample.clocks)
            #expect(
                try await client.ask(SetOriginalsRequest(album: "Beach day", .own))
                    == Sample.originals("Beach day", .own))
            #expect(
                try await client.ask(FetchRequest(album: "A", photos: ["b", "c"])) == Sample.originals("A,b,c", .none))
            let limits = try await client.ask(TransferEdit(isPaused: true, up: .rate(500_000), down: .off))
            #expect(limits == TransfersReport(paused: true, limitUp: 500_000, limitDown: nil))
            #expect(try await client.ask(RemovalOrder(.restore, album: "A", photos: ["b"])).album == "A")
            #expect(try await client.ask(TrashOrder(album: "A", photos: ["b"], lastCopies: true)).album == "A")
            #expect(try await client.ask(HeldRequest()) == BrakeReport(held: nil))
            #expect(try await client.ask(DecideRequest(.confirm, version: 7)) == BrakeReport(held: nil))
        }
    }

    /// Shows that every part of a request about photos, words and clocks reaches the agent.
    @Test func requestsArriveWhole() async throws {
        let query = PhotoQuery(
            album: "Beach day", photos: ["b1b2b3"], words: "sea \"and\" sun + 100 % & ü=/?#", tags: ["sea", "a b"],
            by: ["Anna"], takenAfter: LocalTime(parsing: "2026-08-01"),
            takenBefore: LocalTime(parsing: "2026-08-02T12:30:01"), camera: "eos", kinds: [.video, .raw],
            isFavourite: true, hasConflict: true, isBrief: true)
        var everywhere = query
        everywhere.album = nil
        everywhere.takenBefore = LocalTime(parsing: "2026-08-02")
        let edit = PhotoEdit(
            album: "Beach day", photos: ["b1", "b2"], addedTags: ["sea"], removedTags: ["sun"], caption: "",
            isFavourite: false)
        let agent = FakeAgent()
        try await withServer(agent) { path async throws in
            let client = AgentClient(path: path)
            func expect(_ request: some APIRequest) async throws {
                _ = try await client.ask(request)
                await agent.wait(for: .asked(request))
            }
            try await expect(query)
            try await expect(everywhere)
            try await expect(edit)
            try await expect(TagsRequest(album: "Beach day"))
            try await expect(ClocksRequest(album: "Beach day", camera: "eos"))
            try await expect(SetCoverRequest(album: "Beach day", photo: nil))
            try await expect(ClockEdit(album: "Beach day", camera: "eos", seconds: -3725))
            try await expect(RemovalOrder(.removeForEveryone, album: "Beach day", photos: ["b1", "b2"]))
            try await expect(MoveOrder(album: "Beach day", photos: ["b1"], to: "Old times"))
            try await expect(RenameRequest(album: "Beach day", name: "Old times"))
            try await expect(DeviceNameRequest(device: "Anna"))
            try await expect(TrashOrder(album: nil))
            try await expect(HeldRequest())
            try await expect(DecideRequest(.confirm, version: (1 << 53) - 1))
            try await expect(DecideRequest(.undo))
        }
    }

    /// Shows that names that mean something in a path are names: slashes, dots, nothing at all.
    @Test(arguments: ["a/b", "..", ".", "", "%2F", "?x=1", "é \u{1F600}", "a+b"])
    func oddAlbumNamesReachTheAgent(name: String) async throws {
        try await withServer(FakeAgent()) { path async throws in
            let error = await #expect(throws: PotluckError.self) {
                try await AgentClient(path: path).photos(album: name)
            }
            #expect(error == PotluckError(.notFound, "There is no album called “\(name)”."))
        }
    }

    /// Shows that an answer of several megabytes, many socket buffers long, arrives whole, in pieces of 128 KiB at most.
    @Test func aLongAnswerArrivesWhole() async throws {
        let photos = (0..<5000).map { number in
            PhotosReport.Photo(
                id: "b\(number)", name: "IMG_\(number).JPG", file: nil, bytes: 1, type: "image/jpeg", by: "Anna",
                contributors: ["Anna"], here: false, copies: 1, where: ["Anna"])
        }
        let long = PhotosReport(album: "Beach day", albumID: "a1", photos: photos)
        try await withServer(FakeAgent(photos: long)) { path async throws in
            let client = AgentClient(path: path)
            #expect(try await client.photos(album: "Beach day") == long)
            #expect(try await client.text(PhotoQuery(album: "Beach day")) == ReportJSON.text(long))
            let raw = try RawClient(path: path)
            let target = "/api/v1/albums/Beach%20day/photos"
            try await raw.send("GET \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            // No text of a photo has such a line.
            let lengths = try await raw.receive().matches(of: /\r\n([0-9a-f]+)\r\n/.matchingSemantics(.unicodeScalar))
                .compactMap { Int($0.output.1, radix: 16) }
            #expect(lengths.count > 5 && lengths.allSatisfy { $0 <= 128 << 10 }, "\(lengths)")
        }
    }

    /// Shows that an error of the agent is the client's error, with its status and its sentence.
    @Test func errorsArriveWithTheirStatus() async throws {
        try await withServer(FakeAgent()) { path async throws in
            let client = AgentClient(path: path)
            let error = await #expect(throws: PotluckError.self) { try await client.photos(album: "Nowhere") }
            #expect(error == PotluckError(.notFound, "There is no album called “Nowhere”."))
            let same = await #expect(throws: PotluckError.self) {
                try await client.text(PhotoQuery(album: "Nowhere"))
            }
            #expect(same == error)
            for status in ExitStatus.allCases {
                let thrown = PotluckError(status, "It is \(status).")
                let agent = FakeAgent(failure: thrown)
                try await withServer(agent) { path async throws in
                    let client = AgentClient(path: path)
                    let seen = await #expect(throws: PotluckError.self) { try await client.albums() }
                    #expect(seen == thrown)
                    let late = await #expect(throws: PotluckError.self) {
                        try await client.ask(AddRequest(album: "A", files: ["/a"]))
                    }
                    #expect(late == thrown)
                }
            }
        }
    }

    /// Shows that a home without a socket, and one with the socket of a killed agent, count as not running, and that a
    /// new agent takes the dead one's place.
    @Test func aDeadSocketCountsAsNotRunning() async throws {
        let home = try makeTemporaryDirectory()
        defer { removeDirectory(home) }
        let path = try AgentSocket.path(home: home)
        for _ in 0..<2 {
            let error = await #expect(throws: PotluckError.self) { try await AgentClient(path: path).albums() }
            #expect(error?.status == .notRunning)
            #expect(error?.message.contains("potluck up") == true)
            try leaveDeadSocket(path)
        }
        let server = try WebServer(agent: FakeAgent(), doors: [.owner(path: path)], logger: Logger(label: "test"))
        try await server.serve {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try await AgentClient(path: path).albums() == Sample.albums)
        }
    }

    private func leaveDeadSocket(_ path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        unlink(path)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        #expect(isBound)
        close(descriptor)
    }

    /// Shows that a directory that is not there is told as a wrong setting, and leaves nothing open.
    @Test func aDoorThatCannotBeOpenedIsTold() async throws {
        let server = try WebServer(
            agent: FakeAgent(), doors: [.owner(path: "/nonexistent/control.sock")], logger: Logger(label: "test"))
        let error = await #expect(throws: PotluckError.self) { try await server.serve {} }
        #expect(error?.status == .badSetting)
    }

    /// Shows that `add` and `verify` tell their progress before their result.
    @Test func longWorkTellsItsProgress() async throws {
        try await withServer(FakeAgent()) { path async throws in
            let client = AgentClient(path: path)
            let steps = Mutex<[AddProgress]>([])
            let report = try await client.ask(AddRequest(album: "Beach day", files: ["/a", "/b"])) { step in
                steps.withLock { $0.append(step) }
            }
            #expect(report.photos.map(\.path) == ["/a", "/b"])
            #expect(steps.withLock { $0 } == [AddProgress(done: 1, total: 2), AddProgress(done: 2, total: 2)])
            let looks = Mutex<[VerifyProgress]>([])
            let verified = try await client.ask(VerifyOrder(repair: true, restart: false)) { step in
                looks.withLock { $0.append(step) }
            }
            #expect(verified == Sample.verify)
            #expect(looks.withLock { $0 } == [Sample.verifyProgress])
        }
    }

    /// Shows that a client that goes away cancels the answer that nobody waits for.
    @Test func aClientThatGoesCancelsItsRequest() async throws {
        let agent = FakeAgent()
        try await withServer(agent) { path async throws in
            var client: RawClient? = try RawClient(path: path)
            try await client?.send("GET /api/v1/peers HTTP/1.1\r\nHost: a\r\n\r\n")
            await agent.wait(for: .peersAsked)
            client = nil
            await agent.wait(for: .peersCancelled)
        }
    }

    /// Shows that an agent that ends cancels answers that are under way, and tells their clients to try again.
    @Test func theAgentsEndCancelsRequests() async throws {
        let agent = FakeAgent()
        try await withThrowingTaskGroup { group in
            try await withServer(agent) { path async throws in
                group.addTask {
                    let error = await #expect(throws: PotluckError.self) { try await AgentClient(path: path).peers() }
                    #expect(error?.status == .tryAgain)
                }
                await agent.wait(for: .peersAsked)
            }
            await agent.wait(for: .peersCancelled)
            try await group.waitForAll()
        }
    }

    /// Shows that `down` reaches the agent, and returns only when the server's body has ended with it.
    @Test func downReturnsWhenTheAgentIsGone() async throws {
        let agent = FakeAgent()
        let order = Order()
        try await withThrowingTaskGroup { group in
            try await withServer(agent) { path async throws in
                group.addTask {
                    try await AgentClient(path: path).down()
                    order.append("down returned")
                }
                await agent.wait(for: .stopped)
                order.append("agent gone")
            }
            try await group.waitForAll()
        }
        #expect(order.all == ["agent gone", "down returned"])
    }

    private final class Order: Sendable {
        private let entries = Mutex<[String]>([])
        var all: [String] { entries.withLock { $0 } }
        func append(_ entry: String) { entries.withLock { $0.append(entry) } }
    }

    /// Shows where the socket is for a home whose path is too long for one, and what is said where there is no place.
    @Test func aLongHomeHasItsSocketElsewhere() throws {
        let home = "/" + String(repeating: "h", count: 120)
        let path = try AgentSocket.path(home: home, runtimeDirectory: "/run/user/1000")
        #expect(path.hasPrefix("/run/user/1000/potluck-") && path.hasSuffix(".sock"))
        #expect(try AgentSocket.path(home: home, runtimeDirectory: "/run/user/1000") == path)
        #expect(try AgentSocket.path(home: home + "2", runtimeDirectory: "/run/user/1000") != path)
        let error = #expect(throws: PotluckError.self) { try AgentSocket.path(home: home, runtimeDirectory: nil) }
        #expect(error?.status == .badSetting)
    }
}
