import AlbumModel
import StoreProbe
import TestSupport
import Testing

@testable import PhotoStore

private let anna = DeviceID(bytes: Samples.bytes(32, seed: 2))!
private let ben = DeviceID(bytes: Samples.bytes(32, seed: 3))!
private let stamp = IndexStamp(foldLevel: 2, vector: [1])
private let hour: Int64 = 3_600_000

private func album(_ number: UInt8, _ name: String) -> AlbumRow {
    AlbumRow(id: AlbumID(bytes: [number] + Samples.bytes(15, seed: 1))!, name: name, updated: 5, digest: [number])
}

private let beach = album(1, "Beach")
private let hike = album(2, "Hike")

/// A photo of which `facts` and `words` are known; its blob follows from its name.
private func photo(
    _ name: String, in album: AlbumRow = beach, by contributors: [DeviceID] = [anna], type: String = "image/jpeg",
    _ facts: PhotoFacts? = nil, caption: String = "", tags: [String] = [], favouredBy: [DeviceID] = []
) -> PhotoRow {
    PhotoRow(
        album: album.id, blob: Samples.blobID(Array(name.utf8)), name: name, mediaType: type, byteCount: 10,
        contributors: contributors.map { Person($0) }, added: 7, modified: 0, details: PhotoDetails(facts: facts),
        remarks: PhotoRemarks(caption: caption, tags: tags, favouredBy: favouredBy))
}

private func facts(
    _ kind: MediaKind = .photo, at: Int64? = nil, offset: Int32? = nil, source: CaptureTime.Source = .exif,
    camera: Camera = Camera(), content: String = ""
) -> PhotoFacts {
    PhotoFacts(
        readerVersion: 1, kind: kind,
        taken: at.map { CaptureTime(localMilliseconds: $0, offsetMinutes: offset, source: source) }, camera: camera,
        contentIdentifier: content)
}

private func filled(_ home: TemporaryHome, _ photos: [PhotoRow], albums: [AlbumRow] = [beach, hike]) throws -> Index {
    let index = try Index(home: home.path)
    let devices = [DeviceRow(id: anna, name: "Anna's laptop"), DeviceRow(id: ben, name: "Bénédicte")]
    try index.replaceAll(albums: albums, devices: devices, photos: photos, stamp: stamp)
    return index
}

private func names(_ listings: [PhotoListing]) -> [String] { listings.map(\.photo.name) }

/// Everything that the index keeps of a photo reads back as it was written, and once more after a change.
@Test func indexKeepsDetails() throws {
    let home = TemporaryHome()
    var full = facts(
        .motion, at: 5 * hour, offset: -120,
        camera: Camera(make: "Apple", model: "iPhone", lens: "iPhone back camera", serial: "7"), content: "A")
    full.size = PixelSize(width: 3024, height: 4032)
    full.place = Place(latitudeMicrodegrees: -5, longitudeMicrodegrees: 180_000_000, altitudeCentimetres: -1)
    full.durationMilliseconds = 2500
    full.thumbnail = Thumbnail(
        blob: Samples.blobID([1]), byteCount: 20_000, size: PixelSize(width: 360, height: 480), mediaType: "image/webp")
    full.problem = "The picture ends early."
    var row = photo(
        "a.jpg", by: [ben, anna], full, caption: "Sea", tags: ["swim", "Été"], favouredBy: [anna, ben].sorted())
    let index = try filled(home, [row, photo("b.jpg")])
    #expect(try index.photos(album: beach.id).first { $0.photo.name == "a.jpg" }?.photo == row)
    row.name = "c.jpg"
    row.contributors = [Person(anna)]
    row.details = PhotoDetails(facts: nil)
    row.remarks = PhotoRemarks(caption: "Lake", tags: ["swim"])
    try index.apply(albums: [beach], photos: [row], stamp: stamp)
    #expect(try index.photos(album: beach.id).first { $0.photo.name == "c.jpg" }?.photo == row)
}

