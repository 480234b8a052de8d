import AlbumModel
import Crypto
import FoundationEssentials
import Glibc
import PeerTransport
import PhotoStore
import PotluckAPI
import SyncEngine
import Testing
import WireFormat

@testable import PotluckAgent

/// Two homes of one gathering, without agents and without a network, and a stick.
struct CarriedGathering {
    let root: String
    let anna: CarriedHome
    let ben: CarriedHome

    static func with(_ body: (CarriedGathering) async throws -> Void) async throws {
        let root = "/tmp/potluck-carried-\(UInt64.random(in: 0...UInt64.max))"
        defer {
            // A leftover in /tmp is no reason to fail.
            try? FileManager.default.removeItem(atPath: root)
        }
        let gathering = CarriedGathering(
            root: root, anna: CarriedHome(path: "\(root)/anna", stick: "\(root)/stick"),
            ben: CarriedHome(path: "\(root)/ben", stick: "\(root)/stick"))
        let invite = try await HomeSetup.host(home: gathering.anna.path, gathering: "Kuh reunion", device: "Anna")
        _ = try await HomeSetup.join(home: gathering.ben.path, phrase: invite.phrase, device: "Ben")
        try await body(gathering)
    }
}

/// A home, and the stick that its person carries.
struct CarriedHome: Sendable {
    let path: String
    let stick: String

    static func blob(_ text: String) -> BlobID { BlobID(digest: SHA256.hash(data: Array(text.utf8))) }

    /// Where the stick has a photo.
    func packed(_ text: String) -> String {
        let hex = Self.blob(text).hex
        return "\(stick)/blobs/\(hex.prefix(2))/\(hex.dropFirst(2))"
    }

    func plan(for device: String?) async throws -> PackPlan { try await OfflinePack.plan(home: path, for: device) }

    @discardableResult
    func pack(since: Instant? = nil, rereads: Bool = false) async throws -> PackReport {
        let packing = Packing(home: path, directory: stick, since: since, rereads: rereads)
        let now = Instant(microsecondsSince1970: SystemClock().wall)
        return try await packing.run(plan(for: nil), at: now) { _ in }
    }

    func unpack() async throws -> UnpackReport {
        try await OfflinePack.unpack(home: path, directory: stick) { _ in }
    }

    /// What is the same on two laptops that know and have the same.
    struct Album: Hashable {
        var name: String
        var photos: Int
        var here: Int
        var digest: String
    }

    func albums() async throws -> [Album] {
        try await OfflineListings(home: path).albums().albums.map {
            Album(name: $0.name, photos: $0.photos, here: $0.here, digest: $0.digest)
        }
    }

    /// Adds photos whose bytes are these words, and films of so many bytes, as an agent would.
    func add(_ texts: [String], films: [Int] = [], to album: String) throws {
        let home = try OpenHome(home: path, waitMilliseconds: 5000, for: .run(runsTwice: false))
        defer { home.lock.release() }
        var author = CarriedAuthor(home: home, engine: home.engine(replica: try home.replicaToContinue(), port: 0))
        try author.say(.deviceName(home.membership.deviceName))
        if let name = home.membership.gatheringName { try author.say(.gatheringName(name)) }
        for text in texts {
            let blob = try home.blobs.ingest(bytes: Array(text.utf8))
            try author.add(blob, byteCount: UInt64(text.utf8.count), nil, "\(text).jpg", to: album)
        }
        for byteCount in films {
            let file = "\(path)/film"
            try Data(repeating: UInt8(truncatingIfNeeded: byteCount), count: byteCount + 5).write(
                to: URL(filePath: file))
            let handle = open(file, O_RDONLY)
            defer { close(handle) }
            let blob = try home.blobs.ingest(descriptor: handle)
            try author.add(blob.id, byteCount: blob.byteCount, blob.pieceList, "film.mp4", to: album)
            try FileManager.default.removeItem(atPath: file)
        }
    }

    /// Lets this home know what another one has, as a peer or its summary would have told.
    func knowHoldings(of other: CarriedHome) throws {
        let theirs = try OpenHome(home: other.path, waitMilliseconds: 5000)
        let (device, wall) = (theirs.membership.identity.deviceID, SystemClock().wall)
        var presence = Presence()
        presence.others = Set(theirs.blobs.held().keys)
        theirs.lock.release()
        let memory = HoldingsMemory(
            seenAt: wall,
            record: HoldingsRecord(
                saidAt: wall, position: nil, summaryFloor: 0, presence: presence, lost: [], denied: [], summary: nil))
        try Journal(home: path).setFacts([FactChange(kind: .holdings, key: device.bytes, value: memory.bytes)])
    }
}

/// A home's engine, whose transactions become durable at once.
private struct CarriedAuthor {
    let home: OpenHome
    var engine: Engine
    private var random = SystemRandomNumberGenerator()

    init(home: OpenHome, engine: Engine) {
        self.home = home
        self.engine = engine
    }

    mutating func add(
        _ blob: BlobID, byteCount: UInt64, _ list: PieceList?, _ name: String, to album: String
    ) throws {
        let file = PhotoFile(
            blob: blob, byteCount: byteCount, pieceList: list, name: name, mediaType: "image/jpeg", modified: 0)
        try say(.photo(albumName: album, file))
    }

    mutating func say(_ contribution: Contribution) throws {
        let clock = SystemClock()
        let directives = engine.handle(
            .contribute(token: 1, contribution), now: clock.now, wall: clock.wall, using: &random)
        for case .store(let batches, let replica) in directives {
            let rows = batches.map {
                JournalBatch(
                    id: $0.id, replica: $0.batch.replica, firstSequence: $0.batch.firstSequence,
                    lastSequence: $0.batch.lastSequence, batch: $0.signed, received: clock.wall)
            }
            try home.journal.append(
                rows, facts: [FactChange(kind: .identity, key: IdentityKey.replica.bytes, value: replica?.bytes)])
            _ = engine.handle(.stored, now: clock.now, wall: clock.wall, using: &random)
        }
    }
}
