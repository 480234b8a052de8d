import AlbumModel
import DiskIO
import FolderEngine
import Glibc
import PhotoStore
import TestSupport
import Testing

@testable import SharedFolder

/// Losses that look like an accident wait for a person.
@Suite(.timeLimit(.minutes(2)))
struct BrakeTests {
    private static let count = 30

    /// A kit with thirty photos in one album, run once.
    private func withAlbum(_ body: @Sendable (Kit) async throws -> Void) async throws {
        try await withKit(settings: .inOrder) { kit in
            try await Self.fill(kit)
            try await body(kit)
        }
    }

    private static func fill(_ kit: Kit) async throws {
        for directory in ["A", "A/deep"] { kit.makeDirectory(directory) }
        for number in 0..<count { try kit.drop(SamplePhoto.jpeg(number), as: name(number)) }
        try await kit.waitForDrops(of: 0..<count)
    }

    private static func name(_ number: Int) -> String { "A/\(number.isMultiple(of: 2) ? "" : "deep/")\(number).jpg" }

    private static func removeAll(_ kit: Kit) {
        for number in 0..<count { #expect(unlink(kit.path(name(number))) == 0) }
        #expect(rmdir(kit.path("A/deep")) == 0 && rmdir(kit.path("A")) == 0)
    }

    /// Waits for the brake after what was done before.
    private static func isHeld(_ kit: Kit, _ condition: @escaping @Sendable (HeldGroup) -> Bool) async throws -> Bool {
        try await kit.dropSentinel(Int.random(in: 1_000...1_000_000_000))
        try await kit.waitForLooks()
        kit.folder.core.queue.judgeSoon()
        return await kit.host.wait { $0.held.map(condition) ?? false }
    }

    // Shows that a mass deletion waits, that photos are received and added meanwhile, and that a person confirms it.
    @Test func massDeletionsWaitForAWord() async throws {
        try await withAlbum { kit in
            Self.removeAll(kit)
            #expect(
                try await Self.isHeld(kit) { $0.vanished == Self.count && $0.of == Self.count && $0.paths.count == 20 })
            #expect(await kit.edits().isEmpty)
            let placement = try kit.placement(SamplePhoto.jpeg(100), name: "new.jpg")
            await kit.host.add(SamplePhoto.jpeg(100), in: "Beach")
            #expect(try await kit.folder.place(placement) == "Beach/new.jpg")
            try kit.drop(SamplePhoto.jpeg(101), as: "mine.jpg")
            #expect(await kit.host.wait { $0.drops.contains { $0.name == "mine.jpg" } })
            try await kit.confirm()
            #expect(await kit.host.held == nil)
            #expect(await kit.edits().count == Self.count)
            #expect(await kit.host.names(in: "A").isEmpty)
            #expect(kit.shared == ["Beach/new.jpg", "mine.jpg"])
            #expect(try kit.journal.fact(.folderHeld, []) == nil)
            // Once more is no harm.
            try await kit.confirm()
            try await kit.folder.undoHeld()
        }
    }

    // Shows that what goes between a person's look and their word is not confirmed with it, and waits for a word of its own.
    // Catches photos that leave their album for everybody though nobody saw that they had gone.
    @Test func whatNobodySawIsNotConfirmed() async throws {
        try await withAlbum { kit in
            for number in 0..<25 { #expect(unlink(kit.path(Self.name(number))) == 0) }
            #expect(try await Self.isHeld(kit) { $0.vanished == 25 })
            let shown = try await kit.folder.heldGroup()
            let seen = try #require(shown).version
            #expect(unlink(kit.path(Self.name(25))) == 0)
            #expect(try await Self.isHeld(kit) { $0.vanished == 26 })
            // A word that does not say what was seen, as of a program of an earlier version.
            await #expect(throws: FolderError.self) { try await kit.folder.confirmHeld(version: nil) }
            #expect(await kit.edits().isEmpty)
            try await kit.folder.confirmHeld(version: seen)
            #expect(await kit.edits().count == 25)
            #expect(await kit.host.held?.paths == [Self.name(25)])
            #expect(await kit.host.names(in: "A").count == Self.count - 25)
            await #expect(throws: FolderError.self) { try await kit.folder.confirmHeld(version: seen) }
            try await kit.confirm()
            #expect(await kit.edits().count == 26)
            #expect(await kit.host.held == nil)
        }
    }

    // Shows that `undo` places every file again where it was, with its bytes and time, and that nothing is told.
    @Test func massDeletionsAreUndone() async throws {
        try await withAlbum { kit in
            let before = try FileStat(path: kit.path(Self.name(1)))
            Self.removeAll(kit)
            #expect(try await Self.isHeld(kit) { $0.reason == .manyVanished })
            try await kit.folder.undoHeld()
            #expect(await kit.host.held == nil)
            try await kit.settle()
            #expect(await kit.edits().isEmpty)
            #expect(kit.shared.count == Self.count)
            for number in 0..<Self.count {
                let stat = try kit.blobs.stat(
                    ofFileWith: blobID(SamplePhoto.jpeg(number)), at: kit.path(Self.name(number)))
                #expect(stat != nil)
            }
            #expect(try FileStat(path: kit.path(Self.name(1))).modified == before.modified)
            #expect(try kit.journal.facts(.folderIntent).isEmpty)
        }
    }

    // Shows that what was written over many photos is kept beside them by `undo`, photo or not.
    @Test func massRewritesAreUndone() async throws {
        try await withAlbum { kit in
            for number in 0..<Self.count {
                let bytes = number < 20 ? SamplePhoto.jpeg(1000 + number) : Array("locked \(number)".utf8)
                try kit.write(bytes, to: Self.name(number))
            }
            #expect(
                try await Self.isHeld(kit) { $0.reason == .manyRewritten && $0.rewritten == 20 && $0.vanished == 10 })
            #expect(await kit.edits().isEmpty)
            #expect(await kit.dropped().count == Self.count)
            try await kit.folder.undoHeld()
            try await kit.settle()
            #expect(await kit.edits().isEmpty)
            #expect(await kit.dropped().count == Self.count + 20)
            #expect(kit.shared.contains("A/0.jpg") && kit.shared.contains("A/0 (changed).jpg"))
            #expect(kit.folder.skipped().count == 10)
        }
    }

