import AlbumModel
import DiskIO
import FolderEngine
import Glibc
import NIOPosix
import PhotoStore
import TestSupport
import Testing

@testable import SharedFolder

/// What becomes of files that are known already.
@Suite(.timeLimit(.minutes(2)))
struct ChangeTests {
    // Shows that a deleted file is told of and not placed again, and that it may come back.
    @Test func deletedFilesStayAway() async throws {
        try await withKit(settings: .inOrder) { kit in
            let placement = try kit.placement(SamplePhoto.jpeg(1), name: "x.jpg")
            await kit.host.add(SamplePhoto.jpeg(1), in: "Beach")
            #expect(try await kit.folder.place(placement) == "Beach/x.jpg")
            try await kit.dropSentinel(1)
            #expect(unlink(kit.path("Beach/x.jpg")) == 0)
            try await kit.settle()
            #expect(await kit.edits() == [.removed(album: placement.album, blob: placement.blob, path: "Beach/x.jpg")])
            #expect(try await kit.folder.place(placement) == nil)
            try kit.drop(SamplePhoto.jpeg(1), as: "Beach/back.jpg")
            try await kit.dropSentinel(2)
            #expect(await kit.dropped().isEmpty)
            #expect(
                await kit.host.notices.contains(
                    .returned(path: "Beach/back.jpg", album: placement.album, blob: placement.blob)))
            #expect(kit.folder.path(album: placement.album, blob: placement.blob) == "Beach/back.jpg")
        }
    }

    // Shows that a restart adds nothing again, finds what came meanwhile, and asks about what went.
    @Test func restartsAddNothing() async throws {
        let kit = try await Kit()
        defer { kit.remove() }
        try await kit.running { kit in
            kit.makeDirectory("A")
            for number in 1...3 { try kit.drop(SamplePhoto.jpeg(number), as: "A/\(number).jpg") }
            #expect(await kit.host.wait { $0.drops.count == 3 })
        }
        try kit.write(SamplePhoto.jpeg(4), to: "A/4.jpg")
        #expect(rename(kit.path("A/1.jpg"), kit.path("A/one.jpg")) == 0 && unlink(kit.path("A/2.jpg")) == 0)
        let again = try await Kit(base: kit.base, host: kit.host)
        try await again.running { kit in
            #expect(await kit.host.wait { $0.drops.count == 4 })
            kit.folder.core.queue.judgeSoon()
            #expect(await kit.host.wait { $0.held?.reason == .unexplained })
            try await kit.confirm()
            #expect(await kit.host.view.isRemoved(SamplePhoto.jpeg(2)))
            #expect(await kit.host.drops.map(\.name).sorted() == ["1.jpg", "2.jpg", "3.jpg", "4.jpg"])
            #expect(await kit.host.drops.last?.isLive == false)
        }
        #expect(again.folder.files().map(\.path) == ["A/3.jpg", "A/4.jpg", "A/one.jpg"])
    }

    // Shows that where folder state is lost, files of known photos are adopted and removed ones do not come back;
    // a live drop brings one back.
    @Test func lostStateIsAdopted() async throws {
        let kit = try await Kit(settings: .inOrder)
        defer { kit.remove() }
        kit.makeDirectory("A")
        try kit.write(SamplePhoto.jpeg(1), to: "A/1.jpg")
        try kit.write(SamplePhoto.jpeg(2), to: "A/2.jpg")
        await kit.host.add(SamplePhoto.jpeg(1), in: "A")
        await kit.host.remove(SamplePhoto.jpeg(2), in: "A")
        try await kit.running { kit in
            try await kit.dropSentinel(1)
            kit.folder.rescan()
            try await kit.dropSentinel(2)
            #expect(await kit.dropped().isEmpty)
            #expect(kit.folder.path(album: AlbumName.identifier("A"), blob: blobID(SamplePhoto.jpeg(1))) == "A/1.jpg")
            #expect(kit.folder.skipped().map(\.path) == ["A/2.jpg"])
            try kit.drop(SamplePhoto.jpeg(2), as: "A/2.jpg")
            #expect(await kit.host.wait { $0.drops.contains { $0.name == "2.jpg" } })
        }
    }

    // Shows that a folder without its marker is neither imported from nor taken for emptied, and works when it is back.
    @Test func aMissingMarkerStopsEverything() async throws {
        var settings = FolderSettings.calm
        settings.markerInterval = .milliseconds(20)
        try await withKit(settings: settings) { kit in
            kit.makeDirectory("A")
            try kit.drop(SamplePhoto.jpeg(1), as: "A/1.jpg")
            #expect(await kit.host.wait { $0.drops.count == 1 })
            // As an unmounted disk does: all goes, and an empty directory is left.
            #expect(rename(kit.root, kit.base + "/away") == 0 && mkdir(kit.root, 0o755) == 0)
            kit.folder.rescan()
            #expect(
                await kit.host.wait { view in
                    view.notices.contains { if case .unavailable = $0 { true } else { false } }
                })
            let placement = try kit.placement(SamplePhoto.jpeg(5), name: "x.jpg")
            await #expect(throws: FolderError.self) { try await kit.folder.place(placement) }
            try kit.write(SamplePhoto.jpeg(2), to: "stray.jpg")
            #expect(unlink(kit.path("stray.jpg")) == 0 && rmdir(kit.root) == 0)
            #expect(rename(kit.base + "/away", kit.root) == 0)
            #expect(await kit.host.wait { $0.notices.contains(.available) })
            try kit.drop(SamplePhoto.jpeg(3), as: "A/3.jpg")
            #expect(await kit.host.wait { $0.drops.count == 2 })
            #expect(await kit.host.drops.map(\.name) == ["1.jpg", "3.jpg"])
            #expect(await kit.host.edits.isEmpty)
        }
    }

    // Shows that the marker is made anew whatever a crash, or anybody, left under its temporary name: a person's file that
    // has this name as well keeps its bytes.
    @Test func markersOverwriteNothing() async throws {
        let kit = try await Kit()
        defer { kit.remove() }
        try await kit.pool.shutdownGracefully()
        let note = kit.base + "/note.txt"
        try Kit.write([1, 2, 3], to: note)
        #expect(link(note, kit.path(".potluck-folder.new")) == 0)
        try Marker.make(root: kit.root, folderID: kit.folder.core.folder.id)
        #expect(Marker.complaint(root: kit.root, folderID: kit.folder.core.folder.id) == nil)
        #expect(try FileStat(path: note).byteCount == 3)
        #expect(!kit.exists(".potluck-folder.new"))
    }

    // Shows that a folder that another home took over is left alone, and that the ID in the journal stays.
    @Test func foreignMarkersAreRespected() async throws {
        let kit = try await Kit()
        defer { kit.remove() }
        let first = try SharedFolder.prepare(root: kit.root, journal: kit.journal)
        #expect(try SharedFolder.prepare(root: kit.root, journal: kit.journal) == first)
        #expect(Marker.complaint(root: kit.root, folderID: first) == nil)
        mkdir(kit.base + "/other", 0o700)
        let other = try SharedFolder.prepare(root: kit.root, journal: Journal(home: kit.base + "/other"))
        #expect(other != first && Marker.complaint(root: kit.root, folderID: first) != nil)
        try await kit.pool.shutdownGracefully()
    }
}
