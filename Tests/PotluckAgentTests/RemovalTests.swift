import AlbumModel
import FolderEngine
import PotluckAPI
import SyncEngine
import TestSupport
import Testing
import WireFormat

@testable import PhotoStore
@testable import PotluckAgent
@testable import SharedFolder

/// Photos that are removed, hidden and brought back by real services with a real home.
@Suite(.slow, .timeLimit(.minutes(1))) struct RemovalTests {
    /// An own photo that is removed leaves the album, its file is taken away, and its bytes wait in the trash, over a
    /// restart too; brought back, it has its caption, and may have a file again.
    @Test func removedPhotosComeBack() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let key = try await running.add([1, 2, 3], name: "a.jpg", to: "Beach")
                try await running.services.contributions.contribute(all: [.caption(key.album, key.blob, "Sea")])
                let report = try await running.control().remove(
                    RemovalOrder(.remove, album: "Beach", photos: ["a.jpg"]))
                #expect(report.photos.map(\.outcome) == [.removed])
                #expect(await !running.isLive(key))
                let trash = try await running.control().trash(album: nil).trash
                #expect(trash.map(\.name) == ["a.jpg"])
                #expect(trash.map(\.removedBy) == ["Laptop \(await running.view.engine.device.hex.prefix(6))"])
                #expect(trash.map(\.isLastCopy) == [true])
                #expect(running.folder.notes.contains(.tookAway([key])))
                #expect(running.parts.blobs.contains(key.blob))
            }
            try await RunningAgent.run(home) { running in
                #expect(try await running.control().trash(album: "Beach").trash.count == 1)
                let report = try await running.control().remove(
                    RemovalOrder(.restore, album: "Beach", photos: ["a.jpg"]))
                #expect(report.photos.map(\.outcome) == [.restored])
                await running.services.removal.isSettled()
                let key = PhotoKey(
                    album: AlbumName.identifier("Beach"), blob: try #require(BlobID(hex: report.photos[0].id)))
                #expect(await running.view.engine.catalog.photo(key)?.caption.shown?.value == "Sea")
                #expect(await running.isLive(key))
                #expect(running.folder.notes.contains(.letBack([key])))
                #expect(try await running.control().trash(album: nil).trash.isEmpty)
            }
        }
    }

    /// The last copy that is known stays in the trash when its days are over; asked for in so many words, it goes.
    @Test func theLastCopyGoesOnlyWhenAskedFor() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let key = try await running.add([4, 5, 6], name: "a.jpg", to: "Beach")
                try await running.services.contributions.contribute(all: [.photoRemoval(key.album, key.blob)])
                await running.services.removal.isSettled()
                await running.services.removal.keepTrash(days: 0)
                #expect(running.parts.blobs.contains(key.blob))
                let control = running.control()
                let kept = try await control.emptyTrash(TrashOrder(album: nil))
                #expect(kept.photos.map(\.outcome) == [.kept])
                let gone = try await control.emptyTrash(TrashOrder(album: "Beach", photos: ["a.jpg"], lastCopies: true))
                #expect(gone.photos.map(\.outcome) == [.deleted])
                #expect(!running.parts.blobs.contains(key.blob))
                #expect(await !running.view.engine.held.contains(key.blob))
                #expect(try await control.trash(album: nil).trash.isEmpty)
                await #expect(throws: PotluckError.self) {
                    _ = try await control.remove(RemovalOrder(.restore, album: "Beach", photos: ["a.jpg"]))
                }
            }
        }
    }

    /// Whoever names an album or a photo that is not there is sent to the list that has what the order takes.
    @Test func theListThatHelpsIsNamed() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                _ = try await running.add([1], name: "a.jpg", to: "Beach")
                let control = running.control()
                func refusal(_ body: () async throws -> Void) async -> PotluckError? {
                    do {
                        try await body()
                        return nil
                    } catch { return error as? PotluckError }
                }
                func removal(_ action: RemovalOrder.Action, _ album: String) async -> PotluckError? {
                    let order = RemovalOrder(action, album: album, photos: ["zz.png"])
                    return await refusal { _ = try await control.remove(order) }
                }
                let emptying = TrashOrder(album: "Nowhere")
                let refusals: [(PotluckError?, String)] = [
                    (await removal(.remove, "Nowhere"), "`potluck albums`"),
                    (await removal(.removeForEveryone, "Nowhere"), "`potluck albums`"),
                    (await removal(.restore, "Nowhere"), "`potluck trash`"),
                    (await removal(.unhide, "Nowhere"), "`potluck hidden`"),
                    (await removal(.keep, "Nowhere"), "`potluck left-out`"),
                    (await removal(.remove, "Beach"), "`potluck photos \"Beach\"`"),
                    (await removal(.restore, "Beach"), "`potluck trash \"Beach\"`"),
                    (await removal(.unhide, "Beach"), "`potluck hidden \"Beach\"`"),
                    (await removal(.keep, "Beach"), "`potluck left-out \"Beach\"`"),
                    (await refusal { _ = try await control.trash(album: "Nowhere") }, "`potluck trash`"),
                    (await refusal { _ = try await control.hidden(album: "Nowhere") }, "`potluck hidden`"),
                    (await refusal { _ = try await control.emptyTrash(emptying) }, "`potluck trash`"),
                    (await refusal { _ = try await control.originals(album: "Nowhere") }, "`potluck albums`"),
                ]
                for (error, list) in refusals {
                    #expect(error?.status == .notFound, "\(list)")
                    #expect(error?.message.contains(list) == true, "\(error?.message ?? "no error"), not \(list)")
                }
            }
        }
    }

    /// A copy that another laptop keeps goes when its days are over, unless another album has the same photo.
    @Test func spaceIsGivenBack() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let beach = try await running.add([7], name: "a.jpg", to: "Beach")
                let hills = try await running.add([7], name: "a.jpg", to: "Hills")
                try await running.services.contributions.contribute(all: [.photoRemoval(beach.album, beach.blob)])
                await running.services.removal.isSettled()
                #expect(try await running.control().trash(album: nil).trash.map(\.isInAlbum) == [true])
                await running.services.removal.keepTrash(days: 0)
                #expect(running.parts.blobs.contains(beach.blob))
                #expect(running.services.removal.removedPhotos.trash.isEmpty)
                try await running.services.contributions.contribute(all: [.photoRemoval(hills.album, hills.blob)])
                await running.services.removal.isSettled()
                // Takes note of the time as well.
                await running.services.removal.keepTrash(days: 0)
                #expect(running.parts.blobs.contains(hills.blob))
            }
            try Self.pretendHolder(in: home, saidAt: SystemClock().wall)
            try await RunningAgent.run(home) { running in
                let trash = try await running.control().trash(album: nil).trash
                #expect(trash.map(\.isLastCopy) == [false] && trash.map(\.isInAlbum) == [false])
                let blob = try #require(running.services.removal.removedPhotos.trash.keys.first?.blob)
                await running.services.removal.keepTrash(days: 1)
                #expect(running.parts.blobs.contains(blob))
                await running.services.removal.keepTrash(days: 0)
                #expect(!running.parts.blobs.contains(blob))
            }
        }
    }

    /// Another laptop had the photo when its removal was learned of, and that is all that is known of it a month later: it
    /// may have lost the photo since, or be gone for good. It is the last copy that is known, and stays.
    @Test(arguments: [true, false]) func oldWordsKeepNothing(isAway: Bool) async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let key = try await running.add([7], name: "a.jpg", to: "Beach")
                try await running.services.contributions.contribute(all: [.photoRemoval(key.album, key.blob)])
                await running.services.removal.isSettled()
                await running.services.removal.keepTrash(days: 0)
            }
            // Away for a month, or there and without the photo.
            let age: UInt64 = isAway ? 30 * 24 * 3600 * 1_000_000 : 0
            try Self.pretendHolder(in: home, saidAt: SystemClock().wall - age, isLost: !isAway)
            try await RunningAgent.run(home) { running in
                let control = running.control()
                let blob = try #require(running.services.removal.removedPhotos.trash.keys.first?.blob)
                let trash = try await control.trash(album: nil).trash
                #expect(trash.map(\.isLastCopy) == [true] && trash.map(\.daysLeft) == [nil])
                await running.services.removal.keepTrash(days: 0)
                #expect(try await control.emptyTrash(TrashOrder(album: nil)).photos.map(\.outcome) == [.kept])
                #expect(running.parts.blobs.contains(blob))
            }
        }
    }

    /// Has a home remember, before its next run, that another device held all that is in the trash when that was removed,
    /// and what it said last.
    ///
    /// - Parameter isLost: it said since that it has the photo no longer.
    private static func pretendHolder(in home: String, saidAt: UInt64, isLost: Bool = false) throws {
        let first = try #require(DeviceID(bytes: [UInt8](repeating: 0, count: 32)))
        let journal = try Journal(home: home)
        let entries = try RemovedPhotos(journal).trash.map { key, entry in
            let known = TrashEntry(
                learnedAfter: entry.learnedAfter, learnedAt: entry.learnedAt, holders: entry.holders + [first])
            return FactChange(kind: .trash, key: key.factKey, value: known.bytes)
        }
        try #require(entries.count == 1)
        let blobs = try Set(RemovedPhotos(journal).trash.keys.map(\.blob))
        let record = HoldingsRecord(
            saidAt: saidAt, position: nil, summaryFloor: 0, presence: Presence(branches: [], others: blobs),
            lost: isLost ? blobs : [], denied: [], summary: nil)
        try journal.setFacts(entries + [HoldingsMemory.fact(first, seenAt: saidAt, record)])
    }

    /// A run that ended between the removal and its entry in the trash is made good by the next start: nothing that was
    /// removed is without an entry while its bytes are here.
    @Test func theTrashIsMadeGood() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let key = try await running.add([8], name: "a.jpg", to: "Beach")
                try await running.services.contributions.contribute(all: [.photoRemoval(key.album, key.blob)])
                await running.services.removal.isSettled()
                try running.parts.journal.setFacts([FactChange(kind: .trash, key: key.factKey, value: nil)])
            }
            try await RunningAgent.run(home) { running in
                await running.services.removal.settleAll()
                let trash = try await running.control().trash(album: nil).trash
                #expect(trash.map(\.name) == ["a.jpg"])
            }
        }
    }

    /// Hiding takes the file away and lasts over a restart; showing again puts it back.
    @Test func hiddenPhotosAreShownAgain() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let key = try await running.add([9], name: "a.jpg", to: "Beach")
                try await running.services.removal.hide([key])
                await running.services.removal.isSettled()
                #expect(running.folder.notes.contains(.tookAway([key])))
                #expect(await running.services.folder.placement(key, on: running.services.host) == nil)
            }
            try await RunningAgent.run(home) { running in
                let hidden = try await running.control().hidden(album: "Beach").hidden
                #expect(hidden.map(\.name) == ["a.jpg"])
                let report = try await running.control().remove(
                    RemovalOrder(.unhide, album: "Beach", photos: ["a.jpg"]))
                #expect(report.photos.map(\.outcome) == [.shown])
                await running.services.removal.isSettled()
                #expect(try await running.control().hidden(album: nil).hidden.isEmpty)
                let key = PhotoKey(album: AlbumName.identifier("Beach"), blob: BlobID(hex: hidden[0].id)!)
                #expect(await running.services.folder.placement(key, on: running.services.host) != nil)
            }
        }
    }

    /// A file that cannot be taken away, as on a disk that is not there, keeps no other photo from being shown again.
    @Test func filesThatStayKeepNoPhotoFromComingBack() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let hidden = try await running.add([1], name: "a.jpg", to: "Beach")
                let shown = try await running.add([2], name: "b.jpg", to: "Beach")
                let removal = running.services.removal
                try await removal.hide([hidden, shown])
                await removal.isSettled()
                running.folder.setLeavingFailure("The disk is not there.")
                try await removal.unhide([shown], withFiles: false)
                // One step is about both.
                removal.settleLater([hidden, shown])
                await removal.isSettled()
                #expect(running.folder.notes.contains(.letBack([shown])))
            }
        }
    }

    /// Edits in the folder: a photo that is moved or edited keeps its words, and what it was goes to the trash; done
    /// twice, as after a crash, it comes to the same.
    @Test func editsInTheFolder() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let bridge = try FolderBridge(services: running.services, folderRoot: "/nonexistent")
                let moved = try await running.add([1], name: "a.jpg", to: "Beach")
                let edited = try await running.add([2], name: "b.jpg", to: "Beach")
                let named = try await running.add([3], name: "c.jpg", to: "Beach")
                let gone = try await running.add([4], name: "d.jpg", to: "Beach")
                try await running.services.contributions.contribute(all: [
                    .caption(moved.album, moved.blob, "Sea"), .tag(edited.album, edited.blob, "sun"),
                    .favourite(edited.album, edited.blob), .cover(edited.album, edited.blob),
                ])
                let edits: [FolderEdit] = [
                    .moved(from: moved.album, blob: moved.blob, to: try running.drop([1], name: "a.jpg", in: "Hills")),
                    .replaced(
                        album: edited.album, old: edited.blob, by: try running.drop([22], name: "b.jpg", in: "Beach")),
                    .renamed(album: named.album, blob: named.blob, name: "sea.jpg", path: "Beach/sea.jpg"),
                    .removed(album: gone.album, blob: gone.blob, path: "Beach/d.jpg"),
                ]
                for _ in 0..<2 {
                    try await bridge.apply(edits)
                    let catalog = await running.view.engine.catalog
                    let there = PhotoKey(album: AlbumName.identifier("Hills"), blob: moved.blob)
                    #expect(catalog.photo(there)?.caption.shown?.value == "Sea")
                    #expect(catalog.albums[there.album]?.liveCount == 1)
                    let new = PhotoKey(album: edited.album, blob: try running.parts.blobs.ingest(bytes: [22]))
                    #expect(catalog.photo(new)?.tags == ["sun"])
                    #expect(catalog.photo(new)?.favouredBy == [await running.view.engine.device])
                    #expect(catalog.albums[new.album]?.cover.shown?.value == new.blob)
                    #expect(catalog.photo(named)?.shownName == "sea.jpg")
                    #expect(Set(catalog.albums[new.album]!.livePhotos.map(\.key)) == [new.blob, named.blob])
                    let trash = try await running.control().trash(album: "Beach").trash
                    #expect(Set(trash.map(\.name)) == ["a.jpg", "b.jpg", "d.jpg"])
                }
            }
        }
    }

    /// The folder is told the name of an edited photo once the file of the one that it replaces was to be taken away, whether
    /// that was done or not: another file may have gone all the same.
    @Test(arguments: [true, false]) func editsGetTheirNames(isTakenAway: Bool) async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let bridge = try FolderBridge(services: running.services, folderRoot: "/nonexistent")
                let old = try await running.add([1], name: "a.jpg", to: "Beach")
                let drop = try running.drop([2], name: "a.jpg", in: "Beach")
                let new = PhotoKey(album: old.album, blob: drop.blob.id)
                if !isTakenAway { running.folder.setLeavingFailure("The disk is not there.") }
                try await bridge.apply([.replaced(album: old.album, old: old.blob, by: drop)])
                try await eventually("the folder is told the name") {
                    let notes = running.folder.notes(beforeNaming: new)
                    let name = running.folder.name(of: new)
                    let isTold = name?.shared == "a.jpg" && name?.isSuccessor == true
                    let isInOrder = notes.contains(.tookAway([old])) == isTakenAway
                    return .when(isTold && isInOrder, "told: \(isTold), in order: \(isInOrder)")
                }
            }
        }
    }

    /// A directory with another name is the album with another name: no photo of it changes.
    @Test func aRenamedDirectoryRenamesTheAlbum() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let bridge = try FolderBridge(services: running.services, folderRoot: "/nonexistent")
                let key = try await running.add([1], name: "a.jpg", to: "Beach")
                running.folder.setFiles([FolderFile(path: "Beach/a.jpg", album: key.album, blob: key.blob)])
                let edits: [FolderEdit] = [
                    .moved(from: key.album, blob: key.blob, to: try running.drop([1], name: "a.jpg", in: "Strand"))
                ]
                try await bridge.apply(edits)
                let catalog = await running.view.engine.catalog
                #expect(catalog.shownName(key.album) == "Strand")
                #expect(catalog.albums.count == 1)
                #expect(await running.isLive(key))
                #expect(await bridge.albumID(forDirectory: "Strand") == key.album)
            }
        }
    }

    /// A directory in which only another album's photos are by now is that album's, whatever it was before.
    @Test func aDirectoryIsItsFilesAlbums() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let bridge = try FolderBridge(services: running.services, folderRoot: "/nonexistent")
                let former = try await bridge.contribute(running.drop([1], name: "a.jpg", in: "Beach"))
                try await running.services.contributions.contribute(all: [.albumName(former, "Strand")])
                let key = try await running.add([2], name: "b.jpg", to: "Beach")
                #expect(key.album != former)
                #expect(await bridge.albumID(forDirectory: "Beach") == former)
                running.folder.setFiles([FolderFile(path: "Beach/b.jpg", album: key.album, blob: key.blob)])
                #expect(await bridge.albumID(forDirectory: "Beach") == key.album)
                #expect(try await bridge.contribute(running.drop([3], name: "c.jpg", in: "Beach")) == key.album)
                running.folder.setFiles([])
                #expect(await bridge.albumID(forDirectory: "Beach") == key.album)
            }
        }
    }
}
