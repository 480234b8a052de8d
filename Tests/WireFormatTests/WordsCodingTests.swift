import AlbumModel
import Testing
import WireFormat

/// Facts and words read back as they were written, cost little, and are never trapped on.
@Suite struct WordsCodingTests {
    private static let blob = BlobID(bytes: [UInt8](repeating: 7, count: 32))!
    private static let replica = ReplicaID(bytes: [UInt8](repeating: 3, count: 16))!
    private static let album = AlbumID(bytes: [UInt8](repeating: 4, count: 16))!
    private static let device = DeviceID(bytes: [UInt8](repeating: 6, count: 32))!
    private static let dots = [Dot(replica: replica, sequence: 4, branch: 99)]

    /// What most telephones give.
    private static let ordinary = PhotoFacts(
        readerVersion: 1, kind: .photo, size: PixelSize(width: 3024, height: 4032),
        taken: CaptureTime(localMilliseconds: 1_618_156_073_054, offsetMinutes: -300, source: .exif),
        camera: Camera(
            make: "Apple", model: "iPhone 11 Pro Max", lens: "iPhone 11 Pro Max back triple camera 4.25mm f/1.8"),
        thumbnail: Thumbnail(
            blob: blob, byteCount: 21_034, size: PixelSize(width: 360, height: 480), mediaType: "image/webp"))

    private static let full: PhotoFacts = {
        var facts = ordinary
        facts.kind = .motion
        facts.gpsMilliseconds = 1_618_174_073_000
        facts.camera.lens = "Summicron"
        facts.camera.serial = "0042"
        facts.place = Place(
            latitudeMicrodegrees: 39_051_344, longitudeMicrodegrees: -94_288_772, altitudeCentimetres: 26_056)
        facts.durationMilliseconds = 0
        facts.contentIdentifier = "570F1469-09C7-4E50-9875-05F21D5BD166"
        facts.burstIdentifier = "B"
        facts.movingPart = 3_000_000..<4_000_000
        facts.thumbnail?.mediaType = "image/jpeg"
        facts.problem = "The picture ends early."
        return facts
    }()

    private static let camera = CameraKey(contributor: device, make: "Canon", model: "EOS 7D", serial: "1")

    static let samples: [Change] = [
        .photoRead(album, blob, PhotoFacts(readerVersion: 1, kind: .sidecar)), .photoRead(album, blob, ordinary),
        .photoRead(album, blob, full), .photoCaptioned(album, blob, "Am See", replaces: dots),
        .photoCaptioned(album, blob, "", replaces: []), .photoTagged(album, blob, "Été"),
        .photoUntagged(album, blob, "Été", adds: dots), .photoFavoured(album, blob),
        .photoUnfavoured(album, blob, adds: dots), .coverChosen(album, blob, replaces: dots),
        .coverChosen(album, nil, replaces: []), .cameraClockSet(album, camera, seconds: -3600, replaces: dots),
    ]

    static let replacement = Change.photoReplaced(
        PhotoKey(album: album, blob: blob),
        by: PhotoKey(album: AlbumID(bytes: [UInt8](repeating: 9, count: 16))!, blob: blob))

    private static func batch(_ changes: [Change]) -> Batch {
        Batch(
            replica: replica, firstSequence: 1, previous: nil, clock: ClockReading(microseconds: 1),
            changes: changes, proof: nil)
    }

    @Test(arguments: samples + [replacement])
    func changesRoundTrip(change: Change) throws {
        #expect(CatalogLimits.isValid(change))
        #expect(try Batch(decoding: Self.batch([change]).encoded()).changes == [change])
    }

    /// An ordinary photo's facts are to cost about 130 bytes beside the names of album and photo, and what is
    /// around them in a batch.
    @Test func factsAreShort() {
        let named = Self.batch([.photoFavoured(Self.album, Self.blob)]).encoded().count
        func cost(_ facts: PhotoFacts) -> Int {
            Self.batch([.photoRead(Self.album, Self.blob, facts)]).encoded().count - named
        }
        var placed = Self.ordinary
        placed.place = Self.full.place
        var unlensed = Self.ordinary
        unlensed.camera.lens = ""
        #expect(cost(unlensed) <= 100)
        #expect(cost(Self.ordinary) <= 135)
        #expect(cost(placed) <= 150)
    }

