import Glibc
import NIOCore
import PotluckAPI
import PotluckClient
import TestSupport
import Testing
import WebServer

/// What clients can cost: time, bytes, connections.
@Suite(.timeLimit(.minutes(1))) struct LimitTests {
    private func status(_ answer: String) -> String { String(answer.dropFirst("HTTP/1.1 ".count).prefix(3)) }

    /// Shows that headers beyond each bound are refused, and those below it are not.
    @Test func longHeadersAreRefused() async throws {
        let limits = WebLimits()
        let most = String(repeating: "x", count: limits.headerByteCountMax - 16)
        let many = (0..<limits.headerCountMax - 2).map { "x-\($0): y\r\n" }.joined()
        let cases = [
            ("x-long: \(most)\r\n", "200"), ("x-long: \(most)\(most)\r\n", "431"), (many, "200"),
            (many + "a: b\r\nc: d\r\n", "431"),
            (String(repeating: "x-long: \(most)\r\n", count: 5), "431"),
        ]
        try await withServer(FakeAgent()) { path async throws in
            for (headers, code) in cases {
                let client = try RawClient(path: path)
                try await client.send("GET /api/v1/albums HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(headers)\r\n")
                let answer = try await client.receive()
                #expect(status(answer) == code, "\(headers.prefix(40)) \(answer)")
            }
            let target = try RawClient(path: path)
            try await target.send("GET /api/v1/photos?text=\(most)\(most) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(["400", "414", "431"].contains(try await status(target.receive())))
        }
    }

    /// Shows that headers without an end are refused at their bound, and that the server goes on.
    @Test func endlessHeadersAreRefused() async throws {
        try await withServer(FakeAgent()) { path async throws in
            let client = try RawClient(path: path)
            try await client.send("GET /api/v1/albums HTTP/1.1\r\nHost: ")
            try await client.send([UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20))
            #expect(try await status(client.receive()) == "431")
            #expect(try await AgentClient(path: path).albums() == Sample.albums)
        }
    }

    /// Shows that a body beyond the bound is refused, told beforehand or not, and that the answer arrives although the
    /// client was still sending.
    @Test(arguments: [true, false]) func longBodiesAreRefused(isAnnounced: Bool) async throws {
        let byteCount = (8 << 20) + 1
        let head = "POST /api/v1/edit HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
        try await withServer(FakeAgent()) { path async throws in
            let client = try RawClient(path: path)
            let framing =
                isAnnounced
                ? "Content-Length: \(byteCount)\r\n\r\n"
                : "Transfer-Encoding: chunked\r\n\r\n\(String(byteCount, radix: 16))\r\n"
            try await client.send(head + framing)
            try await client.send([UInt8](repeating: UInt8(ascii: " "), count: byteCount))
            let answer = try await client.receive()
            #expect(status(answer) == "413", "\(answer)")
            #expect(try await AgentClient(path: path).albums() == Sample.albums)
        }
    }

    /// Shows that the command line does not even send what is too long.
    @Test func theClientKnowsTheBound() async throws {
        try await withServer(FakeAgent()) { path async throws in
            let files = [String(repeating: "x", count: 9 << 20)]
            let error = await #expect(throws: PotluckError.self) {
                try await AgentClient(path: path).ask(AddRequest(album: "A", files: files))
            }
            #expect(error == PotluckError(.usage, "That is too much at once; name fewer files."))
        }
    }

    /// Shows that a body of exactly the bound is taken.
    @Test func aBodyOfTheBoundIsTaken() async throws {
        try await withServer(FakeAgent()) { path async throws in
            let start = #"{"album":"A","files":[""#
            let end = #""]}"#
            let filling = String(repeating: "x", count: (8 << 20) - start.utf8.count - end.utf8.count)
            let client = try RawClient(path: path)
            try await client.send(
                "POST /api/v1/add HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(8 << 20)\r\n\r\n\(start)\(filling)\(end)")
            #expect(try await client.receive().contains("event: result"))
        }
    }

    /// Shows that clients beyond the bound are told to try again, and are served once others have gone.
    @Test func tooManyClientsAreToldToTryAgain() async throws {
        try await withServer(FakeAgent()) { path async throws in
            // Which one is refused is up to the server's threads.
            var silent = try (0...64).map { _ in try RawClient(path: path) }
            let refused = try #require(try await RawClient.firstReadable(silent))
            let answer = try await silent[refused].receive()
            #expect(status(answer) == "503" && answer.contains(#""code":"try_again""#), "\(answer)")
            let error = await #expect(throws: PotluckError.self) { try await AgentClient(path: path).albums() }
            #expect(error?.status == .tryAgain)
            silent.removeAll()
            while true {
                do {
                    #expect(try await AgentClient(path: path).albums() == Sample.albums)
                    return
                } catch let error as PotluckError where error.status == .tryAgain {
                    await Task.yield()
                }
            }
        }
    }

    enum Patience: Sendable {
        case head, body, idle

        /// Short for what is waited for, so that a busy machine cuts nothing else.
        var limits: WebLimits {
            var limits = WebLimits()
            switch self {
            case .head: limits.headPatience = .milliseconds(50)
            case .body: limits.bodyPatience = .milliseconds(50)
            case .idle: limits.idlePatience = .milliseconds(50)
            }
            limits.lingerPatience = .milliseconds(50)
            return limits
        }
    }

    /// Shows that beyond those who are told so, clients are closed without a word, and that the server goes on.
    @Test func aCrowdIsClosed() async throws {
        var limits = WebLimits()
        limits.connectionCountMax = 2
        limits.refusalPatience = .minutes(1)
        try await withServer(FakeAgent(), limits: limits) { path async throws in
            var silent = try (0..<5).map { _ in try RawClient(path: path) }
            let closed = try #require(try await RawClient.firstReadable(silent))
            #expect(try await silent[closed].receive() == "")
            silent.removeAll()
            while (try? await AgentClient(path: path).albums()) != Sample.albums { await Task.yield() }
        }
    }

    /// Shows that who sends nothing, half a head, half a body, or nothing after an answer, is cut.
    @Test(arguments: [
        (Patience.head, "", ""), (.head, "GET /api/v1/albums HTTP/1.1\r\nHo", ""),
        (.body, "POST /api/v1/edit HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{", "408"),
        (.idle, "GET /api/v1/albums HTTP/1.1\r\nHost: a\r\n\r\n", "200"),
        (.idle, "GET /api/v1/albums HTTP/1.1\r\nHost: a\r\n\r\nGET /api", "200"),
    ])
    func slowSendersAreCut(patience: Patience, sent: String, code: String) async throws {
        try await withServer(FakeAgent(), limits: patience.limits) { path async throws in
            let client = try RawClient(path: path)
            try await client.send(sent)
            let answer = try await client.receive()
            #expect(status(answer) == code, "\(answer)")
        }
    }

    /// Shows that a body that comes in drops is cut although it never pauses, and one that comes fast enough is not.
    @Test func droppingBodiesAreCut() async throws {
        var limits = WebLimits()
        limits.bodyPatience = .milliseconds(200)
        limits.lingerPatience = .milliseconds(50)
        try await withServer(FakeAgent(), limits: limits) { path async throws in
            let client = try RawClient(path: path)
            try await client.send("POST /api/v1/edit HTTP/1.1\r\nHost: a\r\nContent-Length: 900000\r\n\r\n")
            // It waits for the answer a little while before each byte, so it never floods.
            while try await !client.isReadable(withinMilliseconds: 5) { try await client.send(" ") }
            #expect(try await status(client.receive()) == "408")
        }
    }

    /// Shows that a reader that takes nothing of a long answer is cut, and the answer's work with it.
    @Test func readersThatPauseAreCut() async throws {
        var limits = WebLimits()
        limits.stallPatience = .milliseconds(100)
        let photos = (0..<20_000).map { number in
            PhotosReport.Photo(
                id: "b\(number)", name: "IMG_\(number).JPG", file: nil, bytes: 1, type: "image/jpeg", by: "Anna",
                contributors: ["Anna"], here: false, copies: 1, where: ["Anna"])
        }
        let long = PhotosReport(album: "Beach day", albumID: "a1", photos: photos)
        try await withServer(FakeAgent(photos: long), limits: limits) { path async throws in
            let client = try RawClient(path: path)
            try await client.send("GET /api/v1/albums/Beach%20day/photos HTTP/1.1\r\nHost: a\r\n\r\n")
            try await client.waitForHangUp()
            let answer = try await client.receive()
            #expect(status(answer) == "200" && !answer.hasSuffix("0\r\n\r\n"))
            #expect(answer.utf8.count < 4 << 20)
        }
    }

    /// Shows that a reader that takes nothing of an answer's end is cut, too, however much of it found room before.
    @Test func readersThatPauseAtTheEndAreCut() async throws {
        var limits = WebLimits()
        limits.stallPatience = .milliseconds(100)
        for count in stride(from: 100, through: 1000, by: 50) {
            let long = PhotosReport(
                album: "Beach day", albumID: "a1", photos: Array(repeating: Sample.photos.photos[0], count: count))
            try await withServer(FakeAgent(photos: long), limits: limits) { path async throws in
                let client = try RawClient(path: path)
                try await client.send(
                    "GET /api/v1/albums/Beach%20day/photos HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                try await client.waitForHangUp()
            }
        }
    }

    /// Shows that so much of a request that was refused is read and dropped, and that the connection then ends.
    @Test func refusedBodiesAreReadSoFar() async throws {
        var limits = WebLimits()
        limits.lingerByteCountMax = 1 << 20
        limits.lingerPatience = .minutes(5)
        try await withServer(FakeAgent(), limits: limits) { path async throws in
            let client = try RawClient(path: path)
            try await client.send(
                "POST /api/v1/edit HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nContent-Length: 99999999\r\n\r\n")
            // The answer has ended, and what comes is still read.
            #expect(try await status(client.receive()) == "417")
            try await client.send([UInt8](repeating: 32, count: 3 << 20))
            try await client.waitForHangUp()
        }
    }
}
