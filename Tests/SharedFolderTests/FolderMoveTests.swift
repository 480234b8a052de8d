import DiskIO
import FolderEngine
import Foundation
import Glibc
import PhotoStore
import TestSupport
import Testing

@testable import SharedFolder

/// The folder is brought to another place.
@Suite(.timeLimit(.minutes(2)))
struct FolderMoveTests {
    /// A folder with photos of one's own and of others, and with what is none.
    private static func filled(_ body: @Sendable (Kit) async throws -> Void) async throws {
        let kit = try await Kit(settings: .inOrder)
        defer { kit.remove() }
        try await kit.running { kit in
            kit.makeDirectory("Beach")
            kit.makeDirectory("Beach/Day 1")
            try kit.drop(SamplePhoto.jpeg(1), as: "Beach/1.jpg")
            try kit.drop(SamplePhoto.jpeg(2), as: "Beach/Day 1/2.jpg")
            try await kit.waitForDrops(of: 1...2)
            await kit.host.add(SamplePhoto.jpeg(3), in: "Beach")
            _ = try await kit.folder.place(kit.placement(SamplePhoto.jpeg(3), name: "3.jpg"))
            try kit.write(Array("a note".utf8), to: "Beach/notes.txt")
        }
        try await body(kit)
    }

    private static func move(
        _ kit: Kit, to name: String, canRename: Bool = true
    ) throws -> (way: FolderMove.Way?, remaining: [String]?) {
        var move = try FolderMove(
            journal: kit.journal, from: kit.root, to: kit.base + "/" + name, canRename: canRename)
        try move.run { _ in }
        return (move.way, try move.finish())
    }

    private static func exists(_ path: String) throws -> Bool { try FileStat.find(path: path) != nil }

    /// Renamed or copied: an agent that begins at the new place takes every file for what it was, withdraws nothing, asks
    /// nothing, adds nothing; and nothing is left at the former one.
    @Test(arguments: [true, false])
    func nothingChangesForPhotos(_ canRename: Bool) async throws {
        try await Self.filled { kit in
            let (files, dropped) = (kit.shared.sorted(), await kit.dropped().count)
            #expect(files.count == 3)
            let moved = try Self.move(kit, to: "Elsewhere", canRename: canRename)
            #expect(moved.way == (canRename ? .renamed : .copied))
            #expect(moved.remaining == [])
            #expect(try !Self.exists(kit.root))
            #expect(try Self.exists(kit.base + "/Elsewhere/Beach/notes.txt"))

            let next = try await Kit(base: kit.base, folder: "Elsewhere", host: kit.host, settings: .inOrder)
            try await next.running { next in
                try await next.settle()
                #expect(next.shared.sorted() == files)
                #expect(await next.edits().isEmpty)
                #expect(await next.dropped().count == dropped)
                #expect(await next.host.view.held == nil)
            }
        }
    }

    /// What a copy does not take, what changed after it, and what came during it, stays where it was and is named, as does
    /// a directory without anything in it.
    @Test func othersStay() async throws {
        try await Self.filled { kit in
            try #require(symlink("/tmp", kit.path("Beach/link")) == 0)
            var move = try FolderMove(
                journal: kit.journal, from: kit.root, to: kit.base + "/Elsewhere", canRename: false)
            try move.run { _ in }
            try kit.write(SamplePhoto.jpeg(9), to: "Beach/1.jpg")
            try kit.write(SamplePhoto.jpeg(8), to: "Beach/new.jpg")
            kit.makeDirectory("Empty")
            #expect(try move.finish() == ["Beach/1.jpg", "Beach/link", "Beach/new.jpg", "Empty"])
            #expect(try Self.exists(kit.path("Beach/1.jpg")))
            #expect(try Self.exists(kit.path("Beach/new.jpg")))
            #expect(try !Self.exists(kit.path("Beach/3.jpg")))
            #expect(try Self.exists(kit.base + "/Elsewhere/Beach/1.jpg"))
        }
    }

    /// A copy that fails leaves the folder as it was, and nothing at the new place.
    @Test func failedCopiesLeaveNothing() async throws {
        try await Self.filled { kit in
            var move = try FolderMove(
                journal: kit.journal, from: kit.root, to: kit.base + "/Elsewhere", canRename: false)
            let lost = kit.path("Beach/Day 1/2.jpg")
            let error = #expect(throws: FolderError.self) { try move.run { _ in unlink(lost) } }
            #expect(error?.message.contains("2.jpg") == true)
            #expect(try !Self.exists(kit.base + "/Elsewhere"))
            #expect(try Self.exists(kit.path("Beach/1.jpg")))
            #expect(try Self.exists(kit.path(".potluck-folder")))
        }
    }

    /// A folder that a person moved is found by its marker, and by nothing else.
    @Test func movedFoldersAreFound() async throws {
        try await Self.filled { kit in
            let place = kit.base + "/Elsewhere"
            try #require(rename(kit.root, place) == 0)
            #expect(throws: FolderError.self) { try Self.move(kit, to: "Nowhere") }
            #expect(try Self.move(kit, to: "Elsewhere").way == .found)
            #expect(try Self.exists(place + "/Beach/1.jpg"))
        }
    }

    /// A place with anything in it is refused: files there would be taken for new photos, or be in the way; so is one
    /// inside the folder, and another home's folder.
    @Test func otherPlacesAreRefused() async throws {
        try await Self.filled { kit in
            let place = kit.base + "/Elsewhere"
            try #require(mkdir(place, 0o755) == 0)
            try Kit.write([1], to: place + "/file")
            #expect(throws: FolderError.self) { try Self.move(kit, to: "Elsewhere") }
            #expect(throws: FolderError.self) { try Self.move(kit, to: "Photos/Beach/New") }
            try Kit.write(Array("0123\n".utf8), to: place + "/.potluck-folder")
            let error = #expect(throws: FolderError.self) { try Self.move(kit, to: "Elsewhere") }
            #expect(error?.message.contains("another gathering") == true)
            #expect(unlink(place + "/file") == 0 && unlink(place + "/.potluck-folder") == 0)
            #expect(try Self.move(kit, to: "Elsewhere").way == .renamed)
        }
    }

    /// Two folders with the marker: which one is the person's to say.
    @Test func copiesAreRefused() async throws {
        try await Self.filled { kit in
            try FileManager.default.copyItem(atPath: kit.root, toPath: kit.base + "/Elsewhere")
            let error = #expect(throws: FolderError.self) { try Self.move(kit, to: "Elsewhere") }
            #expect(error?.message.contains("Delete one of the two") == true)
        }
    }

    /// The place where the folder is, also by another path: nobody is told to delete what is the only one.
    @Test func theSamePlaceIsNoCopy() async throws {
        try await Self.filled { kit in
            #expect(try Self.move(kit, to: "Photos").way == .found)
            try #require(symlink(kit.root, kit.base + "/Elsewhere") == 0)
            #expect(try Self.move(kit, to: "Elsewhere").way == .found)
            #expect(try Self.exists(kit.path("Beach/1.jpg")))
        }
    }
}
