import AlbumModel
import Dispatch
import FolderEngine
import NIOPosix
import PhotoStore
import PotluckAPI
import SyncEngine
import TestSupport
import Testing
import WireFormat

@testable import PotluckAgent

/// What is added together shares transactions: each is a sync of the disk, and thousands in a row take a person's time.
@Suite(.timeLimit(.minutes(1))) struct TogetherTests {
    private static let fullBatchCount = 2
    private static let count = fullBatchCount * EngineLimits().changesPerBatchMax

    /// How many of this device's batches have such a change.
    private static func batchCount(_ running: RunningAgent, where isMeant: (Change) -> Bool) throws -> Int {
        var count = 0
        try running.parts.journal.forEachBatch { row in
            if try Batch(decoding: row.batch.content).changes.contains(where: isMeant) { count += 1 }
        }
        return count
    }

    private static func livePhotos(_ engine: Engine) -> Set<BlobID> {
        Set(engine.catalog.albums.values.flatMap { $0.livePhotos.map(\.key) })
    }

    private static func addsPhoto(_ change: Change) -> Bool { if case .photoAdded = change { true } else { false } }

    private static func file(_ number: Int) -> PhotoFile {
        PhotoFile(
            blob: blobID(bytes(number)), byteCount: 3, pieceList: nil, name: "\(number).jpg", mediaType: "image/jpeg",
            modified: 0)
    }

    private static func bytes(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xff), 1] }

    /// The first batch has as many contributions as any other. Catches contributions that come to the engine one by one, of
    /// which the first has a transaction for itself; and answers that are in another order than what they answer.
    @Test func contributionsShareBatches() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let names = (0..<Self.count).map { $0 % 3 == 0 ? "Hills" : "Beach" }
                let contributions = names.enumerated().map {
                    Contribution.photo(albumName: $0.element, Self.file($0.offset))
                }
                let albums = try await running.services.contributions.contribute(all: contributions)
                #expect(albums == names.map { AlbumName.identifier($0) })
                #expect(try Self.batchCount(running, where: Self.addsPhoto) == Self.fullBatchCount)
                let none = try await running.services.contributions.contribute(all: [])
                #expect(none.isEmpty)
            }
        }
    }

    /// What a person is told for whom all photos are contributed.
    private static func refusal(_ contributions: ContributionService) async -> PotluckError? {
        await #expect(throws: PotluckError.self) {
            try await contributions.contribute(
                all: (0..<count).map { .photo(albumName: "Beach", file($0)) }, forPerson: true)
        }
    }

    /// A person who waits for several is told once that the disk refuses them; all of them are added all the same, and
    /// nobody is told of them again. Catches a caller who waits for ever, and one who is answered twice.
    @Test func aPersonIsToldOnce() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let contributions = running.services.contributions
                // Nothing is stored meanwhile.
                let gate = DispatchSemaphore(value: 0)
                running.parts.journalPool.submit { _ in gate.wait() }
                let error = await withTaskGroup { group in
                    defer { gate.signal() }
                    group.addTask {
                        while !Task.isCancelled {
                            contributions.noteFailure("the disk is full")
                            await Task.yield()
                        }
                    }
                    defer { group.cancelAll() }
                    return await Self.refusal(contributions)
                }
                #expect(error?.status == .failed)
                try await eventually("all are added", within: .seconds(10)) {
                    let count = await running.services.host.ask { Self.livePhotos($0).count }
                    return .when(count == Self.count, "\(count) are")
                }
            }
        }
    }

    /// Edits of one group come to as few batches as their changes fit in: of each edit a photo that comes, whose place it
    /// takes, and one that goes. To do it once more adds none. Catches a transaction for each photo that is edited, and
    /// photos that go long after those that come.
    @Test func editsShareBatches() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let bridge = try FolderBridge(services: running.services, folderRoot: "/nonexistent")
                let drops = try (0..<2 * Self.count).map { number in
                    try running.drop(Self.bytes(number), name: "\(number % Self.count).jpg", in: "Beach")
                }
                let (old, new) = (Array(drops.prefix(Self.count)), Array(drops.suffix(Self.count)))
                let albums = try await bridge.contribute(old)
                #expect(albums == old.map { _ in AlbumName.identifier("Beach") })
                #expect(try Self.batchCount(running, where: Self.addsPhoto) == Self.fullBatchCount)

                let edits = zip(zip(albums, old), new).map { before, drop in
                    FolderEdit.replaced(album: before.0, old: before.1.blob.id, by: drop)
                }
                let editBatchCount = 3 * Self.fullBatchCount
                for _ in 0..<2 {
                    try await bridge.apply(edits)
                    let adding = try Self.batchCount(running, where: Self.addsPhoto)
                    #expect(adding == Self.fullBatchCount + editBatchCount)
                    let removing = try Self.batchCount(running) { if case .photoRemoved = $0 { true } else { false } }
                    #expect(removing == editBatchCount)
                    let live = await running.services.host.ask { Self.livePhotos($0) }
                    #expect(live == Set(new.map(\.blob.id)))
                }
                // One fact for all photos of a directory.
                #expect(try running.parts.journal.facts(.directory).count == 1)
            }
        }
    }
}
