import AlbumModel
import Glibc
import PhotoStore
import PotluckAgent
import SyncEngine

/// A home that is made a member of the gathering, and then filled.
struct GatheringHome {
    /// Batches of one transaction.
    private static let pageBatchCount = 1000

    let path: String

    func join(_ phrase: String, as device: String) async throws {
        _ = try await HomeSetup.join(home: path, phrase: phrase, device: device)
    }

    func store(_ batches: [JournalBatch]) throws {
        let journal = try Journal(home: path)
        for start in stride(from: 0, to: batches.count, by: Self.pageBatchCount) {
            try journal.append(Array(batches[start..<min(start + Self.pageBatchCount, batches.count)]))
        }
    }

    func remember(_ records: [(DeviceID, HoldingsRecord)]) throws {
        let facts = records.map { HoldingsMemory.fact($0, seenAt: $1.saidAt, $1) }
        try Journal(home: path).setFacts(facts)
    }

    /// Puts every photo where the blob store looks for it when it opens. Nothing is synced: a power cut ends a
    /// measurement anyway.
    func store(_ photos: PhotoMaker) throws {
        let blobs = path + "/blobs"
        for directory in [blobs] + (0...UInt8.max).map({ blobs + "/" + Hexadecimal.text([$0]) }) {
            guard mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw HomeFailure(path: directory) }
        }
        for number in 0..<photos.plan.photoCount {
            let name = photos.blob(number).hex
            try write(photos.content(number), to: "\(blobs)/\(name.prefix(2))/\(name.dropFirst(2))")
        }
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw HomeFailure(path: path) }
        defer { close(file) }
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else { throw HomeFailure(path: path) }
    }
}

/// A file or directory that could not be made.
struct HomeFailure: Error, CustomStringConvertible {
    let path: String
    let reason = String(cString: strerror(errno))

    var description: String { "\(path) cannot be written: \(reason)" }
}