/// An album lists by the local time of capture, cameras' clocks corrected, as the fold orders it.
@Test func indexListsByTimeTaken() throws {
    let home = TemporaryHome()
    let camera = Camera(make: "Canon", model: "EOS")
    var corrected = beach
    corrected.usualOffsetMinutes = 60
    corrected.cameraClocks[CameraKey(contributor: anna, make: "Canon", model: "EOS", serial: "")] = -7200
    let index = try filled(
        home,
        [
            photo("late.jpg", facts(at: 10 * hour)), photo("wrong.jpg", facts(at: 11 * hour, camera: camera)),
            photo("right.jpg", by: [ben], facts(at: 11 * hour, camera: camera)),
            photo("video.mov", facts(.video, at: 10 * hour - 1, offset: 0, source: .quickTime)),
            photo("Late.jpg", facts(at: 10 * hour)), photo("unread.jpg"),
        ], albums: [corrected])
    let listed = try index.photos(album: beach.id)
    #expect(
        names(listed) == ["unread.jpg", "wrong.jpg", "Late.jpg", "late.jpg", "video.mov", "right.jpg"])
    #expect(listed.map(\.localMilliseconds).first == hour)
    #expect(listed.first { $0.photo.name == "wrong.jpg" }?.taken.localMilliseconds == 9 * hour)
    #expect(listed.first { $0.photo.name == "wrong.jpg" }?.photo.details.taken?.localMilliseconds == 11 * hour)
    #expect(listed.first { $0.photo.name == "unread.jpg" }?.taken == CaptureTime(modified: 0))
    #expect(try index.albums().map(\.album) == [corrected])
    // Set right again, and other people somewhere else.
    corrected.cameraClocks = [:]
    corrected.usualOffsetMinutes = nil
    try index.apply(albums: [corrected], photos: [], stamp: stamp)
    #expect(
        try names(index.photos(album: beach.id)) == [
            "unread.jpg", "video.mov", "Late.jpg", "late.jpg", "right.jpg", "wrong.jpg",
        ])
}

/// The files of one moment are one entry, from the start and as they come and go, and count once.
@Test func indexKeepsMomentsTogether() throws {
    let home = TemporaryHome()
    let still = photo("IMG_1.HEIC", facts(at: 1, content: "A"))
    let video = photo("IMG_1.MOV", type: "video/quicktime", facts(.video, content: "A"))
    let sidecar = photo("IMG_1.AAE", facts(.sidecar))
    let other = photo("IMG_1.HEIC", in: hike, facts(at: 1, content: "A"))
    let index = try filled(home, [video, still, sidecar, other])
    try index.updateBlobs([BlobRow(id: still.blob, byteCount: 10, seen: nil, pieceList: nil)])
    let entry = try #require(try index.photos(album: beach.id).first)
    #expect(entry.photo == still)
    #expect(entry.kind == .live)
    #expect(
        entry.companions == [
            .init(blob: sidecar.blob, name: "IMG_1.AAE", role: .sidecar, byteCount: 10, isHere: false),
            .init(blob: video.blob, name: "IMG_1.MOV", role: .video, byteCount: 10, isHere: false),
        ])
    #expect(try index.albums().map(\.photoCount) == [1, 1])
    #expect(try index.albums().map(\.hereCount) == [0, 1])
    #expect(try index.albums().map(\.byteCount) == [30, 10])
    // The still goes: what belonged to it stands alone, and the sidecar finds the video.
    try index.apply(albums: [beach], photos: [], removedPhotos: [(beach.id, still.blob)], stamp: stamp)
    let rest = try index.photos(album: beach.id)
    #expect(names(rest) == ["IMG_1.MOV"])
    #expect(rest.map(\.kind) == [.video])
    #expect(rest.map { $0.companions.map(\.role) } == [[.sidecar]])
    // It comes again unread, is read, and is called otherwise.
    try index.apply(albums: [beach], photos: [photo("IMG_1.HEIC")], stamp: stamp)
    #expect(try index.photos(album: beach.id).count == 2)
    try index.apply(albums: [beach], photos: [still], stamp: stamp)
    #expect(try index.photos(album: beach.id) == [entry])
    var renamed = still
    renamed.name = "sea.heic"
    try index.apply(albums: [beach], photos: [renamed], stamp: stamp)
    let last = try index.photos(album: beach.id)
    #expect(last.map(\.companions.count) == [2])
    #expect(last.map(\.kind) == [.live])
}

