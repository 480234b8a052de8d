import AlbumModel
import PotluckAPI
import SyncEngine
import TestSupport
import Testing

@testable import PhotoStore
@testable import PotluckAgent
@testable import SharedFolder

/// What is shared as a photo and is none, with real services, home and folder.
@Suite(.timeLimit(.minutes(1))) struct NotPlacedTests {
    private static let page = Array("<!doctype html><title>x</title>".utf8)

    /// Shows that bytes that are no photo get no file, are listed with their reason and held on, do not count as missing,
    /// and that the photo beside them is placed under a name of its type.
    @Test func othersAreListed() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let folder = try await running.makeFolder()
                let page = try await running.add(Self.page, name: "x.html", to: "Beach")
                _ = try await running.add([0xFF, 0xD8, 0xFF, 0xE0], name: "a.jpg.lnk", to: "Beach")
                #expect(await running.waits(refused: 1))
                #expect(await running.hasFiles(1, in: folder))

                let status = try await running.control().status(skipped: false, all: false)
                let listed = try #require(status.notPlaced)
                #expect(listed.photos == 1 && listed.bytes == UInt64(Self.page.count))
                #expect(
                    listed.items == [
                        .init(
                            id: page.blob.hex, album: "Beach", name: "x.html", reason: "it is not a photo or a video")
                    ])
                #expect(status.missing.photos == 0)
                #expect(!status.problems.contains { $0.contains("put into the folder") })
                #expect(running.parts.blobs.contains(page.blob))
                #expect(await running.view.engine.held.contains(page.blob))
                #expect(folder.files().map(\.path) == ["Beach/a.jpg.lnk.jpg"])
            }
        }
    }

    /// Shows that what is hidden or removed is not listed any longer.
    @Test func theListFollowsRemovals() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                running.folder.setRefusal("it is not a photo or a video")
                let page = try await running.add(Self.page, name: "x.html", to: "Beach")
                let other = try await running.add(Self.page + [0], name: "y.html", to: "Beach")
                #expect(await running.waits(refused: 2))
                try await running.services.removal.hide([other])
                #expect(
                    running.services.folder.notPlaced(await running.view, all: true).items.map(\.name) == ["x.html"])
                _ = try await running.services.removal.remove([page])
                #expect(running.services.folder.notPlaced(await running.view, all: true).photos == 0)
            }
        }
    }

    /// Of very many only so many are listed, and all are counted.
    @Test(.slow) func listsAreBounded() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                running.folder.setRefusal("it is not a photo or a video")
                let count = StatusReport.Missing.itemCountMax + 5
                for number in 0..<count {
                    _ = try await running.add(Self.page + Array("\(number)".utf8), name: "\(number).raw", to: "Beach")
                }
                #expect(await running.waits(refused: count))
                let listed = running.services.folder.notPlaced(await running.view, all: false)
                #expect(listed.photos == count && listed.items.count == StatusReport.Missing.itemCountMax)
                #expect(running.services.folder.notPlaced(await running.view, all: true).items.count == count)
            }
        }
    }

    /// Shows that a photo that this version does not know waits for nothing, and is placed by a later one that asks the
    /// folder again, as each start does.
    @Test func laterVersionsPlaceThem() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                running.folder.setRefusal("it is not a photo or a video")
                let key = try await running.add(Self.page, name: "new.raw", to: "Beach")
                #expect(await running.waits(refused: 1))
                #expect(await running.placesNone())
                running.folder.setRefusal(nil)
                running.services.folder.requestPlacement(key)
                #expect(await running.waits(refused: 0))
            }
        }
    }
}

extension RunningAgent {
    /// A folder of this home's own, in place of the one that only remembers.
    fileprivate func makeFolder() async throws -> SharedFolder {
        let root = path + "/Photos"
        try home.journal.setFolder(root, home: path)
        let folder = try await OfflineListings.folder(root, home)
        services.folder.setFiles(folder)
        return folder
    }

    /// Waits at most 20 s until so many photos are listed; false if they never are.
    fileprivate func waits(refused count: Int) async -> Bool {
        await Self.waits { services.folder.notPlaced(await view, all: true).photos == count }
    }

    /// Waits at most 20 s until the folder holds so many photos and none is on its way there.
    fileprivate func hasFiles(_ count: Int, in folder: SharedFolder) async -> Bool {
        await Self.waits {
            let isIdle = services.folder.photosToPlace.isEmpty
            return isIdle && folder.files().count == count
        }
    }

    /// Waits at most 20 s until no photo waits for its place.
    fileprivate func placesNone() async -> Bool {
        await Self.waits { services.folder.photosToPlace.isEmpty }
    }

    private static func waits(_ condition: () async -> Bool) async -> Bool {
        let deadline = ContinuousClock.now + .seconds(20)
        while await !condition() {
            guard ContinuousClock.now < deadline else { return false }
            await Task.yield()
        }
        return true
    }
}
