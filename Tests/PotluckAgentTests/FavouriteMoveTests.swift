import AlbumModel
import FolderEngine
import PhotoStore
import SyncEngine
import Testing
import WireFormat

@testable import PotluckAgent

/// A photo that is moved to another album, or edited, keeps the favours of everybody, though only their own devices could
/// give them again.
@Suite(.timeLimit(.minutes(1))) struct FavouriteMoveTests {
    /// Who likes the only photo of an album, as lists show it.
    private static func favourers(_ running: RunningAgent, _ album: String) async throws -> [DeviceID] {
        await running.services.index.isComplete()
        let photos = try running.parts.index.photos(album: AlbumName.identifier(album))
        return try #require(photos.count == 1 ? photos.first : nil).photo.remarks.favouredBy
    }

    @Test func othersFavoursGoAlong() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let bridge = try FolderBridge(services: running.services, folderRoot: "/nonexistent")
                var anna = Guest(running.home.membership)
                let own = await running.view.engine.device
                let everyone = [own, anna.device].sorted()
                let beach = try await running.add([1], name: "a.jpg", to: "Beach")
                try await running.services.contributions.contribute(all: [.favourite(beach.album, beach.blob)])
                #expect(try await running.hear(anna.say([.photoFavoured(beach.album, beach.blob)])))

                let move = FolderEdit.moved(
                    from: beach.album, blob: beach.blob, to: try running.drop([1], name: "a.jpg", in: "Hills"))
                for _ in 0..<2 { try await bridge.apply([move]) }
                #expect(try await Self.favourers(running, "Hills") == everyone)

                let hills = PhotoKey(album: AlbumName.identifier("Hills"), blob: beach.blob)
                let edit = FolderEdit.replaced(
                    album: hills.album, old: hills.blob, by: try running.drop([1, 2], name: "a.jpg", in: "Hills"))
                for _ in 0..<2 { try await bridge.apply([edit]) }
                #expect(try await Self.favourers(running, "Hills") == everyone)
                #expect(try Self.replacementCount(running) == 2)

                // Whoever has not heard of it yet favours what it was, or takes that back.
                var ben = Guest(running.home.membership)
                #expect(try await running.hear(ben.say([.photoFavoured(beach.album, beach.blob)])))
                #expect(try await Self.favourers(running, "Hills") == (everyone + [ben.device]).sorted())
            }
            try await RunningAgent.run(home) { running in
                let new = PhotoKey(
                    album: AlbumName.identifier("Hills"), blob: try running.parts.blobs.ingest(bytes: [1, 2]))
                let before = try await Self.favourers(running, "Hills")
                let own = await running.view.engine.device
                #expect(before.count == 3 && before.contains(own))
                try await running.services.contributions.contribute(all: [.unfavourite(new.album, new.blob)])
                #expect(try await Self.favourers(running, "Hills") == before.filter { $0 != own })
            }
        }
    }

    private static func replacementCount(_ running: RunningAgent) throws -> Int {
        var count = 0
        try running.parts.journal.forEachBatch { row in
            for case .photoReplaced in try Batch(decoding: row.batch.content).changes { count += 1 }
        }
        return count
    }
}
