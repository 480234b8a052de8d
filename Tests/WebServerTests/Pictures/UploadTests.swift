import AlbumModel
import Crypto
import FoundationEssentials
import PotluckAPI
import TestSupport
import Testing
import WebGallery

@testable import WebServer

/// Uploads by tus at the doors.
@Suite(.timeLimit(.minutes(1))) struct UploadTests {
    private static let tus = [("Tus-Resumable", "1.0.0")]
    private static let pieceByteCount = 512 << 10

    private func metadata(_ world: PictureWorld, album: AlbumID? = nil) -> String {
        let album = Data((album ?? world.beach).hex.utf8).base64EncodedString()
        return "filename \(Data("Café.jpg".utf8).base64EncodedString()),album \(album)"
    }

    /// - Returns: Where it goes, below the API.
    private func create(
        _ byteCount: Int, _ world: PictureWorld, _ doors: PictureDoors, as name: String? = "lena",
        announcing bytes: [UInt8]? = nil
    ) async throws -> String {
        var metadata = metadata(world)
        if let bytes { metadata += ",sha256 \(Data(hex(bytes).utf8).base64EncodedString())" }
        let reply = try await doors.ask(
            "POST", "/uploads", as: name,
            Self.tus + [("Upload-Length", "\(byteCount)"), ("Upload-Metadata", metadata)])
        #expect(reply.status == 201 && reply["tus-resumable"] == "1.0.0" && reply["upload-expires"] != nil)
        let location = try #require(reply["location"])
        #expect(location.hasPrefix("/api/v1/uploads/"))
        return String(location.dropFirst("/api/v1".count))
    }

    private func patchHeaders(_ offset: Int, _ checksum: String? = nil) -> [(String, String)] {
        Self.tus + [("Content-Type", "application/offset+octet-stream"), ("Upload-Offset", "\(offset)")]
            + (checksum.map { [("Upload-Checksum", $0)] } ?? [])
    }

    private func patch(
        _ target: String, _ bytes: some Collection<UInt8>, at offset: Int, _ doors: PictureDoors,
        as name: String? = "lena",
        checksum: String? = nil
    ) async throws -> Reply {
        try await doors.ask("PATCH", target, as: name, patchHeaders(offset, checksum), body: Array(bytes))
    }

    private func head(_ target: String, _ doors: PictureDoors, as name: String? = "lena") async throws -> Reply {
        try await doors.ask("HEAD", target, as: name, Self.tus)
    }

    private func sha256(_ bytes: some Collection<UInt8>) -> String {
        "sha256 " + Data(SHA256.hash(data: Array(bytes))).base64EncodedString()
    }

    private func hex(_ bytes: [UInt8]) -> String {
        SHA256.hash(data: bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Shows what a client learns of the server, and that another version is refused.
    @Test func theServerTellsWhatItCan() async throws {
        let world = PictureWorld()
        try await world.serve { doors async throws in
            let options = try await doors.ask("OPTIONS", "/uploads")
            #expect(options.status == 204 && options["tus-version"] == "1.0.0")
            #expect(options["tus-extension"] == "creation,checksum,termination,expiration")
            #expect(options["tus-max-size"] == "8589934592" && options["tus-checksum-algorithm"] == "sha1,sha256")
            for headers in [[], [("Tus-Resumable", "0.2.2")]] {
                let reply = try await doors.ask("POST", "/uploads", as: "lena", headers)
                #expect(reply.status == 412 && reply["tus-version"] == "1.0.0")
            }
        }
    }

    /// Shows a file that comes in three parts, longer than the door's limit of other bodies, and what became of it.
    @Test(.slow) func aFileComesInParts() async throws {
        let world = PictureWorld()
        let bytes = sampleBytes(9_500_000)
        try await world.serve { doors async throws in
            let target = try await create(bytes.count, world, doors)
            #expect(try await head(target, doors)["upload-offset"] == "0")
            let first = try await patch(
                target, bytes[..<9_000_000], at: 0, doors, checksum: sha256(bytes[..<9_000_000]))
            #expect(first.status == 204 && first["upload-offset"] == "9000000" && first["potluck-state"] == nil)
            #expect(try await patch(target, bytes[5...], at: 5, doors).status == 409)
            #expect(try await head(target, doors)["upload-length"] == "9500000")
            let last = try await patch(target, bytes[9_000_000...], at: 9_000_000, doors)
            #expect(last.status == 204 && last["potluck-state"] == "here")
            let again = try await head(target, doors)
            #expect(again["potluck-photo"] == last["potluck-photo"] && again["upload-offset"] == "9500000")
            let taken = world.host.change { $0.taken }
            #expect(taken.count == 1 && taken[0].bytes == bytes)
            #expect(taken[0].guest == KnownGuest(id: PictureWorld.lena, name: "Lena"))
            #expect(taken[0].upload.metadata.name == "Café.jpg")
        }
    }

    /// Shows that what came before a connection broke counts where nothing has to match, and nothing of it where a checksum
    /// has to.
    @Test(.slow) func aCutBodyKeepsWhatCame() async throws {
        let world = PictureWorld()
        let bytes = sampleBytes(2_000_000)
        try await world.serve { doors async throws in
            for checksum in [sha256(bytes), nil] {
                let target = try await create(bytes.count, world, doors)
                let (written, note) = AsyncStream.makeStream(of: Int.self)
                world.host.change { $0.writeNotes = note }
                let connection = try Connection(path: doors.guests)
                try await connection.send(
                    PictureDoors.head(
                        "PATCH", target, as: "lena", patchHeaders(0, checksum) + [("Content-Length", "2000000")])
                        + bytes[..<700_000])
                for await count in written where count >= Self.pieceByteCount { break }
                connection.cut()
                var reply = try await patch(target, bytes[1...], at: 1, doors)
                while reply.status == 423 { reply = try await patch(target, bytes[1...], at: 1, doors) }
                #expect(reply.status == 409)
                let offset = try #require(Int(try await head(target, doors)["upload-offset"] ?? ""))
                if checksum == nil {
                    #expect((Self.pieceByteCount...700_000).contains(offset))
                } else {
                    #expect(offset == 0)
                }
                #expect(try await patch(target, bytes[offset...], at: offset, doors)["potluck-state"] == "here")
                #expect(world.host.change { $0.taken.last?.bytes } == bytes)
            }
        }
    }

    /// Shows that bytes that were damaged do not count, and that a second page has to wait.
    @Test func damagedBytesAndSecondPages() async throws {
        let world = PictureWorld()
        let bytes = sampleBytes(2_000_000)
        try await world.serve { doors async throws in
            let target = try await create(bytes.count, world, doors)
            let damaged = try await patch(target, bytes, at: 0, doors, checksum: sha256(bytes.dropLast()))
            #expect(damaged.status == 460 && damaged.text.contains("checksum_mismatch"))
            #expect(damaged["tus-resumable"] == "1.0.0")
            #expect(try await patch(target, bytes, at: 0, doors, checksum: "md5 AAAA").status == 400)
            #expect(try await head(target, doors)["upload-offset"] == "0")
            let (written, note) = AsyncStream.makeStream(of: Int.self)
            world.host.change { $0.writeNotes = note }
            let first = try Connection(path: doors.guests)
            try await first.send(
                PictureDoors.head("PATCH", target, as: "lena", patchHeaders(0) + [("Content-Length", "2000000")])
                    + bytes[..<700_000])
            for await count in written where count >= Self.pieceByteCount { break }
            let second = try await patch(target, bytes, at: 0, doors)
            #expect(second.status == 423 && second["retry-after"] != nil)
            #expect(try await doors.ask("DELETE", target, as: "lena", Self.tus).status == 423)
            try await first.send(Array(bytes[700_000...]))
            #expect(try await first.reply()["potluck-state"] == "here")
        }
    }

    /// Shows that a whole file that is not the one that was announced begins anew, and that the announced one is taken in.
    @Test func anotherFileThanAnnouncedBeginsAnew() async throws {
        let world = PictureWorld()
        let (bytes, others) = (sampleBytes(1000), Array(sampleBytes(1000).reversed()))
        try await world.serve { doors async throws in
            let target = try await create(1000, world, doors, announcing: bytes)
            let reply = try await patch(target, others, at: 0, doors)
            #expect(reply.status == 460 && reply.text.contains("Another file arrived"), "\(reply)")
            #expect(world.host.change { $0.staged.isEmpty && $0.taken.isEmpty })
            let standing = try await head(target, doors)
            #expect(standing.status == 200 && standing["upload-offset"] == "0" && standing["potluck-state"] == nil)
            #expect(try await patch(target, bytes, at: 0, doors)["potluck-state"] == "here")
            #expect(world.host.change { $0.taken.map(\.bytes) } == [bytes])
        }
    }

    /// Shows that the same other bytes are taken in when they come for the second time, over a restart too: a phone changed
    /// its file after it was hashed. Where ever other bytes come, the file is refused with a reason in the end.
    @Test func aFileThatChangedIsTakenAsItIs() async throws {
        let world = PictureWorld()
        let (bytes, changed) = (sampleBytes(1000), Array(sampleBytes(1000).reversed()))
        let target = try await world.serve { doors async throws in
            let target = try await create(1000, world, doors, announcing: bytes)
            #expect(try await patch(target, changed, at: 0, doors).status == 460)
            return target
        }
        try await world.serve { doors async throws in
            #expect(try await head(target, doors)["upload-offset"] == "0")
            #expect(try await patch(target, changed, at: 0, doors)["potluck-state"] == "here")
            #expect(world.host.change { $0.taken.map(\.bytes) } == [changed])
            let other = try await create(1, world, doors, announcing: [0])
            for number in 1..<UInt8(UploadLimits().mismatchCountMax) {
                #expect(try await patch(other, [number], at: 0, doors).status == 460)
            }
            let last = try await patch(other, [255], at: 0, doors)
            #expect(last.status == 204 && last["potluck-state"] == "refused")
            #expect(last["potluck-reason"]?.hasPrefix("This%20file%20arrives%20differently") == true)
            #expect(world.host.change { $0.taken.count == 1 && $0.staged.isEmpty })
        }
    }

    /// Shows that uploads end by their time and by their sender's word, and that files go with them.
    @Test func uploadsEnd() async throws {
        let world = PictureWorld()
        try await world.serve { doors async throws in
            let (ended, old) = (try await create(10, world, doors), try await create(10, world, doors))
            for target in [ended, old] { #expect(try await patch(target, [1, 2], at: 0, doors).status == 204) }
            #expect(world.host.change { $0.staged.count } == 2)
            #expect(try await doors.ask("DELETE", ended, as: "lena", Self.tus).status == 204)
            #expect(try await head(ended, doors).status == 404)
            #expect(world.host.change { $0.staged.count } == 1)
            world.clock.advance(hours: 25)
            #expect(try await patch(old, [3], at: 2, doors).status == 404)
            await doors.gallery.uploads.keepUp()
            #expect(world.host.change { $0.staged.isEmpty })
            let revoked = try await create(10, world, doors)
            #expect(try await patch(revoked, [1, 2], at: 0, doors).status == 204)
            await doors.gallery.uploads.endAll(of: .guest(PictureWorld.lena))
            #expect(try await head(revoked, doors).status == 404)
            #expect(world.host.change { $0.staged.isEmpty })
        }
    }

    /// Shows that an agent that was started anew goes on: with half a file, with a whole one that it had not taken in, and
    /// without what belongs to nobody.
    @Test func aNewAgentGoesOn() async throws {
        let world = PictureWorld()
        let bytes = sampleBytes(1000)
        world.host.change { $0.takingFailure = PotluckError(.tryAgain, "The disk sleeps.") }
        let (half, whole) = try await world.serve { doors async throws in
            let (half, whole) = (try await create(1000, world, doors), try await create(1000, world, doors))
            #expect(try await patch(half, bytes[..<600], at: 0, doors)["upload-offset"] == "600")
            let reply = try await patch(whole, bytes, at: 0, doors)
            #expect(reply.status == 503 && reply["retry-after"] == "2" && reply.text.contains("The disk sleeps."))
            return (half, whole)
        }
        var generator = SystemRandomNumberGenerator()
        world.host.change { state in
            state.takingFailure = nil
            state.standing.names = [:]
            state.staged[UploadID(SecretToken(using: &generator))] = [1, 2, 3]
        }
        try await world.serve { doors async throws in
            #expect(try await head(half, doors)["upload-offset"] == "600")
            #expect(try await patch(half, bytes[600...], at: 600, doors)["potluck-state"] == "here")
            #expect(try await head(whole, doors)["potluck-state"] == "here")
            #expect(world.host.change { $0.staged.isEmpty })
            let taken = world.host.change { $0.taken }
            #expect(taken.count == 2 && taken.allSatisfy { $0.bytes == bytes })
            // Its name is not known to the gathering yet: it was written down.
            #expect(taken.contains { $0.guest?.name == "Lena" })
        }
    }

    /// Shows that a full disk is told, and that nothing half written counts.
    @Test func aFullDiskIsTold() async throws {
        let world = PictureWorld()
        let bytes = sampleBytes(2000)
        try await world.serve { doors async throws in
            let target = try await create(bytes.count, world, doors)
            world.host.change { $0.writeFailure = .diskFull }
            let full = try await patch(target, bytes, at: 0, doors)
            #expect(full.status == 507 && full.text.contains(#""code":"disk_full""#))
            #expect(try await head(target, doors)["upload-offset"] == "0")
            world.host.change { $0.writeFailure = nil }
            #expect(try await patch(target, bytes, at: 0, doors)["potluck-state"] == "here")
            world.host.change { $0.room = 100 }
            let refused = try await doors.ask(
                "POST", "/uploads", as: "lena",
                Self.tus + [("Upload-Length", "200"), ("Upload-Metadata", metadata(world))])
            #expect(refused.status == 507 && refused.text.contains(#""code":"disk_full""#))
        }
    }

    /// Shows why uploads are refused, and what a refused file says.
    @Test func refusals() async throws {
        let world = PictureWorld()
        try await world.serve { doors async throws in
            func create(_ headers: [(String, String)], as name: String = "lena") async throws -> Int {
                try await doors.ask("POST", "/uploads", as: name, Self.tus + headers).status
            }
            let good = ("Upload-Metadata", metadata(world))
            #expect(try await create([good]) == 411)
            #expect(try await create([good, ("Upload-Length", "0")]) == 400)
            #expect(try await create([good, ("Upload-Length", "9000000000")]) == 413)
            #expect(try await create([("Upload-Length", "5")]) == 400)
            #expect(try await create([good, ("Upload-Length", "5")], as: "looker") == 403)
            #expect(try await create([good, ("Upload-Length", "5")], as: "nobody") == 401)
            let secret = ("Upload-Metadata", metadata(world, album: world.secret))
            #expect(try await create([secret, ("Upload-Length", "5")]) == 404)
            let target = try await self.create(5, world, doors)
            #expect(try await head(target, doors, as: "ben").status == 404)
            #expect(try await patch(target, [1], at: 0, doors, as: "ben").status == 404)
            #expect(try await patch(target, [1, 2, 3, 4, 5, 6], at: 0, doors).status == 413)
            #expect(
                try await doors.ask("PATCH", target, as: "lena", Self.tus + [("Upload-Offset", "0")], body: [1]).status
                    == 415)
            world.host.change { $0.outcome = .refused(reason: "This is no photo.") }
            let refused = try await patch(target, [1, 2, 3, 4, 5], at: 0, doors)
            #expect(refused.status == 204 && refused["potluck-state"] == "refused")
            #expect(refused["potluck-reason"] == "This%20is%20no%20photo.")
        }
    }

    /// Shows that files that are here come into the album without their bytes, and that nobody learns of others.
    @Test func knownFiles() async throws {
        let world = PictureWorld()
        let birthday = world.host.gathering.make("Birthday")
        let (seen, hidden) = (world.put(1, [1]), world.put(2, [2], into: world.secret))
        let elsewhere = world.put(3, [3], into: birthday)
        let cold = world.put(4, [4])
        world.host.change { $0.known = [seen, hidden, elsewhere] }
        func question(_ album: AlbumID, _ photos: [BlobID]) -> String {
            let files = photos.map { "{\"sha256\":\"\($0.hex)\",\"filename\":\"a.jpg\",\"lastmodified\":5}" }
            return "{\"album\":\"\(album.hex)\",\"files\":[\(files.joined(separator: ","))]}"
        }
        try await world.serve { doors async throws in
            let guests = try await doors.json(
                "POST", "/uploads/known", as: "lena", question(world.beach, [seen, hidden, elsewhere, cold]))
            #expect(guests.status == 200)
            #expect(
                guests.text
                    == "{\"here\":[\"\(seen.hex)\"],\"unknown\":[\"\(hidden.hex)\",\"\(elsewhere.hex)\",\"\(cold.hex)\"]}"
            )
            let owners = try await doors.json("POST", "/uploads/known", question(world.beach, [elsewhere]))
            #expect(owners.text == "{\"here\":[\"\(elsewhere.hex)\"],\"unknown\":[]}")
            #expect(world.host.gathering.albums(of: elsewhere) == [world.beach, birthday])
            let most = question(world.beach, (1...100).map { FakeGathering.blob($0) })
            #expect(try await doors.json("POST", "/uploads/known", as: "lena", most).status == 200)
            let many = question(world.beach, (0...100).map { FakeGathering.blob($0) })
            #expect(try await doors.json("POST", "/uploads/known", as: "lena", many).status == 400)
            #expect(
                try await doors.json("POST", "/uploads/known", as: "lena", question(world.secret, [hidden])).status
                    == 404)
        }
    }

    /// Shows that whoever sees all albums makes one by adding a photo to it, and that nobody else does.
    @Test func anAlbumIsMadeByItsFirstPhoto() async throws {
        let world = PictureWorld()
        let lake = AlbumName.identifier("Sunday at the lake")
        let known = world.put(7, [7])
        world.host.change { $0.known = [known] }
        func metadata(_ name: String) -> [(String, String)] {
            let name = Data(name.utf8).base64EncodedString()
            return Self.tus + [("Upload-Length", "2"), ("Upload-Metadata", "filename YS5qcGc=,album_name \(name)")]
        }
        func question(_ name: String, _ photos: [BlobID] = []) -> String {
            let files = photos.map { "{\"sha256\":\"\($0.hex)\"}" }
            return "{\"album_name\":\"\(name)\",\"files\":[\(files.joined(separator: ","))]}"
        }
        try await world.serve { doors async throws in
            for (name, status) in [("lena", 403), ("looker", 403), ("nobody", 401)] {
                #expect(try await doors.ask("POST", "/uploads", as: name, metadata("Lake")).status == status)
                let reply = try await doors.json("POST", "/uploads/known", as: name, question("Lake"))
                #expect(reply.status == status)
            }
            for name in ["", " ", String(repeating: "a", count: 1025)] {
                #expect(try await doors.ask("POST", "/uploads", as: "anna", metadata(name)).status == 400)
                #expect(try await doors.json("POST", "/uploads/known", as: "anna", question(name)).status == 400)
            }
            // Asking makes nothing.
            let asked = try await doors.json("POST", "/uploads/known", as: "anna", question("Sunday at the lake"))
            #expect(asked.text == "{\"album\":\"\(lake.hex)\",\"here\":[],\"unknown\":[]}")
            let created = try await doors.ask("POST", "/uploads", as: "anna", metadata(" Sunday at the lake "))
            #expect(created.status == 201 && world.host.gathering.album(named: "Sunday at the lake") == nil)
            let target = String(try #require(created["location"]).dropFirst("/api/v1".count))
            let sent = try await patch(target, [1, 2], at: 0, doors, as: "anna")
            #expect(sent["potluck-state"] == "here")
            #expect(world.host.gathering.album(named: "Sunday at the lake") == lake)
            let metadata = world.host.change { $0.taken.last?.upload.metadata }
            #expect(metadata?.album == lake && metadata?.newAlbum == "Sunday at the lake")
            // The same name, however it is written, means the album that is there now; others get a new one.
            let again = try await doors.json(
                "POST", "/uploads/known", as: "anna", question("SUNDAY at the lake", [known]))
            #expect(
                again.text.contains("\"album\":\"\(lake.hex)\"") && again.text.contains("\"here\":[\"\(known.hex)\"]"))
            let owners = try await doors.json("POST", "/uploads/known", question("Dinner", [known]))
            #expect(owners.status == 200 && world.host.gathering.album(named: "Dinner") != nil)
            #expect(world.host.gathering.albums(of: known) == [world.beach, lake, AlbumName.identifier("Dinner")])
        }
    }

    /// Shows that a guest makes a bounded number of albums a day, and the owner any.
    @Test func newAlbumsAreBounded() throws {
        let clock = TestClock()
        let albums = NewAlbums(clock: clock.clock)
        func admit(_ number: Int, _ guest: GuestID? = PictureWorld.anna) throws {
            try albums.admit(AlbumName.identifier("Album \(number)"), by: guest)
        }
        for number in 0..<NewAlbums.countMax { try admit(number) }
        try admit(0)
        #expect(throws: Problem.self) { try admit(NewAlbums.countMax) }
        try admit(NewAlbums.countMax, PictureWorld.lena)
        for number in 0..<100 { try admit(number, nil) }
        clock.advance(hours: 24)
        try admit(NewAlbums.countMax)
    }
}
