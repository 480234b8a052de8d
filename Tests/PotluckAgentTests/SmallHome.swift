import AlbumModel
import FoundationEssentials
import Glibc
import Logging
import NIOPosix
import PhotoStore
import PotluckAPI
import SharedFolder
import SyncEngine
import Testing

@testable import PotluckAgent

/// A home with a gathering and real photos in it, in a directory of its own, as an agent leaves it.
final class SmallHome {
    let path: String
    let directory: String
    /// In the order in which they were added.
    private(set) var blobs: [BlobID] = []

    var folder: String { path + "/Photos" }

    private init(directory: String) {
        self.directory = directory
        path = directory + "/home"
    }

    static func with(photos count: Int, _ body: (SmallHome) async throws -> Void) async throws {
        let directory = "/tmp/potluck-upkeep-\(UInt64.random(in: 0...UInt64.max))"
        defer {
            // A leftover in /tmp is no reason to fail.
            try? FileManager.default.removeItem(atPath: directory)
        }
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let home = SmallHome(directory: directory)
        _ = try await HomeSetup.host(home: home.path, gathering: "Upkeep", device: "Anna")
        try home.begin(photos: count)
        try await body(home)
    }

    /// They begin as a JPEG does: the folder takes nothing else.
    static func bytes(_ number: Int) -> [UInt8] {
        [0xFF, 0xD8, 0xFF] + (3..<(1000 + number)).map { UInt8(truncatingIfNeeded: $0 * number) }
    }

    /// An agent's life in short: it begins, adds photos to the album "Beach", and ends.
    private func begin(photos count: Int) throws {
        let home = try OpenHome(home: path, waitMilliseconds: 5000, for: .run(runsTwice: false))
        defer { home.lock.release() }
        var engine = home.engine(replica: try home.replicaToContinue(), port: 1)
        for number in 1...count {
            let blob = try home.blobs.ingest(bytes: Self.bytes(number))
            blobs.append(blob)
            let file = PhotoFile(
                blob: blob, byteCount: UInt64(1000 + number), pieceList: nil, name: "IMG_\(number).JPG",
                mediaType: "image/jpeg", modified: 0)
            try Self.contribute(.photo(albumName: "Beach", file), to: &engine, home)
        }
        try home.index.follow(engine.catalog, log: engine.log)
    }

    /// Makes one contribution durable, as the agent's services do.
    static func contribute(_ contribution: Contribution, to engine: inout Engine, _ home: OpenHome) throws {
        var random = SystemRandomNumberGenerator()
        let now = MonotonicInstant(nanoseconds: 1)
        let wall = SystemClock().wall
        let directives = engine.handle(.contribute(token: 1, contribution), now: now, wall: wall, using: &random)
        for case .store(let batches, let replica) in directives {
            let rows = batches.map {
                JournalBatch(
                    id: $0.id, replica: $0.batch.replica, firstSequence: $0.batch.firstSequence,
                    lastSequence: $0.batch.lastSequence, batch: $0.signed, received: wall)
            }
            try home.journal.append(rows)
            if let replica { try home.journal.setIdentity([.replica: replica.bytes]) }
            _ = engine.handle(.stored, now: now, wall: wall, using: &random)
        }
    }

    /// Opens it as an agent that begins, until `body` returns.
    func opened<Value>(_ body: (OpenHome) async throws -> Value) async throws -> Value {
        let home = try OpenHome(home: path, waitMilliseconds: 5000, for: .run(runsTwice: false))
        defer { home.lock.release() }
        return try await body(home)
    }

    func verify(repair: Bool = false, restart: Bool = true) async throws -> VerifyReport {
        try await OfflineVerify.run(home: path, VerifyOrder(repair: repair, restart: restart)) { _ in }
    }

    func file(of blob: BlobID) -> String { BlobStore.path(of: blob, home: path) }

    /// Other bytes of the same length, in the same file.
    static func damage(_ path: String) throws {
        #expect(chmod(path, 0o644) == 0)
        var bytes = Array(try Data(contentsOf: URL(filePath: path)))
        bytes[bytes.count / 2] ^= 0xFF
        let file = try #require(fopen(path, "r+"))
        defer { fclose(file) }
        #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }

    /// The folder with every photo in it, as the agent places them; links where the disk can do no clones.
    func placed(_ home: OpenHome, mayLink: Bool) async throws -> SharedFolder {
        try home.journal.setFolder(folder, home: path)
        let shared = try await OfflineListings.folder(folder, home)
        let engine = home.engine(replica: nil, port: 0)
        for album in engine.catalog.albums.keys {
            let placements = blobs.enumerated().map { number, blob in
                Placement(
                    album: album, albumName: "Beach", blob: blob, name: "IMG_\(number + 1).JPG", modified: 0,
                    deviceName: "Anna", mayLink: mayLink)
            }
            for outcome in await shared.place(placements) { _ = try outcome.get() }
        }
        return shared
    }
}