/// Named photos are found by what they are, or belong to, in the order of the album, each entry once; also where they are
/// so many that an album is read as a whole.
@Test func indexFindsNamedPhotos() throws {
    let home = TemporaryHome()
    let still = photo("IMG_1.HEIC", facts(at: 2, content: "A"))
    let video = photo("IMG_1.MOV", type: "video/quicktime", facts(.video, content: "A"))
    let others = (0..<1200).map { photo("\($0).jpg", facts(at: Int64($0) * 10)) }
    let elsewhere = photo("far.jpg", in: hike, facts(at: 1))
    let index = try filled(home, [still, video, elsewhere] + others)
    let few = try index.entries(of: [others[3].blob, video.blob, still.blob, elsewhere.blob], in: beach.id)
    #expect(names(few) == ["IMG_1.HEIC", "3.jpg"])
    #expect(few.first?.companions.map(\.blob) == [video.blob])
    #expect(try index.leads() == [video.blob: still.blob])
    #expect(try index.companionCount() == 1)
    #expect(try index.entries(of: [], in: beach.id).isEmpty)
    let all = try index.photos(album: beach.id)
    #expect(try index.entries(of: all.dropLast().reversed().map(\.photo.blob), in: beach.id) == all.dropLast())
}

/// After random changes the index holds the moments that the fold of everything gives.
@Test(arguments: TestSeeds.all(pinned: [1, 2109376868325619139])) func indexFollowsMoments(_ seed: UInt64) throws {
    let home = TemporaryHome()
    let index = try filled(home, [])
    var random = SplitMix(state: seed)
    var photos: [BlobID: PhotoRow] = [:]
    for _ in 0..<60 {
        var changed: [PhotoRow] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let name = ["IMG_1", "IMG_E1", "b"].randomElement(using: &random)!
            let ending = ["jpg", "heic", "mov", "dng", "aae", "jpg.xmp"].randomElement(using: &random)!
            let kind = [MediaKind.photo, .video, .raw, .sidecar].randomElement(using: &random)!
            var row = photo(
                "\(name).\(ending)", by: [[anna, ben].randomElement(using: &random)!],
                facts(
                    kind, at: [nil, 1, 2].randomElement(using: &random)!,
                    content: ["", "A", "B"].randomElement(using: &random)!))
            row.blob = Samples.blobID([UInt8.random(in: 0..<12, using: &random)])
            changed.removeAll { $0.blob == row.blob }
            changed.append(row)
        }
        for row in changed { photos[row.blob] = row }
        let removed = photos.keys.sorted().shuffled(using: &random).prefix(1).filter { blob in
            !changed.contains { $0.blob == blob }
        }
        for blob in removed { photos[blob] = nil }
        try index.apply(
            albums: [beach], photos: changed, removedPhotos: removed.map { (beach.id, $0) }, stamp: stamp)
        let listings = try index.photos(album: beach.id)
        let leads = listings.flatMap { listing in listing.companions.map { ($0.blob, listing.photo.blob) } }
        #expect(try index.leads() == Dictionary(uniqueKeysWithValues: leads))
        let listed = listings.map { listing in
            [listing.photo.blob: Dictionary(uniqueKeysWithValues: listing.companions.map { ($0.blob, $0.role) })]
        }
        let moments = Moments.find(
            photos.values.map { row in
                MomentPart(
                    blob: row.blob, name: row.name, contributor: row.contributors[0], kind: row.details.kind,
                    contentIdentifier: row.details.contentIdentifier, taken: row.details.taken, model: "")
            }
        ).map { moment in
            [moment.lead: Dictionary(uniqueKeysWithValues: moment.companions.map { ($0.blob, $0.role) })]
        }
        #expect(Set(listed) == Set(moments))
    }
    let other = TemporaryHome()
    let again = try filled(other, Array(photos.values))
    #expect(try again.photos(album: beach.id) == index.photos(album: beach.id))
}