    /// Facts with anything left out or in, drawn at random, read back as they were.
    @Test func randomFactsRoundTrip() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let facts = Self.random(&random)
            let change = Change.photoRead(Self.album, Self.blob, facts)
            #expect(CatalogLimits.isValid(change))
            #expect(try Batch(decoding: Self.batch([change]).encoded()).changes == [change])
        }
    }

    /// Numbers that a later version gives a meaning make a change that this one keeps and does not understand.
    @Test func laterMeaningsAreKeptAsUnknown() throws {
        // Facts of kind 6, of source 6, with a thumbnail of type 9; as fields after the two names.
        let names = [0x0A, 16] + Self.album.bytes + [0x12, 32] + Self.blob.bytes
        for fields: [UInt8] in [[0x18, 1, 0x20, 6], [0x18, 1, 0x20, 1, 0x40, 6], [0x18, 1, 0x20, 1, 0x6A, 1, 9]] {
            let change = Change.unknown(kind: 7, payload: names + fields)
            #expect(try Batch(decoding: Self.batch([change]).encoded()).changes == [change])
        }
        let understood = Change.unknown(kind: 7, payload: names + [0x18, 1, 0x20, 1])
        let facts = PhotoFacts(readerVersion: 1, kind: .photo)
        #expect(
            try Batch(decoding: Self.batch([understood]).encoded()).changes == [
                .photoRead(Self.album, Self.blob, facts)
            ])
    }

    /// Cut, changed and random payloads: a change, known or unknown, that can be written and judged.
    @Test func garbageIsReadOrKept() throws {
        var random = SystemRandomNumberGenerator()
        func look(_ kind: UInt32, _ payload: [UInt8]) throws {
            for change in try Batch(decoding: Self.batch([.unknown(kind: kind, payload: payload)]).encoded()).changes {
                _ = CatalogLimits.isValid(change)
                _ = try Batch(decoding: Self.batch([change]).encoded())
            }
        }
        let payloads = (Self.samples + [Self.replacement]).map { change -> [UInt8] in
            // Its payload comes last, behind fields of known length.
            Array(Self.batch([change]).encoded().dropFirst(27))
        }
        for kind in 7...14 as ClosedRange<UInt32> {
            for payload in payloads where !payload.isEmpty {
                for _ in 0..<100 {
                    var changed = payload
                    changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
                    try look(kind, Array(changed.prefix(Int.random(in: 0...changed.count, using: &random))))
                    try look(kind, changed)
                }
            }
            for _ in 0..<500 {
                let count = Int.random(in: 0...200, using: &random)
                try look(kind, (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
            }
        }
    }

    private static func random(_ random: inout SystemRandomNumberGenerator) -> PhotoFacts {
        func maybe<Value>(_ value: @autoclosure () -> Value?) -> Value? {
            Bool.random(using: &random) ? value() : nil
        }
        func text() -> String {
            maybe(["a", "é", "a lens of some length", "\u{301}"].randomElement(using: &random)) ?? ""
        }
        func number<Number: FixedWidthInteger>(_ range: ClosedRange<Number>) -> Number {
            .random(in: range, using: &random)
        }
        let model = text()
        let start = number(0...1 << 30 as ClosedRange<UInt64>)
        return PhotoFacts(
            readerVersion: number(1...UInt32.max), kind: MediaKind(rawValue: number(1...5))!,
            size: maybe(PixelSize(width: number(FactsLimits.side), height: number(FactsLimits.side))),
            taken: maybe(
                CaptureTime(
                    localMilliseconds: number(FactsLimits.localMilliseconds),
                    offsetMinutes: maybe(number(FactsLimits.offsetMinutes)), source: .init(rawValue: number(1...5))!)),
            gpsMilliseconds: maybe(number(FactsLimits.localMilliseconds)),
            camera: Camera(make: text(), model: model, lens: (maybe(model) ?? "") + text(), serial: text()),
            place: maybe(
                Place(
                    latitudeMicrodegrees: number(FactsLimits.latitudeMicrodegrees),
                    longitudeMicrodegrees: number(FactsLimits.longitudeMicrodegrees),
                    altitudeCentimetres: maybe(number(FactsLimits.altitudeCentimetres)))),
            durationMilliseconds: maybe(number(0...FactsLimits.durationMillisecondsMax)), contentIdentifier: text(),
            burstIdentifier: text(), movingPart: maybe(start..<start + number(1...1 << 30)),
            thumbnail: maybe(
                Thumbnail(
                    blob: blob, byteCount: number(FactsLimits.thumbnailByteCount),
                    size: PixelSize(
                        width: number(FactsLimits.thumbnailSide), height: number(FactsLimits.thumbnailSide)),
                    mediaType: FactsLimits.thumbnailMediaTypes.randomElement(using: &random)!)), problem: text())
    }
}
