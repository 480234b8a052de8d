import PotluckAPI
import TestSupport
import Testing
import WebServer

/// HTTP as other programs speak it, byte by byte.
@Suite(.timeLimit(.minutes(1))) struct HTTPTests {
    private func answer(_ request: String, upTo end: String? = nil) async throws -> String {
        try await withServer(FakeAgent()) { path async throws in
            let client = try RawClient(path: path)
            try await client.send(request)
            return try await client.receive(upTo: end)
        }
    }

    private func status(_ answer: String) -> String { String(answer.dropFirst("HTTP/1.1 ".count).prefix(3)) }

    private func get(_ target: String, _ headers: String = "") -> String {
        "GET \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(headers)\r\n"
    }

    private func post(_ target: String, _ body: String, type: String = "application/json") -> String {
        "POST \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: \(type)\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// Shows an answer as a script gets it: headers, and the document of `--json`.
    @Test func aDocumentHasItsHeaders() async throws {
        let answer = try await answer(get("/api/v1/albums"))
        let document = try ReportJSON.text(Sample.albums)
        #expect(status(answer) == "200")
        #expect(answer.hasSuffix("\r\n\r\n" + document))
        for header in [
            "Content-Type: application/json", "Content-Length: \(document.utf8.count)", "connection: close",
            "Cache-Control: no-store", "X-Content-Type-Options: nosniff",
        ] {
            #expect(answer.lowercased().contains("\r\n\(header.lowercased())\r\n"), "\(answer)")
        }
        #expect(answer.contains(try Regex("(?i)\r\ndate: \\w{3}, \\d\\d \\w{3} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT\r\n")))
    }

    /// Shows that HEAD is GET without its body, and starts no stream.
    @Test(arguments: ["/api/v1/albums", "/api/v1/events", "/api/v1/openapi.json"]) func headHasNoBody(
        target: String
    ) async throws {
        let answer = try await answer("HEAD \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(status(answer) == "200")
        #expect(answer.hasSuffix("\r\n\r\n"))
    }

    /// Shows that a wrong method is told with those that are right, and a wrong path as none.
    @Test(arguments: [
        ("DELETE", "/api/v1/albums", "405", "GET, HEAD"), ("PUT", "/api/v1/transfers", "405", "GET, HEAD, POST"),
        ("OPTIONS", "/api/v1/add", "405", "POST"), ("GET", "/api/v1/add", "405", "POST"),
        ("HEAD", "/api/v1/add", "405", "POST"), ("POST", "/api/v1/albums/a/photos", "405", "GET, HEAD"),
        ("GET", "/", "404", ""), ("GET", "/api/v1", "404", ""), ("GET", "/api/v1/format-disk", "404", ""),
        ("GET", "/api/v1/albums/a/b/photos", "404", ""), ("GET", "/api/v2/albums", "404", ""),
    ])
    func wrongMethodsAreTold(method: String, path: String, code: String, allowed: String) async throws {
        let answer = try await answer("\(method) \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(status(answer) == code, "\(answer)")
        #expect(answer.lowercased().contains("\r\nallow: \(allowed.lowercased())\r\n") == !allowed.isEmpty, "\(answer)")
        if method != "HEAD" { #expect(answer.contains(#"{"error":{"code":""#), "\(answer)") }
    }

    /// Shows that requests that nobody understands are answered with 400, and with which part it is.
    @Test(arguments: [
        ("/api/v1/cover", "album"), ("/api/v1/photos?tagg=sea", "tagg"), ("/api/v1/photos?type=gif", "type"),
        ("/api/v1/photos?from=yesterday", "from"), ("/api/v1/photos?text=%ff", "text"),
        ("/api/v1/photos?text=a&text=b", "text"), ("/api/v1/albums/a/photos?album=b", "album"),
        ("/api/v1/albums/%zz/photos", "album"), ("/api/v1/leave-check?others=many", "others"),
        ("/api/v1/status?all=perhaps", "all"),
    ])
    func badQueriesAreTold(target: String, word: String) async throws {
        let answer = try await answer(get(target))
        #expect(status(answer) == "400", "\(answer)")
        #expect(answer.contains(#"{"error":{"code":"usage","message":""#) && answer.contains("“\(word)”"), "\(answer)")
    }

    @Test(arguments: [
        ("garbage", "400"), ("[]", "400"), ("{}", "400"), (#"{"album":5,"photos":[]}"#, "400"),
        (#"{"album":"A","photos":["b"]}"#, "200"), (#"{"album":"A","photos":["b"],"more":1}"#, "200"), ("", "400"),
        (String(repeating: "[", count: 100_000), "400"),
    ])
    func badBodiesAreTold(body: String, code: String) async throws {
        #expect(try await status(answer(post("/api/v1/edit", body))) == code)
    }

    /// Shows that a form of a foreign page, which a browser sends without asking, is no request.
    @Test(arguments: ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a", ""])
    func otherTypesAreRefused(type: String) async throws {
        let answer = try await answer(post("/api/v1/edit", #"{"album":"A","photos":["b"]}"#, type: type))
        #expect(status(answer) == "415", "\(answer)")
        #expect(try await status(self.answer(post("/api/v1/decide?decision=undo", "{}"))) == "400")
    }

    /// Shows that what is not HTTP/1.1 as it should be is refused, and the connection closed.
    @Test(arguments: [
        ("garbage\r\n\r\n", "400"), ("GET /api/v1/albums HTTP/1.1\r\n\r\n", "400"),
        ("GET /api/v1/albums HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400"),
        ("GET /api/v1/albums HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n", "400"),
        ("GET api HTTP/1.1\r\nHost: a\r\n\r\n", "400"), ("CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", "501"),
        ("BREW / HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
        ("POST /api/v1/edit HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}", "400"),
        ("POST /api/v1/edit HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", "400"),
        ("POST /api/v1/edit HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "400"),
        ("POST /api/v1/edit HTTP/1.1\r\nHost: a\r\nExpect: cake\r\nContent-Length: 2\r\n\r\n", "417"),
    ])
    func whatIsNotHTTPIsRefused(request: String, code: String) async throws {
        let answer = try await answer(request)
        #expect(status(answer) == code, "\(answer)")
        #expect(answer.lowercased().contains("\r\nconnection: close\r\n"), "\(answer)")
    }

    /// Shows that requests that come at once are answered in their order, the failing ones too.
    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
        let requests =
            "GET /api/v1/albums HTTP/1.1\r\nHost: a\r\n\r\n" + "GET /api/v1/nothing HTTP/1.1\r\nHost: a\r\n\r\n"
            + "POST /api/v1/edit HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
            + "HEAD /api/v1/albums HTTP/1.1\r\nHost: a\r\n\r\n" + get("/api/v1/tags") + get("/api/v1/cover")
        let answer = try await answer(requests)
        let codes = answer.matches(of: /HTTP\/1\.1 (\d{3})/).map { String($0.output.1) }
        #expect(codes == ["200", "404", "400", "200", "200"], "\(answer)")
        #expect(answer.hasSuffix(try ReportJSON.text(Sample.tags)))
    }

    /// Shows that garbage behind a good request does not take its answer away.
    @Test func garbageBehindARequestIsAnsweredAfterIt() async throws {
        let answer = try await answer("GET /api/v1/albums HTTP/1.1\r\nHost: a\r\n\r\ngarbage\r\n\r\n")
        let codes = answer.matches(of: /HTTP\/1\.1 (\d{3})/).map { String($0.output.1) }
        #expect(codes == ["200", "400"], "\(answer)")
    }

    /// Shows that a connection serves one request after the other, and closes when the client says so.
    @Test func connectionsAreUsedAgain() async throws {
        try await withServer(FakeAgent()) { path async throws in
            let client = try RawClient(path: path)
            for _ in 0..<3 {
                try await client.send("GET /api/v1/albums HTTP/1.1\r\nHost: a\r\n\r\n")
                let answer = try await client.receive(upTo: #""updated":null}]}"#)
                #expect(!answer.lowercased().contains("connection: close"), "\(answer)")
            }
            try await client.send("GET /api/v1/albums HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n")
            #expect(try await client.receive().hasSuffix(#""updated":null}]}"#))
        }
    }

    /// Shows that HTTP/1.0 gets an answer without chunks, ended by the connection's end.
    @Test func version10IsAnswered() async throws {
        let answer = try await answer("GET /api/v1/albums/Beach%20day/photos HTTP/1.0\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.0 200 OK\r\n"), "\(answer)")
        #expect(!answer.lowercased().contains("transfer-encoding"))
        #expect(answer.hasSuffix("\r\n\r\n" + (try ReportJSON.text(Sample.photos))))
    }

    /// Shows that a client that asks first is told to go on, or why not.
    @Test func continueIsSaid() async throws {
        try await withServer(FakeAgent()) { path async throws in
            let head =
                "POST /api/v1/edit HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                + "Content-Type: application/json\r\nExpect: 100-continue\r\n"
            let client = try RawClient(path: path)
            try await client.send(head + "Content-Length: 28\r\n\r\n")
            #expect(try await client.receive(upTo: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            try await client.send(#"{"album":"A","photos":["b"]}"#)
            #expect(try await status(client.receive()) == "200")
            let tooLong = try RawClient(path: path)
            try await tooLong.send(head + "Content-Length: 9000000\r\n\r\n")
            #expect(try await status(tooLong.receive()) == "413")
        }
    }

    /// Shows that the API describes itself, every route and every parameter.
    @Test func theDescriptionIsServed() async throws {
        let answer = try await answer(get("/api/v1/openapi.json"))
        for route in AgentRoutes.all {
            for pattern in route.patterns { #expect(answer.contains("\"/api/v1\(pattern)\"")) }
        }
    }
}
