import AlbumModel
import FoundationEssentials
import PhotoStore
import PotluckAPI
import SyncEngine
import TestSupport
import Testing

@testable import PotluckAgent

/// Whatever is said in a gathering, the index of a running agent says the same as the journal: after every change it is
/// what it would be if it were made anew from a new fold, and `potluck verify` finds nothing; so after a restart.
@Suite(.timeLimit(.minutes(2))) struct IndexAgreementTests {
    private static let beach = AlbumName.identifier("Beach")
    private static let hike = AlbumName.identifier("Hike")

    private static func key(_ number: UInt8) -> PhotoKey {
        PhotoKey(album: beach, blob: ListedGathering.blob(number))
    }

    private static func photo(_ number: UInt8, _ name: String) -> Change {
        ListedGathering.photo(beach, number, name)
    }

    private static func removal(_ catalog: Catalog, _ number: UInt8) -> Change {
        .photoRemoved(beach, key(number).blob, adds: catalog.photo(key(number))?.adds.map(\.dot) ?? [])
    }

    private static func read(_ number: UInt8, _ facts: PhotoFacts, version: UInt32 = 1) -> Change {
        var facts = facts
        facts.readerVersion = version
        return .photoRead(beach, key(number).blob, facts)
    }

    private static func facts(_ kind: MediaKind = .photo, content: String = "", model: String = "EOS") -> PhotoFacts {
        var facts = ListedGathering.facts(
            kind, taken: "2026-08-01T12:00:00", offset: 120, camera: Camera(make: "Canon", model: model))
        facts.contentIdentifier = content
        return facts
    }

    @Test(.slow) func everyKindOfChangeIsFollowed() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                var story = try Story(running)
                try await Self.names(&story)
                try await Self.photos(&story)
                try await Self.words(&story)
                try await Self.albumWords(&story)
                try await Self.oddities(&story)
            }
            try await RunningAgent.run(home) { running in try await Story(running).expectAgreement("a restart") }
        }
    }

    /// Albums, devices and the gathering are named, at once and again, and get back a name that they had.
    private static func names(_ story: inout Story) async throws {
        try await story.own("the gathering's name", .gatheringName("Reunion"))
        try await story.own("the own name", .deviceName("Grandma"))
        try await story.tell("a device's name", \.anna) { _ in [.deviceNamed("Anna")] }
        try await story.tell("another name", \.ben) { _ in [.deviceNamed("Ben"), .deviceNamed("Benjamin")] }
        try await story.tell("a second name of the gathering", \.ben) { _ in [.gatheringNamed("Fest", replaces: [])] }
        try await story.tell("one name again", \.anna) {
            [.gatheringNamed("Reunion", replaces: $0.gatheringName.currentDots)]
        }
        try await story.tell("an album", \.anna) { _ in [.albumNamed(beach, name: "Beach", replaces: [])] }
        try await story.tell("a namesake", \.ben) { _ in [.albumNamed(hike, name: "beach", replaces: [])] }
        try await story.tell("another name for one of them", \.anna) {
            [.albumNamed(beach, name: "Strand", replaces: $0.albums[beach]!.name.currentDots)]
        }
        try await story.tell("a name at once", \.ben) { _ in [.albumNamed(beach, name: "Plage", replaces: [])] }
        try await story.tell("the first name again", \.anna) {
            [.albumNamed(beach, name: "Beach", replaces: $0.albums[beach]!.name.currentDots)]
        }
    }

    /// Photos come, twice too, are named, read, removed before they come, and return.
    private static func photos(_ story: inout Story) async throws {
        try await story.tell("photos", \.anna) { _ in
            [photo(1, "IMG_1.HEIC"), photo(2, "IMG_1.MOV"), photo(3, "IMG_2.jpg")]
        }
        try await story.tell("a second contributor, and an album without a name", \.ben) { _ in
            [photo(1, "sea.heic"), ListedGathering.photo(AlbumName.identifier("Lake"), 4, "lake.jpg")]
        }
        try await story.tell("facts of a Live Photo", \.anna) { _ in
            [read(1, facts(content: "A")), read(2, facts(.video, content: "A")), read(3, facts(model: "5D"))]
        }
        try await story.tell("better facts, which part it", \.ben) { _ in [read(2, facts(.video), version: 2)] }
        try await story.tell("facts that come too late", \.ben) { _ in [read(2, facts(.video, content: "A"))] }
        try await story.tell("together again", \.ben) { _ in [read(2, facts(.video, content: "A"), version: 3)] }
        try await story.tell("the film goes", \.anna) { [removal($0, 2)] }
        try await story.tell("facts of what is gone", \.ben) { _ in [read(2, facts(.video), version: 4)] }
        try await story.tell("it returns", \.ben) { _ in [photo(2, "IMG_1.MOV")] }
        try await story.tell("facts of what is still to come", \.ben) { _ in [read(9, facts())] }
        try await story.tell("it comes", \.anna) { _ in [photo(9, "late.jpg")] }
        try await story.tell("one contributor less", \.anna) {
            [.photoRemoved(beach, key(1).blob, adds: [$0.photo(key(1))!.adds[0].dot])]
        }
        try await story.tell("a name", \.anna) {
            [.photoNamed(beach, key(3).blob, name: "pier.jpg", replaces: $0.photo(key(3))!.name.currentDots)]
        }
        try await story.tell("a name at once", \.ben) { _ in
            [.photoNamed(beach, key(3).blob, name: "mole.jpg", replaces: [])]
        }
        try await story.tell("the first name again", \.anna) {
            [.photoNamed(beach, key(3).blob, name: "IMG_2.jpg", replaces: $0.photo(key(3))!.name.currentDots)]
        }
        let late = story.anna.say([photo(5, "short.jpg")])
        try await story.tell("a removal before its add", \.ben) { _ in
            [.photoRemoved(beach, key(5).blob, adds: late.dots)]
        }
        try await story.hear("the add", late)
    }

    /// Captions, tags and favours are given and taken, and follow a photo.
    private static func words(_ story: inout Story) async throws {
        let blob = key(3).blob
        func caption(_ text: String, _ catalog: Catalog) -> Change {
            .photoCaptioned(beach, blob, text, replaces: catalog.photo(key(3))!.caption.currentDots)
        }
        try await story.tell("a caption", \.anna) { [caption("Sea", $0)] }
        try await story.tell("another at once", \.ben) { _ in [.photoCaptioned(beach, blob, "Meer", replaces: [])] }
        try await story.tell("none", \.anna) { [caption("", $0)] }
        try await story.tell("the first again", \.ben) { [caption("Sea", $0)] }
        try await story.tell("tags", \.anna) { _ in
            [.photoTagged(beach, blob, "Swim"), .photoTagged(beach, blob, "Sun")]
        }
        try await story.tell("a tag otherwise", \.ben) { _ in [.photoTagged(beach, blob, "swim ")] }
        try await story.tell("no tag", \.ben) {
            [.photoUntagged(beach, blob, "swim", adds: $0.photo(key(3))!.tagDots("swim"))]
        }
        try await story.tell("favours", \.anna) { _ in [.photoFavoured(beach, blob)] }
        try await story.tell("more", \.ben) { _ in [.photoFavoured(beach, blob)] }
        try await story.tell("a successor", \.anna) { _ in
            [photo(6, "edit.jpg"), .photoReplaced(key(3), by: key(6))]
        }
        try await story.tell("it takes the place", \.anna) { [removal($0, 3)] }
        try await story.tell("a favour of what is gone", \.anna) { _ in
            [.photoUnfavoured(beach, blob, adds: []), .photoFavoured(beach, blob)]
        }
        let (anna, ben) = (story.anna.device, story.ben.device)
        #expect(await story.running.view.engine.catalog.favourers(of: key(6)) == [anna, ben].sorted())
        try await story.tell("a favour is taken back", \.ben) {
            [.photoUnfavoured(beach, blob, adds: $0.photo(key(3))!.favourDots { $0 == ben })]
        }
        try await story.tell("the former returns", \.ben) { _ in [photo(3, "IMG_2.jpg")] }
    }

    /// Covers, and cameras' clocks: set, at once, and set to nothing.
    private static func albumWords(_ story: inout Story) async throws {
        func cover(_ number: UInt8?, _ catalog: Catalog) -> Change {
            .coverChosen(beach, number.map { key($0).blob }, replaces: catalog.albums[beach]!.cover.currentDots)
        }
        try await story.tell("a cover", \.anna) { [cover(9, $0)] }
        try await story.tell("it goes", \.ben) { [removal($0, 9)] }
        try await story.tell("no cover", \.ben) { [cover(nil, $0)] }
        try await story.tell("a cover that nobody knows", \.ben) { [cover(77, $0)] }
        let camera = CameraKey(contributor: story.anna.device, make: "Canon", model: "5D", serial: "")
        func clock(_ seconds: Int64, _ catalog: Catalog) -> Change {
            let register = catalog.albums[beach]!.cameraClocks[camera]
            return .cameraClockSet(beach, camera, seconds: seconds, replaces: register?.currentDots ?? [])
        }
        try await story.tell("a clock that is right", \.anna) { [clock(0, $0)] }
        try await story.tell("a clock that is wrong", \.anna) { [clock(3600, $0)] }
        try await story.tell("otherwise at once", \.ben) { _ in
            [.cameraClockSet(beach, camera, seconds: -60, replaces: [])]
        }
        try await story.tell("the clock is right after all", \.anna) { [clock(0, $0)] }
        try await story.own("set to nothing here", .cameraClock(beach, camera, seconds: 60))
        try await story.own("and back", .cameraClock(beach, camera, seconds: 0))
    }

    /// What is without effect, forks, wrong clocks, many photos at once, and signs that a text should not have.
    private static func oddities(_ story: inout Story) async throws {
        try await story.tell("a change of tomorrow", \.anna) { _ in [.unknown(kind: 77, payload: [1, 2])] }
        try await story.tell("a senseless change", \.ben) { _ in [.photoTagged(beach, key(3).blob, " ")] }
        try await story.tell("a removal of what never was", \.ben) { [removal($0, 88)] }
        try await story.tell("a link of what never was", \.ben) { _ in [.photoReplaced(key(88), by: key(87))] }
        var twin = story.ben
        try await story.tell("a branch", \.ben) { _ in [.photoTagged(beach, key(3).blob, "left"), photo(7, "l.jpg")] }
        try await story.hear("another", twin.say([.photoTagged(beach, key(3).blob, "right"), photo(7, "r.jpg")]))
        try await story.tell("a removal from one of them", \.anna) {
            [.photoRemoved(beach, key(7).blob, adds: [$0.photo(key(7))!.adds[0].dot])]
        }
        try await story.tell("a clock a day ahead", \.anna, ahead: 86_400_000_000) { _ in [photo(8, "early.jpg")] }
        try await story.own("an own change behind it", .tag(beach, key(8).blob, "Swim"))
        var other = Guest(story.running.home.membership, former: story.anna)
        try await story.hear("a device that goes on from another", other.say([.deviceNamed("Anna (2)")]))
        let many = (0..<400).map { number in
            let blob = BlobID(bytes: BigEndian.bytes(UInt64(number)) + [UInt8](repeating: 7, count: 24))!
            return Change.photoAdded(
                PhotoAddition(
                    album: hike, blob: blob, byteCount: 10, pieceListHash: nil, name: "IMG_\(number / 2).jpg",
                    mediaType: "image/jpeg", modified: 0))
        }
        try await story.tell("many photos", \.anna) { _ in many }
        try await story.tell("many go", \.anna) { catalog in
            catalog.albums[hike]!.livePhotos.map { .photoRemoved(hike, $0.key, adds: $0.value.adds.map(\.dot)) }
        }
        let camera = CameraKey(contributor: story.anna.device, make: "Ca\0non", model: "5\0D", serial: "")
        try await story.tell("signs that end texts", \.anna) {
            [
                .deviceNamed("An\0na"), .albumNamed(hike, name: "Hi\0ke", replaces: $0.albums[hike]!.name.currentDots),
                photo(10, "a\0b.jpg"), .photoTagged(beach, key(10).blob, "x\0y"),
                .photoCaptioned(beach, key(10).blob, "c\0d", replaces: []), read(10, facts(model: "5\0D")),
                .cameraClockSet(beach, camera, seconds: 5, replaces: []),
            ]
        }
    }
}

