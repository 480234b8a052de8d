import AlbumModel
import FolderEngine
import Glibc
import PhotoStore
import TestSupport
import Testing

@testable import SharedFolder

/// A folder whose journal, or whose blobs, were lost.
@Suite(.timeLimit(.minutes(2)))
struct AdoptionTests {
    private static func lookingOften() -> FolderSettings {
        var settings = FolderSettings.inOrder
        settings.markerInterval = .milliseconds(100)
        return settings
    }

    private static func removeHome(_ kit: Kit) {
        for suffix in ["", "-wal", "-shm"] { unlink(kit.base + "/home/journal.sqlite" + suffix) }
    }

    // Shows that files of a journal that is gone wait until the gathering's photos are known: what it has is adopted,
    // under whatever name, what was removed stays removed, and what nobody has is added.
    @Test func filesFromBeforeTheJournalAreAdopted() async throws {
        let first = try await Kit(settings: .inOrder)
        defer { first.remove() }
        try await first.running { kit in
            kit.makeDirectory("Beach")
            for seed in 1...3 { try kit.drop(SamplePhoto.jpeg(seed), as: "Beach/\(seed).jpg") }
            #expect(await kit.host.wait { $0.drops.count == 3 })
        }
        Self.removeHome(first)
        #expect(rename(first.path("Beach/1.jpg"), first.path("Beach/other name.jpg")) == 0)

        let second = try await Kit(base: first.base, settings: Self.lookingOften())
        try await second.running { kit in
            let isTold = await kit.host.wait { view in
                view.notices.contains { if case .unavailable = $0 { true } else { false } }
            }
            #expect(isTold)
            #expect(kit.folder.awaitsAdoption)
            await kit.host.add(SamplePhoto.jpeg(1), in: "Beach")
            await kit.host.remove(SamplePhoto.jpeg(2), in: "Beach")
            let placement = try kit.placement(SamplePhoto.jpeg(1), name: "1.jpg")
            await #expect(throws: FolderError.self) { try await kit.folder.place(placement) }
            #expect(await kit.dropped().isEmpty)
            kit.folder.adopt()
            #expect(await kit.host.wait { $0.drops.count == 1 })
            try await kit.dropSentinel()
            #expect(await kit.dropped().map(\.blob.id) == [blobID(SamplePhoto.jpeg(3))])
            #expect(try await kit.folder.place(placement) == nil)
            #expect(kit.folder.path(album: placement.album, blob: placement.blob) == "Beach/other name.jpg")
            #expect(kit.folder.skipped().map(\.path) == ["Beach/2.jpg"])
        }
        // What is over is not begun again.
        #expect(try second.journal.fact(Adoption.fact, []) == nil)
    }

    // Shows that a folder of a new home waits for nothing.
    @Test func newFoldersWaitForNothing() async throws {
        try await withKit { kit in #expect(!kit.folder.awaitsAdoption) }
    }

    // Shows that bytes which the store lost come from a file that still holds them, and from no other.
    @Test func lostBytesAreTakenAgain() async throws {
        try await withKit(settings: .inOrder) { kit in
            for seed in 1...2 { try kit.drop(SamplePhoto.jpeg(seed), as: "\(seed).jpg") }
            #expect(await kit.host.wait { $0.drops.count == 2 })
            try await kit.dropSentinel()
            let blobs = (1...2).map { blobID(SamplePhoto.jpeg($0)) }
            for blob in blobs {
                #expect(unlink(kit.base + "/home/blobs/\(blob.hex.prefix(2))/\(blob.hex.dropFirst(2))") == 0)
                #expect(try kit.blobs.open(blob) == nil)
            }
            #expect(unlink(kit.path("2.jpg")) == 0)
            #expect(await kit.folder.takeAgain(Set(blobs)) == [blobs[0]])
            #expect(kit.blobs.contains(blobs[0]))
            #expect(!kit.blobs.contains(blobs[1]))
        }
    }

    // Shows that a file found with bytes that the store lacks gives them back, and that somebody is told.
    @Test func foundFilesGiveBytesBack() async throws {
        try await withKit(settings: .inOrder) { kit in
            await kit.host.add(SamplePhoto.jpeg(1), in: "Beach")
            kit.makeDirectory("Beach")
            try kit.drop(SamplePhoto.jpeg(1), as: "Beach/x.jpg")
            let blob = blobID(SamplePhoto.jpeg(1))
            let byteCount = UInt64(SamplePhoto.jpeg(1).count)
            #expect(await kit.host.wait { $0.notices.contains(.stored(blob, byteCount: byteCount)) })
            #expect(kit.blobs.contains(blob))
        }
    }
}
