import AlbumModel
import DiskIO
import FolderEngine
import Glibc
import NIOPosix
import PhotoStore
import TestSupport
import Testing

@testable import SharedFolder

@Suite(.timeLimit(.minutes(2)))
struct PlacingTests {
    // Shows that placed photos are ordinary files of the right bytes and time, and that our own placing is no drop.
    @Test func placingIsNoDrop() async throws {
        try await withKit(settings: .inOrder) { kit in
            for number in 1...20 {
                let placement = try kit.placement(SamplePhoto.jpeg(number), name: "\(number).jpg")
                await kit.host.add(SamplePhoto.jpeg(number), in: "Beach")
                #expect(try await kit.folder.place(placement) == "Beach/\(number).jpg")
                #expect(try await kit.folder.place(placement) == nil)
            }
            try await kit.dropSentinel(1)
            kit.folder.rescan()
            try await kit.dropSentinel(2)
            #expect(await kit.dropped().isEmpty)
            let stat = try FileStat(path: kit.path("Beach/7.jpg"))
            #expect(stat.byteCount == UInt64(SamplePhoto.jpeg(7).count) && stat.modified == 1_700_000_000_123_456_789)
            #expect(kit.folder.skipped().isEmpty)
        }
    }

    // Shows that no name from a peer leads out of the folder, nor through a symbolic link.
    @Test func namesNeverLeadOut() async throws {
        let kit = try await Kit()
        defer { kit.remove() }
        mkdir(kit.base + "/elsewhere", 0o755)
        #expect(symlink(kit.base + "/elsewhere", kit.path("Linked")) == 0)
        for (number, album) in ["../up", "..", "/etc", "a/../../b", "Linked", ".hidden"].enumerated() {
            let placement = try kit.placement(SamplePhoto.jpeg(number), name: "../../\(number)", album: album)
            let path = try #require(try await kit.folder.place(placement))
            let components = path.split(separator: "/")
            #expect(components.count == 2 && components.allSatisfy { !$0.hasPrefix(".") })
            #expect(try FileStat(path: kit.path(path)).isRegularFile)
        }
        #expect(rmdir(kit.base + "/elsewhere") == 0)
        try await kit.pool.shutdownGracefully()
    }

