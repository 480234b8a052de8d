import AlbumModel
import DiskIO
import PeerTransport
import PhotoPack
import PhotoStore
import PotluckAPI
import SyncEngine
import WireFormat

/// Pages that were carried here and are being stored, each with who waits for it.
struct CarriedPages {
    private var waiting: [UInt64: CheckedContinuation<CarriedOutcome, any Error>] = [:]
    private var nextToken: UInt64 = 1
    /// Why no more are taken.
    private var refusal: (any Error)?

    /// - Returns: what the page is called; `nil` where no more are taken, which the continuation is told.
    mutating func wait(_ continuation: CheckedContinuation<CarriedOutcome, any Error>) -> UInt64? {
        if let refusal {
            continuation.resume(throwing: refusal)
            return nil
        }
        defer { nextToken += 1 }
        waiting[nextToken] = continuation
        return nextToken
    }

    mutating func finish(_ token: UInt64, _ outcome: CarriedOutcome) {
        waiting.removeValue(forKey: token)?.resume(returning: outcome)
    }

    /// Nobody need wait any longer: what is stored later is known when it is carried here again.
    ///
    /// - Parameter isFinal: no more are taken.
    mutating func fail(_ error: any Error, isFinal: Bool) {
        if isFinal { refusal = error }
        for continuation in waiting.values { continuation.resume(throwing: error) }
        waiting.removeAll()
    }
}

extension EngineShell {
    func carry(_ page: BatchPage) async throws -> CarriedOutcome {
        try await withCheckedThrowingContinuation { continuation in
            guard let token = carried.wait(continuation) else { return }
            feed(.carried(token: token, page))
        }
    }

    /// A blob was copied into the store; nobody may want it any more.
    func tookIn(_ blob: BlobID) {
        if isWanted(blob) { feed(.blobCarried(blob)) }
    }
}

/// A running agent that takes in a pack.
struct ShellReceiver: PackReceiver {
    let shell: EngineShell
    let parts: AgentParts
    let tag: String

    var isRunning: Bool { true }

    func carry(_ page: BatchPage) async throws -> CarriedOutcome { try await shell.carry(page) }

    func wants() async -> [CarriedWant] { await shell.engine.carriedWants }

    func name(of blob: BlobID) async -> String { await shell.engine.anyName(of: blob) }

    func take(_ blob: BlobID, from file: OpenFile) async throws {
        _ = try await parts.commitPool.perform { [parts] in
            try parts.blobs.ingest(descriptor: file.descriptor, expecting: blob)
        }
        await shell.tookIn(blob)
    }

    func missingCount() async -> Int { await shell.engine.wantedPhotos.reduce(0) { count, _ in count + 1 } }

    func finish() async throws { await shell.indexIsComplete() }
}

extension AgentControl {
    func packPlan(for device: String?) async throws -> PackPlan { try await builder().packPlan(for: device) }

    func unpack(
        directory: String, progress: @Sendable (AddProgress) async -> Void
    ) async throws -> UnpackReport {
        let receiver = ShellReceiver(
            shell: shell, parts: parts, tag: Hexadecimal.text(membership.secrets.tag))
        return try await Unpacker(receiver: receiver, pool: parts.blobPool).run(directory, progress: progress)
    }
}
