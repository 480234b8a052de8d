import PotluckAPI
import Testing

@testable import PotluckCommands

/// Sentences and sums that people stumbled over.
@Suite struct WordingTests {
    private static func camera(_ model: String, _ doubt: ClocksReport.Doubt?, photos: Int = 2) -> ClocksReport.Camera {
        var camera = ClocksReport.Camera(
            by: "Anna", device: "c1", make: nil, model: model, serial: nil, photos: photos)
        camera.doubt = doubt
        return camera
    }

    /// Shows that a reason that many cameras share is told once, in the place of the first of them.
    @Test func equalDoubtsAreOneSentence() {
        let report = ClocksReport(
            album: "Beach", albumID: "a1",
            cameras: [
                Self.camera("A", .tooFewPhotos, photos: 1), FakeAgent.wrongCamera, Self.camera("B", .tooFewPhotos),
                Self.camera("C", .changed), Self.camera("D", .tooFewPhotos),
            ])
        #expect(
            ClockListing.text(report) == """
                Anna's A (1 photo), Anna's B (2 photos) and Anna's D (2 photos): nothing can be said, because they took \
                too few photos to compare.
                Anna's Canon EOS 7D, 142 photos: 1 h 2 min 5 s behind; 14 moments with 3 other cameras agree, \
                9 photos have GPS time.
                Anna's C, 2 photos: nothing can be said, because its clock was set midway.
                With --apply, this clock will be set right for everyone; the files stay as they are.

                """)
    }

    /// Shows that one of a unit is added, and more of it are.
    @Test(arguments: [
        (3600, "1 h is added to"), (-60, "1 min is taken from"), (86_400, "1 day is added to"),
        (7200, "2 h are added to"), (-3601, "1 h 1 s are taken from"),
    ])
    func correctionsAgreeInNumber(seconds: Int64, words: String) {
        var camera = FakeAgent.wrongCamera
        camera.applied = seconds
        let report = ClocksReport(album: "Beach", albumID: "a1", cameras: [camera])
        #expect(ClockListing.applied(report).contains(": \(words) what its clock shows."))
    }

    /// Shows that on fewer than one other laptop is on no other, and that one photo makes no sentence wrong.
    @Test func noOtherLaptopIsNone() {
        let one = StatusReport.Amount(photos: 1, bytes: 4_200_000)
        let report = LeaveReport(
            safe: false, others: 1, here: one, alone: one, short: one, blocked: 1, incoming: nil,
            obstacles: ["Nobody is here."], rate: nil, seconds: nil, albums: [], devices: [], photos: [])
        #expect(LeaveListing.text(report, cellCount: nil).contains("Short    1 photo, 4.2 MB, on no other laptop\n"))
        #expect(LeaveListing.verdict(report) == "1 photo is on no other laptop. Nobody is here.")
        #expect(LeaveListing.live(report) == "safe: 0 of 1 photo · 1 photo on this laptop alone · Nobody is here.")
    }

    /// Shows that no size is told where that of some files is not known, and why no time is, but how long it
    /// takes until they are shared. Catches a library of many
    /// gigabytes that looks like some megabytes.
    @Test func unknownSizesAreNotTold() {
        let files = StatusReport.Amount(photos: 2989, bytes: 24_000_000, unmeasured: 2980)
        var report = LeaveReport(
            safe: false, others: 1, here: files, alone: files, short: files, blocked: 0, incoming: files,
            obstacles: [], rate: 2_100_000, seconds: nil, albums: [], devices: [], photos: [])
        let text = LeaveListing.text(report, cellCount: nil)
        #expect(!text.contains("24.0 MB"), "\(text)")
        #expect(text.contains("Coming   2,989 files in the folder, not shared yet\n"))
        report.incomingSeconds = 120
        #expect(LeaveListing.text(report, cellCount: nil).contains("not shared yet, about 2 min left\n"))
        #expect(text.contains("Time     cannot be said yet: not all files in the folder have been looked at\n"))
        report.rate = 0
        #expect(LeaveListing.text(report, cellCount: nil).contains("cannot be said: nothing leaves this laptop now"))
        var status = FakeAgent.status(missing: 0)
        (status.incoming, status.incomingSeconds) = (files, 120)
        #expect(StatusListing.live(status).contains(" · coming in: 2,989 files, about 2 min left · "))
        let listing = StatusListing.text(status, isAll: false, cellCount: nil)
        #expect(listing.contains("Coming   2,989 files in the folder, not shared yet, about 2 min left\n"))
    }

    /// Shows that people are not told how many batches there were.
    @Test func packsHaveChangesNotBatches() {
        var report = PackReport(directory: "/stick", gathering: nil)
        (report.photos, report.kept, report.bytes, report.batches) = (12, 4, 33_600_000, 190)
        let beginning = "/stick has 12 photos, 4 of them from before; written now: 33.6 MB"
        #expect(PackListing.packed(report).hasPrefix(beginning + ", and changes such as captions and tags.\n"))
        report.batches = 0
        #expect(PackListing.packed(report).hasPrefix(beginning + ".\n"))
    }

    /// Shows that a stick with photos is not called empty because a laptop needs none of them.
    @Test func sticksAreNotCalledEmpty() {
        var report = PackReport(directory: "/stick", gathering: nil)
        #expect(PackListing.packed(report).hasPrefix("No photo was to go to /stick; written now: 0 bytes.\n"))
        report.unpacked = 1
        #expect(PackListing.packed(report).hasPrefix("/stick has 0 photos; "))
    }

    /// Shows that a photo has the size of all its files, as its album has.
    @Test func filmsOfLivePhotosCount() {
        var photo = FakeAgent.photo
        photo.companions = [.init(id: "b2", name: "IMG_0001.MOV", bytes: 800_000, role: "video")]
        let text = PhotoTable.text(
            PhotosReport(album: "Beach day", albumID: "a1", photos: [photo]), cellCount: nil)
        #expect(text.contains("  5.0 MB  ") && text.hasSuffix("1 photo, 5.0 MB\n"))
    }

    /// Shows that an album whose last photo has left it is listed no longer.
    @Test func emptyAlbumsAreNotListed() {
        func album(_ name: String, photos: Int) -> AlbumsReport.Album {
            .init(
                id: name, name: name, photos: photos, bytes: UInt64(photos), here: photos, copiesMin: nil, updated: nil,
                digest: "", digestLevel: 1)
        }
        func text(_ albums: [AlbumsReport.Album]) -> String {
            Listing.albums(AlbumsReport(albums: albums), now: TestConsole.now, cellCount: nil)
        }
        let listed = text([album("Gone", photos: 0), album("There", photos: 2)])
        #expect(!listed.contains("Gone") && listed.hasSuffix("1 album, 2 photos, 2 bytes\n"))
        #expect(text([album("Gone", photos: 0)]).hasPrefix("There are no albums yet."))
    }
}
