import AlbumModel
import PotluckAPI
import Testing
import WebGallery

@testable import WebServer

/// How much guests may have a laptop work out in a while.
@Suite(.timeLimit(.minutes(1))) struct ReadBudgetTests {
    private static let lena = GuestID(bytes: [UInt8](repeating: 1, count: 16))!

    /// Leaves a guest so many tokens of the 800.
    private static func drain(_ budget: ReadBudget, of guest: GuestID?, leaving count: Int = 0) throws {
        for _ in 0..<39 { try budget.take(.archive, by: guest) }
        for _ in 0..<(20 - count) { try budget.take(.listing, by: guest) }
    }

    /// Shows that a page that searches and scrolls as fast as it can, looks at new pictures and compares its header three
    /// times a second never meets the bound within half an hour; that hundreds of listings a second do.
    @Test func pagesNeverMeetIt() throws {
        let clock = TestClock()
        let budget = ReadBudget(clock: clock.clock)
        for tick in 0..<18_000 {
            try budget.take(.search, by: Self.lena)
            try budget.take(.picture, by: Self.lena)
            if tick % 10 < 3 { try budget.take(.search, by: Self.lena) }
            clock.advance(milliseconds: 100)
        }
        #expect(throws: Problem.self) {
            for _ in 0..<30 {
                for _ in 0..<30 { try budget.take(.listing, by: Self.lena) }
                try budget.take(.archive, by: Self.lena)
                clock.advance(milliseconds: 100)
            }
        }
        try Self.drain(budget, of: nil)
        try Self.drain(budget, of: nil)
    }

    /// Shows that every costly read is counted, once, that the refusal says when to come back, and that nothing else, nobody
    /// else and no later time is held up.
    @Test func costlyReadsAreCounted() async throws {
        let host = FakeHost()
        let album = host.gathering.make("Beach day")
        let photo = host.gathering.put(FakeGathering.photo(1), into: album)
        for kind in [PictureKind.thumbnail, .preview, .original] { host.put([1, 2, 3], kind, of: photo) }
        host.put([1, 2, 3], .playable, of: photo, mediaType: "video/mp4")
        let months = "/api/v1/albums/\(album.hex)/months"
        try await withOpenLaptop(host) { doors async throws in
            _ = try await doors.open()
            let (lena, id) = try await doors.guest("Lena")
            let ben = try await doors.guest("Ben").browser
            try Self.drain(doors.gallery.reads, of: GuestID(hex: id), leaving: 1)
            #expect(try await lena.get(months).status == 200)
            for target in [
                months, months + "?text=IMG", months + "/2026-08", "/api/v1/albums", "/api/v1/albums?covers=1",
                "/api/v1/albums/\(album.hex)/filters", "/api/v1/albums/all/photos?limit=10&order=newest",
                "/api/v1/albums/\(album.hex)/photos", "/api/v1/albums/\(album.hex)/photos/\(photo.hex)",
                "/api/v1/photos?text=IMG", "/api/v1/tags", "/api/v1/photos/\(photo.hex)/preview",
                "/api/v1/photos/\(photo.hex)/video?h264=1", "/api/v1/albums/\(album.hex)/zip", "/",
                "/album/\(album.hex)", "/album/\(album.hex)/photo/\(photo.hex)",
            ] {
                let answer = try await lena.get(target)
                #expect(answer.status == 429 && answer.headers["retry-after"] == "1", "\(target): \(answer)")
            }
            for (target, words) in [(months, "This laptop was asked for a lot at once"), ("/", "One moment")] {
                let refused = try await lena.get(target)
                #expect(refused.body.contains(words), "\(refused)")
            }
            for target in ["photos/\(photo.hex)/thumbnail", "photos/\(photo.hex)/original", "me"] {
                #expect(try await lena.get("/api/v1/" + target).status == 200, "\(target)")
            }
            let (owner, phone) = (try await doors.owner(), try await doors.ownersPhone())
            for browser in [ben, owner, phone] { #expect(try await browser.get(months).status == 200) }
            doors.clock.advance(1)
            #expect(try await lena.get(months).status == 200)
        }
    }
}
