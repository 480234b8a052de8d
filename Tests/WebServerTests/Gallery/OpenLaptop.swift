import AlbumModel
import Logging
import TestSupport
import Testing

@testable import PotluckAPI
@testable import WebServer

/// A laptop with doors for browsers, while a test runs.
struct OpenLaptop: Sendable {
    let agent: FakeAgent
    let host: FakeHost
    let gallery: Gallery
    let clock: TestClock
    /// Of the owner's socket.
    let socket: String

    /// Opens the guests' door.
    func open(_ order: GuestDoorOrder = GuestDoorOrder()) async throws -> GuestLinkReport {
        try await gallery.openGuestDoor(order)
    }

    /// A browser at the guests' door, with nobody signed in.
    func phone() async throws -> Browser {
        let origin = try #require(await gallery.entrance.guestOrigins().first)
        return try Browser(at: origin + "/")
    }

    /// A guest who has joined by the link that there is.
    func guest(_ name: String = "Lena") async throws -> (browser: Browser, id: String) {
        let link = try #require(try await gallery.linkReport()?.link)
        let phone = try await phone()
        let body = try ReportJSON.text(["token": try Self.fragment(link), "name": name])
        let answer = try await phone.post("/api/v1/guests", body)
        try #require(answer.status == 201, "\(answer)")
        let bearer = try #require(answer.text("bearer"))
        guard case .string(let id)? = answer["guest"]?.members?["id"] else {
            throw PotluckError(.failed, "no guest: \(answer)")
        }
        return (phone.with(.bearer(bearer)), id)
    }

    /// The owner's browser, signed in by a one-time code.
    func owner() async throws -> Browser {
        let url = try await gallery.ownerLink().url
        let browser = try Browser(at: url)
        let answer = try await browser.post("/api/v1/session", try ReportJSON.text(["code": try Self.fragment(url)]))
        try #require(answer.status == 201, "\(answer)")
        let cookie = try #require(answer.headers["set-cookie"]?.split(separator: ";").first)
        return browser.with(.cookie(String(cookie)))
    }

    /// The owner's phone, signed in by a pass at the guests' door.
    func ownersPhone() async throws -> Browser {
        let code = try Self.fragment(try await gallery.ownerPass().url)
        let phone = try await phone()
        let answer = try await phone.post("/api/v1/session", try ReportJSON.text(["code": code]))
        try #require(answer.status == 201, "\(answer)")
        return phone.with(.bearer(try #require(answer.text("bearer"))))
    }

    static func fragment(_ link: String) throws -> String {
        String(try #require(link.split(separator: "#").dropFirst().first))
    }
}

/// A server with doors for browsers while the body runs.
func withOpenLaptop<Result: Sendable>(
    _ host: FakeHost = FakeHost(), _ body: (OpenLaptop) async throws -> Result
) async throws -> Result {
    let home = try makeTemporaryDirectory()
    defer { removeDirectory(home) }
    let path = try AgentSocket.path(home: home)
    let agent = FakeAgent(gathering: host.gathering)
    let clock = TestClock()
    let logger = Logger(label: "test")
    let gallery = try await Gallery(host: host, logger: logger, clock: clock.clock)
    agent.keep(gallery)
    let server = try WebServer(agent: agent, doors: [.owner(path: path)], gallery: gallery, logger: logger)
    return try await server.serve {
        try await body(OpenLaptop(agent: agent, host: host, gallery: gallery, clock: clock, socket: path))
    }
}