/// Each filter lets through what it says, and together they let through what all let.
@Test func indexFilters() throws {
    let home = TemporaryHome()
    let index = try filled(
        home,
        [
            photo("a.jpg", facts(at: 5, camera: Camera(make: "Apple", model: "iPhone 13")), tags: ["Swim"]),
            photo("b.heic", by: [ben, anna], type: "image/heic", facts(at: 6), favouredBy: [ben]),
            photo("c.mp4", by: [ben], type: "video/mp4", tags: ["swim", "100%_x"]),
            photo("d.jpg", in: hike, facts(at: 7, camera: Camera(make: "100%_x", model: "")), favouredBy: [anna]),
        ])
    func list(_ filter: PhotoFilter) throws -> [String] { try names(index.photos(matching: filter)) }
    #expect(try list(PhotoFilter()) == ["c.mp4", "a.jpg", "b.heic", "d.jpg"])
    #expect(try list(PhotoFilter(album: hike.id)) == ["d.jpg"])
    #expect(try list(PhotoFilter(tag: " SWIM")) == ["c.mp4", "a.jpg"])
    #expect(try list(PhotoFilter(device: anna)) == ["a.jpg", "b.heic", "d.jpg"])
    #expect(try list(PhotoFilter(device: ben)) == ["c.mp4", "b.heic"])
    #expect(try list(PhotoFilter(takenFrom: 6, takenBefore: 7)) == ["b.heic"])
    #expect(try list(PhotoFilter(camera: "apple IPHONE")) == ["a.jpg"])
    #expect(try list(PhotoFilter(camera: "0%_")) == ["d.jpg"])
    #expect(try list(PhotoFilter(camera: "_")) == ["d.jpg"])
    #expect(try list(PhotoFilter(mediaType: "video/")) == ["c.mp4"])
    #expect(try list(PhotoFilter(mediaType: "image/heic")) == ["b.heic"])
    #expect(try list(PhotoFilter(kinds: [.video])) == ["c.mp4"])
    #expect(try list(PhotoFilter(favouritesOf: [anna])) == ["d.jpg"])
    #expect(try list(PhotoFilter(favouritesOf: [anna, ben])) == ["b.heic", "d.jpg"])
    #expect(try list(PhotoFilter(album: beach.id, device: anna, kinds: [.photo], favouritesOf: [ben])) == ["b.heic"])
}

/// Tags are counted by their keys and shown as most people wrote them.
@Test func indexCountsTags() throws {
    let home = TemporaryHome()
    let index = try filled(
        home,
        [
            photo("a.jpg", tags: ["Été", "swim"]), photo("b.jpg", tags: ["été"]),
            photo("c.jpg", tags: ["été", "Walk"]),
            photo("d.jpg", in: hike, tags: ["Walk"]),
        ])
    #expect(try index.tags().map(\.tag) == ["été", "Walk", "swim"])
    #expect(try index.tags().map(\.photoCount) == [3, 2, 1])
    #expect(try index.tags(album: hike.id).map(\.tag) == ["Walk"])
    try index.apply(
        albums: [beach], photos: [], removedPhotos: [(beach.id, Samples.blobID(Array("a.jpg".utf8)))], stamp: stamp)
    #expect(try index.tags().map(\.tag) == ["Walk", "été"])
}

/// Words are found in names, captions, tags, devices and cameras, by their beginnings, whatever case and accents; the
/// best first; and never once they are gone.
@Test func indexSearches() throws {
    let home = TemporaryHome()
    let camera = Camera(make: "Canon", model: "EOS 7D", lens: "EF-S 18-55mm")
    let index = try filled(
        home,
        [
            photo("sea.jpg", caption: "Crème brûlée on the beach"), photo("IMG_1234.JPG", facts(camera: camera)),
            photo("c.jpg", in: hike, by: [ben], tags: ["Sea view"]), photo("d.jpg", caption: "The sea, again"),
        ])
    func find(_ text: String, _ album: AlbumID? = nil) throws -> [String] {
        try names(index.search(text, album: album))
    }
    #expect(try find("sea") == ["c.jpg", "d.jpg", "sea.jpg"])
    #expect(try find("SEA", beach.id) == ["d.jpg", "sea.jpg"])
    #expect(try find("creme BRU") == ["sea.jpg"])
    #expect(try find("bru\u{302}lee") == ["sea.jpg"])
    #expect(try find("img_1234") == ["IMG_1234.JPG"])
    #expect(try find("canon 7d") == ["IMG_1234.JPG"])
    #expect(try find("18-55") == ["IMG_1234.JPG"])
    #expect(try find("benedicte view") == ["c.jpg"])
    #expect(try find("anna sea") == ["d.jpg", "sea.jpg"])
    #expect(try find("nothing") == [])
    // A device gets another name, a photo other words, and another one goes.
    try index.apply(
        albums: [beach], devices: [DeviceRow(id: ben, name: "Ben")], photos: [photo("d.jpg", caption: "A lake")],
        removedPhotos: [(beach.id, Samples.blobID(Array("sea.jpg".utf8)))], stamp: stamp)
    #expect(try find("benedicte") == [])
    #expect(try find("ben") == ["c.jpg"])
    #expect(try find("sea") == ["c.jpg"])
    #expect(try find("lake") == ["d.jpg"])
    #expect(try find("creme") == [])
}

