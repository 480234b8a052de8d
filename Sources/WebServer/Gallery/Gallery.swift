import AlbumModel
public import Logging
import NIOCore
import PotluckAPI
import Synchronization
import WebGallery

/// The pages for browsers and what stands behind them: who may come in, grids, pictures, uploads.
///
/// It is made before the server, which serves its routes and opens doors for it.
public final class Gallery: Sendable {
    private struct Bound {
        var agent: any AgentAPI
        var feed: EventFeed
        var grids: GridBook
    }

    let host: any GalleryHost
    let entrance: Entrance
    let uploads: UploadDesk
    let archives: ArchiveDesk
    let reads: ReadBudget
    let downloads: Downloads
    let pages: PageMaker
    let clock: GalleryClock
    let logger: Logger
    /// What the server made for it.
    private let bound = Mutex<Bound?>(nil)
    private let events: AsyncStream<PageEvent>
    private let event: AsyncStream<PageEvent>.Continuation
    private static let eventCountMax = 1024
    /// What pages were told of last; `nil` while the door is closed.
    private let toldLink = Mutex<String?>(nil)
    private let linkGate = Gate()

    /// - Throws: ``PotluckError`` where what it kept in the home cannot be read.
    public convenience init(host: any GalleryHost, logger: Logger) async throws {
        try await self.init(host: host, logger: logger, clock: .system)
    }

    init(host: any GalleryHost, logger: Logger, clock: GalleryClock) async throws {
        self.host = host
        self.logger = logger
        self.clock = clock
        pages = try PageMaker(host: host)
        (events, event) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.eventCountMax))
        entrance = try await Entrance(host: host, logger: logger, clock: clock)
        uploads = try await UploadDesk(host: host, entrance: entrance, clock: clock)
        archives = ArchiveDesk(host: host)
        reads = ReadBudget(clock: clock)
        downloads = Downloads { [entrance] in entrance.current($0) }
    }

    /// `nil` before there is a server.
    var agent: (any AgentAPI)? { bound.withLock { $0?.agent } }

    /// What it answers, for an agent that speaks as the visitor may hear it.
    func routes(agent: any AgentAPI, feed: EventFeed) -> [WebRoute] {
        let grids = GridBook(agent: agent, host: host, feed: feed)
        bound.withLock { $0 = Bound(agent: agent, feed: feed, grids: grids) }
        feed.observe { [weak grids] event in await grids?.note(event) }
        let downloads =
            PictureRoutes(gallery: self).all + ArchiveRoutes(gallery: self, agent: agent, grids: grids).all
        return SessionRoutes(gallery: self).all + PageRoutes(gallery: self, agent: agent, grids: grids).all
            + GridRoutes(gallery: self, agent: agent, grids: grids).all
            + downloads.map { $0.ending(with: self.downloads) }
            + UploadRoutes(gallery: self, agent: agent).all + TalkRoutes(gallery: self, agent: agent).all
    }

    /// Tells pages of something.
    func tell(_ event: PageEvent) { self.event.yield(event) }

    /// Tells pages that show the guests' link of another one: of another token, at another address, or of none.
    func tellLinkIfChanged() async {
        // One look at a time, so that none is compared with a later one.
        await linkGate.enter()
        let link = await entrance.linkAddresses()?.first
        let hasChanged = toldLink.withLock { told in
            defer { told = link }
            return told != link
        }
        if hasChanged { tell(.link) }
        await linkGate.leave()
    }

    /// Keeps what changes, ends what is over; until cancelled.
    func serve(doors: any DoorOpening) async {
        guard let bound = bound.withLock({ $0 }) else { return }
        let (feed, grids) = (bound.feed, bound.grids)
        await withDiscardingTaskGroup { group in
            group.addTask { await self.entrance.serve(doors: doors) }
            group.addTask { await self.uploads.serve() }
            group.addTask {
                for await event in self.events { await feed.publish(event) }
            }
            group.addTask {
                for await news in self.host.news() { await self.relay(news) }
            }
            group.addTask {
                for await _ in self.entrance.reviews { await self.review(feed) }
            }
            group.addTask { await self.reviewAgain(feed, grids) }
        }
    }

    /// Writes what is not yet; after the last answer.
    func close() async { await entrance.keepChangesIfPossible() }

    private func relay(_ news: GalleryNews) async {
        switch news {
        case .ready(let kind, let photo):
            if let event = PageEvent.ready(kind, photo, in: await host.albums(of: photo)) { tell(event) }
        case .laptops: tell(.laptops)
        }
    }

    /// Ends what belongs to sessions that have ended.
    private func review(_ feed: EventFeed) async {
        downloads.review()
        await feed.review { self.entrance.current($0) }
        for holder in entrance.takeEnded() { await uploads.endAll(of: holder) }
        await tellLinkIfChanged()
    }

    /// Sessions and links end by time, too, a laptop may get another address, and grids that nobody looks at are let go of.
    private func reviewAgain(_ feed: EventFeed, _ grids: GridBook) async {
        while (try? await Task.sleep(for: .seconds(15))) != nil {
            downloads.review()
            await feed.review { self.entrance.current($0) }
            await tellLinkIfChanged()
            await grids.forgetUnused()
        }
    }
}

/// Opens and closes doors while the server runs.
protocol DoorOpening: Sendable {
    /// - Returns: The port, also where the system was to draw one.
    /// - Throws: ``PotluckError`` with `.badSetting` where it cannot be opened.
    func open(_ door: Door, as name: DoorName) async throws -> Int
    /// Nobody can connect when it returns; the door's connections end, too.
    func close(_ name: DoorName) async
}

/// Doors that open and close while the server runs.
enum DoorName: Hashable, Sendable {
    case loopback
    case guests
}
