import AlbumModel
import PotluckAPI
import Testing
import WebGallery

@testable import WebServer

/// Grids that pages ask for: how many are kept, for how long, and how much one page has.
@Suite(.timeLimit(.minutes(1))) struct GridBoundTests {
    /// Grids of albums, each with a photo.
    private struct World {
        let host = FakeHost()
        let albums: [AlbumID]
        let grids: GridBook

        init(albumCount: Int) {
            let gathering = host.gathering
            albums = (0..<albumCount).map { number in
                let album = gathering.make("Album \(number)")
                gathering.put(FakeGathering.photo(number), into: album)
                return album
            }
            let agent = FakeAgent(gathering: gathering)
            grids = GridBook(agent: agent, host: host, feed: EventFeed(agent: agent, limits: WebLimits()))
        }

        func look(_ number: Int) async throws {
            #expect(try await grids.view(.album(albums[number])).index.count == 1)
        }

        /// How often each grid was made.
        var counts: [Int] { albums.map { host.gathering.listingCount(of: $0) } }
    }

    /// Shows that 64 grids are kept, and that one more takes the place of the one that was looked at longest ago, which is
    /// made anew.
    @Test func gridsAreBounded() async throws {
        let world = World(albumCount: 65)
        for number in 0..<64 { try await world.look(number) }
        for number in 0..<64 where number != 5 { try await world.look(number) }
        #expect(world.counts == [Int](repeating: 1, count: 64) + [0])
        try await world.look(64)
        for number in 0..<64 where number != 5 { try await world.look(number) }
        #expect(world.counts == [Int](repeating: 1, count: 65))
        try await world.look(5)
        try await world.look(0)
        #expect(world.counts[5] == 2 && world.counts[0] == 1 && world.counts.reduce(0, +) == 66)
        // In the place of what was looked at before all others.
        try await world.look(64)
        #expect(world.counts[64] == 2)
    }

    /// Shows that a grid goes that nobody looked at for ten minutes, and no other.
    @Test func unusedGridsAreForgotten() async throws {
        let world = World(albumCount: 2)
        try await world.look(0)
        let first = ContinuousClock.now
        try await world.look(1)
        await world.grids.forgetUnused(now: first + .seconds(600))
        let second = ContinuousClock.now
        for number in [0, 1] { try await world.look(number) }
        #expect(world.counts == [2, 1])
        await world.grids.forgetUnused(now: second + .seconds(600))
        for number in [0, 1] { try await world.look(number) }
        #expect(world.counts == [2, 1])
    }

    /// Shows that the last eight searches are remembered, and the one before them is not.
    @Test func searchesAreBounded() throws {
        var searches = RecentSearches()
        let filters = try (0..<9).map { try GalleryFilter([(name: "text", value: "word\($0)")]) }
        func remembered() -> [Bool] { filters.map { searches.index(of: $0) != nil } }
        for filter in filters.prefix(8) { searches.remember(GridIndex(), of: filter) }
        #expect(remembered() == [Bool](repeating: true, count: 8) + [false])
        searches.remember(GridIndex(), of: filters[8])
        #expect(remembered() == [false] + [Bool](repeating: true, count: 8))
    }

    private struct Page: Decodable {
        var photos: [PhotosReport.Photo]
        var next: String?
    }

    /// Shows that a page has 1,000 photos, however many were asked for, and that the next one has the rest.
    @Test func pagesAreBounded() async throws {
        let host = FakeHost()
        let album = host.gathering.make("Beach day")
        for number in 0..<1001 { host.gathering.put(FakeGathering.photo(number), into: album) }
        try await withOpenLaptop(host) { doors async throws in
            _ = try await doors.open()
            let guest = try await doors.guest().browser
            func page(_ query: String) async throws -> Page {
                let answer = try await guest.get("/api/v1/albums/all/photos?" + query)
                try #require(answer.status == 200, "\(answer)")
                return try ReportJSON.value(Page.self, from: .init(answer.body.utf8))
            }
            let first = try await page("limit=1001")
            #expect(first.photos.count == 1000)
            let rest = try await page("limit=1001&after=\(try #require(first.next))")
            #expect(rest.photos.count == 1 && rest.next == nil)
            #expect(Set((first.photos + rest.photos).map(\.id)).count == 1001)
        }
    }
}
