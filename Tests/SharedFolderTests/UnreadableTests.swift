import AlbumModel
import DiskIO
import FolderEngine
import Glibc
import NIOPosix
import PhotoStore
import Synchronization
import TestSupport
import Testing

@testable import SharedFolder

/// A directory that cannot be listed has not lost its files.
@Suite(.timeLimit(.minutes(2)))
struct UnreadableTests {
    private static let files = [("A/1.jpg", 1), ("A/2.jpg", 2), ("A/deep/3.jpg", 3), ("B/4.jpg", 4)].map {
        (path: $0.0, seed: $0.1)
    }

    // Shows that nothing is judged of a directory that cannot be listed at a start, nor of what is below it; that a person
    // is told, and told when it is over.
    @Test func startsJudgeNothingTheyCannotSee() async throws {
        let kit = try await Kit(settings: .watchful)
        defer { kit.remove() }
        try await kit.running { try await $0.fill(Self.files) }
        let faulty = FaultyFolder()
        faulty.fail("A")
        let again = try await Kit(base: kit.base, host: kit.host, settings: .watchful, probe: faulty.probe)
        try await again.running { kit in
            #expect(await kit.isToldUnreachable("A cannot be read"))
            try await kit.settle()
            #expect(await kit.isUntouched())
            #expect(kit.shared == Self.files.map(\.path))
            #expect(!kit.folder.incoming().isScanComplete)
            faulty.fail()
            #expect(await kit.isReachableAgain())
            try await kit.settle()
            #expect(await kit.isUntouched())
            #expect(await kit.dropped().count == Self.files.count)
        }
    }

    // Shows the same of a folder whose own directory cannot be listed, and of a rescan while the agent runs.
    @Test func rescansJudgeNothingTheyCannotSee() async throws {
        let faulty = FaultyFolder()
        let kit = try await Kit(settings: .watchful, probe: faulty.probe)
        defer { kit.remove() }
        try await kit.running { kit in
            try await kit.fill(Self.files)
            faulty.fail("")
            kit.folder.rescan()
            #expect(await kit.isToldUnreachable("cannot be read"))
            // What is seen to go meanwhile is not judged by a folder that cannot be listed.
            #expect(unlink(kit.path("B/4.jpg")) == 0)
            try await kit.dropSentinel(2)
            kit.folder.core.queue.judgeSoon()
            try await kit.dropSentinel(3)
            #expect(await kit.edits().isEmpty)
            faulty.fail()
            #expect(await kit.isReachableAgain())
            try await kit.settle(confirms: true)
            #expect(await kit.edits().count == 1)
            #expect(kit.shared == ["A/1.jpg", "A/2.jpg", "A/deep/3.jpg"])
        }
    }

    // Shows that a photo which is moved to where nobody can look stays in its album, and keeps its words, until somebody can.
    @Test func movesIntoTheUnseenRemoveNothing() async throws {
        let faulty = FaultyFolder()
        let kit = try await Kit(settings: .watchful, probe: faulty.probe)
        defer { kit.remove() }
        try await kit.running { kit in
            try await kit.fill(Self.files)
            faulty.fail("A/deep")
            kit.folder.rescan()
            #expect(await kit.isToldUnreachable("A/deep cannot be read"))
            #expect(rename(kit.path("A/1.jpg"), kit.path("A/deep/1.jpg")) == 0)
            try await kit.settle()
            #expect(await kit.isUntouched())
            faulty.fail()
            #expect(await kit.isReachableAgain())
            kit.folder.rescan()
            try await kit.settle()
            #expect(kit.shared == ["A/2.jpg", "A/deep/1.jpg", "A/deep/3.jpg", "B/4.jpg"])
            let removals = await kit.edits().filter { if case .removed = $0 { true } else { false } }
            #expect(removals.isEmpty)
            let drops = await kit.dropped().count
            #expect(drops == Self.files.count)
        }
    }

    // Shows that a file is called absent only by a whole listing of its directory, or of the nearest one that is there.
    @Test func absenceNeedsAListing() async throws {
        let kit = try await Kit(settings: .watchful)
        defer { kit.remove() }
        try await kit.pool.shutdownGracefully()
        for directory in ["A", "A/b"] { kit.makeDirectory(directory) }
        try kit.write([1], to: "A/there.jpg")
        let faulty = FaultyFolder()
        func answers() -> [FilePresence] {
            var presence = DiskPresence(FolderMounts(root: kit.root, probe: faulty.probe))
            return ["A/there.jpg", "A/gone.jpg", "A/b/gone.jpg", "A/c/d/gone.jpg", "A/there.jpg/x.jpg"].map {
                presence.answer(FolderPath($0))
            }
        }
        #expect(answers() == [.present, .absent, .absent, .absent, .absent])
        faulty.fail("A")
        #expect(answers() == [.unknown, .unknown, .absent, .unknown, .absent])
        faulty.fail("", "A", "A/b")
        #expect(answers() == [.unknown, .unknown, .unknown, .unknown, .absent])
    }

