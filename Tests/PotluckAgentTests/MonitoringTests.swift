import AlbumModel
import FoundationEssentials
import Glibc
import Logging
import NIOPosix
import PotluckAPI
import SyncEngine
import Synchronization
import TestSupport
import Testing

@testable import PotluckAgent

/// What monitors learn of an agent.
@Suite(.timeLimit(.minutes(2))) struct MonitoringTests {
    /// Shows that every kind of problem has a word of its own and a sentence that names nothing, in the order of a status.
    @Test func problemsHaveWords() {
        var board = ProblemBoard()
        for kind in ProblemBoard.Kind.allCases where kind != .placing { board.set(kind, "“Beach day” of Anna") }
        let report = HealthReport(board, diskFailure: "full")
        #expect(report.problems.map(\.kind) == report.kinds.filter { $0 != "placing" })
        #expect(Set(report.kinds).count == ProblemBoard.Kind.allCases.count + 1)
        #expect(report.problems.dropLast().map(\.sentence) == board.all)
        for problem in report.problems {
            #expect(!problem.summary.contains("Anna") && problem.summary.hasSuffix("."))
            #expect(problem.kind.allSatisfy { $0.isLowercase || $0 == "_" })
        }
        #expect(HealthReport(ProblemBoard(), diskFailure: nil).problems.isEmpty)
    }

    /// Shows that a full disk is found by writing to it, that the finding holds for 10 s, and that no file stays.
    @Test func aFullDiskIsFound() async throws {
        try await SmallHome.with(photos: 1) { home in
            let isFull = Shared(false)
            let probe = DiskProbe(home: home.path) { descriptor, bytes, offset in
                guard isFull.value else { return pwrite(descriptor, bytes.baseAddress, bytes.count, offset) }
                errno = ENOSPC
                return -1
            }
            let start = MonotonicInstant(nanoseconds: 1)
            #expect(probe.failure(now: start) == nil)
            isFull.value = true
            #expect(probe.failure(now: start + 9.0) == nil)
            #expect(probe.failure(now: start + 10.0)?.contains("space") == true)
            isFull.value = false
            #expect(probe.failure(now: start + 20.0) == nil)
            #expect(access(home.path + "/" + DiskProbe.fileName, F_OK) != 0)
        }
        #expect(DiskProbe(home: "/nonexistent").failure(now: MonotonicInstant(nanoseconds: 1)) != nil)
    }

    /// Shows that figures are those of the lists: photos, trash, batches, what is at risk.
    @Test func figuresAgreeWithLists() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let control = running.control()
                let before = try await control.figures()
                #expect(before.photos.photos == 0 && before.albums == 0 && before.version == "1.0")
                _ = try await running.add([1, 2, 3], name: "1.jpg", to: "Beach")
                let gone = try await running.add([1, 2], name: "2.jpg", to: "Beach")
                _ = try await control.remove(RemovalOrder(.remove, album: "Beach", photos: ["2.jpg"]))
                // The trash follows a removal a moment later; its listing waits for it.
                _ = try await control.trash(album: nil)
                let figures = try await control.figures()
                #expect(figures.albums == 1 && figures.photos == .init(photos: 1, bytes: 3))
                #expect(figures.held == figures.photos && figures.status.atRisk == figures.photos)
                #expect(figures.trash == .init(photos: 1, bytes: 2))
                #expect(figures.batches >= before.batches + 3)
                #expect(figures.pulling == .init(wanted: 0, active: 0, requestedBytes: 0))
                #expect(figures.traffic == .init(received: 0, sent: 0) && figures.uptimeSeconds >= before.uptimeSeconds)
                #expect(await !running.isLive(gone))

                running.services.problems.note(.folder, "The folder /p is not there.")
                let health = try await control.health()
                let status = try await control.status(skipped: false, all: false)
                #expect(health.problems.map(\.sentence) == status.problems)
                #expect(health.problems.map(\.kind) == ["folder"])
            }
        }
    }

    /// Shows a whole agent: its door for monitors answers whoever reaches it, with figures alone; its door for the owner's
    /// browser refuses a stranger; and a folder that is gone is told at both, with its name to the owner alone.
    @Test func anAgentIsWatched() async throws {
        try await SmallHome.with(photos: 2) { home in
            let host = "127.\((1...254).randomElement()!).\((1...254).randomElement()!).9"
            var logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
            logger.logLevel = .critical
            var options = AgentOptions(
                home: home.path, folder: home.folder, listen: PeerAddress(host: "127.0.0.1", port: 0), peers: [],
                discovery: false, logger: logger)
            (options.monitor, options.version) = (PeerAddress(host: host, port: 9469), "7.5")
            try #require(mkdir(home.folder, 0o755) == 0 || errno == EEXIST)
            let (path, folder) = (home.path, home.folder)
            let pools = AgentPools()
            let failures = AsyncStream.makeStream(of: (any Error).self)
            _ = try await Composition(options, pools: pools, runsTwice: false).run { _, control in
                do {
                    try await watch(control, host: host, home: path, folder: folder)
                } catch {
                    failures.continuation.yield(error)
                }
                await control.stop()
            }
            failures.continuation.finish()
            await pools.shutDown()
            for await error in failures.stream { throw error }
        }
    }

    private func watch(_ control: AgentControl, host: String, home: String, folder: String) async throws {
        let figures = try await ask("/metrics", host, 9469)
        #expect(figures.hasPrefix("HTTP/1.1 200 "))
        for line in [
            "potluck_photos 2", "potluck_photos_held 2", "potluck_photos_at_risk 2",
            "potluck_build_info{version=\"7.5\"} 1", "potluck_devices_connected 0",
        ] {
            #expect(figures.contains("\n\(line)\n"), "\(figures)")
        }
        for name in ["Anna", "Upkeep", "Beach", "IMG_", home] { #expect(!figures.contains(name), "\(name)") }
        #expect(try await ask("/api/v1/status", host, 9469).hasPrefix("HTTP/1.1 404 "))

        let link = try await control.doors.ownerLink().url
        let authority = try #require(link.dropFirst("http://".count).split(separator: "/").first).split(separator: ":")
        let (own, port) = (String(authority[0]), try #require(Int(authority[1])))
        for target in ["/healthz", "/metrics"] {
            #expect(try await ask(target, own, port).hasPrefix("HTTP/1.1 401 "), "a stranger reads \(target)")
        }

        // What this machine lacks is a problem of its own.
        let before = try await ask("/healthz", host, 9469)
        #expect(!before.contains("The folder cannot be used."))
        try #require(rename(folder, folder + "-gone") == 0)
        try await eventually("the folder is missed") {
            let answer = try await ask("/healthz", host, 9469, patiently: true)
            #expect(!answer.contains(home))
            return .when(
                answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("The folder cannot be used."), answer)
        }
        let sentences = try await control.health().problems.map(\.sentence)
        #expect(sentences.contains { $0.contains(folder) }, "\(sentences)")
    }

    /// - Parameter isPatient: Asks again while there were too many questions.
    private func ask(_ target: String, _ host: String, _ port: Int, patiently isPatient: Bool = false) async throws
        -> String
    {
        let request = "GET \(target) HTTP/1.1\r\nHost: \(host):\(port)\r\nConnection: close\r\n\r\n"
        return try await eventually("\(target) is answered") {
            let answer = try await NIOThreadPool.singleton.runIfActive {
                TestSocket.answer(request, host: host, port: port)
            }
            guard let answer else { throw TestFailure("nobody listens at \(host):\(port)") }
            return isPatient && answer.hasPrefix("HTTP/1.1 429 ") ? .notYet(answer) : .done(answer)
        }
    }
}

/// A value that closures share.
private final class Shared<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    init(_ value: Value) { state = Mutex(value) }

    var value: Value {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
