import AlbumModel
import Glibc
import HTTPTypes
import Logging
import NIOPosix
import PotluckAPI
import TestSupport
import Testing
import WebGallery

@testable import WebServer

/// A gallery at two sockets: the owner's, and one for guests, who say who they are in a header.
struct PictureWorld: Sendable {
    static let lena = GuestID(bytes: [UInt8](repeating: 1, count: 16))!
    static let ben = GuestID(bytes: [UInt8](repeating: 2, count: 16))!
    /// Looks at photos, and neither adds nor takes any home.
    static let looker = GuestID(bytes: [UInt8](repeating: 3, count: 16))!
    /// Sees all albums, the others `beach` alone.
    static let anna = GuestID(bytes: [UInt8](repeating: 4, count: 16))!
    /// Does not learn where photos were taken.
    static let tom = GuestID(bytes: [UInt8](repeating: 5, count: 16))!

    let host: FakeHost
    let beach: AlbumID
    /// Guests do not see it.
    let secret: AlbumID
    /// Milliseconds by which the clocks are ahead.
    let clock = TestClock()

    init() {
        host = FakeHost()
        beach = host.gathering.make("Beach")
        secret = host.gathering.make("Secret")
        host.change { $0.standing.names = [Self.lena: "Lena", Self.ben: "Ben", Self.looker: "Mia", Self.tom: "Tom"] }
    }

    /// Puts a photo and its original there.
    @discardableResult
    func put(
        _ number: Int, _ bytes: [UInt8], into album: AlbumID? = nil, type: String = "image/jpeg", name: String? = nil,
        taken: String? = "2026-08-14T18:40:07"
    ) -> BlobID {
        var photo = FakeGathering.photo(number, taken: taken)
        if let name { photo.name = name }
        let blob = host.gathering.put(photo, into: album ?? beach)
        host.put(bytes, .original, of: blob, mediaType: type, name: photo.name)
        return blob
    }

    /// Serves while the body runs; what is kept stays for the next time.
    func serve<Result: Sendable>(_ body: (PictureDoors) async throws -> Result) async throws -> Result {
        let home = try makeTemporaryDirectory()
        let (owner, guests) = (try AgentSocket.path(home: home), home + "/guests.sock")
        defer {
            unlink(guests)
            removeDirectory(home)
        }
        let logger = Logger(label: "test")
        let gallery = try await Gallery(host: host, logger: logger, clock: clock.clock)
        let server = try WebServer(
            agent: FakeAgent(gathering: host.gathering), doors: [.owner(path: owner), guestDoor(guests)],
            gallery: gallery, logger: logger)
        return try await server.serve { try await body(PictureDoors(owner: owner, guests: guests, gallery: gallery)) }
    }

    private func guestDoor(_ path: String) -> Door {
        let beach = beach
        return Door(place: .unixSocket(path: path), hosts: .any, requiresOrigin: false, limits: WebLimits()) {
            request in
            let guests = [
                "Bearer lena": Self.lena, "Bearer ben": Self.ben, "Bearer looker": Self.looker,
                "Bearer anna": Self.anna, "Bearer tom": Self.tom,
            ]
            guard let guest = guests[request.headerFields[.authorization] ?? ""] else { return nil }
            return Visitor(
                rights: guest == Self.looker ? [.see] : [.see, .add, .talk, .take], holder: .guest(guest),
                albums: guest == Self.anna ? nil : [beach], hidesPlaces: guest == Self.tom)
        }
    }
}

/// Where a world is served.
struct PictureDoors: Sendable {
    let owner: String
    let guests: String
    let gallery: Gallery

    /// One request on a connection of its own.
    ///
    /// - Parameter name: A guest's; `nil` for the owner.
    func ask(
        _ method: String, _ target: String, as name: String? = nil, _ headers: [(String, String)] = [],
        body: [UInt8] = []
    ) async throws -> Reply {
        try await begin(method, target, as: name, headers, body: body).reply()
    }

