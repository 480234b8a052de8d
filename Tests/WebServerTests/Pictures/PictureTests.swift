import AlbumModel
import NIOCore
import Testing
import WebGallery

@testable import WebServer

/// Pictures at the doors: ranges, conditions, what browsers keep, and who sees what.
@Suite(.timeLimit(.minutes(1))) struct PictureTests {
    private static let bytes = sampleBytes(1_500_000)

    /// Shows every kind of range, over a file of several pieces.
    @Test(arguments: [
        ("bytes=0-0", 206, 0..<1), ("bytes=0-", 206, 0..<1_500_000), ("bytes=1499999-", 206, 1_499_999..<1_500_000),
        ("bytes=-5", 206, 1_499_995..<1_500_000), ("bytes=100-1200000", 206, 100..<1_200_001),
        ("bytes=1000000-9999999999999999999999", 206, 1_000_000..<1_500_000), ("bytes=-2000000", 206, 0..<1_500_000),
        ("bytes=1500000-", 416, 0..<0), ("bytes=-0", 416, 0..<0), ("bytes=5-4", 200, 0..<1_500_000),
        ("bytes=0-1,5-6", 200, 0..<1_500_000), ("lines=0-1", 200, 0..<1_500_000), ("bytes=", 200, 0..<1_500_000),
    ])
    func ranges(range: String, status: Int, expected: Range<Int>) async throws {
        let world = PictureWorld()
        let photo = world.put(1, Self.bytes)
        try await world.serve { doors async throws in
            let reply = try await doors.ask("GET", "/photos/\(photo.hex)/original", [("Range", range)])
            #expect(reply.status == status)
            switch status {
            case 416: #expect(reply["content-range"] == "bytes */1500000")
            case 206:
                #expect(reply["content-range"] == "bytes \(expected.lowerBound)-\(expected.upperBound - 1)/1500000")
                fallthrough
            default:
                #expect(reply.body == Array(Self.bytes[expected]))
                #expect(reply["content-length"] == "\(expected.count)")
                #expect(reply["accept-ranges"] == "bytes")
            }
        }
    }

    /// Shows conditions of all kinds, and that HEAD takes no heed of a range.
    @Test func conditions() async throws {
        let world = PictureWorld()
        let photo = world.put(1, Self.bytes)
        let tag = EntityTag(hashing: Self.bytes).text
        try await world.serve { doors async throws in
            func ask(_ headers: [(String, String)], _ method: String = "GET") async throws -> Reply {
                try await doors.ask(method, "/photos/\(photo.hex)/original", headers)
            }
            let notModified = try await ask([("If-None-Match", "\"a\", \(tag)")])
            #expect(notModified.status == 304 && notModified.body.isEmpty && notModified["etag"] == tag)
            #expect(notModified["cache-control"] == "private, no-cache")
            #expect(try await ask([("If-None-Match", "*")]).status == 304)
            #expect(try await ask([("If-None-Match", "\"a\"")]).status == 200)
            #expect(try await ask([("If-Match", "\"a\"")]).status == 412)
            #expect(try await ask([("If-Match", tag), ("Range", "bytes=0-9")]).status == 206)
            #expect(try await ask([("If-Range", tag), ("Range", "bytes=0-9")]).status == 206)
            #expect(try await ask([("If-Range", "\"a\""), ("Range", "bytes=0-9")]).status == 200)
            let head = try await ask([("Range", "bytes=0-9")], "HEAD")
            #expect(head.status == 200 && head["content-length"] == "1500000" && head.body.isEmpty)
        }
    }

    /// Shows that a thumbnail whose name the page knows is kept for good, and another one asked for again.
    @Test func thumbnailsAreKept() async throws {
        let world = PictureWorld()
        let photo = world.put(1, [1])
        let thumbnail = FakeGathering.blob(9)
        let bytes = sampleBytes(900)
        world.host.change { state in
            state.pictures[.thumbnail] = [
                photo: .here(
                    PictureFile(
                        ByteBuffer(bytes: bytes), mediaType: "image/jpeg", entityTag: EntityTag(opaque: thumbnail.hex)))
            ]
        }
        let name = Base64URL.text(thumbnail.bytes).prefix(16)
        try await world.serve { doors async throws in
            let named = try await doors.ask("GET", "/photos/\(photo.hex)/thumbnail?v=\(name)", as: "looker")
            #expect(named.status == 200 && named.body == bytes && named["content-type"] == "image/jpeg")
            #expect(named["cache-control"] == "private, max-age=31536000, immutable")
            #expect(named["content-security-policy"]?.contains("sandbox") ?? false)
            #expect(named["x-content-type-options"] == "nosniff")
            for (range, expected) in [("bytes=100-299", bytes[100..<300]), ("bytes=-1", bytes[899...])] {
                let part = try await doors.ask(
                    "GET", "/photos/\(photo.hex)/thumbnail", as: "looker", [("Range", range)])
                #expect(part.status == 206 && part.body == Array(expected))
            }
            for query in ["", "?v=", "?v=AAAAAAAAAAAAAAAA"] {
                let other = try await doors.ask("GET", "/photos/\(photo.hex)/thumbnail\(query)", as: "looker")
                #expect(other.status == 200 && other["cache-control"] == "private, no-cache")
            }
        }
    }

    /// Shows that who may not see a photo gets the answer of one that does not exist, and originals are for takers.
    @Test func sightIsLimited() async throws {
        let world = PictureWorld()
        let (seen, hidden) = (world.put(1, [1]), world.put(2, [2], into: world.secret))
        try await world.serve { doors async throws in
            var answers: [Reply] = []
            for name in [hidden.hex, FakeGathering.blob(77).hex, "nothing", "%ff"] {
                answers.append(try await doors.ask("GET", "/photos/\(name)/original", as: "lena"))
            }
            #expect(answers.allSatisfy { $0.status == 404 && $0.body == answers[0].body })
            #expect(try await doors.ask("GET", "/photos/\(hidden.hex)/original").body == [2])
            #expect(try await doors.ask("GET", "/photos/\(seen.hex)/original", as: "lena").body == [1])
            #expect(try await doors.ask("GET", "/photos/\(seen.hex)/original", as: "looker").status == 403)
            // A photo is no film, not even for who may not take it home.
            #expect(try await doors.ask("GET", "/photos/\(seen.hex)/video", as: "looker").status == 404)
        }
    }

    /// Shows that who is not to know places gets no byte of an original, by no address, range or condition.
    @Test func placesAreHidden() async throws {
        let world = PictureWorld()
        let (bytes, copy) = (sampleBytes(90_000), sampleBytes(80_000, seed: 2))
        let film = world.put(1, bytes, type: "video/mp4", name: "1.mp4")
        let photo = world.put(2, bytes, name: "2.jpg")
        for (blob, type) in [(film, "video/mp4"), (photo, "image/jpeg")] {
            world.host.put(copy, .placeless, of: blob, mediaType: type, name: "copy")
        }
        let tag = EntityTag(hashing: bytes).text
        try await world.serve { doors async throws in
            for target in [
                "/photos/\(film.hex)/original", "/photos/\(photo.hex)/original?download=1", "/photos/\(film.hex)/video",
                "/photos/\(film.hex)/video?h264=0",
            ] {
                let whole = try await doors.ask("GET", target, as: "tom")
                #expect(whole.status == 200 && whole.body == copy, "\(target)")
                #expect(whole["etag"] == EntityTag(hashing: copy).text && whole["accept-ranges"] == "bytes")
                // As if another one's download went on here.
                let headers = [("Range", "bytes=70000-"), ("If-Range", tag)]
                #expect(try await doors.ask("GET", target, as: "tom", headers).body == copy)
                let part = try await doors.ask("GET", target, as: "tom", [("Range", "bytes=70000-")])
                #expect(part.status == 206 && part.body == Array(copy[70_000...]))
                #expect(try await doors.ask("GET", target, as: "tom", [("If-None-Match", tag)]).status == 200)
                #expect(try await doors.ask("GET", target, as: "lena").body == bytes)
            }
            let archive = try await doors.ask("GET", "/albums/\(world.beach.hex)/zip?size=original", as: "tom")
            #expect(archive.status == 200 && archive.body.count < 2 * copy.count + 2000)
            let small = try await doors.ask("GET", "/albums/all/zip?size=2048", as: "tom")
            #expect(small.status == 200 && small.body.count < 2 * copy.count + 2000)
            world.host.change { $0.pictures[.placeless] = [photo: .none(reason: "It is too large.")] }
            let none = try await doors.ask("GET", "/photos/\(photo.hex)/original", as: "tom")
            #expect(none.status == 404 && none.text.contains("It is too large."))
            #expect(try await doors.ask("GET", "/photos/\(film.hex)/video", as: "tom").status == 404)
        }
        #expect(world.host.change { ($0.asked[.original] ?? []).count } == 4)
    }

    /// Shows that a browser runs nothing of what people gave.
    @Test(arguments: [
        ("image/jpeg", "image/jpeg", "inline"), ("video/quicktime", "video/quicktime", "inline"),
        ("image/svg+xml", "application/octet-stream", "attachment"),
        ("text/html", "application/octet-stream", "attachment"),
        ("image/x;a=\"b\"", "application/octet-stream", "attachment"),
    ])
    func nothingRuns(given: String, sent: String, disposition: String) async throws {
        let world = PictureWorld()
        let photo = world.put(1, [1, 2], type: given, name: "Grüße \"1\".jpg")
        try await world.serve { doors async throws in
            let reply = try await doors.ask("GET", "/photos/\(photo.hex)/original")
            let name = "filename=\"Gr__e _1_.jpg\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%221%22.jpg"
            #expect(reply["content-type"] == sent)
            #expect(reply["content-disposition"] == "\(disposition); \(name)")
            let saved = try await doors.ask("GET", "/photos/\(photo.hex)/original?download=1")
            #expect(saved["content-disposition"] == "attachment; \(name)")
            #expect(try await doors.ask("GET", "/photos/\(photo.hex)/original?download=yes").status == 400)
        }
    }

    /// Shows what is told of pictures that are on their way, and of those that are not.
    @Test func waitingIsTold() async throws {
        let world = PictureWorld()
        let photo = world.put(1, [1], type: "video/mp4")
        world.host.change { $0.pictures[.playable] = [photo: .later(seconds: 7, progress: 0.4)] }
        try await world.serve { doors async throws in
            let film = try await doors.ask("GET", "/photos/\(photo.hex)/video?h264=1", as: "looker")
            #expect(film.status == 503 && film["retry-after"] == "7")
            #expect(film.text.contains(#""code":"preparing""#) && film.text.contains(#""progress":0.4"#))
            #expect(try await doors.ask("GET", "/photos/\(photo.hex)/video", as: "looker").body == [1])
            let none = try await doors.ask("GET", "/photos/\(photo.hex)/thumbnail")
            #expect(none.status == 404 && none.text.contains(#""code":"no_thumbnail""#))
        }
    }
}
