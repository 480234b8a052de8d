import AlbumModel
import DiskIO
import FolderEngine
import Glibc
import PhotoStore
import Synchronization
import TestSupport
import Testing

@testable import SharedFolder

/// What a power cut takes of files that a person had just made is not taken for that person's doing.
@Suite(.timeLimit(.minutes(2)))
struct PowerCutTests {
    private static let nextBoot = BootID(bytes: [2])

    private static func bytes(_ seed: Int) -> [UInt8] { SamplePhoto.jpeg(seed, byteCount: 6000) }

    private static func photo(_ seed: Int) -> PhotoKey { FakeHost.photo(blobID(bytes(seed)), in: "A") }

    /// A home whose agent ran once and took in photos of a person, and stopped.
    private static func filled(_ seeds: ClosedRange<Int>, settings: FolderSettings = .inOrder) async throws -> Kit {
        let kit = try await Kit(settings: settings)
        try await kit.running { kit in
            for directory in ["A", "A/deep"] { kit.makeDirectory(directory) }
            for seed in seeds { try kit.drop(bytes(seed), as: name(seed)) }
            let blobs = Set(seeds.map { blobID(bytes($0)) })
            #expect(await kit.host.wait { blobs.isSubset(of: $0.drops.map(\.blob.id)) })
            try await kit.dropSentinel(Int.random(in: 1_000...1_000_000_000))
        }
        return kit
    }

    private static func name(_ seed: Int) -> String { seed.isMultiple(of: 2) ? "A/\(seed).jpg" : "A/deep/\(seed).jpg" }

    private static func contents(_ kit: Kit, _ seed: Int) throws -> BlobID? {
        guard let stat = try? FileStat(path: kit.path(name(seed))) else { return nil }
        return try kit.blobs.stat(ofFileWith: blobID(bytes(seed)), at: kit.path(name(seed))) == stat
            ? blobID(bytes(seed)) : BlobID(bytes: [UInt8](repeating: 0, count: BlobID.byteCount))
    }