/// A gathering in which things are said, one after the other.
private struct Story {
    let running: RunningAgent
    var anna: Guest
    var ben: Guest
    private let anew: Index

    init(_ running: RunningAgent) throws {
        self.running = running
        anna = Guest(running.home.membership)
        ben = Guest(running.home.membership)
        let directory = "\(running.path)/anew"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        anew = try Index(home: directory)
    }

    mutating func tell(
        _ step: String, _ who: WritableKeyPath<Story, Guest>, ahead: UInt64 = 0, _ changes: (Catalog) -> [Change]
    ) async throws {
        let catalog = await running.view.engine.catalog
        try await hear(step, self[keyPath: who].say(changes(catalog), ahead: ahead))
    }

    func hear(_ step: String, _ said: Guest.Said) async throws {
        #expect(try await running.hear(said), "\(step)")
        try await expectAgreement(step)
    }

    func own(_ step: String, _ contribution: Contribution) async throws {
        _ = try await running.services.contributions.contribute(contribution)
        try await expectAgreement(step)
    }

    func expectAgreement(_ step: String) async throws {
        await running.services.index.isComplete()
        var fold = JournalFold()
        try running.parts.journal.forEachBatch { row in try fold.add(row.batch, id: row.id, received: row.received) }
        try anew.write(fold.catalog, stamp: IndexStamp(catalog: fold.catalog, log: fold.log))
        #expect(try Content(running.parts.index) == Content(anew), "\(step)")
        let home = AgentsHome(
            path: running.path, services: running.services,
            signing: running.home.membership.signing, folderRoot: nil)
        var report = VerifyReport()
        try await HomeCheck(home: home, repair: false, pool: running.parts.blobPool).run(&report)
        #expect(report.findings.map(\.kind) == [], "\(step)")
    }
}

/// All that an index says of the fold.
private struct Content: Equatable {
    private let stamp: IndexStamp?
    private let albums: [AlbumListing]
    private let tags: [TagListing]
    private let photos: [[PhotoListing]]
    private let found: [[PhotoListing]]

    init(_ index: Index) throws {
        stamp = try index.stamp()
        albums = try index.albums()
        tags = try index.tags()
        photos = try albums.map { try index.photos(album: $0.album.id) }
        found = try ["img", "sea", "swim", "anna", "ben", "canon", "eos"].map { try index.search($0) }
    }
}
