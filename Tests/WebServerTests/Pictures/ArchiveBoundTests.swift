import AlbumModel
import PotluckAPI
import Testing
import WebGallery

@testable import WebServer

/// What is remembered of archives, filled to its bound and beyond.
@Suite(.timeLimit(.minutes(1))) struct ArchiveBoundTests {
    private let album = AlbumName.identifier("Beach")

    private func photos(_ numbers: some Sequence<Int>) -> [PhotoKey] {
        numbers.map { PhotoKey(album: album, blob: FakeGathering.blob($0)) }
    }

    /// Whether all of these are taken home by a browser, or all are not; `nil` for neither.
    private func hasTaken(_ numbers: some Sequence<Int>, _ browser: String, _ home: TakenHome) async throws -> Bool? {
        let blobs = photos(numbers).map(\.blob)
        let missing = try await home.missing(blobs, in: album, for: browser)
        return missing.isEmpty ? true : missing.count == blobs.count ? false : nil
    }

    /// Shows that a thousand browsers are remembered, that the one that came longest ago makes room, and that the same holds
    /// after a start.
    @Test func browsersAreBounded() async throws {
        let host = FakeHost()
        let photo = Base64URL.text(FakeGathering.blob(1).bytes.prefix(8))
        let lines = (0..<1000).map { "browser-\($0) \(album.hex) \(photo)\n" }
        host.change { $0.documents[TakenHome.documentName] = Array(lines.joined().utf8) }
        let home = TakenHome(store: host)
        for number in [0, 1, 999] { #expect(try await hasTaken([1], "browser-\(number)", home) == true) }
        // It came last now.
        try await home.note(photos([2]), for: "browser-0")
        try await home.note(photos([1]), for: "browser-1000")
        for home in [home, TakenHome(store: host)] {
            #expect(try await hasTaken([1, 2], "browser-0", home) == true)
            #expect(try await hasTaken([1], "browser-1", home) == false)
            for number in [2, 999, 1000] { #expect(try await hasTaken([1], "browser-\(number)", home) == true) }
        }
    }

    /// Shows that photos of all browsers are bounded together, with what their lines cost besides, so that the document stays
    /// as short as it is said to be whatever browsers call themselves; and that one browser alone keeps to the bound, too.
    @Test func photosTakenHomeAreBounded() async throws {
        let host = FakeHost()
        let home = TakenHome(store: host, photoCountMax: 1000)
        func byteCount() -> Int { host.change { $0.documents[TakenHome.documentName]?.count ?? 0 } }
        try await home.note(photos(0..<600), for: "browser-1")
        try await home.note(photos(0..<368), for: "browser-2")
        #expect(try await hasTaken(0..<600, "browser-1", home) == true)
        try await home.note(photos(368..<369), for: "browser-2")
        #expect(try await hasTaken(0..<600, "browser-1", home) == false)
        #expect(try await hasTaken(0..<369, "browser-2", home) == true)
        #expect(byteCount() <= 11 * 1000)

        let long = String(repeating: "x", count: 60)
        for number in 1000..<1200 { try await home.note(photos([1]), for: "\(long)\(number)") }
        #expect(byteCount() <= 11 * 1000)
        #expect(try await hasTaken([1], "\(long)1199", home) == true)
        #expect(try await hasTaken([1], "\(long)1000", home) == false)

        try await home.note(photos(0..<984), for: "browser-3")
        #expect(try await hasTaken(0..<984, "browser-3", home) == true)
        try await home.note(photos(984..<985), for: "browser-3")
        #expect(try await hasTaken(0..<985, "browser-3", home) == false)
        #expect(byteCount() == 0)
    }

    /// Shows that four archives are on their way at a time and two of one person, and that the end of one makes room.
    @Test func archivesAreBounded() throws {
        let desk = ArchiveDesk(host: FakeHost())
        func place(_ guest: GuestID) throws -> ArchiveDesk.Place { try desk.place(for: .guest(guest)) }
        var places = [try place(PictureWorld.lena), try place(PictureWorld.lena), try place(PictureWorld.ben)]
        #expect(throws: Problem.self) { _ = try place(PictureWorld.lena) }
        places.append(try place(PictureWorld.ben))
        let refused = #expect(throws: Problem.self) { _ = try place(PictureWorld.anna) }
        #expect(refused?.code == "too_many" && refused?.retryAfter == 30)
        places.removeFirst()
        places.append(try place(PictureWorld.anna))
        #expect(throws: Problem.self) { _ = try place(PictureWorld.lena) }
        withExtendedLifetime(places) {}
    }

    /// Shows that an archive asks other laptops for 500 originals, and for those of the look that is begun, and that it has
    /// what is here.
    @Test func askedOriginalsAreBounded() async throws {
        let world = PictureWorld()
        for number in 1...540 {
            var photo = FakeGathering.photo(number)
            photo.here = false
            let blob = world.host.gathering.put(photo, into: world.beach)
            world.host.change { $0.pictures[.original, default: [:]][blob] = .later(seconds: 5, progress: nil) }
        }
        let near = world.put(600, sampleBytes(3000), taken: "2026-08-20T10:00:00")
        try await world.serve { doors async throws in
            let reply = try await doors.ask("GET", "/albums/\(world.beach.hex)/zip", as: "lena")
            #expect(reply.status == 200 && reply.body.count > 3000)
            var asked = Set(world.host.change { $0.asked[.original] ?? [] })
            #expect(asked.remove(near) != nil && (500...503).contains(asked.count))
        }
    }

    /// Shows that 50,000 checksums are remembered, and that the first one makes room for one more.
    @Test func checksumsAreBounded() {
        let checksums = KnownChecksums()
        let files = (0...50_000).map { EntityTag(opaque: "\($0)") }
        for (number, file) in files.dropLast().enumerated() { checksums.remember(UInt32(number), of: file) }
        #expect(checksums.value(of: files[0]) == 0)
        // What is known already takes no place.
        checksums.remember(7, of: files[1])
        #expect(checksums.value(of: files[0]) == 0)
        checksums.remember(50_000, of: files[50_000])
        #expect(files.filter { checksums.value(of: $0) == nil } == [files[0]])
    }

    /// Shows that the ends of 64 archives are remembered, and that of a further one's oldest all counts as not yet sent.
    @Test func endsOfArchivesAreBounded() {
        let deliveries = Deliveries()
        let keys = (0...64).map { number in
            Deliveries.Key(holder: .guest(PictureWorld.lena), archive: EntityTag(opaque: "\(number)"))
        }
        for key in keys.dropLast() { #expect(deliveries.note(0..<10, of: key) == 10) }
        #expect(deliveries.note(10..<20, of: keys[0]) == 20)
        #expect(deliveries.note(0..<10, of: keys[64]) == 10)
        #expect(deliveries.note(20..<30, of: keys[0]) == 0)
        for key in keys.dropFirst() { #expect(deliveries.note(10..<20, of: key) == 20) }
    }
}
