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

/// A folder that cannot be listed first, and whose disk goes away later, while somebody lists it.
private final class LeavingDisk: Sendable {
    private enum Phase: Sendable {
        case failing, leaving, gone
    }

    private let phase = Mutex(Phase.failing)
    private let away: String

    /// - Parameter away: Where the folder is once its disk is gone.
    init(away: String) { self.away = away }

    func leave() { phase.withLock { $0 = .leaving } }

    var probe: FolderProbe {
        FolderProbe(
            list: { (directory, root) throws(DirectoryListingError) in
                let before = self.phase.withLock { phase in
                    let before = phase
                    if directory == .root, before == .leaving { phase = .gone }
                    return before
                }
                if directory == .root, before == .failing { throw DirectoryListingError(errno: EIO, path: root) }
                if directory == .root, before == .leaving {
                    #expect(Glibc.rename(root, self.away) == 0 && mkdir(root, 0o755) == 0)
                }
                return try directory.listing(in: root)
            }, mounts: { _ in MountTable(mounts: [:]) })
    }
}

/// Directories that follow the names of their albums.
@Suite(.timeLimit(.minutes(2)))
struct DirectoryRenamingTests {
    private static let album = AlbumName.identifier("A")

    private static func fill(_ kit: Kit) async throws {
        kit.makeDirectory("A")
        kit.makeDirectory("A/sub")
        try kit.drop(SamplePhoto.jpeg(1), as: "A/1.jpg")
        try kit.drop(SamplePhoto.jpeg(2), as: "A/sub/2.jpg")
        try kit.write(Array("a note".utf8), to: "A/note.txt")
        try await kit.waitForDrops(of: 1...2)
    }

    /// A crash came between a renaming and the moving of records. The intent has an inode that neither directory has, so that
    /// nobody can tell where the folder cannot be listed.
    private static func interrupt(_ kit: Kit) async throws {
        try await kit.running { kit in
            try await fill(kit)
            let renaming = FolderRenaming(
                .album(album), former: FolderPath("A"), target: FolderPath("B"), inode: 0)
            try kit.journal.setFacts([renaming.intent])
        }
        try #require(Glibc.rename(kit.path("A"), kit.path("B")) == 0)
    }

    private static func rename(_ kit: Kit, to name: String) {
        kit.folder.follow([album: AlbumNames(own: name, listed: name)])
    }

    private static func expect(_ paths: [String], _ kit: Kit) async throws {
        try await eventually("the directory has its name") {
            .when(kit.shared == paths, "there are \(kit.shared)")
        }
    }

    // Shows that the whole directory has the album's new name, that this is no person's doing, also for a look through the
    // folder, and that what is dropped there from then on is the album's.
    @Test func directoriesFollowTheirAlbums() async throws {
        try await withKit(settings: .renamingSoon) { kit in
            try await Self.fill(kit)
            Self.rename(kit, to: "B")
            try await Self.expect(["B/1.jpg", "B/sub/2.jpg"], kit)
            #expect(access(kit.path("B/note.txt"), F_OK) == 0 && access(kit.path("A"), F_OK) != 0)
            try await eventually("the records follow") {
                .when(try kit.journal.facts(.folderRenaming).isEmpty, "the renaming is not settled")
            }
            let recorded = try kit.journal.facts(.folderFile).map { FolderPath(bytes: $0.key) }
            #expect(!recorded.contains { $0.isBelow(FolderPath("A")) })
            try kit.drop(SamplePhoto.jpeg(3), as: "B/3.jpg")
            try await kit.waitForDrops(of: 1...3)
            kit.folder.rescan()
            try await kit.settle()
            #expect(await kit.edits().isEmpty)
            #expect(await kit.dropped().map(\.name).sorted() == ["1.jpg", "2.jpg", "3.jpg"])
            #expect(kit.folder.files().first { $0.path == "B/3.jpg" }?.album == Self.album)
        }
    }

