import AlbumModel
import PotluckAPI
import Testing

@testable import PotluckAgent

/// A Live Photo is one photo in whatever people are told, as in `potluck albums`: each fails where its film counts as well.
@Suite(.timeLimit(.minutes(1))) struct LivePhotoCountTests {
    private typealias Made = ListedGathering

    private let beach = AlbumName.identifier("Beach day")
    private let film: UInt8 = 1
    private let still: UInt8 = 2
    private let other: UInt8 = 3

    /// Anna added a Live Photo and another one; each file has 100 bytes.
    private func gathering(_ body: (ListedGathering, ListedGathering.Person) async throws -> Void) async throws {
        try await ListedGathering.with { gathering in
            var anna = gathering.person(1, "Anna")
            var facts = Made.facts(taken: "2026-08-01T12:00:00")
            facts.contentIdentifier = "A-1"
            var moving = facts
            moving.kind = .video
            gathering.say(
                &anna,
                [
                    .albumNamed(beach, name: "Beach day", replaces: []),
                    Made.photo(beach, film, "IMG_1.MOV", type: "video/quicktime"),
                    Made.photo(beach, still, "IMG_1.HEIC", type: "image/heic"),
                    Made.photo(beach, other, "IMG_2.JPG"),
                    .photoRead(beach, Made.blob(still), facts), .photoRead(beach, Made.blob(film), moving),
                ])
            try await body(gathering, anna)
        }
    }

    private func status(_ listings: ReportBuilder) async -> StatusReport {
        await listings.status(folder: nil, rate: nil, problems: [], skipped: nil, all: false)
    }

    /// A photo whose film is still to come is not here yet.
    @Test func missingPhotosAreCountedOnce() async throws {
        try await gathering { gathering, _ in
            gathering.want([film, still, other])
            let before = try await status(gathering.listings).missing
            #expect(before.photos == 2 && before.bytes == 300)
            #expect(before.items.count == 2)

            gathering.hold([still, other])
            gathering.want([film])
            let report = try await status(gathering.listings)
            #expect(report.missing.photos == 1 && report.missing.bytes == 100)
            #expect(report.missing.items.map(\.name) == ["IMG_1.MOV"])
            #expect(report.atRisk == .init(photos: 2, bytes: 200))

            gathering.hold([film])
            gathering.want([])
            let after = try await status(gathering.listings)
            #expect(after.missing.photos == 0 && after.atRisk == .init(photos: 2, bytes: 300))
        }
    }

    /// A photo of which one file can come is neither out of reach nor held up: else `status --wait` would give up.
    @Test func aPhotoThatCanComeInPartIsNotHopeless() async throws {
        try await gathering { gathering, _ in
            func hindered() async throws -> [Int?] {
                let missing = try await status(gathering.listings.running).missing
                return [missing.photos, missing.unreachable, missing.heldUp]
            }
            gathering.want([film, still, other])
            let alone = try await hindered()
            #expect(alone == [2, 2, 0])
            gathering.want([film, still, other], connected: [still])
            let inPart = try await hindered()
            #expect(inPart == [2, 1, 0])
            gathering.want([film, still, other], connected: [film, still], heldUp: [film])
            let heldUpInPart = try await hindered()
            #expect(heldUpInPart == [2, 1, 0])
            gathering.want([film, still, other], connected: [film, other], heldUp: [film])
            let heldUp = try await hindered()
            #expect(heldUp == [2, 0, 1])
        }
    }

    /// What policies leave out is the same number in `status` and in `originals`.
    @Test func leftOutPhotosAreCountedAsInOriginals() async throws {
        try await gathering { gathering, _ in
            gathering.leaveOut(beach)
            let listings = try gathering.listings
            let album = try #require(try await listings.originals(album: beach).albums.first)
            #expect(await status(listings).leftOut == album.leftOut)
            #expect(album.leftOut == .init(photos: 2, bytes: 300))
        }
    }

    /// A photo is on as many others as the file of it that is on the fewest; its other file is no photo more.
    @Test func leavingCountsTheFileWithTheFewestCopies() async throws {
        try await gathering { gathering, anna in
            let ben = gathering.person(2, "Ben")
            gathering.hold([film, still, other])
            gathering.tell(anna, holds: [still, other])
            gathering.tell(ben, holds: [film, still, other])
            let listings = try gathering.listings
            let report = await listings.running.leaveCheck(others: 2, rate: 1000)
            #expect(report.here == .init(photos: 2, bytes: 300))
            #expect(report.alone == .init(photos: 0, bytes: 0))
            #expect(report.short == .init(photos: 1, bytes: 100) && report.blocked == 1)
            #expect(report.photos.map(\.name) == ["IMG_1.MOV"])
            #expect(
                report.albums == [
                    .init(id: beach.hex, name: "Beach day", here: 2, alone: 0, short: 1, othersMin: 1)
                ])
            #expect(report.devices.map { "\($0.name) \($0.photos)" }.sorted() == ["Anna 2", "Ben 2"])
            let all = await listings.leaveCheck(others: 3, rate: nil)
            #expect(all.short == .init(photos: 2, bytes: 300))
            #expect(all.photos.map(\.name) == ["IMG_1.MOV", "IMG_2.JPG"])
            #expect(await listings.peers().peers.map(\.photos) == [2, 2])
        }
    }

    /// Reports of what was done name each file, and say which ones are part of another: `Removed 1 photo`.
    @Test func reportsTellFilmsFromPhotos() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let still = try await running.add([1], name: "IMG_1.HEIC", to: "Beach")
                let film = try await running.add([2], name: "IMG_1.MOV", to: "Beach")
                var anna = Guest(running.home.membership)
                // Above what this laptop's own reader finds in these bytes.
                let facts = PhotoFacts(readerVersion: 1000, kind: .photo, contentIdentifier: "A-1")
                let moving = PhotoFacts(readerVersion: 1000, kind: .video, contentIdentifier: "A-1")
                let read = anna.say([
                    .photoRead(still.album, still.blob, facts), .photoRead(film.album, film.blob, moving),
                ])
                #expect(try await running.hear(read))
                let control = running.control()
                let (photo, part) = (still.blob.hex, film.blob.hex)
                let removed = try await control.remove(RemovalOrder(.remove, album: "Beach", photos: ["IMG_1.HEIC"]))
                #expect(removed.photos.count == 2)
                #expect(removed.photos.first { $0.id == part }?.partOf == photo)
                #expect(removed.photos.contains { $0.id == photo && $0.partOf == nil })
                let restored = try await control.remove(RemovalOrder(.restore, album: "Beach", photos: ["IMG_1.HEIC"]))
                #expect(restored.photos.first { $0.id == part }?.partOf == photo)
                let copied = try await control.move(
                    MoveOrder(album: "Beach", photos: ["IMG_1.MOV"], to: "Hills", copy: true))
                #expect(copied.photos.map(\.outcome) == [.copied, .copied])
                #expect(copied.photos.first { $0.id == part }?.partOf == photo)
                #expect(copied.photos.contains { $0.id == photo && $0.partOf == nil })
            }
        }
    }
}