    // Shows that photos of one name all get a place, and that files we know nothing of are never replaced.
    @Test func collisionsKeepEveryPhoto() async throws {
        let kit = try await Kit()
        defer { kit.remove() }
        kit.makeDirectory("beach")
        try kit.write(Array("mine".utf8), to: "beach/IMG (Ben).jpg")
        var paths: [String] = []
        for (number, name) in ["IMG.jpg", "img.JPG", "IMG.jpg", "IMG.jpg"].enumerated() {
            let placement = try kit.placement(SamplePhoto.jpeg(number), name: name)
            paths.append(try #require(try await kit.folder.place(placement)))
        }
        #expect(paths[0] == "beach/IMG.jpg" && Set(paths.map { $0.lowercased() }).count == 4)
        #expect(paths[2].hasPrefix("beach/IMG (Ben "))
        #expect(try FileStat(path: kit.path("beach/IMG (Ben).jpg")).byteCount == 4)
        try await kit.pool.shutdownGracefully()
    }

    // Shows that many photos placed at once all arrive, each once.
    @Test func manyAtOnce() async throws {
        try await withKit { kit in
            let placements = try (0..<200).map { try kit.placement(SamplePhoto.jpeg($0), name: "x.jpg") }
            for number in 0..<200 { await kit.host.add(SamplePhoto.jpeg(number), in: "Beach") }
            let paths = try await withThrowingTaskGroup(of: String?.self) { group in
                for placement in placements + placements { group.addTask { try await kit.folder.place(placement) } }
                return try await group.reduce(into: [String]()) { paths, path in if let path { paths.append(path) } }
            }
            #expect(paths.count == 200 && Set(paths).count == 200)
            try await kit.dropSentinel()
            #expect(await kit.dropped().isEmpty)
        }
    }

    // Shows of photos that are placed together that each has the outcome that it has alone: equal names in one album become
    // different ones, one blob gets a file in each of two albums, and what is no photo, what is gone from the store, and what
    // has a file already fail nothing else; and that no reservation stays.
    @Test func photosOfAGroupHaveTheirOwnOutcomes() async throws {
        try await withKit(settings: .inOrder) { kit in
            let known = try kit.placement(SamplePhoto.jpeg(1), name: "1.jpg")
            #expect(try await kit.folder.place(known) == "Beach/1.jpg")
            var gone = try kit.placement(SamplePhoto.jpeg(2), name: "2.jpg")
            gone.blob = blobID([2])
            let group = try [
                kit.placement(SamplePhoto.jpeg(3), name: "x.jpg"), known,
                kit.placement(Array("<!doctype html><title>x</title>".utf8), name: "page.html", album: "Pages"),
                kit.placement(SamplePhoto.jpeg(4), name: "X.JPG"), gone,
                kit.placement(SamplePhoto.jpeg(3), name: "x.jpg", album: "Hills"),
                kit.placement(SamplePhoto.jpeg(5), name: "x.jpg"),
            ]
            for number in 1...5 { await kit.host.add(SamplePhoto.jpeg(number), in: "Beach") }
            await kit.host.add(SamplePhoto.jpeg(3), in: "Hills")
            let outcomes = await kit.folder.place(group)
            let paths = outcomes.map { (try? $0.get()) ?? nil }
            #expect(paths[0] == "Beach/x.jpg" && paths[5] == "Hills/x.jpg")
            let second = try outcomes[1].get()
            #expect(second == nil)
            #expect(paths[3] == "Beach/X (Ben).JPG" && paths[6]?.hasPrefix("Beach/x (Ben ") == true)
            let page = #expect(throws: FolderError.self) { try outcomes[2].get() }
            #expect(page?.code == .noPhoto(reason: "it is not a photo or a video"))
            let absent = #expect(throws: FolderError.self) { try outcomes[4].get() }
            #expect(absent?.code == .blobGone && !kit.exists("Pages"))
            #expect(Set(kit.shared) == Set(paths.compactMap { $0 } + ["Beach/1.jpg"]))
            #expect(try kit.journal.facts(.folderIntent).isEmpty)
            #expect(try kit.journal.facts(.folderFile).count == 5)
            try await kit.dropSentinel(1)
            #expect(await kit.dropped().isEmpty)
        }
    }

    // Shows that where a person's files have the names of some of a group, these get their next ones, another one's own bytes
    // that stand there are its file, and the rest is placed at once.
    @Test func takenNamesConcernTheirOwn() async throws {
        let kit = try await Kit()
        defer { kit.remove() }
        kit.makeDirectory("Beach")
        try kit.write(Array("mine".utf8), to: "Beach/1.jpg")
        try kit.write(Array("mine".utf8), to: "Beach/2.jpg")
        try kit.write(Array("mine".utf8), to: "Beach/2 (Ben).jpg")
        try kit.write(SamplePhoto.jpeg(3), to: "Beach/3.jpg")
        let outcomes = await kit.folder.place(
            try (1...4).map { try kit.placement(SamplePhoto.jpeg($0), name: "\($0).jpg") })
        let paths = try outcomes.map { try #require(try $0.get()) }
        #expect(paths[0] == "Beach/1 (Ben).jpg" && paths[1].hasPrefix("Beach/2 (Ben "))
        #expect(paths.suffix(2) == ["Beach/3.jpg", "Beach/4.jpg"])
        for name in ["1", "2", "2 (Ben)"] { #expect(try FileStat(path: kit.path("Beach/\(name).jpg")).byteCount == 4) }
        #expect(try kit.journal.facts(.folderIntent).isEmpty)
        try await kit.pool.shutdownGracefully()
    }

    // Shows that where the folder is away none of a group is placed, that all are worth another try, and that none is reserved
    // any more.
    @Test func aGroupWaitsForItsFolder() async throws {
        let kit = try await Kit()
        defer { kit.remove() }
        let group = try (1...3).map { try kit.placement(SamplePhoto.jpeg($0), name: "\($0).jpg") }
        #expect(rename(kit.root, kit.base + "/away") == 0)
        let errors = await kit.folder.place(group).map { outcome in
            if case .failure(let error) = outcome { error.code } else { nil as FolderError.Code? }
        }
        #expect(errors == [.unavailable, .unavailable, .unavailable])
        #expect(kit.folder.core.queue.read { $0.state.intents.isEmpty })
        #expect(rename(kit.base + "/away", kit.root) == 0)
        let paths = try await kit.folder.place(group).map { try $0.get() }
        #expect(paths == ["Beach/1.jpg", "Beach/2.jpg", "Beach/3.jpg"])
        try await kit.pool.shutdownGracefully()
    }

    // Shows that nothing is placed into an album's directory in another folder that stands in the place of ours, and that the
    // photo comes once ours is back.
    @Test func anotherFoldersDirectoryStaysEmpty() async throws {
        let kit = try await Kit()
        defer { kit.remove() }
        _ = try await kit.folder.place(try kit.placement(SamplePhoto.jpeg(1), name: "1.jpg"))
        #expect(rename(kit.root, kit.base + "/away") == 0 && mkdir(kit.root, 0o755) == 0)
        kit.makeDirectory("Beach")
        let placement = try kit.placement(SamplePhoto.jpeg(2), name: "2.jpg")
        let error = await #expect(throws: FolderError.self) { try await kit.folder.place(placement) }
        #expect(error?.code == .unavailable)
        #expect(try kit.journal.facts(.folderIntent).isEmpty)
        #expect(rmdir(kit.path("Beach")) == 0 && rmdir(kit.root) == 0)
        #expect(rename(kit.base + "/away", kit.root) == 0)
        #expect(try await kit.folder.place(placement) == "Beach/2.jpg")
        try await kit.pool.shutdownGracefully()
    }

    // Shows that what a crash left between intent and state is settled: a whole file is ours, half a one goes, and a
    // person's stays.
    @Test func intentsAreSettled() async throws {
        let kit = try await Kit()
        defer { kit.remove() }
        try await kit.pool.shutdownGracefully()
        let bytes = SamplePhoto.jpeg(1)
        let photo = FakeHost.photo(blobID(bytes), in: "Beach")
        kit.makeDirectory("Beach")
        try kit.write(bytes, to: "Beach/done.jpg")
        try kit.write([4, 5], to: "Beach/theirs.jpg")
        try kit.write([1, 2, 3], to: "Beach/" + BlobStore.placingPrefix + "1")
        let other = FakeHost.photo(blobID([9]), in: "Beach")
        try kit.journal.setFacts([
            FactChange(kind: .folderIntent, key: Array("Beach/done.jpg".utf8), value: photo.bytes),
            FactChange(kind: .folderIntent, key: Array("Beach/never.jpg".utf8), value: other.bytes),
            FactChange(kind: .folderIntent, key: Array("Beach/theirs.jpg".utf8), value: other.bytes),
        ])
        let again = try await Kit(base: kit.base, host: kit.host)
        #expect(again.folder.files().map(\.path) == ["Beach/done.jpg"])
        #expect(try kit.journal.facts(.folderIntent).isEmpty)
        #expect(access(kit.path("Beach/theirs.jpg"), F_OK) == 0)
        #expect(access(kit.path("Beach/" + BlobStore.placingPrefix + "1"), F_OK) != 0)
        try await again.pool.shutdownGracefully()
    }
}