    // Shows that files which are gone, empty, cut short or full of zeros after a power cut are put back, with the
    // directories that they were in, and that a file with other bytes is a person's edit.
    @Test func lostFilesArePutBack() async throws {
        let before = try await Self.filled(1...6)
        defer { before.remove() }
        for seed in [1, 3, 5] { #expect(unlink(before.path(Self.name(seed))) == 0) }
        #expect(rmdir(before.path("A/deep")) == 0)
        try before.write([], to: Self.name(2))
        var zeros = Self.bytes(4)
        zeros.replaceSubrange(4000..., with: [UInt8](repeating: 0, count: 2000))
        try before.write(zeros, to: Self.name(4))
        try before.write(Self.bytes(66), to: Self.name(6))
        let kit = try await Kit(base: before.base, host: before.host, settings: .inOrder, boot: Self.nextBoot)
        try await kit.running { kit in
            try await kit.settle()
            for seed in 1...5 { #expect(try Self.contents(kit, seed) == blobID(Self.bytes(seed))) }
            #expect(await kit.host.photos.isSuperset(of: (1...5).map(Self.photo)))
            #expect(await kit.edits().count == 1, "the edit alone")
            #expect(await kit.host.photos.contains(FakeHost.photo(blobID(Self.bytes(66)), in: "A")))
            #expect(kit.shared.count == 6)
        }
    }

    // Shows that a file which a program is just saving is not taken for what a power cut left: what it saves is there. Catches
    // a file that is removed while somebody writes it.
    @Test func filesThatAreBeingSavedStay() async throws {
        let before = try await Self.filled(1...2)
        defer { before.remove() }
        let path = before.path(Self.name(2))
        let writer = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
        try #require(writer >= 0)
        let inode = try FileStat(path: path).inode
        let kit = try await Kit(base: before.base, host: before.host, settings: .inOrder, boot: Self.nextBoot)
        try await kit.running { kit in
            try await kit.dropSentinel(1)
            let during = try FileStat(path: path)
            #expect(during.inode == inode && during.byteCount == 0)
            let saved = Self.bytes(77)
            let count = saved.withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
            #expect(count == saved.count)
            close(writer)
            try await kit.settle()
            let after = try FileStat(path: path)
            #expect(after.inode == inode && after.byteCount == UInt64(saved.count))
        }
    }

    // Shows that without a power cut, and of files that the disk had taken, a deletion is a deletion, which a person confirms.
    @Test func deletionsAreStillMeant() async throws {
        let before = try await Self.filled(1...2)
        defer { before.remove() }
        #expect(unlink(before.path(Self.name(2))) == 0)
        var settings = FolderSettings.inOrder
        settings.syncInterval = .zero
        let same = try await Kit(base: before.base, host: before.host, settings: settings)
        try await same.running { kit in
            try await kit.settle(confirms: true)
            #expect(await !kit.host.photos.contains(Self.photo(2)))
            let isSynced = await kit.synced()
            #expect(isSynced)
        }
        #expect(unlink(same.path(Self.name(1))) == 0)
        let next = try await Kit(base: before.base, host: before.host, settings: .inOrder, boot: Self.nextBoot)
        try await next.running { kit in
            try await kit.settle(confirms: true)
            #expect(await !kit.host.photos.contains(Self.photo(1)))
            #expect(access(kit.path(Self.name(1)), F_OK) != 0)
        }
    }

    // Shows that a disk which was pulled out amid it counts like a power cut.
    @Test func pulledDisksArePowerCuts() async throws {
        var settings = FolderSettings.inOrder
        settings.markerInterval = .milliseconds(20)
        let kit = try await Self.filled(1...2, settings: settings)
        defer { kit.remove() }
        let again = try await Kit(base: kit.base, host: kit.host, settings: settings)
        try await again.running { kit in
            #expect(rename(kit.root, kit.base + "/pulled") == 0)
            kit.folder.rescan()
            #expect(await kit.host.wait { $0.notices.contains { if case .unavailable = $0 { true } else { false } } })
            #expect(unlink(kit.base + "/pulled/" + Self.name(2)) == 0)
            #expect(rename(kit.base + "/pulled", kit.root) == 0)
            #expect(await kit.host.wait { $0.notices.contains(.available) })
            try await kit.settle()
            #expect(try Self.contents(kit, 2) == blobID(Self.bytes(2)))
            #expect(await kit.host.photos.contains(Self.photo(2)))
        }
    }

    // Shows that a photo whose bytes the store has not either is no person's deletion, and leaves no record.
    @Test func whatCannotBePutBackIsNotDeleted() async throws {
        let before = try await Self.filled(1...2)
        defer { before.remove() }
        let blob = blobID(Self.bytes(1))
        #expect(unlink(before.base + "/home/blobs/\(blob.hex.prefix(2))/\(blob.hex.dropFirst(2))") == 0)
        #expect(unlink(before.path(Self.name(1))) == 0)
        let kit = try await Kit(base: before.base, host: before.host, settings: .inOrder, boot: Self.nextBoot)
        try await kit.running { kit in
            try await kit.settle()
            #expect(await kit.host.photos.isSuperset(of: (1...2).map(Self.photo)))
            #expect(kit.shared == [Self.name(2)])
        }
    }

    // Shows that a file which cannot be compared with the store's is neither forgotten nor taken for an edit or a new photo,
    // and is mended once it can be.
    @Test func whatCannotBeComparedWaits() async throws {
        let before = try await Self.filled(1...2)
        defer { before.remove() }
        var damaged = Self.bytes(2)
        damaged.replaceSubrange(3000..<5000, with: [UInt8](repeating: 0, count: 2000))
        try before.write(damaged, to: Self.name(2))
        let stored = (1...2).map { before.blobs.path(of: blobID(Self.bytes($0))) }
        for path in stored {
            #expect(rename(path, path + ".away") == 0)
            #expect(symlink(path, path) == 0)
        }
        let kit = try await Kit(base: before.base, host: before.host, settings: .watchful, boot: Self.nextBoot)
        try await kit.running { kit in
            #expect(await kit.isToldUnreachable("2.jpg cannot be read"))
            try await kit.settle()
            #expect(await kit.isUntouched())
            #expect(await kit.dropped().count == 2)
            #expect(kit.shared.contains(Self.name(2)))
            // One that is whole needs nothing to be compared with.
            #expect(!kit.folder.core.queue.read { $0.gaps.covers(FolderPath(Self.name(1))) })
            for path in stored {
                #expect(unlink(path) == 0)
                #expect(rename(path + ".away", path) == 0)
            }
            #expect(await kit.isReachableAgain())
            try await kit.settle()
            #expect(await kit.isUntouched())
            #expect(try Self.contents(kit, 2) == blobID(Self.bytes(2)))
            #expect(kit.shared.count == 2)
        }
    }
}