    // Shows that no file is taken away while its directory cannot be looked at, and that it is made good afterwards.
    @Test func nothingIsTakenAwayUnseen() async throws {
        let faulty = FaultyFolder()
        let kit = try await Kit(settings: .watchful, probe: faulty.probe)
        defer { kit.remove() }
        try await kit.running { kit in
            try await kit.fill(Self.files)
            faulty.fail("A")
            kit.folder.rescan()
            #expect(await kit.isToldUnreachable("A cannot be read"))
            await #expect(throws: FolderError.self) {
                try await kit.folder.takeAway([FakeHost.photo(blobID(SamplePhoto.jpeg(1)), in: "A")])
            }
            #expect(kit.exists("A/1.jpg"))
            faulty.fail()
            #expect(await kit.isReachableAgain())
            // The only worker looks at it after the scan.
            try await kit.dropSentinel(2)
            #expect(!kit.exists("A/1.jpg"))
            #expect(await kit.edits().isEmpty)
        }
    }

    // Shows that a file which is there is not taken away while its loss waits to be judged: one look was wrong.
    @Test func contradictionsAreLeftAlone() async throws {
        try await withKit(settings: .watchful) { kit in
            try await kit.fill(Self.files)
            kit.folder.core.queue.change { judge, _ in
                _ = judge.pending.insert(FolderPath("A/1.jpg"), .absent, isExplained: false)
            }
            await #expect(throws: FolderError.self) {
                try await kit.folder.takeAway([FakeHost.photo(blobID(SamplePhoto.jpeg(1)), in: "A")])
            }
            #expect(kit.exists("A/1.jpg"))
        }
    }

    // Shows that no photo is placed, and no intent of a crash settled, by a listing that fails.
    @Test func failingListingsSettleNothing() async throws {
        let faulty = FaultyFolder()
        let kit = try await Kit(settings: .watchful, probe: faulty.probe)
        defer { kit.remove() }
        let placement = try kit.placement(SamplePhoto.jpeg(1), name: "x.jpg", album: "New")
        faulty.fail("")
        await #expect(throws: FolderError.self) { try await kit.folder.place(placement) }
        let key = Array("A/gone.jpg".utf8)
        let photo = FakeHost.photo(blobID([9]), in: "A")
        faulty.fail("A")
        kit.makeDirectory("A")
        let signature = FileSignature(inode: 9, byteCount: 10, modified: 0, changed: 0)
        let record = FileRecord(photo: photo, signature: signature, origin: .placed)
        try kit.journal.setFacts([
            FactChange(kind: .folderFile, key: key, value: record.bytes),
            FactChange(kind: .folderLeaving, key: key, value: photo.bytes),
        ])
        try await kit.pool.shutdownGracefully()
        let again = try await Kit(base: kit.base, host: kit.host, settings: .watchful, probe: faulty.probe)
        try await again.pool.shutdownGracefully()
        #expect(try again.journal.facts(.folderLeaving).count == 1)
    }

    // Shows that a directory which nobody can look into, such as a link to itself, says nothing of the files in it: a
    // crash's intent stays, and no file counts as one that need not be synced.
    @Test func directoriesThatLeadNowhereSayNothing() async throws {
        let kit = try await Kit(settings: .watchful)
        defer { kit.remove() }
        let name = "A/x.jpg"
        #expect(try await kit.folder.place(kit.placement(SamplePhoto.jpeg(1), name: "x.jpg", album: "A")) == name)
        try await kit.pool.shutdownGracefully()
        let (key, photo) = (Array(name.utf8), FakeHost.photo(blobID(SamplePhoto.jpeg(1)), in: "A"))
        try kit.journal.setFacts([
            FactChange(kind: .folderFile, key: key, value: nil),
            FactChange(kind: .folderIntent, key: key, value: photo.bytes),
        ])
        #expect(rename(kit.path("A"), kit.base + "/away") == 0)
        #expect(symlink(kit.path("A"), kit.path("A")) == 0)
        let blind = try await Kit(base: kit.base, host: kit.host, settings: .watchful)
        try await blind.pool.shutdownGracefully()
        #expect(try blind.journal.facts(.folderIntent).count == 1)
        #expect(throws: FolderError.self) { try SystemCall.synchronizeFile(FolderPath(name).absolute(in: kit.root)) }
        #expect(unlink(kit.path("A")) == 0)
        #expect(rename(kit.base + "/away", kit.path("A")) == 0)
        let again = try await Kit(base: kit.base, host: kit.host, settings: .watchful)
        try await again.pool.shutdownGracefully()
        #expect(again.shared == [name])
        #expect(try again.journal.facts(.folderIntent).isEmpty)
    }

    // Shows that a file whose disk goes while it is looked for does not count as taken away.
    @Test func disksThatGoMeanwhileKeepTheirFiles() async throws {
        let isPulled = Mutex(false)
        let probe = FolderProbe(
            list: { (directory, root) throws(DirectoryListingError) in
                let listing = try directory.listing(in: root)
                isPulled.withLock { if $0 { rename(root + "/" + Marker.path.text, root + ".away") } }
                return listing
            }, mounts: { _ in MountTable(mounts: [:]) })
        let kit = try await Kit(settings: .watchful, probe: probe)
        defer { kit.remove() }
        let placement = try kit.placement(SamplePhoto.jpeg(1), name: "x.jpg", album: "A")
        #expect(try await kit.folder.place(placement) == "A/x.jpg")
        #expect(unlink(kit.path("A/x.jpg")) == 0)
        isPulled.withLock { $0 = true }
        await #expect(throws: FolderError.self) {
            try await kit.folder.takeAway([FakeHost.photo(placement.blob, in: "A")])
        }
        #expect(kit.shared == ["A/x.jpg"])
        try await kit.pool.shutdownGracefully()
    }
}
