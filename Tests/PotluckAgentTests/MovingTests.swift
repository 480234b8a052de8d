import AlbumModel
import PotluckAPI
import SyncEngine
import Testing

@testable import PhotoStore
@testable import PotluckAgent

/// Photos that go to other albums, and albums that are renamed, by real services with a real home.
@Suite(.timeLimit(.minutes(1))) struct MovingTests {
    /// An own photo leaves its album, and is in the other one, which is made, with its words.
    @Test func ownPhotosMove() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let key = try await running.add([1, 2, 3], name: "a.jpg", to: "Beach")
                try await running.services.contributions.contribute(all: [
                    .caption(key.album, key.blob, "Sea"), .tag(key.album, key.blob, "sun"),
                ])
                let report = try await running.control().move(
                    MoveOrder(album: "beach", photos: ["a.jpg"], to: "Old times"))
                #expect(report.photos.map(\.outcome) == [.moved])
                #expect((report.album, report.to) == ("Beach", "Old times"))
                let moved = PhotoKey(album: try #require(AlbumID(hex: report.toID)), blob: key.blob)
                #expect(await running.isLive(moved))
                #expect(await !running.isLive(key))
                let photo = try #require(await running.view.engine.catalog.photo(moved))
                #expect(photo.caption.shown?.value == "Sea" && photo.tags == ["sun"] && photo.shownName == "a.jpg")
                #expect(running.parts.blobs.contains(key.blob))
                #expect(await running.services.folder.placement(moved, on: running.services.host) != nil)
            }
        }
    }

    /// What others added too stays in its album for them, and is hidden there on this laptop.
    @Test func photosOfOthersStay() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let key = try await running.add([1, 2, 3], name: "a.jpg", to: "Beach")
                var anna = Guest(running.home.membership)
                let too = PhotoAddition(
                    album: key.album, blob: key.blob, byteCount: 3, pieceListHash: nil, name: "a.jpg",
                    mediaType: "image/jpeg", modified: 0)
                #expect(try await running.hear(anna.say([.photoAdded(too)])))
                let report = try await running.control().move(
                    MoveOrder(album: "Beach", photos: ["a.jpg"], to: "Hills"))
                #expect(report.photos.map(\.outcome) == [.hidden])
                #expect(await running.isLive(key))
                #expect(await running.isLive(PhotoKey(album: AlbumName.identifier("Hills"), blob: key.blob)))
                #expect(try await running.control().hidden(album: "Beach").hidden.map(\.name) == ["a.jpg"])
            }
        }
    }

    /// A copy is in both albums, and takes nobody's place.
    @Test func copiesAreInBoth() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let key = try await running.add([1, 2, 3], name: "a.jpg", to: "Beach")
                let other = try await running.add([4], name: "b.jpg", to: "Hills")
                try await running.services.contributions.contribute(all: [.caption(key.album, key.blob, "Sea")])
                let report = try await running.control().move(
                    MoveOrder(album: "Beach", photos: ["a.jpg"], to: "Hills", copy: true))
                #expect(report.photos.map(\.outcome) == [.copied] && report.toID == other.album.hex)
                let copy = PhotoKey(album: other.album, blob: key.blob)
                #expect(await running.isLive(key))
                #expect(await running.isLive(copy))
                #expect(await running.view.engine.catalog.photo(copy)?.caption.shown?.value == "Sea")
            }
        }
    }

    /// What is in the album already, or is not on this laptop, stays where it is.
    @Test func whatCannotMoveStays() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let key = try await running.add([1, 2, 3], name: "a.jpg", to: "Beach")
                let control = running.control()
                await #expect(throws: PotluckError.self) {
                    _ = try await control.move(MoveOrder(album: "Beach", photos: ["a.jpg"], to: "BEACH"))
                }
                var anna = Guest(running.home.membership)
                let far = PhotoAddition(
                    album: key.album, blob: BlobID(bytes: [UInt8](repeating: 9, count: 32))!, byteCount: 100,
                    pieceListHash: nil, name: "far.jpg", mediaType: "image/jpeg", modified: 0)
                #expect(try await running.hear(anna.say([.photoAdded(far)])))
                await #expect(throws: PotluckError.self) {
                    _ = try await control.move(MoveOrder(album: "Beach", photos: ["a.jpg", "far.jpg"], to: "Hills"))
                }
                #expect(await running.isLive(key))
                #expect(await running.view.engine.catalog.albums.count == 1)
            }
        }
    }

    /// An album has its new name, its ID and its photos stay; another album's name is not taken.
    @Test func albumsAreRenamed() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let key = try await running.add([1], name: "a.jpg", to: "Beach dya")
                _ = try await running.add([2], name: "b.jpg", to: "Hills")
                let control = running.control()
                let report = try await control.rename(album: "beach DYA", to: " Beach day ")
                #expect(
                    report == RenameReport(album: "Beach day", albumID: key.album.hex, formerName: "Beach dya"))
                #expect(try await control.albums().albums.map(\.name) == ["Beach day", "Hills"])
                #expect(await running.isLive(key))
                await #expect(throws: PotluckError.self) {
                    _ = try await control.rename(album: "Hills", to: "beach day")
                }
                await #expect(throws: PotluckError.self) { _ = try await control.rename(album: "Hills", to: " ") }
                #expect(try await control.rename(album: "Hills", to: "hills").album == "hills")
            }
        }
    }
}