/// Photos are found by the name of their album, whatever it is called by now, and never by that of one that is gone.
@Test func searchFindsAlbums() throws {
    let home = TemporaryHome()
    let index = try filled(
        home,
        [photo("a.jpg", tags: ["Sea"]), photo("b.jpg", in: hike), photo("c.jpg", in: hike, caption: "On the beach")])
    func find(_ text: String, _ album: AlbumID? = nil) throws -> [String] {
        try names(index.search(text, album: album))
    }
    #expect(try find("beach") == ["c.jpg", "a.jpg"])
    #expect(try find("hike beach") == ["c.jpg"])
    #expect(try find("BEA sea") == ["a.jpg"])
    #expect(try find("beach", hike.id) == ["c.jpg"])
    #expect(try find("a1") == [])
    var renamed = beach
    renamed.name = "Café"
    try index.apply(albums: [renamed], photos: [], stamp: stamp)
    #expect(try find("beach") == ["c.jpg"])
    #expect(try find("cafe") == ["a.jpg"])
}

/// Letters are found without their accents and with them, in texts and in names, composed or not; and words that were
/// indexed so go again with their photo.
@Test(arguments: [
    ("Søren i Århus", "soren i arhus", "SØREN I ÅRHUS"), ("Łódź, đường", "lodz duong", "łódź đường"),
    ("Straße", "strasse", "STRAẞE"), ("Ærø", "aero", "æRØ"),
    ("Kırıkkale İzmir", "kirikkale izmir", "kırıkkale izmir"),
    ("мой ёж", "мои еж", "мои\u{306} е\u{308}ж"), ("Αθήνα", "αθηνα", "αθη\u{301}να"),
    ("がっこう", "がっこう", "か\u{3099}っこう"),
])
func searchFindsPlainLetters(text: String, plain: String, other: String) throws {
    let named = DeviceRow(id: ben, name: text)
    for written in [text, plain, other] {
        let home = TemporaryHome()
        let index = try filled(home, [photo("a.jpg", caption: written), photo("b.jpg", in: hike)])
        for looked in [text, plain, other] {
            #expect(try names(index.search(looked)) == ["a.jpg"], "\(looked) in \(written)")
        }
        try index.apply(albums: [beach], devices: [named], photos: [photo("a.jpg", by: [ben])], stamp: stamp)
        #expect(try names(index.search(plain)) == ["a.jpg"])
        try index.apply(
            albums: [beach], devices: [DeviceRow(id: ben, name: "Ben")], photos: [photo("a.jpg")], stamp: stamp)
        #expect(try index.search(plain).isEmpty)
        #expect(try index.complaints().isEmpty)
    }
}

/// One photo in two albums: everywhere the same one comes first, whichever was written first.
@Test func equallyGoodHitsHaveAnOrder() throws {
    let pair = [photo("IMG_1.jpg"), photo("IMG_1.jpg", in: hike)]
    for photos in [pair, pair.reversed()] {
        let home = TemporaryHome()
        let found = try filled(home, photos).search("img")
        #expect(found.map(\.photo.album) == [beach.id, hike.id])
    }
}

/// What is syntax to the search is none to people.
@Test(arguments: [
    "\"", "sea\"", "\"sea", "sea*", "(sea", "sea)", "name:sea", "sea AND", "NOT sea", "sea NEAR(x", "^sea", "{sea}",
    "sea + x", "-", "- sea", "'; DROP TABLE photo; --", "sea\0x", "", " \n", "OR", "%", "\\", "💥", "\u{301}", "d1", "ß",
])
func searchTakesAnything(text: String) throws {
    let home = TemporaryHome()
    let index = try filled(home, [photo("sea.jpg"), photo("d1.jpg")])
    _ = try index.search(text)
    #expect(try index.photos(album: beach.id).count == 2)
    if text == "sea*" || text == "\"sea" || text == "- sea" { #expect(try index.search(text).count == 1) }
    if text == "d1" { #expect(try names(index.search(text)) == ["d1.jpg"]) }
}

/// A companion's name finds its entry, once.
@Test func searchFindsEntries() throws {
    let home = TemporaryHome()
    let index = try filled(
        home,
        [photo("IMG_1.HEIC", facts(content: "A")), photo("IMG_1.MOV", facts(.video, content: "A"), caption: "Waves")])
    #expect(try names(index.search("img")) == ["IMG_1.HEIC"])
    #expect(try names(index.search("waves")) == ["IMG_1.HEIC"])
}
