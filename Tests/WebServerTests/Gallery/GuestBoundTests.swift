import AlbumModel
import FoundationEssentials
import PotluckAPI
import TestSupport
import Testing
import WebGallery

@testable import WebServer

/// What guests can have a laptop remember of them, filled to its bound and beyond.
@Suite(.timeLimit(.minutes(1))) struct GuestBoundTests {
    private static func guest(_ number: Int) -> GuestID {
        GuestID(bytes: BigEndian.bytes(UInt64(number)) + [UInt8](repeating: 7, count: 8))!
    }

    /// The document of guests as a laptop finds it at its start.
    private struct Guests: Encodable {
        var guests: [GuestsDocument.Guest] = []
        var waiting: [GuestsDocument.Waiting] = []

        func keep(in host: FakeHost) throws {
            let document = Array(try ReportJSON.data(self))
            host.change { $0.documents["guests"] = document }
        }
    }

    /// Shows that a link lets 500 guests in and neither one more nor a new one of another laptop, that who came before
    /// comes back, and that the owner's next link lets guests in again.
    @Test func guestsOfALinkAreBounded() async throws {
        try await withOpenLaptop { doors async throws in
            let link = try await doors.open().link
            let (entrance, token) = (doors.gallery.entrance, try OpenLaptop.fragment(link))
            var first: GuestID?
            for number in 1...500 {
                let arrival = try await entrance.join(token: token, name: "Guest \(number)", from: "10.0.0.9")
                if number == 1 { first = arrival.guest?.id }
                doors.clock.advance(1)
            }
            #expect(try await doors.gallery.guests().guests.count == 500)
            let phone = try await doors.phone()
            func join(_ token: String) async throws -> Browser.Answer {
                doors.clock.advance(1)
                return try await phone.post("/api/v1/guests", try ReportJSON.text(["token": token, "name": "Lena"]))
            }
            let full = try await join(token)
            #expect(full.status == 429 && full.headers["retry-after"] == "3600", "\(full)")
            #expect(full.body.contains("as many guests as it may"), "\(full)")
            let ticket = Ticket(
                guest: Self.guest(1), name: "Mia", epoch: 0, laptop: doors.host.device,
                restrictions: GuestRestrictions(), issued: 0, random: "r")
            let text = try await ticket.text { try await doors.host.sign($0) }
            let refused = await #expect(throws: Problem.self) {
                try await entrance.join(ticket: text, from: "10.0.0.9")
            }
            #expect(refused?.code == "too_many")
            let personal = entrance.personalLink(of: try #require(first), at: phone.origin)
            #expect(try await join(String(OpenLaptop.fragment(personal).dropFirst("me=".count))).status == 201)
            let next = try await doors.open(GuestDoorOrder(renew: true)).link
            #expect(try await join(OpenLaptop.fragment(next)).status == 201)
            #expect(try await doors.gallery.guests().guests.count == 501)
        }
    }

    /// Shows that 2,000 guests are remembered, that one more takes the place of the one seen longest ago, and that this one
    /// is let in anew by the link alone.
    @Test func rememberedGuestsAreBounded() async throws {
        let host = FakeHost()
        let now = TestClock().clock.wall()
        // All of them seen later than who comes now.
        let known = (1..<2000).map { number in
            GuestsDocument.Guest(
                id: Self.guest(number), name: "Guest \(number)", joined: 0, seen: now + 3_600_000 + Int64(number))
        }
        try Guests(guests: known).keep(in: host)
        try await withOpenLaptop(host) { doors async throws in
            _ = try await doors.open()
            func guests() async throws -> Set<String> { Set(try await doors.gallery.guests().guests.map(\.id)) }
            let lena = try await doors.guest("Lena")
            let before = try await guests()
            #expect(before.count == 2000 && before.contains(lena.id))
            #expect(try await lena.browser.get("/api/v1/albums").status == 200)
            let ben = try await doors.guest("Ben")
            #expect(try await guests() == before.subtracting([lena.id]).union([ben.id]))
            #expect(try await lena.browser.get("/api/v1/albums").status == 401)
            #expect(try await ben.browser.get("/api/v1/albums").status == 200)
            #expect(try await doors.guest("Lena").browser.get("/api/v1/albums").status == 200)
            #expect(try await guests().count == 2000)
        }
    }

    /// Shows that 10,000 photos wait for the owner's word, that one more waits while the longest waiting one shows, and that
    /// each of the others still waits.
    @Test func waitingPhotosAreBounded() async throws {
        let host = FakeHost()
        let album = host.gathering.make("Beach day")
        let photos = [1, 2, 3].map { host.gathering.put(FakeGathering.photo($0), into: album) }
        // The first and the last of those that wait are photos of the album.
        let blobs = [photos[0], photos[1]] + (4...10_001).map { FakeGathering.blob($0) }
        let waiting = blobs.map { blob in
            GuestsDocument.Waiting(album: album.hex, photo: blob.hex, guest: Self.guest(1), name: "IMG_1.JPG")
        }
        try Guests(waiting: waiting).keep(in: host)
        try await withOpenLaptop(host) { doors async throws in
            _ = try await doors.open(GuestDoorOrder(approve: true))
            let guest = try await doors.guest().browser
            let entrance = doors.gallery.entrance
            func shown() async throws -> [BlobID] {
                let wall = try await guest.get("/api/v1/albums/all/photos?limit=10&wall=1")
                return photos.filter { wall.body.contains($0.hex) }
            }
            #expect(entrance.waiting().count == 10_000)
            #expect(try await shown() == [photos[2]])
            let further = PhotoKey(album: album, blob: photos[2])
            // Once, also where it is tried again.
            for _ in 0..<2 {
                try await entrance.expect(further, name: "IMG_3.JPG", by: KnownGuest(id: Self.guest(2), name: "Ben"))
            }
            let expected = blobs.dropFirst().map { PhotoKey(album: album, blob: $0) } + [further]
            #expect(entrance.waiting() == Set(expected))
            #expect(try await shown() == [photos[0]])
        }
    }

    /// Shows that 10,000 photos can be taken back, and that with one more the oldest tenth cannot, while all others can.
    @Test func photosToTakeBackAreBounded() async throws {
        let world = PictureWorld()
        let now = world.clock.clock.wall()
        let numbers = Array(1...10_000)
        for number in [1, 1000, 1001, 10_000] { world.put(number, [1]) }
        let lines = numbers.map { number in
            let ids = [PictureWorld.lena.bytes, world.beach.bytes, FakeGathering.blob(number).bytes]
            return ids.map { Base64URL.text($0) }.joined(separator: " ") + " \(now - 60_000 + Int64(number))\n"
        }
        world.host.change { state in
            state.documents[GuestAdditions.documentName] = Array(lines.joined().utf8)
            for number in numbers {
                state.own[PhotoKey(album: world.beach, blob: FakeGathering.blob(number))] = [PictureWorld.lena]
            }
        }
        try await world.serve { doors async throws in
            let additions = doors.gallery.uploads.additions
            func mayTakeBack(_ number: Int) -> Bool {
                let photo = PhotoKey(album: world.beach, blob: FakeGathering.blob(number))
                return additions.answer(photo, by: PictureWorld.lena) == .mayTakeBack
            }
            #expect(numbers.allSatisfy(mayTakeBack))
            let further = PhotoKey(album: world.beach, blob: world.put(10_001, [1]))
            try await additions.note(further, by: PictureWorld.lena)
            #expect(mayTakeBack(10_001) && numbers.filter(mayTakeBack) == Array(1001...10_000))
            func takeBack(_ number: Int) async throws -> Int {
                let photo = "/albums/\(world.beach.hex)/photos/\(FakeGathering.blob(number).hex)"
                return try await doors.ask("DELETE", photo, as: "lena").status
            }
            var statuses: [Int] = []
            for number in [1, 1000, 1001, 10_000] { statuses.append(try await takeBack(number)) }
            #expect(statuses == [403, 403, 204, 204])
            #expect(world.host.change { $0.withdrawn.map(\.blob) } == [1001, 10_000].map { FakeGathering.blob($0) })
        }
    }
}
