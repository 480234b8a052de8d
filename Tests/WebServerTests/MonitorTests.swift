import Logging
import PotluckAPI
import TestSupport
import Testing

@testable import WebServer

/// What monitors read, and who may be one.
@Suite(.timeLimit(.minutes(1))) struct MonitorTests {
    private static let folder = HealthReport.Problem(
        kind: "folder", summary: "The folder cannot be used.", sentence: "The folder /home/g/Photos is not there.")
    private static let targets = ["/healthz", "/metrics"]

    private func get(_ target: String, _ host: String = "a") -> String {
        "GET \(target) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
    }

    private func answer(_ path: String, _ request: String) async throws -> Browser.Answer {
        let client = try RawClient(path: path)
        try await client.send(request)
        return try Browser.Answer(try await client.receive())
    }

    /// Shows that the owner's socket says that all is well, and with 503 what is not, a sentence a line.
    @Test func healthIsTold() async throws {
        let agent = FakeAgent()
        try await withServer(agent) { path async throws in
            let well = try await answer(path, get("/healthz"))
            #expect(well.status == 200 && well.body == "ok\n")
            #expect(well.headers["content-type"] == "text/plain; charset=utf-8")
            let disk = HealthReport.Problem(kind: "disk", summary: "Full.", sentence: "The disk takes no writes.")
            agent.suffer([Self.folder, disk])
            let ill = try await answer(path, get("/healthz"))
            #expect(ill.status == 503)
            #expect(ill.body == "The folder /home/g/Photos is not there.\nThe disk takes no writes.\n")
            #expect(try await answer(path, get("/metrics")).body.contains("\npotluck_problem{kind=\"folder\"} 1\n"))
        }
    }

    /// Shows the figures, each with its type and what it means, and that the server counts its own answers.
    @Test func figuresAreRead() async throws {
        try await withServer(FakeAgent()) { path async throws in
            _ = try await answer(path, get("/api/v1/albums"))
            _ = try await answer(path, get("/api/v1/nothing"))
            let answer = try await answer(path, get("/metrics"))
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
            for line in [
                "# TYPE potluck_devices_connected gauge", "potluck_devices_connected 1", "potluck_devices_known 3",
                "potluck_build_info{version=\"1.0\"} 1", "potluck_uptime_seconds 90.5", "potluck_photos 12",
                "potluck_photos_bytes 48000000", "potluck_photos_held 11", "potluck_photos_missing 1",
                "potluck_photos_missing_bytes 4200000", "potluck_photos_at_risk 2", "potluck_photos_trash 4",
                "# TYPE potluck_received_bytes_total counter", "potluck_received_bytes_total 5000000",
                "potluck_sent_bytes_total 6000000", "potluck_wants 1", "potluck_requested_bytes 1048576",
                "potluck_batches_total 7", "potluck_files_skipped 2", "potluck_problem{kind=\"folder\"} 0",
                "potluck_problem{kind=\"disk\"} 0", "potluck_paused 0",
                "potluck_http_responses_total{class=\"2xx\"} 1", "potluck_http_responses_total{class=\"4xx\"} 1",
                "potluck_http_responses_total{class=\"5xx\"} 0", "# TYPE potluck_http_connections gauge",
            ] {
                #expect(answer.body.contains("\n\(line)\n"), "\(line): \(answer.body)")
            }
            let lines = answer.body.split(separator: "\n")
            for name in lines.filter({ !$0.hasPrefix("#") }).compactMap({ $0.split { " {".contains($0) }.first }) {
                #expect(lines.contains { $0.hasPrefix("# HELP \(name) ") }, "\(name) is not explained")
            }
        }
    }

    /// Shows that neither names anybody or anything: devices, gathering, albums, photos and paths stay out.
    @Test func noNamesAreTold() async throws {
        try await withServer(FakeAgent()) { path async throws in
            let body = try await answer(path, get("/metrics")).body
            for name in ["Grandma", "Kuh reunion", "Beach day", "IMG_", "/home", "Anna", "0011223344556677", "c0"] {
                #expect(!body.contains(name), "\(name)")
            }
        }
    }

    /// Shows that HEAD has no body, and that other methods are told which are right.
    @Test func onlyReadingIsPossible() async throws {
        try await withServer(FakeAgent()) { path async throws in
            for target in Self.targets {
                let head = "HEAD \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                let answer = try await answer(path, head)
                #expect(answer.status == 200 && answer.body.isEmpty)
                let post = "POST \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
                let refusal = try await self.answer(path, post)
                #expect(refusal.status == 405 && refusal.headers["allow"] == "GET, HEAD")
            }
        }
    }

    /// Shows who reads them at the doors for browsers: the owner, and the owner's phone; no guest, and nobody unknown.
    @Test func guestsAndStrangersAreRefused() async throws {
        try await withOpenLaptop { doors async throws in
            let owner = try await doors.owner()
            _ = try await doors.open()
            let guest = try await doors.guest().browser
            for target in Self.targets {
                #expect(try await owner.get(target).status == 200)
                #expect(try await owner.with(.none).get(target).status == 401)
                #expect(try await owner.with(.bearer("guess")).get(target).status == 401)
                #expect(try await owner.get(target, ["Host": "evil.example"]).status == 421)
                #expect(try await doors.ownersPhone().get(target).status == 200)
                #expect(try await doors.phone().get(target).status == 401)
                #expect(try await guest.get(target).status == 403)
                #expect(try await guest.get("/api/v1/albums").status == 200)
            }
            #expect(try await owner.get("/metrics").body.contains("\npotluck_uploads 0\n"))
        }
    }

    /// Shows a door for monitors: nobody signs in, sentences name nothing of the owner's, and nothing else is behind it:
    /// no page, no list, no way to sign in.
    @Test func aDoorForMonitorsHasNothingElse() async throws {
        let home = try makeTemporaryDirectory()
        defer { removeDirectory(home) }
        let (agent, port) = (FakeAgent(), 9469)
        // An address of its own, so that the port is free.
        let host = "127.\((1...254).randomElement()!).\((1...254).randomElement()!).7"
        let server = try WebServer(
            agent: agent, doors: [.owner(path: try AgentSocket.path(home: home)), .monitors(host: host, port: port)],
            logger: Logger(label: "test"))
        try await server.serve {
            let scraper = Browser(host: host, port: port)
            for target in Self.targets { #expect(try await scraper.get(target).status == 200) }
            #expect(try await scraper.get("/metrics", ["Host": "evil.example:9469"]).status == 421)
            agent.suffer([Self.folder])
            let ill = try await scraper.get("/healthz")
            #expect(ill.status == 503 && ill.body == "The folder cannot be used.\n")
            for target in [
                "/", "/api/v1/status", "/api/v1/peers", "/api/v1/albums", "/api/v1/openapi.json", "/api/v1/alive",
                "/api/v1/events", "/g/", "/wall",
            ] {
                #expect(try await scraper.get(target).status == 404, "\(target)")
            }
            for target in ["/api/v1/guests", "/api/v1/session", "/api/v1/down", "/api/v1/decide"] {
                #expect(try await scraper.post(target, "{}").status == 404, "\(target)")
            }
        }
    }

    /// Shows that one address has a share of a door for monitors, and that whoever comes beyond it is told so.
    @Test func scrapersAreBounded() async throws {
        let home = try makeTemporaryDirectory()
        defer { removeDirectory(home) }
        let host = "127.\((1...254).randomElement()!).\((1...254).randomElement()!).8"
        let door = Door.monitors(host: host, port: 9469)
        let server = try WebServer(
            agent: FakeAgent(), doors: [.owner(path: try AgentSocket.path(home: home)), door],
            logger: Logger(label: "test"))
        try await server.serve {
            let scraper = Browser(host: host, port: 9469)
            var held: [RawClient] = []
            for _ in 0..<8 {
                let client = try RawClient(host: host, port: 9469)
                try await client.send("GET /nothing HTTP/1.1\r\nHost: \(host):9469\r\n\r\n")
                _ = try await client.receive(upTo: "not_found")
                held.append(client)
            }
            #expect(try await scraper.get("/healthz").status == 503)
            held.removeAll()
            try await eventually("a place is free again") {
                let answer = try await scraper.get("/healthz")
                return .when(answer.status == 200, "\(answer)")
            }
            #expect(door.limits.connectionCountMax == 16 && door.limits.connectionCountMaxOfAddress == 8)
        }
    }

    /// Shows that monitors of all doors together may ask 20 times at once, and two times a second from then on.
    @Test func questionsAreBounded() async throws {
        try await withOpenLaptop { doors async throws in
            let owner = try await doors.owner()
            for _ in 0..<20 { #expect(try await owner.get("/healthz").status == 200) }
            let refusal = try await owner.get("/metrics")
            #expect(refusal.status == 429 && refusal.headers["retry-after"] == "1")
            #expect(try await answer(doors.socket, get("/healthz")).status == 429)
            #expect(try await owner.get("/api/v1/status").status == 200)
            doors.clock.advance(1)
            #expect(try await owner.get("/metrics").status == 200)
            #expect(try await owner.get("/healthz").status == 200)
            #expect(try await owner.get("/healthz").status == 429)
        }
    }
}
