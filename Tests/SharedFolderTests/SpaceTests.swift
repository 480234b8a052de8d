import AlbumModel
import DiskIO
import FolderEngine
import Glibc
import PhotoStore
import TestSupport
import Testing

@testable import SharedFolder

/// People's files that are one with the store's, so that photos take their space once.
@Suite(.timeLimit(.minutes(2)))
struct SpaceTests {
    private static let a = AlbumName.identifier("A")

    /// A kit with one photo, `A/x.jpg` of seed 1, whose file is the store's.
    private func withSharedPhoto(_ body: @Sendable (Kit, FolderFile) async throws -> Void) async throws {
        try await withKit(settings: .inOrder) { kit in
            for directory in ["A", "B"] { kit.makeDirectory(directory) }
            try kit.drop(SamplePhoto.jpeg(1), as: "A/x.jpg")
            try await kit.waitForDrops(of: [1])
            let file = try #require(kit.folder.ownFiles().first { $0.path == "A/x.jpg" })
            #expect(await kit.folder.share(file))
            #expect(try kit.blobs.isShared(file.blob, withFileAt: kit.path("A/x.jpg")))
            try await body(kit, file)
        }
    }

    /// Nobody takes the store's name for a change of the file: it is known as it is now, and not read again.
    @Test func sharingIsNoChange() async throws {
        try await withSharedPhoto { kit, file in
            let known = kit.folder.core.queue.read { $0.state.files[FolderPath("A/x.jpg")]?.signature }
            #expect(try known == FileSignature(FileStat(path: kit.path("A/x.jpg"))))
            #expect(await !kit.folder.share(file))
            kit.folder.rescan()
            try await kit.settle()
            #expect(await kit.edits().isEmpty)
            #expect(await kit.folder.separate(file))
            #expect(try !kit.blobs.isShared(file.blob, withFileAt: kit.path("A/x.jpg")))
            kit.folder.rescan()
            try await kit.settle()
            #expect(await kit.edits().isEmpty)
            #expect(kit.shared == ["A/x.jpg"])
        }
    }

    /// Who writes into the file makes another photo of it. The bytes of before are the store's no longer: the agent is told.
    @Test func editsInPlaceAreNoticed() async throws {
        try await withSharedPhoto { kit, file in
            try Kit.write(SamplePhoto.jpeg(2), to: kit.path("A/x.jpg"), flags: O_TRUNC)
            #expect(await kit.host.wait { $0.notices.contains(.overwritten(path: "A/x.jpg", blob: file.blob)) })
            #expect(throws: BlobError.self) { try kit.blobs.open(file.blob) }
            // With the store's name gone the file is looked at once more.
            try await eventually("an edit") { () -> Attempt<Void> in
                try await kit.settle()
                return await .when(!kit.edits().isEmpty, "none")
            }
            let edits = await kit.edits()
            #expect(
                edits.contains {
                    guard case .replaced(Self.a, file.blob, let drop) = $0 else { return false }
                    return drop.blob.id == blobID(SamplePhoto.jpeg(2))
                }, "\(edits)")
            #expect(try kit.blobs.open(blobID(SamplePhoto.jpeg(2))) != nil)
            #expect(kit.shared == ["A/x.jpg"])
        }
    }

    /// A new file that is renamed over it, as most programs save, leaves the store's bytes alone.
    @Test func savingAsANewFileKeepsTheStoresBytes() async throws {
        try await withSharedPhoto { kit, file in
            try kit.drop(SamplePhoto.jpeg(2), as: "A/x.jpg")
            try await kit.settle()
            #expect(try kit.blobs.open(file.blob) != nil)
            #expect(try kit.blobs.open(blobID(SamplePhoto.jpeg(2))) != nil)
            #expect(kit.shared == ["A/x.jpg"])
        }
    }

    /// Moved, renamed and deleted files are what they would be without.
    @Test func movesAndDeletionsAreSeen() async throws {
        try await withSharedPhoto { kit, file in
            #expect(rename(kit.path("A/x.jpg"), kit.path("B/y.jpg")) == 0)
            try await kit.settle()
            #expect(await kit.host.names(in: "B") == ["y.jpg"])
            #expect(unlink(kit.path("B/y.jpg")) == 0)
            try await kit.settle()
            #expect(await kit.host.names(in: "B").isEmpty)
            #expect(try kit.blobs.open(file.blob) != nil)
        }
    }

    /// A file that was changed since it was looked at is left alone.
    @Test func changedFilesAreNotShared() async throws {
        try await withKit(settings: .inOrder) { kit in
            kit.makeDirectory("A")
            try kit.drop(SamplePhoto.jpeg(1), as: "A/x.jpg")
            try await kit.waitForDrops(of: [1])
            let file = try #require(kit.folder.ownFiles().first { $0.path == "A/x.jpg" })
            var times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
            #expect(utimensat(AT_FDCWD, kit.path("A/x.jpg"), &times, 0) == 0)
            #expect(await !kit.folder.share(file))
            #expect(try FileStat(path: kit.path("A/x.jpg")).linkCount == 1)
        }
    }
}
