import HTTPTypes
import Logging
import PotluckAPI
import Testing
import WebServer

/// Who may come in, and how far; at a door with the rules that one for guests has.
@Suite(.timeLimit(.minutes(1))) struct DoorTests {
    /// A guest says so in a header; the door has one name.
    private static func guestDoor(_ place: Door.Place) -> Door {
        Door(place: place, hosts: .only(["10.0.0.5:4712"]), requiresOrigin: true, limits: WebLimits()) { request in
            request.headerFields[.authorization] == "Bearer guest" ? Visitor(rights: [.see, .watch]) : nil
        }
    }

    private func answer(_ request: String) async throws -> String {
        let home = try makeTemporaryDirectory()
        defer { removeDirectory(home) }
        let path = try AgentSocket.path(home: home)
        let server = try WebServer(
            agent: FakeAgent(), doors: [Self.guestDoor(.unixSocket(path: path))], logger: Logger(label: "test"))
        return try await server.serve {
            let client = try RawClient(path: path)
            try await client.send(request)
            return try await client.receive()
        }
    }

    private static let decision = #"{"decision":"undo"}"#

    /// Shows every way to be turned away, and every way in.
    @Test(arguments: [
        ("GET /api/v1/albums", "10.0.0.5:4712", "Authorization: Bearer guest\r\n", "200"),
        ("GET /api/v1/albums", "10.0.0.5:4712", "", "401"),
        ("GET /api/v1/albums", "10.0.0.5:4712", "Authorization: Bearer other\r\n", "401"),
        ("GET /api/v1/albums", "evil.example", "Authorization: Bearer guest\r\n", "421"),
        ("GET /api/v1/albums", "10.0.0.5", "Authorization: Bearer guest\r\n", "421"),
        ("GET /api/v1/invite", "10.0.0.5:4712", "Authorization: Bearer guest\r\n", "403"),
        ("GET /api/v1/openapi.json", "10.0.0.5:4712", "", "200"),
        ("GET /api/v1/openapi.json", "evil.example", "", "421"),
        ("POST /api/v1/decide", "10.0.0.5:4712", "Authorization: Bearer guest\r\n", "200"),
        ("POST /api/v1/decide", "10.0.0.5:4712", "", "403"),
        ("POST /api/v1/decide", "10.0.0.5:4712", "Origin: http://10.0.0.5:4712\r\n", "401"),
        ("POST /api/v1/decide", "10.0.0.5:4712", "Origin: http://evil.example\r\n", "403"),
        ("POST /api/v1/decide", "10.0.0.5:4712", "Origin: null\r\n", "403"),
        ("POST /api/v1/down", "10.0.0.5:4712", "Authorization: Bearer guest\r\n", "403"),
    ])
    func theRulesHold(line: String, host: String, headers: String, code: String) async throws {
        let body = line.hasPrefix("POST") ? Self.decision : ""
        let answer = try await answer(
            "\(line) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\(headers)Content-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        #expect(answer.hasPrefix("HTTP/1.1 \(code) "), "\(answer)")
        if code != "200" { #expect(answer.contains(#"{"error":{"code":""#), "\(answer)") }
    }

    /// Shows that two doors lead to one agent, each by its own rules, and that an address is one.
    @Test func doorsHaveTheirOwnRules() async throws {
        let home = try makeTemporaryDirectory()
        defer { removeDirectory(home) }
        let path = try AgentSocket.path(home: home)
        let guests = home + "/guests.sock"
        let server = try WebServer(
            agent: FakeAgent(),
            doors: [
                .owner(path: path), Self.guestDoor(.unixSocket(path: guests)),
                Self.guestDoor(.address(host: "127.0.0.1", port: 0)),
            ], logger: Logger(label: "test"))
        try await server.serve {
            for (place, code) in [(path, "200"), (guests, "421")] {
                let client = try RawClient(path: place)
                try await client.send("GET /api/v1/albums HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                #expect(try await client.receive().hasPrefix("HTTP/1.1 \(code) "))
            }
        }
    }

    /// Shows that a server ends whoever comes in the same moment. NIO ends the process where a connection is dropped open.
    @Test func clientsComeWhileTheDoorCloses() async throws {
        let home = try makeTemporaryDirectory()
        defer { removeDirectory(home) }
        let path = try AgentSocket.path(home: home)
        for _ in 0..<50 {
            let server = try WebServer(agent: FakeAgent(), doors: [.owner(path: path)], logger: Logger(label: "test"))
            let clients = try await server.serve { try (0..<20).map { _ in try RawClient(path: path) } }
            for client in clients { #expect(try await client.receive().isEmpty) }
        }
    }
}
