import AlbumModel
import PotluckAPI
import SyncEngine
import Testing

@testable import PotluckAgent

/// What listings read: made once for all who ask between two changes, and kept for nobody.
@Suite struct GatheringViewTests {
    /// Two who ask between two changes read the same view; who asks after a change reads another one, and the first stays
    /// as it was.
    @Test func viewsAreSharedAndNeverChange() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let first = await running.view
                #expect(await running.view === first)
                let key = try await running.add([1, 2, 3], name: "sea.jpg", to: "Beach")
                #expect(!first.engine.catalog.isLive(key))
                #expect(await running.view !== first)
                #expect(await running.view.engine.catalog.isLive(key))
            }
        }
    }

    /// A view that nobody reads any more is gone before the engine changes, which else would copy what it changes: a
    /// short question makes none, and gets the same answer with one and without.
    @Test func viewsThatNobodyReadsCostNothing() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let former = Former(await running.view)
                #expect(former.view != nil)
                let key = try await running.add([1, 2, 3], name: "sea.jpg", to: "Beach")
                #expect(former.view == nil)
                #expect(await running.services.host.ask { $0.catalog.isLive(key) })
                _ = await running.view
                #expect(await running.services.host.ask { $0.catalog.isLive(key) })
            }
        }
    }

    /// Whoever has added a photo finds it in the next listing, and on its way into the folder, however often.
    @Test func whoAddedFindsItAtOnce() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                running.folder.shut()
                for number in UInt8(0)..<40 {
                    let key = try await running.add([number], name: "\(number).jpg", to: "Beach")
                    #expect(running.services.folder.photosToPlace.contains(key))
                    let listed = try await running.control().photos(PhotoQuery(album: key.album.hex))
                    #expect(listed.photos.count == Int(number) + 1)
                }
                running.folder.open()
            }
        }
    }

    private final class Former {
        weak var view: GatheringView?

        init(_ view: GatheringView) { self.view = view }
    }
}