    /// A request whose answer nobody waits for yet.
    func begin(
        _ method: String, _ target: String, as name: String? = nil, _ headers: [(String, String)] = [],
        body: [UInt8] = []
    ) async throws -> Connection {
        let connection = try Connection(path: name == nil ? owner : guests)
        try await connection.send(
            Self.head(method, target, as: name, headers + [("Content-Length", "\(body.count)")]) + body)
        return connection
    }

    func json(_ method: String, _ target: String, as name: String? = nil, _ body: String) async throws -> Reply {
        try await ask(method, target, as: name, [("Content-Type", "application/json")], body: Array(body.utf8))
    }

    static func head(
        _ method: String, _ target: String, as name: String?, _ headers: [(String, String)]
    ) -> [UInt8] {
        var lines = ["\(method) /api/v1\(target) HTTP/1.1", "Host: a", "Connection: close"]
        if let name { lines.append("Authorization: Bearer \(name)") }
        lines += headers.map { "\($0): \($1)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }
}

/// An answer, in bytes.
struct Reply: Sendable {
    let status: Int
    private let headers: [String: String]
    let body: [UInt8]

    init(_ bytes: [UInt8]) throws {
        let end = try #require(bytes.indices.dropLast(3).first { bytes[$0..<$0 + 4].elementsEqual("\r\n\r\n".utf8) })
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        status = try #require(Int(lines[0].split(separator: " ")[1]))
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let halves = line.split(separator: ":", maxSplits: 1)
            headers[halves[0].lowercased()] = halves.count > 1 ? String(halves[1].drop { $0 == " " }) : ""
        }
        self.headers = headers
        let body = bytes[(end + 4)...]
        self.body = headers["transfer-encoding"] == "chunked" ? try Self.unchunked(body) : Array(body)
    }

    /// - Throws: Where the last chunk is missing: the answer was cut off.
    private static func unchunked(_ bytes: ArraySlice<UInt8>) throws -> [UInt8] {
        var (body, rest): ([UInt8], ArraySlice<UInt8>) = ([], bytes)
        while true {
            let line = rest.prefix { $0 != 13 }
            let count = try #require(Int(String(decoding: line, as: UTF8.self), radix: 16))
            guard count > 0 else { return body }
            rest = rest.dropFirst(line.count + 2)
            body += rest.prefix(count)
            rest = rest.dropFirst(count + 2)
        }
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    subscript(_ name: String) -> String? { headers[name.lowercased()] }
}

/// A connection of bytes.
final class Connection: Sendable {
    private let descriptor: Int32

    init(path: String) throws {
        descriptor = TestSocket.connected(path: path)
        try #require(descriptor >= 0, "connect: \(String(cString: strerror(errno)))")
        TestSocket.limitWaiting(descriptor)
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) async throws {
        try await NIOThreadPool.singleton.runIfActive { [descriptor] in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Returns when something can be read.
    func waitForAnswer() async throws {
        let isReadable = try await NIOThreadPool.singleton.runIfActive { [descriptor] in
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&waiting, 1, 20_000) > 0
        }
        try #require(isReadable)
    }

    /// Goes away at once.
    func cut() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// The first bytes of an answer, as soon as so many have come.
    func beginning(_ count: Int) async throws -> [UInt8] {
        let bytes = try await NIOThreadPool.singleton.runIfActive { [descriptor] in
            var bytes = [UInt8](repeating: 0, count: count)
            let read = recv(descriptor, &bytes, count, Int32(MSG_WAITALL))
            return Array(bytes.prefix(max(0, read)))
        }
        try #require(bytes.count == count, "\(bytes.count) bytes have come, and no more")
        return bytes
    }

    /// All until the server closes.
    ///
    /// - Parameter beginning: What was read of it before.
    func reply(after beginning: [UInt8] = []) async throws -> Reply {
        let bytes = try await NIOThreadPool.singleton.runIfActive { [descriptor] in
            var all = beginning
            var chunk = [UInt8](repeating: 0, count: 1 << 18)
            while case let count = recv(descriptor, &chunk, chunk.count, 0), count > 0 { all += chunk.prefix(count) }
            return all
        }
        return try Reply(bytes)
    }
}

/// Bytes that differ from place to place.
func sampleBytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed
    return (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
    }
}
