import FoundationEssentials
import Glibc
import NIOPosix
import TestSupport
import Testing

@testable import PotluckAPI

extension RawClient {
    /// Connects to a door for browsers.
    convenience init(host: String, port: Int) throws {
        let descriptor = TestSocket.connected(host: host, port: port)
        try #require(descriptor >= 0, "connect: \(String(cString: strerror(errno)))")
        self.init(connected: descriptor)
    }

    /// Whether somebody listens there.
    static func isOpen(host: String, port: Int) -> Bool {
        let descriptor = TestSocket.connected(host: host, port: port)
        if descriptor >= 0 { close(descriptor) }
        return descriptor >= 0
    }
}

/// A browser at one door: it keeps its cookies and names its page in `Origin`.
final class Browser: Sendable {
    struct Answer: Sendable {
        var status: Int
        var headers: [String: String]
        var body: String

        init(_ text: String) throws {
            let halves = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
            let lines = try #require(halves.first).split(separator: "\r\n")
            let parts = try #require(lines.first).split(separator: " ")
            try #require(parts.count >= 2, "no answer: \(text)")
            status = try #require(Int(parts[1]))
            headers = [:]
            for line in lines.dropFirst() {
                let pair = line.split(separator: ":", maxSplits: 1)
                if pair.count == 2 { headers[pair[0].lowercased()] = pair[1].drop { $0 == " " }.description }
            }
            let raw = halves.count > 1 ? String(halves[1]) : ""
            body = headers["transfer-encoding"] == "chunked" ? Self.unchunked(raw) : raw
        }

        private static func unchunked(_ raw: String) -> String {
            var (bytes, rest): ([UInt8], ArraySlice<UInt8>) = ([], Array(raw.utf8)[...])
            while let end = rest.firstIndex(of: 13),
                let count = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16), count > 0
            {
                rest = rest[(end + 2)...]
                bytes += rest.prefix(count)
                rest = rest.dropFirst(count + 2)
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        func json() throws -> JSONValue { try ReportJSON.value(JSONValue.self, from: .init(body.utf8)) }

        subscript(name: String) -> JSONValue? { (try? json())?.members?[name] }

        func text(_ name: String) -> String? { if case .string(let text)? = self[name] { text } else { nil } }
    }

    let host: String
    let port: Int
    /// The value of `Cookie`, or a bearer.
    private let credential: Credential

    enum Credential: Sendable {
        case none
        case cookie(String)
        case bearer(String)
    }

    init(host: String, port: Int, _ credential: Credential = .none) {
        self.host = host
        self.port = port
        self.credential = credential
    }

    /// - Parameter address: Such as `http://127.0.0.1:4712/g/#TOKEN`.
    convenience init(at address: String, _ credential: Credential = .none) throws {
        let authority = try #require(address.dropFirst("http://".count).split(separator: "/").first)
        let halves = authority.split(separator: ":")
        try #require(halves.count == 2)
        self.init(host: String(halves[0]), port: try #require(Int(halves[1])), credential)
    }

    var authority: String { "\(host):\(port)" }
    var origin: String { "http://\(authority)" }

    func with(_ credential: Credential) -> Browser { Browser(host: host, port: port, credential) }

    private func head(_ method: String, _ target: String, _ others: [String: String], byteCount: Int?) -> String {
        var headers = ["Host": authority]
        switch credential {
        case .none: break
        case .cookie(let cookie): headers["Cookie"] = cookie
        case .bearer(let bearer): headers["Authorization"] = "Bearer \(bearer)"
        }
        if method != "GET", method != "HEAD" { headers["Origin"] = origin }
        if let byteCount { headers["Content-Length"] = "\(byteCount)" }
        headers.merge(others) { $1 }
        let lines = headers.sorted { $0.key < $1.key }.filter { !$0.value.isEmpty }.map { "\($0.key): \($0.value)\r\n" }
        return "\(method) \(target) HTTP/1.1\r\n" + lines.joined() + "\r\n"
    }

    /// Asks on a connection of its own.
    ///
    /// - Parameter headers: An empty value leaves one out.
    func ask(
        _ method: String, _ target: String, _ headers: [String: String] = [:], body: String? = nil,
        type: String = "application/json"
    ) async throws -> Answer {
        let client = try RawClient(host: host, port: port)
        var others = ["Connection": "close"]
        if body != nil { others["Content-Type"] = type }
        others.merge(headers) { $1 }
        try await client.send(head(method, target, others, byteCount: body?.utf8.count) + (body ?? ""))
        return try Answer(try await client.receive())
    }

    func get(_ target: String, _ headers: [String: String] = [:]) async throws -> Answer {
        try await ask("GET", target, headers)
    }

    func post(_ target: String, _ body: String, _ headers: [String: String] = [:]) async throws -> Answer {
        try await ask("POST", target, headers, body: body)
    }

    /// Follows the events; the stream's head has come when this returns.
    func follow(after place: String? = nil) async throws -> RawClient {
        try await begin("/api/v1/events", place.map { ["Last-Event-ID": $0] } ?? [:])
    }

    /// Asks for something whose end is not awaited, on a connection that stays open.
    func begin(_ target: String, _ headers: [String: String] = [:]) async throws -> RawClient {
        let client = try RawClient(host: host, port: port)
        try await client.send(head("GET", target, headers, byteCount: nil))
        return client
    }
}
