import AlbumModel
import DiskIO
import FolderEngine
import Glibc
import NIOPosix
import PhotoStore
import TestSupport
import Testing

@testable import SharedFolder

/// Files that leave the folder because their photo left its album, or is hidden.
@Suite(.timeLimit(.minutes(2)))
struct TakingAwayTests {
    private static func photo(_ seed: Int) -> PhotoKey { FakeHost.photo(blobID(SamplePhoto.jpeg(seed)), in: "A") }

    private static func fill(_ kit: Kit) async throws {
        kit.makeDirectory("A")
        for seed in 1...3 { try kit.drop(SamplePhoto.jpeg(seed), as: "A/\(seed).jpg") }
        try kit.drop(SamplePhoto.jpeg(1), as: "A/copy.jpg")
        try await kit.waitForDrops(of: 1...3)
    }

    // Shows that every file of a photo goes, that this is no person's deletion, and that it may be placed again.
    @Test func filesGoWithoutAnEdit() async throws {
        try await withKit(settings: .inOrder) { kit in
            try await Self.fill(kit)
            try await kit.folder.takeAway([Self.photo(1), Self.photo(2), Self.photo(9)])
            #expect(kit.shared == ["A/3.jpg"])
            try await kit.settle()
            kit.folder.rescan()
            try await kit.settle()
            #expect(await kit.edits().isEmpty)
            #expect(access(kit.path("A/1.jpg"), F_OK) != 0 && access(kit.path("A/copy.jpg"), F_OK) != 0)
            #expect(try kit.journal.facts(.folderLeaving).isEmpty)
            let placement = try kit.placement(SamplePhoto.jpeg(2), name: "2.jpg", album: "A")
            #expect(try await kit.folder.place(placement) == "A/2.jpg")
        }
    }

    // Shows that a file with other bytes is left alone, and that bytes which the store lost are taken in first.
    @Test func nothingIsLostByIt() async throws {
        try await withKit(settings: .inOrder) { kit in
            try await Self.fill(kit)
            try kit.write(SamplePhoto.jpeg(22), to: "A/2.jpg")
            let blob = blobID(SamplePhoto.jpeg(3))
            #expect(unlink(kit.base + "/home/blobs/\(blob.hex.prefix(2))/\(blob.hex.dropFirst(2))") == 0)
            try await kit.folder.takeAway([Self.photo(2), Self.photo(3)])
            #expect(access(kit.path("A/3.jpg"), F_OK) != 0)
            #expect(try kit.blobs.open(blob) != nil)
            try await kit.settle()
            #expect(kit.shared.contains("A/2.jpg"))
            #expect(await kit.host.photos.contains(Self.photo(22)))
        }
    }

    // Shows that what a crash left half done is done at the next start, whether the file is there or not.
    @Test func startsGoOnWithIt() async throws {
        let kit = try await Kit(settings: .inOrder)
        defer { kit.remove() }
        try await kit.running { try await Self.fill($0) }
        let intents = [1, 2].map {
            FactChange(kind: .folderLeaving, key: Array("A/\($0).jpg".utf8), value: Self.photo($0).bytes)
        }
        try kit.journal.setFacts(intents)
        #expect(rename(kit.path("A/1.jpg"), kit.path("A/\(BlobStore.placingPrefix)1")) == 0)
        let again = try await Kit(base: kit.base, host: kit.host, settings: .inOrder)
        try await again.running { kit in
            try await kit.settle()
            #expect(await kit.edits().isEmpty)
            #expect(kit.shared == ["A/3.jpg", "A/copy.jpg"])
            #expect(access(kit.path("A/2.jpg"), F_OK) != 0)
            #expect(access(kit.path("A/\(BlobStore.placingPrefix)1"), F_OK) != 0)
        }
    }

    // Shows that of what a crash left out of sight only the file that was to go goes, and that a person's, which came at
    // the last moment, has its name again.
    @Test(arguments: [false, true]) func hiddenFilesAreLookedAt(isPersons: Bool) async throws {
        let kit = try await Kit(settings: .inOrder)
        defer { kit.remove() }
        try await kit.running { try await Self.fill($0) }
        let key = Array("A/2.jpg".utf8)
        try kit.journal.setFacts([FactChange(kind: .folderLeaving, key: key, value: Self.photo(2).bytes)])
        let hidden = kit.path("A/\(HidingPlace.prefix)2.jpg")
        #expect(rename(kit.path("A/2.jpg"), hidden) == 0)
        if isPersons {
            #expect(unlink(hidden) == 0)
            try Kit.write(SamplePhoto.jpeg(9), to: hidden)
        }
        let again = try await Kit(base: kit.base, host: kit.host, settings: .inOrder)
        #expect(access(hidden, F_OK) != 0)
        #expect(again.exists("A/2.jpg") == isPersons)
        try await again.running { kit in
            try await kit.settle(confirms: true)
            #expect(await kit.host.photos.contains(Self.photo(9)) == isPersons)
        }
    }

