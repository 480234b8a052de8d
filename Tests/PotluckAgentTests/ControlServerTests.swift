import Glibc
import Logging
import PotluckAgent
import Synchronization
import Testing

/// The control protocol over a real Unix socket, with a fake agent behind it.
@Suite(.timeLimit(.minutes(1))) struct ControlServerTests {
    /// Shows that every listing arrives as the handler gave it.
    @Test func listingsArriveWhole() async throws {
        try await withControlServer(ControlFakeHandler()) { path async throws in
            let client = ControlClient(path: path)
            #expect(try await client.albums() == Sample.albums)
            #expect(try await client.photos(album: "Beach day") == Sample.photos)
            #expect(try await client.tags(album: nil) == Sample.tags)
            #expect(try await client.cover(album: "Beach day") == Sample.cover)
            #expect(try await client.clocks(album: "Beach day", camera: nil) == Sample.clocks)
            #expect(try await client.edit(PhotoEdit(album: "Beach day", photos: ["b1"])) == Sample.photos)
            #expect(try await client.setCover(album: "Beach day", photo: "b1") == Sample.cover)
            #expect(try await client.setClocks(ClockEdit(album: "Beach day")) == Sample.clocks)
            #expect(try await client.status(skipped: false, all: false) == Sample.status)
            #expect(try await client.status(skipped: true, all: true) == Sample.stoppedStatus)
            #expect(try await client.invite() == Sample.invite)
        }
    }

    /// Shows that every part of a request about photos, words and clocks reaches the handler.
    @Test func requestsArriveWhole() async throws {
        let query = PhotoQuery(
            album: "Beach day", photos: ["b1b2b3"], words: "sea \"and\" sun", tags: ["sea"], by: ["Anna"],
            takenAfter: LocalTime(parsing: "2026-08-01"), takenBefore: LocalTime(parsing: "2026-08-02T12:30:01"),
            camera: "eos", kinds: [.video, .raw], isFavourite: true, hasConflict: true, isBrief: true)
        let edit = PhotoEdit(
            album: "Beach day", photos: ["b1", "b2"], addedTags: ["sea"], removedTags: ["sun"], caption: "",
            isFavourite: false)
        let clocks = ClockEdit(album: "Beach day", camera: "eos", seconds: -3725)
        let handler = ControlFakeHandler()
        try await withControlServer(handler) { path async throws in
            let client = ControlClient(path: path)
            _ = try await client.photos(query)
            await handler.wait(for: .asked(.photos(query)))
            _ = try await client.edit(edit)
            await handler.wait(for: .asked(.edit(edit)))
            _ = try await client.tags(album: "Beach day")
            await handler.wait(for: .asked(.tags(album: "Beach day")))
            _ = try await client.clocks(album: "Beach day", camera: "eos")
            await handler.wait(for: .asked(.clocks(album: "Beach day", camera: "eos")))
            _ = try await client.setCover(album: "Beach day", photo: nil)
            await handler.wait(for: .asked(.setCover(album: "Beach day", photo: nil)))
            _ = try await client.setClocks(clocks)
            await handler.wait(for: .asked(.setClocks(clocks)))
        }
    }

    /// Shows that an answer of several megabytes, many socket buffers long, arrives whole.
    @Test func aLongAnswerArrivesWhole() async throws {
        let photos = (0..<5000).map { number in
            PhotosReport.Photo(
                id: "b\(number)", name: "IMG_\(number).JPG", file: nil, bytes: 1, type: "image/jpeg", by: "Anna",
                contributors: ["Anna"], here: false, copies: 1, where: ["Anna"])
        }
        let long = PhotosReport(album: "Beach day", albumID: "a1", photos: photos)
        try await withControlServer(ControlFakeHandler(photos: long)) { path async throws in
            let client = ControlClient(path: path)
            #expect(try await client.photos(album: "Beach day") == long)
            #expect(try await client.photosDocument(PhotoQuery(album: "Beach day")) == ReportJSON.text(long))
        }
    }

    /// Shows that an error of the agent is the client's error, with its status and its sentence.
    @Test func errorsArriveWithTheirStatus() async throws {
        try await withControlServer(ControlFakeHandler()) { path async throws in
            let error = await #expect(throws: PotluckError.self) {
                try await ControlClient(path: path).photos(album: "Nowhere")
            }
            #expect(error == PotluckError(.notFound, "There is no album called “Nowhere”."))
            let same = await #expect(throws: PotluckError.self) {
                try await ControlClient(path: path).photosDocument(PhotoQuery(album: "Nowhere"))
            }
            #expect(same == error)
        }
    }

    /// Shows that a home without a socket, and one with the socket of a killed agent, count as not running, and that a
    /// new agent takes the dead one's place.
    @Test func aDeadSocketCountsAsNotRunning() async throws {
        let home = try makeTemporaryDirectory()
        defer { removeDirectory(home) }
        let path = try ControlSocket.path(home: home)
        for _ in 0..<2 {
            let error = await #expect(throws: PotluckError.self) { try await ControlClient(path: path).albums() }
            #expect(error?.status == .notRunning)
            #expect(error?.message.contains("potluck up") == true)
            try leaveDeadSocket(path)
        }
        let server = ControlServer(path: path, handler: ControlFakeHandler(), logger: Logger(label: "test"))
        try await server.listen()
        var info = stat()
        #expect(stat(path, &info) == 0)
        #expect(info.st_mode & 0o777 == 0o600)
        try await withThrowingTaskGroup { group async throws in
            group.addTask { try await server.run() }
            #expect(try await ControlClient(path: path).albums() == Sample.albums)
            group.cancelAll()
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

    /// Shows that `add` tells its progress before its result.
    @Test func addTellsItsProgress() async throws {
        try await withControlServer(ControlFakeHandler()) { path async throws in
            let steps = Mutex<[AddProgress]>([])
            let report = try await ControlClient(path: path).add(album: "Beach day", files: ["/a", "/b"]) { step in
                steps.withLock { $0.append(step) }
            }
            #expect(report.photos.map(\.path) == ["/a", "/b"])
            #expect(steps.withLock { $0 } == [AddProgress(done: 1, total: 2), AddProgress(done: 2, total: 2)])
        }
    }

    /// Shows that `verify` tells its progress before its result, and that the report arrives as it was.
    @Test func verifyTellsItsProgress() async throws {
        try await withControlServer(ControlFakeHandler()) { path async throws in
            let steps = Mutex<[VerifyProgress]>([])
            let order = VerifyOrder(repair: true, restart: false)
            let report = try await ControlClient(path: path).verify(order) { step in
                steps.withLock { $0.append(step) }
            }
            #expect(report == Sample.verify)
            #expect(steps.withLock { $0 } == [Sample.verifyProgress])
        }
    }

    /// Shows that events arrive in order, and that the agent's stream ends when the client goes.
    @Test func eventsStreamUntilTheClientGoes() async throws {
        struct Enough: Error {}
        let sent = ["Anna", "Ben"].map { EventRecord.peerLost(at: Sample.instant, peer: "c1", name: $0) }
        let handler = ControlFakeHandler(sent: sent)
        try await withControlServer(handler) { path async throws in
            let seen = Mutex<[EventRecord]>([])
            await #expect(throws: Enough.self) {
                try await ControlClient(path: path).events { event in
                    let count = seen.withLock { seen in
                        seen.append(event)
                        return seen.count
                    }
                    if count == sent.count { throw Enough() }
                }
            }
            #expect(seen.withLock { $0 } == sent)
            await handler.wait(for: .eventsEnded)
        }
    }

    /// Shows that an agent that ends ends the stream of events without an error.
    @Test func theAgentsEndEndsTheEvents() async throws {
        let handler = ControlFakeHandler()
        let home = try makeTemporaryDirectory()
        defer { removeDirectory(home) }
        let path = try ControlSocket.path(home: home)
        let server = ControlServer(path: path, handler: handler, logger: Logger(label: "test"))
        try await server.listen()
        try await withThrowingTaskGroup { group in
            group.addTask { try await ControlClient(path: path).events { _ in } }
            let run = Task { try await server.run() }
            await handler.wait(for: .eventsAsked)
            run.cancel()
            try await run.value
            try await group.waitForAll()
        }
    }

    /// Shows that a client that goes away cancels the answer that nobody waits for.
    @Test func aClientThatGoesCancelsItsRequest() async throws {
        let handler = ControlFakeHandler()
        try await withControlServer(handler) { path async throws in
            var client: RawControlClient? = try RawControlClient(path: path)
            try await client?.send(Array(#"{"command":"peers"}"#.utf8) + [10])
            await handler.wait(for: .peersAsked)
            client = nil
            await handler.wait(for: .peersCancelled)
        }
    }

    /// Shows the bytes that a script sends and gets.
    @Test func theProtocolIsOneLineEachWay() async throws {
        try await withControlServer(ControlFakeHandler()) { path async throws in
            let client = try RawControlClient(path: path)
            try await client.send(Array(#"{"command":"photos","arguments":{"album":"Nowhere"}}"#.utf8) + [10])
            #expect(
                try await client.receiveAll()
                    == #"{"error":{"message":"There is no album called “Nowhere”.","status":66}}"# + "\n")
        }
    }

    /// Shows that garbage, an unknown command and a missing argument are answered with one error of wrong usage.
    @Test(arguments: [
        "garbage", "[]", "{}", #"{"command":"format-disk"}"#, #"{"command":"photos"}"#,
        #"{"command":"photos","arguments":{"album":5}}"#, #"{"command":"cover"}"#, #"{"command":"edit"}"#,
        #"{"command":"photos","arguments":{"album":"A","type":["gif"]}}"#,
        #"{"command":"photos","arguments":{"album":"A","taken_after":"yesterday"}}"#, "",
    ])
    func garbageIsRefused(line: String) async throws {
        try await withControlServer(ControlFakeHandler()) { path async throws in
            let client = try RawControlClient(path: path)
            try await client.send(Array(line.utf8) + [10])
            let answer = try await client.receiveAll()
            #expect(answer.hasPrefix(#"{"error":{"message":"#) && answer.hasSuffix("\"status\":64}}\n"), "\(answer)")
        }
    }

    /// Shows that a request without an end is refused at its limit, and that the server goes on.
    @Test func anEndlessRequestIsRefused() async throws {
        try await withControlServer(ControlFakeHandler()) { path async throws in
            let client = try RawControlClient(path: path)
            try await client.send([UInt8](repeating: UInt8(ascii: "x"), count: (8 << 20) + 1))
            let answer = try await client.receiveAll()
            #expect(answer.contains("\"status\":64"), "\(answer)")
            #expect(try await ControlClient(path: path).albums() == Sample.albums)
        }
    }

    /// Shows that clients beyond the limit are told to try again, and are served once others have gone.
    @Test func tooManyClientsAreToldToTryAgain() async throws {
        try await withControlServer(ControlFakeHandler()) { path async throws in
            // Which one is refused is up to the server's threads.
            var silent = try (0...64).map { _ in try RawControlClient(path: path) }
            let refused = try #require(try await RawControlClient.firstReadable(silent))
            let answer = try await silent[refused].receiveAll()
            #expect(answer.contains("\"status\":75"), "\(answer)")
            silent.removeAll()
            while true {
                do {
                    #expect(try await ControlClient(path: path).albums() == Sample.albums)
                    return
                } catch let error as PotluckError where error.status == .tryAgain {
                    await Task.yield()
                }
            }
        }
    }

    /// Shows that `down` reaches the agent, and returns only when its server object has gone with it.
    @Test func downReturnsWhenTheAgentIsGone() async throws {
        let handler = ControlFakeHandler()
        let home = try makeTemporaryDirectory()
        defer { removeDirectory(home) }
        let path = try ControlSocket.path(home: home)
        var server: ControlServer? = ControlServer(path: path, handler: handler, logger: Logger(label: "test"))
        try await server?.listen()
        let run = Task { [server] in try await server?.run() }
        let order = Order()
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await ControlClient(path: path).down()
                order.append("down returned")
            }
            await handler.wait(for: .stopped)
            run.cancel()
            try await run.value
            order.append("agent gone")
            server = nil
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
        let path = try ControlSocket.path(home: home, runtimeDirectory: "/run/user/1000")
        #expect(path.hasPrefix("/run/user/1000/potluck-") && path.hasSuffix(".sock"))
        #expect(try ControlSocket.path(home: home, runtimeDirectory: "/run/user/1000") == path)
        #expect(try ControlSocket.path(home: home + "2", runtimeDirectory: "/run/user/1000") != path)
        let error = #expect(throws: PotluckError.self) { try ControlSocket.path(home: home, runtimeDirectory: nil) }
        #expect(error?.status == .badSetting)
    }
}
