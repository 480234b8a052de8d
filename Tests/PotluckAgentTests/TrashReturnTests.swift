import AlbumModel
import PhotoStore
import PotluckAPI
import SyncEngine
import Testing

@testable import PotluckAgent

/// What a start puts into the trash: what was removed while nobody looked, and nothing that a person deleted for good.
@Suite(.timeLimit(.minutes(1))) struct TrashReturnTests {
    /// Expects the trash after a start to have x.jpg of these albums, and nothing else.
    private static func expect(_ albums: [String], _ running: RunningAgent) async throws {
        await running.services.removal.settleAll()
        let trash = try await running.control().trash(album: nil).trash
        #expect(trash.map(\.album).sorted() == albums)
        #expect(trash.allSatisfy { $0.name == "x.jpg" })
    }

    private static func remove(_ running: RunningAgent, from album: String) async throws {
        let report = try await running.control().remove(RemovalOrder(.remove, album: album, photos: ["x.jpg"]))
        #expect(report.photos.map(\.outcome) == [.removed])
        await running.services.removal.isSettled()
    }

    private static func delete(_ running: RunningAgent, from album: String) async throws {
        let order = TrashOrder(album: album, photos: ["x.jpg"], lastCopies: true)
        #expect(try await running.control().emptyTrash(order).photos.map(\.outcome) == [.deleted])
    }

    /// A photo of two albums that left one of them and was deleted for good from the trash stays deleted over restarts,
    /// while the other album keeps its bytes, and while another entry of the trash does.
    @Test func deletedForGoodStaysDeleted() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                try await Self.expect([], running)
                _ = try await running.add([1, 2, 3], name: "x.jpg", to: "Pier")
                let quay = try await running.add([1, 2, 3], name: "x.jpg", to: "Quay")
                try await Self.remove(running, from: "Pier")
                try await Self.delete(running, from: "Pier")
                #expect(await running.isLive(quay))
            }
            try await RunningAgent.run(home) { running in
                try await Self.expect([], running)
                try await Self.remove(running, from: "Quay")
            }
            try await RunningAgent.run(home) { running in
                try await Self.expect(["Quay"], running)
                #expect(running.parts.blobs.held().count == 1)
                try await Self.delete(running, from: "Quay")
                #expect(running.parts.blobs.held().isEmpty)
            }
            try await RunningAgent.run(home) { running in try await Self.expect([], running) }
        }
    }

    /// The same where the photo was hidden here as well, and where its bytes come again with another album.
    @Test func bytesThatComeAgainBringNothingBack() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                try await Self.expect([], running)
                let pier = try await running.add([4], name: "x.jpg", to: "Pier")
                try await running.services.removal.hide([pier])
                try await Self.remove(running, from: "Pier")
                try await Self.delete(running, from: "Pier")
                #expect(running.parts.blobs.held().isEmpty)
                _ = try await running.add([4], name: "x.jpg", to: "Quay")
            }
            try await RunningAgent.run(home) { running in try await Self.expect([], running) }
        }
    }

    /// A removal that became known while no agent ran, or just before one ended, gets its entry at the next start, also
    /// where another album has the photo.
    @Test func removalsThatNobodyFollowedAreMadeGood() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                try await Self.expect([], running)
                _ = try await running.add([5], name: "x.jpg", to: "Pier")
                _ = try await running.add([5], name: "x.jpg", to: "Quay")
            }
            try Self.withdraw("Pier", home)
            try await RunningAgent.run(home) { running in
                try await Self.expect(["Pier"], running)
                try await Self.delete(running, from: "Pier")
            }
            try Self.withdraw("Quay", home)
            for _ in 0..<2 {
                try await RunningAgent.run(home) { running in try await Self.expect(["Quay"], running) }
            }
        }
    }

    /// Makes the removal of an album's only photo durable, and nothing else.
    private static func withdraw(_ album: String, _ path: String) throws {
        let home = try OpenHome(home: path, waitMilliseconds: 5000)
        defer { home.lock.release() }
        var engine = home.engine(replica: try home.replicaToContinue(), port: 0)
        let id = engine.catalog.albumID(named: album)
        let blob = try #require(engine.catalog.albums[id]?.livePhotos.map(\.key).first)
        try SmallHome.contribute(.photoWithdrawal(id, blob), to: &engine, home)
    }
}
