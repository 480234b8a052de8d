import AlbumModel
import FolderEngine
import PhotoStore
import PotluckAPI
import Testing

@testable import PotluckAgent
@testable import SyncEngine

/// What guests say and add at a laptop's door, as lists and events tell of it.
@Suite(.timeLimit(.minutes(1))) struct GuestChangesTests {
    private static let lena = GuestID(bytes: [UInt8](repeating: 1, count: 16))!
    private static let tom = GuestID(bytes: [UInt8](repeating: 2, count: 16))!

    /// Adds a photo that a guest brought.
    private static func bring(_ bytes: [UInt8], _ guest: GuestID, _ name: String, _ running: RunningAgent) async throws
        -> PhotoKey
    {
        let blob = try running.parts.blobs.ingest(bytes: bytes)
        let file = PhotoFile(
            blob: blob, byteCount: UInt64(bytes.count), pieceList: nil, name: "\(bytes[0]).jpg",
            mediaType: "image/jpeg", modified: 0, guest: SyncEngine.Guest(guest, name: name))
        let album = try await running.services.contributions.contribute(.photo(albumName: "Beach", file))
        return PhotoKey(album: try #require(album), blob: blob)
    }

    private static func photo(_ key: PhotoKey, _ running: RunningAgent) async throws -> PhotosReport.Photo {
        let report = try await running.control().photos(PhotoQuery(album: "Beach", photos: [key.blob.hex]))
        return try #require(report.photos.first)
    }

    @Test func listsNameGuests() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                try await running.services.contributions.contribute(all: [.deviceName("Grandma")])
                let key = try await Self.bring([1], Self.lena, "Lena", running)
                _ = try await running.add([2], name: "2.jpg", to: "Beach")
                let control = running.control()
                try await control.like(album: "Beach", photo: "2.jpg", guest: Self.lena, name: "Lena", on: true)
                try await control.like(album: "Beach", photo: "2.jpg", guest: nil, name: nil, on: true)

                let photo = try await Self.photo(key, running)
                #expect(photo.by == "Lena (at Grandma)" && photo.contributors == ["Lena (at Grandma)"])
                #expect(photo.comments == nil)
                func names(_ query: PhotoQuery) async throws -> [String] {
                    try await control.photos(query).photos.map(\.name)
                }
                var byLena = PhotoQuery(album: "Beach")
                byLena.by = ["lena"]
                #expect(try await names(byLena) == ["1.jpg"])
                byLena.by = ["Grandma"]
                #expect(try await names(byLena) == ["2.jpg"])
                var words = PhotoQuery(album: nil)
                words.words = "len"
                #expect(try await names(words) == ["1.jpg"])
                var favourites = PhotoQuery(album: "Beach")
                favourites.isFavourite = true
                let liked = try await control.photos(favourites).photos
                #expect(liked.map(\.favourites) == [["Grandma", "Lena (at Grandma)"]])

                // Another name is everywhere at once.
                try await control.like(album: "Beach", photo: "1.jpg", guest: Self.lena, name: "Helena", on: true)
                #expect(try await Self.photo(key, running).by == "Helena (at Grandma)")
                words.words = "helena"
                #expect(try await names(words) == ["1.jpg"])
                words.words = "lena"
                #expect(try await names(words).isEmpty)
                try await control.like(album: "Beach", photo: "1.jpg", guest: Self.lena, name: nil, on: false)
                #expect(try await Self.photo(key, running).favourites.isEmpty)
            }
            // The index of the next run is the same.
            try await RunningAgent.run(home) { running in
                try await running.services.contributions.contribute(all: [.deviceName("Grandma")])
                var words = PhotoQuery(album: nil)
                words.words = "helena grandma"
                let found = try await running.control().photos(words).photos
                #expect(found.map(\.by) == ["Helena (at Grandma)"])
            }
        }
    }

    @Test func comments() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                try await running.services.contributions.contribute(all: [.deviceName("Grandma")])
                let key = try await running.add([1], name: "a.jpg", to: "Beach")
                let control = running.control()
                func write(_ text: String, _ guest: GuestID?) async throws -> PhotosReport.Comment {
                    try await control.comment(
                        album: "Beach", photo: key.blob.hex, text: text, guest: guest, name: guest.map { _ in "Lena" })
                }
                let first = try await write(" What a day ", Self.lena)
                let second = try await write("Yes", nil)
                #expect(first.by == "Lena (at Grandma)" && first.guest == Self.lena.hex && first.text == "What a day")
                #expect(second.by == "Grandma" && second.guest == nil)
                #expect(try await Self.photo(key, running).comments == [first, second])
                let text = try ReportJSON.text(await Self.photo(key, running))
                #expect(text.contains(#""id":"\#(first.id)","text":"What a day""#))

                func take(_ comment: String, _ guest: GuestID?) async throws {
                    try await control.uncomment(album: "Beach", photo: "a.jpg", comment: comment, guest: guest)
                }
                // A guest takes away their own alone.
                await #expect(throws: PotluckError.self) { try await take(second.id, Self.lena) }
                await #expect(throws: PotluckError.self) { try await take(first.id, Self.tom) }
                await #expect(throws: PotluckError.self) { try await take("0-1", nil) }
                try await take(first.id, Self.lena)
                #expect(try await Self.photo(key, running).comments == [second])
                let third = try await write("Again", Self.lena)
                for comment in [second, third] { try await take(comment.id, nil) }
                #expect(try await Self.photo(key, running).comments == nil)
                await #expect(throws: PotluckError.self) { try await write(" ", nil) }
            }
        }
    }

    /// Undo takes back one guest's photo; what the owner deletes of a guest's is hidden here, and stays with all others.
    @Test func undoAndHide() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                try await running.services.contributions.contribute(all: [.deviceName("Grandma")])
                let control = running.control()
                let undone = try await Self.bring([1], Self.lena, "Lena", running)
                await #expect(throws: PotluckError.self) {
                    try await control.withdraw(album: "Beach", photo: undone.blob.hex, guest: Self.tom)
                }
                try await control.withdraw(album: "Beach", photo: undone.blob.hex, guest: Self.lena)
                #expect(await !running.isLive(undone))

                let kept = try await Self.bring([2], Self.lena, "Lena", running)
                let report = try await control.remove(RemovalOrder(.remove, album: "Beach", photos: ["2.jpg"]))
                #expect(report.photos.map(\.outcome) == [.hidden])
                #expect(report.photos.map(\.others) == [["Lena (at Grandma)"]])
                #expect(await running.isLive(kept))

                let deleted = try await Self.bring([3], Self.tom, "Tom", running)
                let bridge = try FolderBridge(services: running.services, folderRoot: "/nonexistent")
                try await bridge.apply([.removed(album: deleted.album, blob: deleted.blob, path: "Beach/3.jpg")])
                #expect(await running.isLive(deleted))
                #expect(try await control.hidden(album: "Beach").hidden.map(\.name).sorted() == ["2.jpg", "3.jpg"])
                try await bridge.apply([
                    .renamed(album: deleted.album, blob: deleted.blob, name: "x.jpg", path: "Beach/x.jpg")
                ])
                #expect(try await Self.photo(deleted, running).name == "3.jpg")

                // What the owner has as well, the guest's add keeps in the album.
                let both = try await Self.bring([4], Self.tom, "Tom", running)
                _ = try await running.add([4], name: "4.jpg", to: "Beach")
                let outcome = try await control.remove(RemovalOrder(.remove, album: "Beach", photos: ["4.jpg"]))
                #expect(outcome.photos.map(\.outcome) == [.hidden])
                let left = await running.view.engine.catalog.photo(both)?.contributingPeople.map(\.guest)
                #expect(left == [Self.tom])
            }
        }
    }

    @Test func revocations() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                try await running.services.contributions.contribute(all: [.deviceName("Grandma")])
                let control = running.control()
                let key = try await Self.bring([1], Self.lena, "Lena", running)
                try await control.revoke(guest: Self.lena)
                try await control.raiseGuestEpoch()
                #expect(
                    await control.guests()
                        == KnownGuests(names: [Self.lena: "Lena"], revoked: [Self.lena], epoch: 1))
                await #expect(throws: PotluckError.self) {
                    try await control.like(
                        album: "Beach", photo: key.blob.hex, guest: Self.lena, name: nil, on: true)
                }
                await #expect(throws: PotluckError.self) {
                    try await control.tag(
                        album: "Beach", photo: key.blob.hex, add: ["sea"], remove: [], guest: Self.lena, name: nil)
                }
                try await control.tag(
                    album: "Beach", photo: key.blob.hex, add: ["sea"], remove: [], guest: Self.tom, name: "Tom")
                try await control.caption(
                    album: "Beach", photo: key.blob.hex, text: "Sea", guest: Self.tom, name: "Tom")
                let photo = try await Self.photo(key, running)
                #expect(photo.tags == ["sea"] && photo.caption == "Sea")
                let long = String(repeating: "x", count: 61)
                await #expect(throws: PotluckError.self) {
                    try await control.like(album: "Beach", photo: key.blob.hex, guest: Self.tom, name: long, on: true)
                }
            }
        }
    }

    /// One event for a photo of which something is said, none for one that comes; and one about guests.
    @Test func eventsTellOfChanges() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                try await running.services.contributions.contribute(all: [.deviceName("Grandma")])
                let key = try await running.add([1], name: "a.jpg", to: "Beach")
                var events = running.control().events().makeAsyncIterator()
                try await running.control().like(
                    album: "Beach", photo: "a.jpg", guest: Self.lena, name: "Lena", on: true)
                let brought = try await Self.bring([2], Self.lena, "Lena", running)
                try await running.control().withdraw(album: "Beach", photo: brought.blob.hex, guest: Self.lena)
                var seen: [EventRecord] = []
                while let event = await events.next() {
                    seen.append(event)
                    if event.event == .photoRemoved { break }
                }
                let changed = seen.filter { $0.event == .photoChanged }
                #expect(changed.map(\.photo) == [key.blob.hex] && changed.map(\.album) == [key.album.hex])
                #expect(seen.filter { $0.event == .guestsChanged }.count == 1)
                #expect(seen.first { $0.event == .photoAdded }?.by == "Lena (at Grandma)")
            }
        }
    }

    /// Shows that guests take no words away that may be those of others: neither from photos that others added, nor from
    /// those that they only added once more. Words of their own photos are theirs.
    @Test func wordsOfOthersStay() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                try await running.services.contributions.contribute(all: [.deviceName("Grandma")])
                let control = running.control()
                func caption(_ key: PhotoKey, _ text: String, _ guest: GuestID?) async throws {
                    try await control.caption(
                        album: "Beach", photo: key.blob.hex, text: text, guest: guest,
                        name: guest.map { _ in "Somebody" })
                }
                func tag(_ key: PhotoKey, _ add: [String] = [], remove: [String] = [], _ guest: GuestID?) async throws {
                    try await control.tag(
                        album: "Beach", photo: key.blob.hex, add: add, remove: remove, guest: guest,
                        name: guest.map { _ in "Somebody" })
                }
                func words(_ key: PhotoKey) async throws -> [String] {
                    let photo = try await Self.photo(key, running)
                    return [photo.caption ?? ""] + photo.tags
                }
                let owners = try await running.add([1], name: "1.jpg", to: "Beach")
                // Adding is free, taking away is not, even what this guest wrote: nobody knows that.
                try await caption(owners, "", Self.lena)
                try await tag(owners, ["sea"], remove: ["sun"], Self.lena)
                try await caption(owners, "Waves", Self.lena)
                try await caption(owners, " Waves ", Self.tom)
                for (text, guest) in [("", Self.lena), ("Mine", Self.tom)] {
                    await #expect(throws: GuestRefusal.captionOfOthers) { try await caption(owners, text, guest) }
                }
                await #expect(throws: GuestRefusal.tagsOfOthers) {
                    try await tag(owners, ["sun"], remove: ["SEA"], Self.lena)
                }
                #expect(try await words(owners) == ["Waves", "sea"])
                try await tag(owners, ["sun"], Self.tom)
                #expect(try await words(owners) == ["Waves", "sea", "sun"])

                // Who adds it once more has no more say.
                let same = try await Self.bring([1], Self.tom, "Tom", running)
                #expect(same == owners)
                await #expect(throws: GuestRefusal.captionOfOthers) { try await caption(owners, "", Self.tom) }
                await #expect(throws: GuestRefusal.tagsOfOthers) { try await tag(owners, remove: ["sea"], Self.tom) }

                // The owner may, and each guest with own photos.
                try await caption(owners, "Sea", nil)
                try await tag(owners, remove: ["sea", "sun"], nil)
                #expect(try await words(owners) == ["Sea"])
                let lenas = try await Self.bring([2], Self.lena, "Lena", running)
                try await caption(lenas, "Dunes", Self.tom)
                try await tag(lenas, ["sand"], Self.tom)
                await #expect(throws: GuestRefusal.captionOfOthers) { try await caption(lenas, "", Self.tom) }
                try await caption(lenas, "Our dunes", Self.lena)
                try await tag(lenas, ["wind"], remove: ["sand"], Self.lena)
                #expect(try await words(lenas) == ["Our dunes", "wind"])
            }
        }
    }
}