    // Shows that a file which a failing disk left out of sight comes back, and is shared.
    @Test func scansBringHiddenFilesBack() async throws {
        try await withKit(settings: .inOrder) { kit in
            try await Self.fill(kit)
            try kit.drop(SamplePhoto.jpeg(9), as: "A/\(HidingPlace.prefix)9.jpg")
            kit.folder.rescan()
            try await kit.waitForDrops(of: [9])
            #expect(kit.shared.contains("A/9.jpg"))
        }
    }

    // Shows that a crash before a damaged file is set aside leaves it as it was, and one behind that no removal.
    @Test(arguments: [false, true]) func crashesWhileSettingAsideLoseNothing(isMoved: Bool) async throws {
        let kit = try await Kit(settings: .inOrder)
        defer { kit.remove() }
        try await kit.running { kit in
            try await Self.fill(kit)
            let inode = try FileStat(path: kit.path("A/2.jpg")).inode
            let core = kit.folder.core
            let directives = core.queue.handle(.damaged(blobID(SamplePhoto.jpeg(2)), inode: inode))
            guard case .setAside(FolderPath("A/2.jpg"), _, let intent)? = directives.first else {
                Issue.record("not set aside")
                return
            }
            try await core.facts.commit(intent)
        }
        if isMoved { #expect(rename(kit.path("A/2.jpg"), kit.base + "/aside") == 0) }
        let again = try await Kit(base: kit.base, host: kit.host, settings: .inOrder)
        try await again.running { kit in
            #expect(try kit.journal.facts(.folderLeaving).isEmpty)
            try await kit.settle()
            #expect(await kit.edits().isEmpty)
            #expect(await kit.dropped().count == 3, "nothing is taken for new")
            #expect(kit.shared.contains("A/2.jpg") == !isMoved)
            #expect((access(kit.path("A/2.jpg"), F_OK) == 0) == !isMoved)
            let placement = try kit.placement(SamplePhoto.jpeg(2), name: "2.jpg", album: "A")
            #expect(try await kit.folder.place(placement) == (isMoved ? "A/2.jpg" : nil))
        }
    }

    // Shows that an album's directory goes with its last photo, with the one in it; that the next photo has it again; and
    // that one with anything else in it stays.
    @Test func emptyDirectoriesGo() async throws {
        try await withKit(settings: .inOrder) { kit in
            kit.makeDirectory("A")
            kit.makeDirectory("A/B")
            try kit.drop(SamplePhoto.jpeg(1), as: "A/B/1.jpg")
            try kit.drop(SamplePhoto.jpeg(2), as: "A/2.jpg")
            try await kit.waitForDrops(of: 1...2)
            try await kit.folder.takeAway([Self.photo(2)])
            #expect(access(kit.path("A/B/1.jpg"), F_OK) == 0)
            try await kit.folder.takeAway([Self.photo(1)])
            #expect(access(kit.path("A"), F_OK) != 0 && access(kit.root, F_OK) == 0)
            let placement = try kit.placement(SamplePhoto.jpeg(2), name: "2.jpg", album: "A")
            #expect(try await kit.folder.place(placement) == "A/2.jpg")
            try kit.write(Array("Bring cake.".utf8), to: "A/notes.txt")
            try await kit.folder.takeAway([Self.photo(2)])
            #expect(access(kit.path("A/2.jpg"), F_OK) != 0 && access(kit.path("A/notes.txt"), F_OK) == 0)
            try await kit.settle()
            #expect(await kit.edits().isEmpty)
        }
    }

    // Shows that a directory that cannot be synced, since a file has its name by now, keeps the records of its files alone:
    // that another one's is gone is known.
    @Test func oneDirectoryKeepsNoOthers() async throws {
        let kit = try await Kit(settings: .inOrder)
        defer { kit.remove() }
        for (seed, album) in [(1, "A"), (2, "B")] {
            let placement = try kit.placement(SamplePhoto.jpeg(seed), name: "x.jpg", album: album)
            #expect(try await kit.folder.place(placement) == album + "/x.jpg")
        }
        #expect(unlink(kit.path("B/x.jpg")) == 0 && rmdir(kit.path("B")) == 0)
        try kit.write(Array("Bring cake.".utf8), to: "B")
        await #expect(throws: FolderError.self) {
            try await kit.folder.takeAway([
                Self.photo(1), FakeHost.photo(blobID(SamplePhoto.jpeg(2)), in: "B"),
            ])
        }
        #expect(!kit.exists("A/x.jpg") && kit.shared == ["B/x.jpg"])
        try await kit.pool.shutdownGracefully()
    }

    // Shows that a photo that a person deleted is placed again once it is let back.
    @Test func photosAreLetBack() async throws {
        try await withKit(settings: .inOrder) { kit in
            let placement = try kit.placement(SamplePhoto.jpeg(1), name: "x.jpg", album: "A")
            await kit.host.add(SamplePhoto.jpeg(1), in: "A")
            #expect(try await kit.folder.place(placement) == "A/x.jpg")
            #expect(unlink(kit.path("A/x.jpg")) == 0)
            try await kit.settle()
            #expect(try await kit.folder.place(placement) == nil)
            try await kit.folder.letBack([Self.photo(1)])
            #expect(try await kit.folder.place(placement) == "A/x.jpg")
            #expect(try kit.journal.facts(.folderGone).filter { $0.key == Self.photo(1).bytes }.isEmpty)
        }
    }
}
