import AlbumModel
import FoundationEssentials
import HTTPTypes
import PotluckAPI
import TestSupport
import Testing
import WebGallery

@testable import WebServer

/// Likes, words and comments at the doors, and taking back what one added.
@Suite(.timeLimit(.minutes(1))) struct TalkTests {
    private func path(_ photo: PhotoKey, _ rest: String = "") -> String {
        "/albums/\(photo.album.hex)/photos/\(photo.blob.hex)\(rest)"
    }

    /// Shows words of a guest and of the owner, and which of them are refused.
    @Test func words() async throws {
        let world = PictureWorld()
        let photo = PhotoKey(album: world.beach, blob: world.put(1, [1]))
        let hidden = PhotoKey(album: world.secret, blob: world.put(2, [2], into: world.secret))
        try await world.serve { doors async throws in
            #expect(
                try await doors.json("PUT", path(photo, "/caption"), as: "lena", #"{"text":"Waves"}"#).status == 204)
            #expect(world.host.change { $0.captions[photo] } == "Waves")
            let long = #"{"text":""# + String(repeating: "a", count: 5000) + #""}"#
            #expect(try await doors.json("PUT", path(photo, "/caption"), as: "lena", long).status == 413)
            #expect(try await doors.json("POST", path(photo, "/comments"), as: "lena", long).status == 413)
            #expect(try await doors.json("POST", path(photo, "/comments"), as: "lena", #"{"text":" "}"#).status == 400)
            let tags = try await doors.json("PUT", path(photo, "/tags"), as: "lena", #"{"add":["sea","sun"]}"#)
            #expect(tags.status == 204 && world.host.change { $0.tags[photo] } == ["sea", "sun"])
            #expect(try await doors.json("PUT", path(photo, "/tags"), as: "lena", #"{"add":["  "]}"#).status == 400)
            let comment = try await doors.json("POST", path(photo, "/comments"), as: "lena", #"{"text":"Nice"}"#)
            #expect(comment.status == 201 && comment.text.contains(#""by":"Lena""#))
            #expect(comment.text.contains(#""mine":true"#) && !comment.text.contains(world.host.device))
            #expect(try await doors.ask("DELETE", path(photo, "/comments/c1"), as: "ben").status == 404)
            #expect(try await doors.ask("DELETE", path(photo, "/comments/c1"), as: "lena").status == 204)
            for method in ["PUT", "DELETE"] {
                #expect(try await doors.ask(method, path(hidden, "/favourite"), as: "lena").status == 404)
                #expect(try await doors.ask(method, path(photo, "/favourite"), as: "looker").status == 403)
            }
        }
    }

    /// Shows that one change adds or takes away 32 tags, and that one with more changes nothing.
    @Test(arguments: ["add", "remove"]) func tagsOfOneChangeAreBounded(verb: String) async throws {
        let world = PictureWorld()
        let photo = PhotoKey(album: world.beach, blob: world.put(1, [1]))
        let tags = (0..<33).map { "tag\($0)" }
        if verb == "remove" { world.host.change { $0.tags[photo] = Set(tags) } }
        try await world.serve { doors async throws in
            func change(_ tags: some Collection<String>) async throws -> Reply {
                let names = tags.map { "\"\($0)\"" }.joined(separator: ",")
                return try await doors.json("PUT", path(photo, "/tags"), as: "lena", "{\"\(verb)\":[\(names)]}")
            }
            let before = world.host.change { $0.tags[photo] }
            let refused = try await change(tags)
            #expect(refused.status == 413 && refused.text.contains("32 go at once"))
            #expect(world.host.change { $0.tags[photo] } == before)
            #expect(try await change(tags.prefix(32)).status == 204)
            #expect(world.host.change { $0.tags[photo] } == Set(verb == "add" ? tags.prefix(32) : tags.suffix(1)))
        }
    }

    /// Shows that likes that follow each other quickly become one change, the last one.
    @Test func togglesAreFew() async throws {
        let world = PictureWorld()
        let photo = PhotoKey(album: world.beach, blob: world.put(1, [1]))
        try await world.serve { doors async throws in
            #expect(try await doors.ask("PUT", path(photo, "/favourite"), as: "lena").status == 204)
            #expect(world.host.change { $0.likes[photo] } == [PictureWorld.lena])
            world.clock.holdPauses()
            defer { world.clock.endPauses() }
            var toggles: [Connection] = []
            for method in ["DELETE", "PUT", "DELETE", "PUT", "DELETE", "DELETE"] {
                toggles.append(try await doors.begin(method, path(photo, "/favourite"), as: "lena"))
            }
            try await eventually("all wait for their turn") {
                .when(world.clock.heldPauseCount == toggles.count, "\(world.clock.heldPauseCount) wait")
            }
            world.clock.endPauses()
            for toggle in toggles { #expect(try await toggle.reply().status == 204) }
            #expect(world.host.change { $0.likeCount } <= 2)
            #expect(try await doors.ask("PUT", path(photo, "/favourite")).status == 204)
            #expect(world.host.change { $0.likes[photo]?.contains(nil) } == true)
        }
    }

    /// Shows that a guest who does too much waits, and others do not.
    @Test func budgetsHold() async throws {
        let world = PictureWorld()
        let photo = PhotoKey(album: world.beach, blob: world.put(1, [1]))
        try await world.serve { doors async throws in
            var statuses: [Int] = []
            for _ in 0..<21 {
                let reply = try await doors.json("POST", path(photo, "/comments"), as: "lena", #"{"text":"a"}"#)
                statuses.append(reply.status)
                if reply.status == 429 { #expect(reply["retry-after"] == "10") }
            }
            #expect(statuses == [Int](repeating: 201, count: 20) + [429])
            #expect(try await doors.json("POST", path(photo, "/comments"), as: "ben", #"{"text":"a"}"#).status == 201)
        }
    }

    /// Shows that a guest takes back an own photo within twelve hours, nobody else's, and not later; after a restart too.
    @Test(arguments: [(0, 204), (11, 204), (12, 403)]) func takingBack(hours: Int64, status: Int) async throws {
        let world = PictureWorld()
        let other = PhotoKey(album: world.beach, blob: world.put(1, [1]))
        let tus = [("Tus-Resumable", "1.0.0")]
        let photo = try await world.serve { doors async throws in
            let metadata = "album " + Data(world.beach.hex.utf8).base64EncodedString()
            let created = try await doors.ask(
                "POST", "/uploads", as: "lena", tus + [("Upload-Length", "3"), ("Upload-Metadata", metadata)])
            let target = String(try #require(created["location"]).dropFirst("/api/v1".count))
            let sent = try await doors.ask(
                "PATCH", target, as: "lena",
                tus + [("Content-Type", "application/offset+octet-stream"), ("Upload-Offset", "0")], body: [1, 2, 3])
            return PhotoKey(
                album: world.beach, blob: try #require(BlobID(hex: sent["potluck-photo"] ?? "")))
        }
        world.clock.advance(hours: hours)
        try await world.serve { doors async throws in
            #expect(try await doors.ask("DELETE", path(other), as: "lena").status == 403)
            #expect(try await doors.ask("DELETE", path(photo), as: "ben").status == 403)
            let reply = try await doors.ask("DELETE", path(photo), as: "lena")
            #expect(reply.status == status)
            #expect(world.host.change { $0.withdrawn } == (status == 204 ? [photo] : []))
            if status == 204 { #expect(try await doors.ask("DELETE", path(photo), as: "lena").status == 404) }
        }
    }

    /// Shows that a guest who may not replace words of others gets a status and a sentence of their own.
    @Test(arguments: [GuestRefusal.captionOfOthers, .tagsOfOthers]) func refusalsAreForbidden(refusal: GuestRefusal) {
        let problem = Problem(describing: refusal)
        #expect(problem.status == .forbidden && problem.code == "not_yours" && problem.message == refusal.message)
    }
}
