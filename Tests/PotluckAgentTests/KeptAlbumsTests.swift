import AlbumModel
import FoundationEssentials
import Glibc
import NIOPosix
import PhotoStore
import PotluckAPI
import TestSupport
import Testing
import WireFormat

@testable import PotluckAgent
@testable import SyncEngine

/// What is kept of albums for listings without an agent is what a fold tells, or nothing.
@Suite(.timeLimit(.minutes(2))) struct KeptAlbumsTests {
    private static let beach = AlbumName.identifier("Beach")
    private static let other = DeviceID(bytes: [UInt8](repeating: 9, count: 32))!
    private static let day: UInt64 = 86_400_000_000

    /// What is kept, and what a fold tells, at a time in microseconds since 1970.
    private static func answers(
        _ home: SmallHome, wall: UInt64 = SystemClock().wall
    ) throws -> (kept: AlbumsReport?, folded: AlbumsReport) {
        let kept = try {
            let entered = try EnteredHome(home: home.path, waitMilliseconds: 5000)
            defer { entered.lock.release() }
            return KeptAlbums(of: entered, wall: wall)?.report
        }()
        let opened = try OpenHome(home: home.path, waitMilliseconds: 5000)
        defer { opened.lock.release() }
        let builder = ReportBuilder(
            engine: opened.engine(replica: nil, port: 0), membership: opened.membership, index: opened.index,
            indexPool: .singleton, folderPath: { _, _ in nil }, toPlace: [], incoming: nil, lastSeen: [:], now: wall,
            isOffline: true)
        return (kept, builder.albums(try opened.index.albums()))
    }

    /// An agent's life: what `body` has it say, and then its end.
    private static func live(
        _ home: SmallHome, wall: UInt64 = SystemClock().wall, keeps: Bool = true,
        _ body: (OpenHome, inout Engine) throws -> Void = { _, _ in }
    ) async throws {
        try await home.opened { opened in
            var engine = opened.engine(replica: try opened.replicaToContinue(), port: 1)
            try body(opened, &engine)
            guard keeps else { return }
            try opened.index.follow(engine.catalog, log: engine.log)
            try KeptAlbums.keep(
                engine, journal: opened.journal, index: opened.index, blobs: opened.blobs, wall: wall)
        }
    }

    private static func add(_ number: Int, to album: String, _ opened: OpenHome, _ engine: inout Engine) throws {
        let bytes = SmallHome.bytes(number)
        let blob = try opened.blobs.ingest(bytes: bytes)
        let file = PhotoFile(
            blob: blob, byteCount: UInt64(bytes.count), pieceList: nil, name: "IMG_\(number).JPG",
            mediaType: "image/jpeg", modified: 0)
        try SmallHome.contribute(.photo(albumName: album, file), to: &engine, opened)
        engine.presence.held.insert(blob)
    }

    /// Has another laptop say that it holds these.
    private static func tell(_ blobs: [BlobID], at wall: UInt64, _ opened: OpenHome) throws {
        let presence = Presence(others: Set(blobs))
        let record = HoldingsRecord(
            saidAt: wall, position: nil, summaryFloor: 0, presence: presence, lost: [], denied: [], summary: nil)
        try opened.journal.setFacts([HoldingsMemory.fact(other, seenAt: wall, record)])
    }

    // Whatever changed in an agent's life, what it kept at its end is what a fold tells; and what was kept before is not
    // said any more.
    @Test(.slow, arguments: [1, 2, 3] as [UInt64]) func everyLifeIsFollowed(_ seed: UInt64) async throws {
        try await SmallHome.with(photos: 3) { home in
            var random = SplitMix(state: seed)
            try await Self.live(home)
            for step in 4..<24 {
                let kind = Int.random(in: 0..<8, using: &random)
                var photos = try await home.opened { opened in
                    opened.fold.catalog.albums.values.flatMap { album in
                        album.livePhotos.map { PhotoKey(album: album.id, blob: $0.key) }
                    }.sorted()
                }
                photos.shuffle(using: &random)
                let photo = photos.first
                try await Self.live(home, keeps: false) { opened, engine in
                    switch (kind, photo) {
                    case (0, let photo?):
                        try SmallHome.contribute(.photoRemoval(photo.album, photo.blob), to: &engine, opened)
                    case (1, _):
                        let name = "Strand \(step)"
                        try SmallHome.contribute(.albumName(Self.beach, name), to: &engine, opened)
                    case (2, let photo?):
                        try SmallHome.contribute(.cover(photo.album, photo.blob), to: &engine, opened)
                    case (3, let photo?):
                        let entry = HiddenEntry(since: UInt64(step))
                        try opened.journal.setFacts([
                            FactChange(kind: .hidden, key: photo.factKey, value: entry.bytes)
                        ])
                    case (4, let photo?) where access(home.file(of: photo.blob), F_OK) == 0:
                        #expect(unlink(home.file(of: photo.blob)) == 0)
                    case (5, _): try Self.tell(photos.dropLast().map(\.blob), at: SystemClock().wall, opened)
                    default: try Self.add(step, to: ["Beach", "Hike"][step % 2], opened, &engine)
                    }
                }
                let before = try Self.answers(home)
                // What is hidden is listed all the same, and a photo may be the cover already.
                let maySay = photo != nil && (kind == 2 || kind == 3)
                #expect(before.kept == nil || maySay && before.kept == before.folded, "\(step): \(kind)")
                try await Self.live(home)
                let after = try Self.answers(home)
                #expect(after.kept == after.folded, "\(step): \(kind)")
            }
        }
    }

    // The command itself: the first listing folds and keeps, the next one says the same, and a file that goes meanwhile is
    // missed at once.
    @Test func listingsKeepForTheNext() async throws {
        try await SmallHome.with(photos: 3) { home in
            #expect(try Self.answers(home).kept == nil)
            let first = try await OfflineListings(home: home.path).albums()
            let answers = try Self.answers(home)
            #expect(answers.kept == first && answers.folded == first && first.albums.map(\.here) == [3])
            #expect(unlink(home.file(of: home.blobs[1])) == 0)
            #expect(try await OfflineListings(home: home.path).albums().albums.map(\.here) == [2])
            #expect(try Self.answers(home).kept?.albums.map(\.here) == [2])
            // Files that have no blob's name are none.
            #expect(mkdir(home.path + "/blobs/00/more", 0o700) == 0)
            #expect(try Self.answers(home).kept?.albums.map(\.here) == [2])
        }
    }

    // A copy counts for seven days after its device spoke, and not a moment longer; before it spoke nothing is known.
    @Test func copiesAreCountedForTheirTime() async throws {
        try await SmallHome.with(photos: 2) { home in
            let said = SystemClock().wall
            try await Self.live(home, wall: said) { opened, _ in try Self.tell(home.blobs, at: said, opened) }
            let cases: [(wall: UInt64, isKept: Bool, copies: Int)] = [
                (said, true, 2), (said + 7 * Self.day - 1, true, 2), (said + 7 * Self.day, false, 1),
                (said - Self.day, true, 2), (said - Self.day - 1, false, 1),
            ]
            for (wall, isKept, copies) in cases {
                let answers = try Self.answers(home, wall: wall)
                #expect(answers.folded.albums.map(\.copiesMin) == [copies])
                #expect((answers.kept != nil) == isKept)
                if isKept { #expect(answers.kept == answers.folded) }
            }
        }
    }

    // A crash after the journal's commit and before the index's: the old answer is not said of the new journal.
    @Test func aCrashBeforeTheIndexIsSeen() async throws {
        try await SmallHome.with(photos: 2) { home in
            try await Self.live(home)
            try await Self.live(home, keeps: false) { opened, engine in
                try SmallHome.contribute(.albumName(Self.beach, "Strand"), to: &engine, opened)
            }
            let answers = try Self.answers(home)
            #expect(answers.kept == nil && answers.folded.albums.map(\.name) == ["Strand"])
        }
    }

    // Nothing is kept of what engine, journal, index and store do not agree about.
    @Test func doubtsAreNotKept() async throws {
        try await SmallHome.with(photos: 2) { home in
            func isKept() throws -> Bool { try Self.answers(home).kept != nil }
            try await home.opened { opened in
                var engine = opened.engine(replica: try opened.replicaToContinue(), port: 1)
                engine.presence.held.removeFirst()
                try KeptAlbums.keep(
                    engine, journal: opened.journal, index: opened.index, blobs: opened.blobs, wall: SystemClock().wall)
            }
            #expect(try !isKept())
            try await home.opened { opened in
                var engine = opened.engine(replica: try opened.replicaToContinue(), port: 1)
                let before = engine
                try SmallHome.contribute(.albumName(Self.beach, "Strand"), to: &engine, opened)
                // One that does not know the last batch, and one whose index does not.
                for engine in [before, engine] {
                    try KeptAlbums.keep(
                        engine, journal: opened.journal, index: opened.index, blobs: opened.blobs,
                        wall: SystemClock().wall)
                }
            }
            #expect(try !isKept())
            try await Self.live(home)
            #expect(try isKept())
        }
    }

    // Without an index, with one that cannot be read, and with one that was made anew, the journal is folded.
    @Test func otherIndexesSayNothing() async throws {
        try await SmallHome.with(photos: 2) { home in
            let path = home.path + "/index.sqlite"
            try await Self.live(home)
            #expect(try Self.answers(home).kept != nil)
            for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
            #expect(try Self.answers(home).kept == nil)
            try await Self.live(home)
            #expect(try Self.answers(home).kept != nil)
            unlink(path + "-wal")
            try Data(repeating: 7, count: 9000).write(to: URL(filePath: path))
            #expect(try await OfflineListings(home: home.path).albums() == Self.answers(home).folded)
            #expect(try Self.answers(home).kept != nil)
            try await home.opened { opened in
                let stamp = IndexStamp(catalog: opened.fold.catalog, log: opened.fold.log)
                try opened.index.write(opened.fold.catalog, stamp: stamp)
            }
            #expect(try Self.answers(home).kept == nil)
        }
    }

    // The index of another laptop, of which all but the identity is the same.
    @Test func theIdentityCounts() async throws {
        try await SmallHome.with(photos: 1) { home in
            try await Self.live(home)
            try await Self.live(home, keeps: false) { opened, _ in
                // No key, so nothing else comes of it.
                try opened.journal.setIdentity([.formerKey: [1, 2, 3]])
            }
            #expect(try Self.answers(home).kept == nil)
        }
    }
}
