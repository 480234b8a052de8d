import AlbumModel
import DiskIO
import FolderEngine
import Glibc
import NIOPosix
import PhotoStore
import TestSupport
import Testing

@testable import SharedFolder

/// Placed files that follow the names of their photos.
@Suite(.timeLimit(.minutes(2)))
struct FileRenamingTests {
    private static let album = AlbumName.identifier("A")

    private static func photo(_ seed: Int) -> PhotoKey {
        PhotoKey(album: album, blob: blobID(SamplePhoto.jpeg(seed)))
    }

    /// Photos that others added, each with its file.
    private static func place(_ seeds: ClosedRange<Int>, _ kit: Kit) async throws {
        for seed in seeds {
            let placement = try kit.placement(SamplePhoto.jpeg(seed), name: "\(seed).jpg", album: "A")
            await kit.host.add(SamplePhoto.jpeg(seed), in: "A")
            #expect(try await kit.folder.place(placement) == "A/\(seed).jpg")
        }
    }

    private static func call(_ names: [Int: String], _ kit: Kit) {
        let names = names.map { (photo($0.key), PhotoName(shared: $0.value, deviceName: "Ben")) }
        kit.folder.follow(Dictionary(uniqueKeysWithValues: names))
    }

    private static func expect(_ paths: [String], _ kit: Kit) async throws {
        try await eventually("the files have their names") { .when(kit.shared == paths, "there are \(kit.shared)") }
        try await eventually("the records follow") {
            .when(try kit.journal.facts(.folderRenaming).isEmpty, "a renaming is not settled")
        }
    }

    // Shows that placed files have their photos' new names, that this is no person's doing, also for a look through the folder,
    // and that neither the file nor the blob whose link it is has to be read again.
    @Test func filesFollowTheirPhotos() async throws {
        try await withKit(settings: .renamingSoon) { kit in
            try await Self.place(1...3, kit)
            Self.call([1: "new.jpg", 3: "third"], kit)
            try await Self.expect(["A/2.jpg", "A/new.jpg", "A/third.jpg"], kit)
            #expect(access(kit.path("A/1.jpg"), F_OK) != 0 && kit.blobs.suspects().isEmpty)
            for (path, record) in kit.folder.core.queue.read({ $0.state.files }) {
                #expect(try FileSignature(FileStat(path: kit.path(path.text))) == record.signature)
            }
            let recorded = try kit.journal.facts(.folderFile).map { FolderPath(bytes: $0.key).text }
            #expect(Set(recorded).isSuperset(of: kit.shared) && !recorded.contains("A/1.jpg"))
            kit.folder.rescan()
            try await kit.settle()
            #expect(await kit.edits().isEmpty)
            #expect(await kit.dropped().isEmpty)
            Self.call([1: "1.jpg"], kit)
            try await Self.expect(["A/1.jpg", "A/2.jpg", "A/third.jpg"], kit)
        }
    }

    // Shows that nothing that has the name is replaced.
    @Test func takenNamesAreLeft() async throws {
        try await withKit(settings: .renamingSoon) { kit in
            try await Self.place(1...1, kit)
            try kit.write(Array("mine".utf8), to: "A/New.jpg")
            Self.call([1: "new.jpg"], kit)
            try await Self.expect(["A/new (Ben).jpg"], kit)
            #expect(try FileStat(path: kit.path("A/New.jpg")).byteCount == 4)
        }
    }

    // Shows that a placed file that a person named otherwise is called so, and that their own is theirs, while others follow.
    @Test func whatPeopleNamedStays() async throws {
        try await withKit(settings: .renamingSoon) { kit in
            try await Self.place(1...2, kit)
            try kit.drop(SamplePhoto.jpeg(3), as: "A/own.jpg")
            try await kit.waitForDrops(of: [3])
            #expect(rename(kit.path("A/1.jpg"), kit.path("A/mine.jpg")) == 0)
            try await kit.settle()
            let edits = await kit.edits()
            Self.call([1: "new.jpg", 2: "newer.jpg", 3: "newest.jpg"], kit)
            try await Self.expect(["A/mine.jpg", "A/newer.jpg", "A/own.jpg"], kit)
            #expect(edits.count == 1 && kit.folder.placedFiles().map(\.path) == ["A/newer.jpg"])
        }
    }

    // Shows that a file that somebody writes to keeps its name until they are done.
    @Test func writersAreWaitedFor() async throws {
        try await withKit(settings: .renamingSoon) { kit in
            for seed in 1...2 {
                var placement = try kit.placement(SamplePhoto.jpeg(seed), name: "\(seed).jpg", album: "A")
                placement.mayLink = false
                await kit.host.add(SamplePhoto.jpeg(seed), in: "A")
                #expect(try await kit.folder.place(placement) == "A/\(seed).jpg")
            }
            let file = open(kit.path("A/1.jpg"), O_WRONLY | O_CLOEXEC)
            try #require(file >= 0)
            Self.call([1: "new.jpg", 2: "newer.jpg"], kit)
            try await Self.expect(["A/1.jpg", "A/newer.jpg"], kit)
            close(file)
            try await Self.expect(["A/new.jpg", "A/newer.jpg"], kit)
        }
    }

    // Shows what a start makes of a renaming that a crash interrupted: before it, behind it, and where a person deleted the
    // file, or its whole directory, since.
    @Test(arguments: ["A/1.jpg", "A/new.jpg", "A", nil]) func crashesAreSettled(name: String?) async throws {
        let kit = try await Kit(settings: .renamingSoon)
        defer { kit.remove() }
        try await kit.running { kit in
            try await Self.place(1...1, kit)
            let stat = try FileStat(path: kit.path("A/1.jpg"))
            let renaming = FolderRenaming(
                .photo(Self.photo(1)), former: FolderPath("A/1.jpg"), target: FolderPath("A/new.jpg"),
                inode: stat.inode)
            try kit.journal.setFacts([renaming.intent])
        }
        switch name {
        case "A/1.jpg": break
        case "A/new.jpg": try #require(rename(kit.path("A/1.jpg"), kit.path("A/new.jpg")) == 0)
        case "A": try #require(unlink(kit.path("A/1.jpg")) == 0)
        default: try #require(unlink(kit.path("A/1.jpg")) == 0 && rmdir(kit.path("A")) == 0)
        }
        let again = try await Kit(base: kit.base, host: kit.host, settings: .renamingSoon)
        #expect(again.shared == [name == "A/new.jpg" ? "A/new.jpg" : "A/1.jpg"])
        #expect(try again.journal.facts(.folderRenaming).isEmpty)
        guard name?.hasSuffix(".jpg") == true else { return try await again.pool.shutdownGracefully() }
        try await again.running { again in
            try await again.settle()
            #expect(await again.edits().isEmpty)
            #expect(await again.dropped().isEmpty)
        }
    }
}
