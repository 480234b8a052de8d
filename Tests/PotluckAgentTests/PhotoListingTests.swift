import AlbumModel
import PotluckAPI
import TestSupport
import Testing

@testable import PotluckAgent

/// Listings of photos and of what people say of them, from changes of several devices.
@Suite(.slow, .timeLimit(.minutes(1))) struct PhotoListingTests {
    private typealias Made = ListedGathering

    private let beach = AlbumName.identifier("Beach day")
    private let old = AlbumName.identifier("Old times")

    private func named(_ id: AlbumID, _ name: String) -> Change { .albumNamed(id, name: name, replaces: []) }

    /// Shows every key that facts and words fill, with exact numbers.
    @Test func everythingKnownIsListed() async throws {
        try await ListedGathering.with { gathering in
            var anna = gathering.person(1, "Anna")
            var ben = gathering.person(2, "Ben")
            var facts = Made.facts(
                .motion, taken: "2021-04-11T15:47:53", offset: -300,
                camera: Camera(make: "Apple", model: "iPhone 11", lens: "back camera", serial: "1"))
            facts.size = PixelSize(width: 3024, height: 4032)
            facts.place = Place(
                latitudeMicrodegrees: 39_051_344, longitudeMicrodegrees: -94_288_772, altitudeCentimetres: 26_056)
            facts.durationMilliseconds = 1910
            facts.thumbnail = Thumbnail(
                blob: Made.blob(9), byteCount: 9000, size: PixelSize(width: 360, height: 480), mediaType: "image/webp")
            facts.problem = "Its colour profile is damaged."
            gathering.say(
                &anna,
                [
                    named(beach, "Beach day"), Made.photo(beach, 5, "IMG_1.HEIC", type: "image/heic"),
                    .photoRead(beach, Made.blob(5), facts), .photoTagged(beach, Made.blob(5), "Sun"),
                ])
            gathering.say(
                &ben,
                [
                    .photoCaptioned(beach, Made.blob(5), "Waves", replaces: []),
                    .photoTagged(beach, Made.blob(5), "sea"), .photoFavoured(beach, Made.blob(5)),
                    .coverChosen(beach, Made.blob(5), replaces: []),
                ])
            let photo = try #require(try await gathering.listings.photos(PhotoQuery(album: "beach DAY")).photos.first)
            #expect(photo.id == Made.blob(5).hex)
            #expect((photo.kind, photo.width, photo.height) == (.motion, 3024, 4032))
            #expect((photo.taken, photo.takenFrom) == ("2021-04-11T15:47:53-05:00", .exif))
            #expect((photo.make, photo.model, photo.lens) == ("Apple", "iPhone 11", "back camera"))
            #expect((photo.latitude, photo.longitude, photo.altitude) == (39.051344, -94.288772, 260.56))
            #expect(photo.duration == 1.91)
            #expect(photo.thumbnail == Made.blob(9).hex)
            #expect(photo.problem == "Its colour profile is damaged.")
            #expect(photo.tags == ["sea", "Sun"])
            #expect(photo.caption == "Waves")
            #expect(photo.captions == nil)
            #expect(photo.favourites == ["Ben"])
            #expect((photo.by, photo.contributors) == ("Anna", ["Anna"]))
            #expect(photo.album == nil)
            #expect(try gathering.albums().map(\.cover) == [Made.blob(5).hex])
            let cover = try gathering.listings.cover(album: "Beach day")
            #expect(
                cover == CoverReport(album: "Beach day", albumID: beach.hex, cover: photo.id, name: "IMG_1.HEIC"))
        }
    }

    /// Shows that an instant is written in UTC as long as no photo of its album states an offset.
    @Test func anInstantWithoutPlaceIsUTC() async throws {
        try await ListedGathering.with { gathering in
            var anna = gathering.person(1, "Anna")
            gathering.say(&anna, [named(beach, "Beach day"), Made.photo(beach, 1, "1.mp4", type: "video/mp4")])
            let facts = Made.facts(.video, taken: "2026-08-01T06:30:01", offset: 0, source: .quickTime)
            gathering.say(&anna, [.photoRead(beach, Made.blob(1), facts)])
            let photos = try await gathering.listings.photos(PhotoQuery(album: "Beach day")).photos
            #expect(photos.map(\.taken) == ["2026-08-01T06:30:01Z"])
        }
    }

    /// Shows how the time of capture is written: with the offset that the file states, local without one, and by the
    /// clocks of most of the album where only the instant is known; and that the album is listed in that order.
    @Test func photosAreListedByTimeTaken() async throws {
        try await ListedGathering.with { gathering in
            var anna = gathering.person(1, "Anna")
            gathering.say(&anna, [named(beach, "Beach day")])
            let times: [(UInt8, PhotoFacts?)] = [
                (1, Made.facts(taken: "2026-08-01T12:00:03")),
                (2, Made.facts(taken: "2026-08-01T12:00:02", offset: 330, source: .xmp)),
                (3, Made.facts(.video, taken: "2026-08-01T06:30:01", offset: 0, source: .quickTime)),
                (4, Made.facts(taken: "2026-08-01T12:00:00", offset: 0)),
                (5, Made.facts(taken: "2026-07-31T00:00:00", source: .fileName)), (6, nil),
            ]
            for (number, facts) in times {
                gathering.say(&anna, [Made.photo(beach, number, "\(number).jpg")])
                if let facts { gathering.say(&anna, [.photoRead(beach, Made.blob(number), facts)]) }
            }
            // Two more that state an offset make it the one that the album's instants are moved by.
            gathering.say(&anna, [Made.photo(beach, 7, "7.jpg")])
            gathering.say(
                &anna, [.photoRead(beach, Made.blob(7), Made.facts(taken: "2026-08-02T00:00:00", offset: 330))])
            let photos = try await gathering.listings.photos(PhotoQuery(album: "Beach day")).photos
            #expect(photos.map(\.name) == ["6.jpg", "5.jpg", "4.jpg", "3.jpg", "2.jpg", "1.jpg", "7.jpg"])
            #expect(
                photos.map(\.taken) == [
                    "1970-01-01T05:30:00+05:30", "2026-07-31T00:00:00", "2026-08-01T12:00:00+00:00",
                    "2026-08-01T12:00:01+05:30", "2026-08-01T12:00:02+05:30", "2026-08-01T12:00:03",
                    "2026-08-02T00:00:00+05:30",
                ])
            #expect(photos.map(\.takenFrom) == [.mtime, .name, .exif, .quicktime, .xmp, .exif, .exif])
            let brief = try await gathering.listings.photos(PhotoQuery(album: "Beach day", isBrief: true)).photos
            #expect(brief.map(\.takenFrom) == photos.map(\.takenFrom))
        }
    }

    /// Shows that the files of one moment are one entry, with the words of all of them.
    @Test func aMomentIsOneEntry() async throws {
        try await ListedGathering.with { gathering in
            var anna = gathering.person(1, "Anna")
            var still = Made.facts(taken: "2026-08-01T12:00:00")
            var video = Made.facts(.video, taken: "2026-08-01T12:00:00")
            (still.contentIdentifier, video.contentIdentifier) = ("A-1", "A-1")
            video.durationMilliseconds = 2500
            gathering.say(
                &anna,
                [
                    named(beach, "Beach day"), Made.photo(beach, 1, "IMG_1.HEIC", type: "image/heic"),
                    Made.photo(beach, 2, "IMG_1.MOV", type: "video/quicktime"),
                    .photoRead(beach, Made.blob(1), still), .photoRead(beach, Made.blob(2), video),
                    .photoTagged(beach, Made.blob(1), "sea"), .photoTagged(beach, Made.blob(2), "moving"),
                    .photoCaptioned(beach, Made.blob(2), "Look", replaces: []),
                ])
            let photos = try await gathering.listings.photos(PhotoQuery(album: "Beach day")).photos
            #expect(photos.map(\.kind) == [.live])
            #expect(
                photos[0].companions == [.init(id: Made.blob(2).hex, name: "IMG_1.MOV", bytes: 100, role: "video")])
            // Every listing counts alike.
            let album = try #require(try gathering.albums().first)
            #expect(album.photos == 1 && album.bytes == 200)
            let originals = try #require(try await gathering.listings.originals(album: beach).albums.first)
            #expect(originals.photos == 1 && originals.here == 0 && originals.leftOut.photos == 0)
            #expect(try await gathering.listings.originals(album: nil).albums == [originals])
            #expect(photos[0].duration == 2.5)
            #expect(photos[0].tags == ["moving", "sea"])
            #expect(photos[0].caption == "Look")
            // Named by its moving half, it is found as well.
            let named = try await gathering.listings.photos(PhotoQuery(album: "Beach day", photos: ["img_1.mov"]))
            #expect(named.photos.map(\.name) == ["IMG_1.HEIC"])
            #expect(try await gathering.listings.photos(PhotoQuery(tags: ["MOVING"])).photos.count == 1)
        }
    }

    /// Shows that a Live Photo counts as one that is left out, with the bytes of what is not here: of both files, then of the
    /// film alone.
    @Test func aMomentIsLeftOutAsOne() async throws {
        try await ListedGathering.with { gathering in
            var anna = gathering.person(1, "Anna")
            var facts = Made.facts(taken: "2026-08-01T12:00:00")
            facts.contentIdentifier = "A-1"
            var film = facts
            film.kind = .video
            gathering.say(
                &anna,
                [
                    named(beach, "Beach day"), Made.photo(beach, 1, "IMG_1.HEIC", type: "image/heic"),
                    Made.photo(beach, 2, "IMG_1.MOV", type: "video/quicktime"),
                    .photoRead(beach, Made.blob(1), facts), .photoRead(beach, Made.blob(2), film),
                ])
            gathering.leaveOut(beach)
            for (held, count, byteCount) in [([], 1, 200), ([1], 1, 100), ([1, 2], 0, 0)] as [([UInt8], Int, UInt64)] {
                gathering.hold(held)
                let album = try #require(try await gathering.listings.originals(album: beach).albums.first)
                #expect(album.photos == 1 && album.leftOut.photos == count && album.leftOut.bytes == byteCount)
            }
        }
    }

    /// Shows that captions that were written at one time are both kept, with their writers, and that the next one
    /// settles it.
    @Test func concurrentCaptionsAreBothShown() async throws {
        try await ListedGathering.with { gathering in
            var anna = gathering.person(1, "Anna")
            var ben = gathering.person(2, "Ben")
            gathering.say(
                &anna, [named(beach, "Beach day"), Made.photo(beach, 1, "1.jpg"), Made.photo(beach, 2, "2.jpg")])
            let first = gathering.say(&anna, [.photoCaptioned(beach, Made.blob(1), "Waves", replaces: [])])
            let second = gathering.say(&ben, [.photoCaptioned(beach, Made.blob(1), "Surf", replaces: [])])
            let conflicts = PhotoQuery(album: "Beach day", hasConflict: true)
            let photo = try #require(try await gathering.listings.photos(conflicts).photos.first)
            #expect(photo.caption == "Surf")
            #expect(photo.captions == [.init(by: "Ben", caption: "Surf"), .init(by: "Anna", caption: "Waves")])
            gathering.say(&ben, [.photoCaptioned(beach, Made.blob(1), "Both", replaces: first + second)])
            #expect(try await gathering.listings.photos(conflicts).photos.isEmpty)
        }
    }

    /// Shows each filter, alone, over two albums.
    @Test func filtersNarrow() async throws {
        try await ListedGathering.with { gathering in
            var anna = gathering.person(1, "Anna")
            var ben = gathering.person(2, "Ben")
            gathering.say(
                &anna,
                [
                    named(beach, "Beach day"), named(old, "Old times"), Made.photo(beach, 1, "1.jpg"),
                    .photoRead(
                        beach, Made.blob(1),
                        Made.facts(
                            taken: "2026-08-01T12:00:00", camera: Camera(make: "Canon", model: "Canon EOS 7D"))),
                    .photoTagged(beach, Made.blob(1), "First swim"), .photoTagged(beach, Made.blob(1), "sea"),
                ])
            gathering.say(
                &ben,
                [
                    Made.photo(old, 2, "2.mp4", type: "video/mp4"),
                    .photoRead(old, Made.blob(2), Made.facts(.video, taken: "2026-08-02T00:00:00")),
                    .photoTagged(old, Made.blob(2), "SEA"), .photoFavoured(old, Made.blob(2)),
                ])
            func names(_ query: PhotoQuery) async throws -> [String] {
                try await gathering.listings.photos(query).photos.map(\.name)
            }
            #expect(try await names(PhotoQuery(tags: ["sea"])) == ["1.jpg", "2.mp4"])
            #expect(try await names(PhotoQuery(tags: ["sea", "first SWIM"])) == ["1.jpg"])
            #expect(try await names(PhotoQuery(by: ["ben"])) == ["2.mp4"])
            #expect(try await names(PhotoQuery(by: ["Ben", String(anna.device.hex.prefix(6))])) == ["1.jpg", "2.mp4"])
            #expect(try await names(PhotoQuery(by: ["Nobody"])).isEmpty)
            let midnight = LocalTime(parsing: "2026-08-02")
            #expect(try await names(PhotoQuery(takenAfter: midnight)) == ["2.mp4"])
            #expect(try await names(PhotoQuery(takenBefore: midnight)) == ["1.jpg"])
            #expect(try await names(PhotoQuery(camera: "canon 7d")) == ["1.jpg"])
            #expect(try await names(PhotoQuery(kinds: [.video, .live])) == ["2.mp4"])
            #expect(try await names(PhotoQuery(isFavourite: true)) == ["2.mp4"])
            #expect(try await names(PhotoQuery(words: "swi")) == ["1.jpg"])
            #expect(try await names(PhotoQuery(words: "ben")) == ["2.mp4"])
            #expect(try await names(PhotoQuery(words: "sea", kinds: [.photo])) == ["1.jpg"])
            #expect(try await names(PhotoQuery(album: "Old times", tags: ["sea"])) == ["2.mp4"])
            let all = try await gathering.listings.photos(PhotoQuery(tags: ["sea"]))
            #expect((all.album, all.albumID) == (nil, nil))
            #expect(all.photos.map(\.album) == ["Beach day", "Old times"])
            #expect(all.photos.map(\.albumID) == [beach.hex, old.hex])
            let tags = try await gathering.listings.tags(album: nil).tags
            #expect(tags.map(\.photos) == [2, 1])
            #expect(tags.last?.tag == "First swim")
            #expect(try await gathering.listings.tags(album: "Old times").tags == [.init(tag: "SEA", photos: 1)])
        }
    }

    /// Shows what is said of albums and photos that are not known, and of a listing of everything.
    @Test func whatIsNotKnownIsSaid() async throws {
        try await ListedGathering.with { gathering in
            var anna = gathering.person(1, "Anna")
            gathering.say(&anna, [named(beach, "Beach day"), Made.photo(beach, 1, "1.jpg")])
            let listings = try gathering.listings
            func status(_ query: PhotoQuery) async -> PotluckAPI.ExitStatus? {
                let error = await #expect(throws: PotluckError.self) { try await listings.photos(query) }
                return error?.status
            }
            #expect(await status(PhotoQuery(album: "Nowhere")) == .notFound)
            #expect(await status(PhotoQuery(album: "Beach day", photos: ["2.jpg"])) == .notFound)
            #expect(await status(PhotoQuery()) == .usage)
            #expect(await status(PhotoQuery(photos: ["1.jpg"])) == .usage)
        }
    }

    /// Shows that a camera whose clock is set takes its photos with it, in the listing and in what is proposed next.
    @Test func aClockThatIsSetMovesItsPhotos() async throws {
        try await ListedGathering.with { gathering in
            var anna = gathering.person(1, "Anna")
            let camera = Camera(make: "Canon", model: "Canon EOS 7D")
            gathering.say(
                &anna,
                [
                    named(beach, "Beach day"), Made.photo(beach, 1, "1.jpg"), Made.photo(beach, 2, "2.jpg"),
                    .photoRead(beach, Made.blob(1), Made.facts(taken: "2026-08-01T12:00:00", camera: camera)),
                    .photoRead(beach, Made.blob(2), Made.facts(taken: "2026-08-01T12:30:00")),
                ])
            let report = try await gathering.listings.clocks(album: "Beach day", camera: nil)
            #expect(report.cameras.map(\.model) == ["Canon EOS 7D"])
            #expect(report.cameras.map(\.photos) == [1])
            #expect(report.cameras[0].verdict == .unknown)
            let changes = try await gathering.listings.clockChanges(
                ClockEdit(album: "Beach day", camera: "anna 7d", seconds: 3600))
            #expect(changes.map(\.seconds) == [3600])
            gathering.say(
                &anna, [.cameraClockSet(beach, changes[0].camera, seconds: changes[0].seconds, replaces: [])])
            let photos = try await gathering.listings.photos(PhotoQuery(album: "Beach day")).photos
            #expect(photos.map(\.name) == ["2.jpg", "1.jpg"])
            #expect(photos.map(\.taken) == ["2026-08-01T12:30:00", "2026-08-01T13:00:00"])
            let after = try await gathering.listings.clocks(album: "Beach day", camera: "EOS")
            #expect(after.cameras.map(\.applied) == [3600])
            let unknown = await #expect(throws: PotluckError.self) {
                try await gathering.listings.clocks(album: "Beach day", camera: "Nikon")
            }
            #expect(unknown?.status == .notFound)
            // Nothing is proposed, so nothing is changed.
            #expect(try await gathering.listings.clockChanges(ClockEdit(album: "Beach day")).isEmpty)
        }
    }

    /// Shows a camera that GPS proves wrong: what is proposed, what applying that changes, and that nothing is proposed
    /// any more then.
    @Test func aWrongClockIsProposed() async throws {
        try await ListedGathering.with { gathering in
            var anna = gathering.person(1, "Anna")
            var ben = gathering.person(2, "Ben")
            gathering.say(&anna, [named(beach, "Beach day")])
            let begin: Int64 = 1_785_578_400_000
            for (index, minutes) in [0, 7, 31, 58, 90, 133, 134, 170, 222, 260, 301, 350].enumerated() {
                let (number, utc) = (UInt8(index), begin + Int64(minutes) * 60_000)
                var right = Made.facts(camera: Camera(make: "Google", model: "Pixel 6"))
                right.taken = CaptureTime(localMilliseconds: utc + 7_200_000, offsetMinutes: 120, source: .exif)
                right.gpsMilliseconds = utc
                var wrong = Made.facts(camera: Camera(make: "Canon", model: "Canon EOS 7D"))
                wrong.taken = CaptureTime(
                    localMilliseconds: utc + 7_200_000 - 3_725_000, offsetMinutes: nil, source: .exif)
                wrong.gpsMilliseconds = utc
                gathering.say(
                    &ben, [Made.photo(beach, number, "P\(number).jpg"), .photoRead(beach, Made.blob(number), right)])
                gathering.say(
                    &anna,
                    [
                        Made.photo(beach, 100 + number, "C\(number).jpg"),
                        .photoRead(beach, Made.blob(100 + number), wrong),
                    ])
            }
            let report = try await gathering.listings.clocks(album: "Beach day", camera: nil)
            #expect(report.cameras.map(\.by) == ["Anna", "Ben"])
            #expect(report.cameras.map(\.verdict) == [.wrong, .right])
            #expect(report.cameras.map(\.proposed) == [3725, 0])
            #expect(report.cameras.map(\.hasProposal) == [true, false])
            #expect(report.cameras[0].evidence.map { $0.gpsPhotos >= 3 } == true)
            let changes = try await gathering.listings.clockChanges(ClockEdit(album: "Beach day"))
            #expect(changes.map(\.seconds) == [3725])
            let which = await #expect(throws: PotluckError.self) {
                try await gathering.listings.clockChanges(ClockEdit(album: "Beach day", seconds: 5))
            }
            #expect(which?.status == .usage)
            gathering.say(
                &anna, [.cameraClockSet(beach, changes[0].camera, seconds: changes[0].seconds, replaces: [])])
            let after = try await gathering.listings.clocks(album: "Beach day", camera: "canon")
            #expect(after.cameras.map(\.applied) == [3725])
            #expect(after.cameras.map(\.proposed) == [3725])
            #expect(after.cameras.map(\.hasProposal) == [false])
        }
    }
}