    // Shows that the group survives a restart, even where it is under the limits by then, and shrinks when files return.
    @Test func heldGroupsSurviveARestart() async throws {
        let kit = try await Kit(settings: .inOrder)
        defer { kit.remove() }
        try await kit.running { kit in
            try await Self.fill(kit)
            #expect(rename(kit.path("A"), kit.base + "/A") == 0)
            #expect(try await Self.isHeld(kit) { $0.vanished == Self.count })
        }
        let id = await kit.host.held?.id
        kit.makeDirectory("A")
        for number in stride(from: 4, to: Self.count, by: 2) {
            #expect(rename(kit.base + "/" + Self.name(number), kit.path(Self.name(number))) == 0)
        }
        #expect(rename(kit.base + "/A/deep", kit.path("A/deep")) == 0)
        let again = try await Kit(base: kit.base, host: kit.host, settings: .inOrder)
        try await again.running { kit in
            #expect(try await Self.isHeld(kit) { $0.vanished == 2 && $0.paths == ["A/0.jpg", "A/2.jpg"] })
            #expect(await kit.host.held?.id == id)
            for number in [0, 2] {
                #expect(rename(kit.base + "/" + Self.name(number), kit.path(Self.name(number))) == 0)
            }
            try await kit.dropSentinel(2)
            kit.folder.core.queue.judgeSoon()
            #expect(await kit.host.wait { $0.held == nil })
            #expect(await kit.edits().isEmpty)
            #expect(kit.shared.count == Self.count)
        }
    }

    // Shows that edits that a person confirmed and the agent could not follow, as on a full disk, stay as they were in
    // folder state, and that their next word has all of them told once, in one group. Catches records that are ahead of the
    // album, and a group of which a part is told.
    @Test func confirmedEditsThatFailAreTriedAgain() async throws {
        try await withAlbum { kit in
            for number in 0..<Self.count { try kit.write(SamplePhoto.jpeg(1000 + number), to: Self.name(number)) }
            #expect(try await Self.isHeld(kit) { $0.reason == .manyRewritten && $0.rewritten == Self.count })
            let former = Set((0..<Self.count).map { blobID(SamplePhoto.jpeg($0)) })
            await kit.host.failEdits(times: 1)
            await #expect(throws: FolderError.self) { try await kit.confirm() }
            #expect(await kit.edits().isEmpty)
            #expect(Set(kit.folder.files().map(\.blob)).isSuperset(of: former))
            try await kit.confirm()
            let edits = await kit.edits()
            let replaced = edits.compactMap { edit -> (old: BlobID, new: BlobID)? in
                if case .replaced(_, let old, let drop) = edit { (old, drop.blob.id) } else { nil }
            }
            #expect(replaced.count == Self.count && edits.count == Self.count)
            for (old, new) in replaced {
                let number = (0..<Self.count).first { blobID(SamplePhoto.jpeg($0)) == old }
                #expect(number.map { blobID(SamplePhoto.jpeg(1000 + $0)) } == new)
            }
            #expect(Set(kit.folder.files().map(\.blob)).isDisjoint(with: former))
            #expect(await kit.host.held == nil)
        }
    }

    // Shows that moving everything is no loss, however much it is.
    @Test func massMovesAreNoLoss() async throws {
        try await withAlbum { kit in
            #expect(rename(kit.path("A"), kit.path("B")) == 0)
            try await kit.settle()
            #expect(await kit.host.held == nil)
            #expect(await kit.host.names(in: "B").count == Self.count)
            #expect(await kit.host.names(in: "A").isEmpty)
            #expect(kit.shared.count == Self.count)
        }
    }

    // Shows that a folder put back from a backup removes and replaces nothing: some files are older, some are not there.
    @Test func restoredFoldersWaitForAWord() async throws {
        let kit = try await Kit(settings: .inOrder)
        defer { kit.remove() }
        try await kit.running { kit in
            try await Self.fill(kit)
            try kit.write(SamplePhoto.jpeg(200), to: "A/0.jpg")
            try await kit.settle()
            #expect(await kit.edits().count == 1)
        }
        // As of before the edit, and before the last photo came.
        try kit.write(SamplePhoto.jpeg(0), to: "A/0.jpg")
        #expect(unlink(kit.path(Self.name(29))) == 0)
        let again = try await Kit(base: kit.base, host: kit.host, settings: .inOrder)
        try await again.running { kit in
            let isHeld = try await Self.isHeld(kit) { group in
                group.reason == .restoredFolder && group.vanished == 1 && group.rewritten == 1
            }
            #expect(isHeld)
            #expect(await kit.edits().count == 1)
        }
    }
}
