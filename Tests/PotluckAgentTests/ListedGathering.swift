import AlbumModel
import FoundationEssentials
import NIOPosix
import PhotoStore
import PotluckAPI
import SharedFolder
import WireFormat

@testable import PotluckAgent
@testable import SyncEngine

/// A gathering in which people said things, as one laptop lists it: changes by several devices, folded into the engine
/// and the index of a real home.
final class ListedGathering {
    /// Who says something.
    struct Person {
        let device: DeviceID
        fileprivate let replica: ReplicaID
        fileprivate let number: UInt8
        fileprivate var sequence: UInt64 = 0
        fileprivate var last: BatchID?
    }

    private var engine: Engine
    private let home: OpenHome
    private var clock: UInt64 = 1_000_000

    private init(home: OpenHome) {
        self.home = home
        engine = home.engine(replica: nil, port: 0)
    }

    static func with(_ body: (ListedGathering) async throws -> Void) async throws {
        let home = "/tmp/potluck-listed-\(UInt64.random(in: 0...UInt64.max))"
        defer {
            // A leftover in /tmp is no reason to fail.
            try? FileManager.default.removeItem(atPath: home)
        }
        _ = try await HomeSetup.host(home: home, gathering: "Kuh reunion", device: "Grandma")
        let opened = try OpenHome(home: home, waitMilliseconds: 5000)
        defer { opened.lock.release() }
        try await body(ListedGathering(home: opened))
    }

    /// Somebody new, who has told a name.
    func person(_ number: UInt8, _ name: String) -> Person {
        var person = Person(
            device: DeviceID(bytes: [UInt8](repeating: number, count: 32))!,
            replica: ReplicaID(bytes: [UInt8](repeating: number, count: 16))!, number: number)
        _ = say(&person, [.deviceNamed(name)])
        return person
    }

    /// - Returns: what later changes name these by, in their order.
    @discardableResult
    func say(_ person: inout Person, _ changes: [Change]) -> [Dot] {
        clock += 1
        var bytes = [UInt8](repeating: person.number, count: 32)
        bytes[7] = UInt8(person.sequence + 1)
        let id = BatchID(bytes: bytes)!
        let proof = ReplicaProof(
            publicKey: [person.number], nonce: [UInt8](repeating: 0, count: 16), membershipCode: [], succession: nil)
        let batch = Batch(
            replica: person.replica, firstSequence: person.sequence + 1, previous: person.last,
            clock: ClockReading(microseconds: clock), changes: changes, proof: person.last == nil ? proof : nil)
        let signed = SignedBatch(content: bytes, signature: [])
        engine.storing.log.insert(AcceptedBatch(id: id, batch: batch, signed: signed, author: person.device))
        _ = engine.storing.catalog.apply(batch, id: id, author: person.device, received: clock)
        person.last = id
        person.sequence = batch.lastSequence
        return (batch.firstSequence...batch.lastSequence).map {
            Dot(replica: person.replica, sequence: $0, branch: id.prefix)
        }
    }

    /// The laptop that lists holds these photos.
    func hold(_ numbers: [UInt8]) { engine.presence.held.formUnion(numbers.map { Self.blob($0) }) }

    /// The laptop that lists wants these photos, and no others.
    ///
    /// - Parameters:
    ///   - connected: those of them that somebody connected has.
    ///   - heldUp: those of them that are kept back.
    func want(_ numbers: [UInt8], connected: [UInt8] = [], heldUp: [UInt8] = []) {
        engine.pull.scheduler.wants = Wants()
        for number in numbers {
            let blob = Self.blob(number)
            let claim = BlobClaim(byteCount: 100, pieceListHash: nil)
            var want = Want(blob: blob, blobClass: .original, urgency: .zero, claims: [claim])
            if connected.contains(number) { want.setHolder(LinkID(number: 1), true) }
            engine.pull.scheduler.wants.add(want)
            if heldUp.contains(number) { engine.pull.scheduler.wants.move(blob, to: .suspended) }
        }
    }

    /// The laptop that lists has nothing of an album come.
    func leaveOut(_ album: AlbumID) { engine.pull.fetching[album] = OriginalsPolicy.none }

    /// Somebody says which photos are on their laptop.
    func tell(_ person: Person, holds numbers: [UInt8]) {
        engine.presence.holdings.replace(
            person.device, Presence(others: Set(numbers.map { Self.blob($0) })),
            position: PresencePosition(run: [UInt8](repeating: person.number, count: 16), counter: 0), wall: clock)
    }

    /// What is listed of all that was said.
    var listings: ReportBuilder {
        get throws {
            try home.index.follow(engine.catalog, log: engine.log)
            return ReportBuilder(
                engine: engine, membership: home.membership, index: home.index, indexPool: .singleton,
                folderPath: { _, _ in nil }, toPlace: [], incoming: nil, lastSeen: [:], now: clock, isOffline: true)
        }
    }

    /// What is listed of its albums.
    func albums() throws -> [AlbumsReport.Album] { try listings.albums(home.index.albums()).albums }

    static func blob(_ number: UInt8) -> BlobID { BlobID(bytes: [UInt8](repeating: number, count: 32))! }

    /// A photo that joins an album, whose file was modified at the beginning of 1970.
    static func photo(_ album: AlbumID, _ number: UInt8, _ name: String, type: String = "image/jpeg") -> Change {
        .photoAdded(
            PhotoAddition(
                album: album, blob: blob(number), byteCount: 100, pieceListHash: nil, name: name, mediaType: type,
                modified: 0))
    }

    /// Facts with a time of capture, such as `2026-08-01T12:00:00`.
    static func facts(
        _ kind: MediaKind = .photo, taken: String? = nil, offset: Int32? = nil, source: CaptureTime.Source = .exif,
        camera: Camera = Camera()
    ) -> PhotoFacts {
        let time = taken.flatMap { LocalTime(parsing: $0) }.map {
            CaptureTime(localMilliseconds: $0.milliseconds, offsetMinutes: offset, source: source)
        }
        return PhotoFacts(readerVersion: 1, kind: kind, taken: time, camera: camera)
    }
}

extension ReportBuilder {
    /// The same knowledge, as an agent reports it.
    var running: ReportBuilder { running(incoming: nil) }

    func running(incoming: IncomingFiles?) -> ReportBuilder {
        ReportBuilder(
            engine: engine, membership: membership, index: index, indexPool: indexPool, folderPath: folderPath,
            toPlace: toPlace, incoming: incoming, lastSeen: lastSeen, now: now, isOffline: false)
    }
}
