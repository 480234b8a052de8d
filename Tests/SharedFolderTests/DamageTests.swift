import AlbumModel
import Glibc
import PhotoStore
import TestSupport
import Testing

@testable import FolderEngine
@testable import SharedFolder

/// Bytes that changed while nobody watched, under a size and a time that did not.
@Suite(.timeLimit(.minutes(2)))
struct DamageTests {
    private static let name = "A/x.jpg"

    /// A kit whose `A/x.jpg`, seed 1, was damaged while no agent ran.
    private func withDamage(_ body: @Sendable (Kit) async throws -> Void) async throws {
        let kit = try await Kit(settings: .inOrder)
        defer { kit.remove() }
        try await kit.running { try await $0.fill([(Self.name, 1), ("A/y.jpg", 2)]) }
        FolderHands(root: kit.root).edit(Self.name, Self.damaged, .inPlaceUnseen)
        let again = try await Kit(base: kit.base, host: kit.host, settings: .inOrder)
        try await again.running { kit in
            try await kit.settle()
            try await body(kit)
        }
    }

    private static var damaged: [UInt8] {
        var bytes = SamplePhoto.jpeg(1)
        bytes[bytes.count / 2] ^= 0xFF
        return bytes
    }

    // Shows that such bytes are listed with what to do, and neither added nor taken for an edit, however often the folder
    // is looked through.
    @Test func damageIsNoEdit() async throws {
        try await withDamage { kit in
            kit.folder.rescan()
            try await kit.settle()
            #expect(await kit.edits().isEmpty)
            #expect(await kit.dropped().count == 2)
            #expect(await kit.host.held == nil)
            #expect(kit.folder.skipped().map(\.path) == [Self.name])
            #expect(kit.folder.skipped()[0].reason.contains("save or `touch` it"))
            #expect(kit.shared == [Self.name, "A/y.jpg"])
            // What its bytes are nobody has but this laptop.
            #expect(kit.folder.incoming().paths.contains(Self.name))
            #expect(!kit.blobs.contains(blobID(Self.damaged)), "nothing of it is taken in")
        }
    }

    // Shows that whoever saves the file means it as an edit.
    @Test func savedFilesAreEdits() async throws {
        try await withDamage { kit in
            FolderHands(root: kit.root).edit(Self.name, Self.damaged, .inPlace)
            try await kit.settle()
            #expect(await kit.host.photos.contains(FakeHost.photo(blobID(Self.damaged), in: "A")))
            #expect(await kit.edits().count == 1)
            #expect(kit.folder.skipped().isEmpty)
        }
    }

    // Shows that the good copy takes the place of a damaged file that is deleted, and that this is no removal.
    @Test func deletedDamageIsReplaced() async throws {
        try await withDamage { kit in
            #expect(unlink(kit.path(Self.name)) == 0)
            try await kit.settle()
            #expect(await kit.edits().isEmpty)
            #expect(try kit.blobs.stat(ofFileWith: blobID(SamplePhoto.jpeg(1)), at: kit.path(Self.name)) != nil)
            #expect(!kit.folder.incoming().paths.contains(Self.name))
            #expect(kit.folder.skipped().isEmpty)
        }
    }

    // Shows that of two deleted ones, one of whose photos left its album meanwhile, only the other is put back.
    @Test func withdrawnPhotosAreNotPutBack() async throws {
        try await withKit(settings: .inOrder) { kit in
            try await kit.fill([(Self.name, 1), ("A/y.jpg", 2)])
            let core = kit.folder.core
            let paths = [Self.name, "A/y.jpg"].map { FolderPath($0) }
            let records = core.queue.read { judge in paths.map { judge.state.files[$0]! } }
            for (path, record) in zip(paths, records) {
                let job = CandidateBook.Job(path: path, isLive: false)
                let comparison = FileComparison(.damage, job, signature: record.signature, photo: record.photo)
                core.queue.change { judge, _ in judge.looks.ask(.comparison, job) }
                _ = core.queue.handle(.compared(comparison, .success(.other(record.signature))))
            }
            #expect(unlink(kit.path(Self.name)) == 0)
            try await kit.folder.takeAway([records[1].photo])
            let directives = zip(paths, records).map { FolderDirective.bringBack($0, $1) }
            try await DirectiveRunner(core: core).perform(directives)
            #expect(kit.exists(Self.name) && !kit.exists("A/y.jpg"))
            #expect(kit.shared == [Self.name])
        }
    }

    // Shows that deleting one removes no photo where the store's copy cannot be looked at: it only has no file then.
    @Test func deletedDamageIsNoRemoval() async throws {
        try await withDamage { kit in
            let stored = kit.blobs.path(of: blobID(SamplePhoto.jpeg(1)))
            #expect(rename(stored, stored + ".away") == 0)
            #expect(symlink(stored, stored) == 0)
            #expect(unlink(kit.path(Self.name)) == 0)
            try await kit.settle()
            #expect(await kit.edits().isEmpty)
            #expect(await kit.host.held == nil)
            #expect(await kit.host.photos.contains(FakeHost.photo(blobID(SamplePhoto.jpeg(1)), in: "A")))
            #expect(kit.shared == ["A/y.jpg"])
        }
    }
}
