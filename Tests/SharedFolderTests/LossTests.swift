import AlbumModel
import DiskIO
import FolderEngine
import Glibc
import NIOPosix
import PhotoStore
import TestSupport
import Testing

@testable import SharedFolder

/// Few files that go, and whether anybody saw them go.
@Suite(.timeLimit(.minutes(2)))
struct LossTests {
    private static let files = [
        ("A/1.jpg", 1), ("A/2.jpg", 2), ("A/deep/3.jpg", 3), ("A/deep/4.jpg", 4), ("B/5.jpg", 5),
    ]
    .map { (path: $0.0, seed: $0.1) }

    private func withFiles(_ body: @Sendable (Kit) async throws -> Void) async throws {
        try await withKit(settings: .inOrder) { kit in
            try await kit.fill(Self.files)
            try await body(kit)
        }
    }

    private static func isHeld(_ kit: Kit, _ condition: @escaping @Sendable (HeldGroup) -> Bool) async throws -> Bool {
        try await kit.dropSentinel(Int.random(in: 1_000...1_000_000_000))
        kit.folder.core.queue.judgeSoon()
        return await kit.host.wait { $0.held.map(condition) ?? false }
    }

    // Shows that a photo which a person deletes while the agent watches is judged at once, also an album's only one.
    @Test func singlePhotosAreDeleted() async throws {
        try await withFiles { kit in
            #expect(unlink(kit.path("A/1.jpg")) == 0 && unlink(kit.path("B/5.jpg")) == 0)
            try await kit.settle()
            #expect(await kit.edits().count == 2)
            #expect(await kit.host.held == nil)
        }
    }

    // Shows that a photo whose file was saved empty waits for a person while the agent watches, as after a save that a full
    // disk refused, and can be put back. Catches an empty file that takes its photo from everybody.
    @Test func emptiedFilesWaitForAWord() async throws {
        var settings = FolderSettings.inOrder
        settings.patience.short = .milliseconds(20)
        try await withKit(settings: settings) { kit in
            try await kit.fill(Self.files)
            try kit.write([], to: "A/1.jpg")
            try await kit.dropSentinel(2)
            try await kit.waitForLooks()
            #expect(try await Self.isHeld(kit) { $0.reason == .unexplained && $0.paths == ["A/1.jpg"] })
            #expect(await kit.edits().isEmpty)
            try await kit.folder.undoHeld()
            try await kit.settle()
            #expect(await kit.edits().isEmpty && kit.shared == Self.files.map(\.path))
            #expect(try FileStat(path: kit.path("A/1.jpg")).byteCount > 0)
        }
    }

    // Shows that a directory which loses all its files waits for a person, however few they were, and can be put back.
    @Test func lostDirectoriesWaitForAWord() async throws {
        try await withFiles { kit in
            #expect(unlink(kit.path("A/deep/3.jpg")) == 0 && unlink(kit.path("A/deep/4.jpg")) == 0)
            #expect(try await Self.isHeld(kit) { $0.reason == .directoryGone && $0.vanished == 2 && $0.of == 4 })
            try await kit.folder.undoHeld()
            try await kit.settle()
            #expect(await kit.edits().isEmpty && kit.shared == Self.files.map(\.path))
            // The only photo of an album, with its directory.
            #expect(rename(kit.path("B"), kit.base + "/B") == 0)
            #expect(try await Self.isHeld(kit) { $0.reason == .directoryGone && $0.paths == ["B/5.jpg"] })
            try await kit.confirm()
            #expect(await kit.edits().count == 1)
        }
    }

    // Shows that what moves from a directory is no loss of it.
    @Test func emptiedDirectoriesAreNoLoss() async throws {
        try await withFiles { kit in
            for name in ["3.jpg", "4.jpg"] { #expect(rename(kit.path("A/deep/" + name), kit.path("B/" + name)) == 0) }
            #expect(rmdir(kit.path("A/deep")) == 0)
            try await kit.settle()
            #expect(await kit.edits().count == 2)
            #expect(await kit.host.held == nil)
        }
    }

    // Shows that a single file which went while no agent ran waits for a person, and what moved or changed meanwhile does
    // not.
    @Test func unseenLossesWaitForAWord() async throws {
        let kit = try await Kit(settings: .inOrder)
        defer { kit.remove() }
        try await kit.running { try await $0.fill(Self.files) }
        #expect(unlink(kit.path("A/1.jpg")) == 0)
        #expect(rename(kit.path("A/deep/3.jpg"), kit.path("B/3.jpg")) == 0)
        let again = try await Kit(base: kit.base, host: kit.host, settings: .inOrder)
        try await again.running { kit in
            let isHeld = try await Self.isHeld(kit) { $0.reason == .unexplained && $0.paths == ["A/1.jpg"] }
            #expect(isHeld)
            #expect(await kit.host.held?.sentence.contains("while the agent did not run") == true)
            #expect(await kit.edits().count == 1, "the move")
        }
        // It waits over another restart; who asks at once is not told that nothing waits.
        var settings = FolderSettings.inOrder
        settings.judging.quiet = .milliseconds(20)
        let third = try await Kit(base: kit.base, host: kit.host, settings: settings)
        let folder = third.folder
        let early = Task { try await folder.heldGroup() }
        try await third.running { kit in
            let held = try await kit.folder.heldGroup()
            #expect(held?.paths == ["A/1.jpg"])
            let group = try await early.value
            #expect(group?.vanished == 1)
            try await kit.folder.undoHeld()
            #expect(kit.exists("A/1.jpg"))
            let after = try await kit.folder.heldGroup()
            #expect(after == nil)
        }
    }

    // Shows that a decision asked for before the folder was looked through is refused, not taken for one about nothing.
    @Test func earlyDecisionsAreRefused() async throws {
        let kit = try await Kit(settings: .inOrder)
        defer { kit.remove() }
        try kit.journal.setFacts([FactChange(kind: .folderHeld, key: [], value: BigEndian.bytes(UInt64(7)))])
        try await kit.pool.shutdownGracefully()
        var settings = FolderSettings.inOrder
        settings.heldPatience = .milliseconds(20)
        let again = try await Kit(base: kit.base, host: kit.host, settings: settings)
        await #expect(throws: FolderError.self) { try await again.folder.confirmHeld(version: nil) }
        await #expect(throws: FolderError.self) { try await again.folder.undoHeld() }
        await #expect(throws: FolderError.self) { _ = try await again.folder.heldGroup() }
        try await again.pool.shutdownGracefully()
    }
}
