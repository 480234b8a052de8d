import AlbumModel
import PhotoStore
import SyncEngine
import Synchronization

/// Blobs whose files are gone or changed, until they are here again: from the folder, or from others.
final class BlobRecovery: Sendable {
    private let host: EngineHost
    private let parts: AgentParts
    private let problems: Problems
    private let files: FolderSlot
    private let lost = Mutex(LostBlobs())

    init(host: EngineHost, parts: AgentParts, problems: Problems, files: FolderSlot) {
        self.host = host
        self.parts = parts
        self.problems = problems
        self.files = files
    }

    /// - Parameter missing: what the store says was there before this run.
    /// - Returns: what is wanted of it.
    func begin(missing: Set<BlobID>) async -> Set<BlobID> { await begin(missing: missing, on: host) }

    private func begin(missing: Set<BlobID>, on host: isolated EngineHost) -> Set<BlobID> {
        let blobs = LostBlobs(host.engine, missing: missing)
        lost.withLock { $0 = blobs }
        problems.note(.lostBlobs, sentence(on: host))
        return blobs.all
    }

    private func sentence(on host: isolated EngineHost) -> String? {
        lost.withLock { $0.sentence(host.engine, wall: parts.clock.wall) }
    }

    /// Has the store look at a blob's file, whose bytes may have been changed through another name.
    func examine(_ blob: BlobID) async {
        // What the store finds to be wrong it no longer has; another error says nothing about the blob.
        _ = try? await parts.blobPool.perform { [parts] in try parts.blobs.open(blob) }
        await noteIfLost(blob)
    }

    /// The store itself finds out that a file is gone or changed; a passing error is none of that.
    func noteIfLost(_ blob: BlobID) async {
        guard !parts.blobs.contains(blob) else { return }
        await lose(blob, on: host)
        await recover([blob])
    }

    /// A blob's file is gone or changed; the folder may still have its bytes.
    private func lose(_ blob: BlobID, on host: isolated EngineHost) {
        host.feed(.blobLost(blob))
        guard host.engine.missingReason(blob) != nil else { return }
        lost.withLock { $0.insert(blob) }
        problems.note(.lostBlobs, sentence(on: host))
    }

    /// Has the folder give back what the store has lost, as far as files there still hold it.
    func recover(_ blobs: Set<BlobID>) async {
        guard !blobs.isEmpty, let folder = files.files else { return }
        for blob in await folder.takeAgain(blobs).sorted() { await host.feed(.committed(blob)) }
    }

    /// The folder's import has put a photo's bytes into the store, which nobody may have expected.
    func foundInFolder(_ blob: BlobID) async { await feed(.committed(blob), ifWanted: blob, on: host) }

    /// A blob that a person carried here was copied into the store; nobody may want it any more.
    func tookIn(_ blob: BlobID) async { await feed(.blobCarried(blob), ifWanted: blob, on: host) }

    private func feed(_ input: EngineInput, ifWanted blob: BlobID, on host: isolated EngineHost) {
        if host.engine.missingReason(blob) != nil { host.feed(input) }
    }

    /// What is wrong at the moment, in sentences.
    var currentProblems: [String] {
        get async {
            problems.set(.lostBlobs, await sentence(on: host))
            return problems.all
        }
    }
}
