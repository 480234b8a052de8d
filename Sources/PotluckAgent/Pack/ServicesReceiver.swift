import AlbumModel
import DiskIO
import PeerTransport
import PhotoPack
import PhotoStore
import PotluckAPI
import SyncEngine
import WireFormat

/// A running agent that takes in a pack.
struct ServicesReceiver: PackReceiver {
    let services: Services
    let tag: String

    var isRunning: Bool { true }

    func carry(_ page: BatchPage) async throws -> CarriedOutcome { try await services.contributions.carry(page) }

    func carry(_ summaries: [SignedStatement]) async { await services.host.feed(.carriedSummaries(summaries)) }

    func wants() async -> [CarriedWant] { await services.host.ask(\.carriedWants) }

    func name(of blob: BlobID) async -> String { await services.host.ask { $0.anyName(of: blob) } }

    func take(_ blob: BlobID, from file: OpenFile) async throws {
        _ = try await services.parts.commitPool.perform { [blobs = services.parts.blobs] in
            try blobs.ingest(descriptor: file.descriptor, expecting: blob)
        }
        await services.recovery.tookIn(blob)
    }

    func missingCount() async -> Int { await services.host.ask { $0.wantedPhotos.reduce(0) { count, _ in count + 1 } } }

    func finish() async throws { await services.index.isComplete() }
}

extension AgentControl {
    func packPlan(for device: String?) async throws -> PackPlan {
        let summary = await services.journal.newSummary()
        var plan = try await builder().packPlan(for: device)
        plan.summary = summary.map { PackPlan.Statement($0) }
        return plan
    }

    func unpack(
        directory: String, progress: @Sendable (AddProgress) async -> Void
    ) async throws -> UnpackReport {
        let receiver = ServicesReceiver(
            services: services, tag: Hexadecimal.text(membership.gatheringTag))
        return try await Unpacker(receiver: receiver, pool: parts.blobPool).run(directory, progress: progress)
    }
}