    // Shows that nothing that has the name is replaced, and that photos that come go to the album's directory.
    @Test func takenNamesAreLeft() async throws {
        try await withKit(settings: .renamingSoon) { kit in
            try await Self.fill(kit)
            kit.makeDirectory("b")
            try kit.write(Array("mine".utf8), to: "b/mine.txt")
            Self.rename(kit, to: "B")
            try await Self.expect(["B (2)/1.jpg", "B (2)/sub/2.jpg"], kit)
            #expect(access(kit.path("b/mine.txt"), F_OK) == 0)
            var placement = try kit.placement(SamplePhoto.jpeg(4), name: "4.jpg", album: "A")
            placement.albumName = "B"
            #expect(try await kit.folder.place(placement) == "B (2)/4.jpg")
        }
    }

    // Shows that a directory that is a mount, or holds one, stays.
    @Test func mountsStay() async throws {
        let probe = FolderProbe(
            list: FolderProbe.system.list,
            mounts: { _ in
                MountTable(mounts: [FolderPath("A/sub"): .identified(MountIdentity(fileSystem: 7, rootInode: 2))])
            })
        let kit = try await Kit(settings: .renamingSoon, probe: probe)
        defer { kit.remove() }
        try await kit.running { kit in
            try await Self.fill(kit)
            kit.folder.rescan()
            Self.rename(kit, to: "B")
            try await kit.settle()
            #expect(kit.shared == ["A/1.jpg", "A/sub/2.jpg"])
        }
    }

    // Shows that a disk that goes away, while it is asked what became of a renaming, settles nothing.
    @Test func aDiskThatGoesSettlesNothing() async throws {
        let kit = try await Kit(settings: .renamingSoon)
        defer { kit.remove() }
        try await Self.interrupt(kit)
        let disk = LeavingDisk(away: kit.base + "/away")
        let again = try await Kit(base: kit.base, host: kit.host, settings: .watchful, probe: disk.probe)
        disk.leave()
        try await again.running { again in
            let isTold = await again.host.wait { view in
                view.notices.contains { if case .unavailable = $0 { true } else { false } }
            }
            #expect(isTold)
            let open = try again.journal.facts(.folderRenaming)
            #expect(open.count == 1)
        }
    }

    // Shows that a photo that comes while a directory gets its new name does not have the former one made again.
    @Test func theFormerNameIsNotMadeAgain() async throws {
        let kit = try await Kit(settings: .renamingSoon)
        defer { kit.remove() }
        try await Self.interrupt(kit)
        let faulty = FaultyFolder()
        faulty.fail("")
        let again = try await Kit(base: kit.base, host: kit.host, settings: .renamingSoon, probe: faulty.probe)
        let placement = try again.placement(SamplePhoto.jpeg(4), name: "4.jpg", album: "A")
        await #expect(throws: FolderError.self) { try await again.folder.place(placement) }
        #expect(access(kit.path("A"), F_OK) != 0)
        try await again.pool.shutdownGracefully()
    }

    // Shows what a start makes of a renaming that a crash interrupted: before it, and behind it.
    @Test(arguments: [false, true]) func crashesAreSettled(isRenamed: Bool) async throws {
        let kit = try await Kit(settings: .renamingSoon)
        defer { kit.remove() }
        try await kit.running { kit in
            try await Self.fill(kit)
            let stat = try FileStat(path: kit.path("A"))
            let renaming = FolderRenaming(
                .album(Self.album), former: FolderPath("A"), target: FolderPath("B"), inode: stat.inode)
            try kit.journal.setFacts([renaming.intent])
        }
        if isRenamed { try #require(Glibc.rename(kit.path("A"), kit.path("B")) == 0) }
        let again = try await Kit(base: kit.base, host: kit.host, settings: .renamingSoon)
        #expect(again.shared == (isRenamed ? ["B/1.jpg", "B/sub/2.jpg"] : ["A/1.jpg", "A/sub/2.jpg"]))
        #expect(try again.journal.facts(.folderRenaming).isEmpty)
        try await again.running { again in
            try await again.settle()
            #expect(await again.edits().isEmpty)
        }
    }
}
