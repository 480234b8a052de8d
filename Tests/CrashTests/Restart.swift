import AlbumModel
import Foundation
import Glibc
import PhotoStore
import StoreProbe
import Synchronization

/// The next start after a fault: what the rules of the data directory say must hold, each breach in a sentence.
struct Restart {
    /// All that the operation promises where nothing strikes it.
    let promises: [Acknowledgement]
    let operation: StoreOperation
    let root: String
    private var home: String { root + "/home" }
    private var folder: String { root + "/folder" }

    private static let homeNames: Set<String> = [
        "journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm", "journal.sqlite-journal", "index.sqlite",
        "index.sqlite-wal", "index.sqlite-shm", "index.sqlite-journal", "blobs", "staging", "lock", "Photos",
    ]

    /// Starts, judges, performs the operation again without faults, and judges the end.
    func breaches(of run: ProbeRun, _ fault: Fault) -> [String] {
        let said = Said()
        let probe = Probe(root: root) { line in said.all.withLock { $0.append(line) } }
        do {
            var breaches =
                try foreignFiles(besides: ["restoring"]) + judge(probe, run.acknowledgements)
            if !operation.isAgents { breaches += try staging(probe) }
            try operation.perform(probe)
            if fault.keepsAll {
                breaches += lostPieces(run.acknowledgements, resumed: said.all.withLock { $0 })
            }
            breaches += try judge(probe, promises).map { "performed again: \($0)" }
            return try breaches + operation.end(probe) + foreignFiles() + leftovers()
        } catch {
            return ["the next start fails: \(error)"]
        }
    }

    private final class Said: Sendable {
        let all = Mutex<[Acknowledgement]>([])
    }

    // MARK: Rules

    private func judge(_ probe: Probe, _ promises: [Acknowledgement]) throws -> [String] {
        try operation.rules(probe, promises) + (operation.isAgents ? [] : wrongStore(probe, promised: promises))
    }

    private func wrongStore(_ probe: Probe, promised: [Acknowledgement]) throws -> [String] {
        let (journal, blobs) = (try probe.journal(), try probe.blobs())
        return try wrongBlobFiles(blobs) + brokenPromises(promised, journal, blobs) + wrongJournal(journal, blobs)
    }

    private func foreignFiles(besides passing: Set<String> = []) throws -> [String] {
        try names(home).filter { !Self.homeNames.union(passing).contains($0) }.map { "\($0) is in the home" }
    }

    /// The sweep leaves nothing but parts of blobs that are wanted and not held.
    private func staging(_ probe: Probe) throws -> [String] {
        let blobs = try probe.blobs()
        let wanted = promises.compactMap { if case .blob(let id) = $0 { id } else { nil } }
        _ = try blobs.sweep(wanted: Set(wanted))
        let allowed = wanted.filter { !blobs.contains($0) }.map { $0.hex + ".part" }
        return try names(home + "/staging").filter { !allowed.contains($0) }.map { "\($0) is left in staging" }
    }

    private func leftovers() throws -> [String] {
        try names(home + "/staging").map { "\($0) is in staging although all is done" }
            + names(folder).filter { $0.hasPrefix(BlobStore.placingPrefix) }.map { "\($0) is in the folder" }
    }

    /// Rule 1: a blob's name never stands on other bytes.
    private func wrongBlobFiles(_ blobs: BlobStore) throws -> [String] {
        try blobs.held().keys.filter { try Samples.blobID(bytes(blobs.path(of: $0))) != $0 }.map {
            "the file of blob \($0) holds other bytes"
        }
    }

    /// Rules 2, 3 and 4: what was said to be durable is there.
    private func brokenPromises(
        _ promises: [Acknowledgement], _ journal: Journal, _ blobs: BlobStore
    ) throws -> [String] {
        var broken: [String] = []
        for promise in promises {
            switch promise {
            case .blob(let id):
                if try blobs.open(id) == nil { broken.append("blob \(id) was durable and is gone") }
            case .gone(let id):
                if blobs.contains(id) { broken.append("blob \(id) was let go of and is there") }
            case .batch(let id):
                if try journal.batches([id]) == [nil] { broken.append("batch \(id) was durable and is gone") }
            case .fact(let key, let value):
                if try journal.fact(Probe.factKind, key) != value {
                    broken.append("fact \(Hexadecimal.text(key)) was durable and is gone")
                }
            case .placed(let id, let name):
                if try blobs.stat(ofFileWith: id, at: folder + "/" + name) == nil {
                    broken.append("\(name) was placed and is another file")
                }
            case .piece, .resumed, .indexed, .photo, .whole, .failed, .done: break
            }
        }
        return broken
    }

    /// Rules 3 and 4: whole batches only, in the order in which they were appended, none without its blob.
    private func wrongJournal(_ journal: Journal, _ blobs: BlobStore) throws -> [String] {
        var wrong: [String] = []
        var found: [BatchID] = []
        try journal.forEachBatch { row in
            found.append(row.id)
            if Samples.batchID(row.batch.content) != row.id { wrong.append("batch \(row.id) is damaged") }
            guard let blob = Samples.blob(namedBy: row.batch.content) else { return }
            if try blobs.open(blob) == nil { wrong.append("batch \(row.id) names a blob that is not there") }
        }
        let planned = promises.compactMap { if case .batch(let id) = $0 { id } else { nil } }
        // What stood in the journal before is none of these.
        found = found.filter(Set(planned).contains)
        if found != Array(planned.prefix(found.count)) { wrong.append("the journal holds batches out of order") }
        return wrong
    }

    /// What came before the process was killed need not come again.
    private func lostPieces(_ before: [Acknowledgement], resumed after: [Acknowledgement]) -> [String] {
        var pieces: [BlobID: Int] = [:]
        for case .piece(let id, _) in before { pieces[id, default: 0] += 1 }
        return after.compactMap { said in
            guard case .resumed(let id, let count) = said, count < pieces[id] ?? 0 else { return nil }
            return "\(pieces[id] ?? 0) pieces of \(id) were there and \(count) are"
        }
    }

    private func names(_ path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path)
    }

    private func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
}
