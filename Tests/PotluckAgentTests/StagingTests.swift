import AlbumModel
import Foundation
import PhotoStore
import SyncEngine
import TestSupport
import Testing

@testable import PotluckAgent

/// Blobs and pieces that one job deals with, because they came at one time.
@Suite struct StagingTests {
    /// What begins at one time ends each by itself: a blob that is here is known to the engine, although one before it
    /// has a size that no photo has; and one that nobody wants leaves no file.
    @Test func blobsBeginEachByItself() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let staging = running.services.staging
                let held = try running.parts.blobs.ingest(bytes: [1, 2, 3])
                let others = [UInt8(4), 5].map { BlobID(bytes: [UInt8](repeating: $0, count: 32))! }
                staging.begin(others[0], BlobStore.byteCountMax + 1, nil)
                staging.begin(others[1], 3, nil)
                staging.begin(held, 3, nil)
                try await eventually("the engine knows what is here") {
                    await running.services.host.ask { $0.held.contains(held) } ? .done(()) : .notYet("it does not")
                }
                try await eventually("nothing is left in staging") {
                    let names = try FileManager.default.contentsOfDirectory(atPath: home + "/staging")
                    return names.isEmpty ? .done(()) : .notYet("\(names)")
                }
                #expect(others.allSatisfy { staging.partial($0) == nil })
            }
        }
    }

    /// One job writes small pieces, in their order, as far as they have fewer bytes together than are better hashed side
    /// by side; none is left out, and none is written twice.
    @Test func smallPiecesShareAJob() {
        let limit = StagingService.shareByteCountMax
        #expect(StagingService.shares(of: []) == [])
        #expect(StagingService.shares(of: [1 << 20]) == [0..<1])
        #expect(StagingService.shares(of: [20_000, 0, 20_000]) == [0..<3])
        #expect(StagingService.shares(of: [limit, 1]) == [0..<1, 1..<2])
        #expect(StagingService.shares(of: [limit - 1, 1, 1]) == [0..<2, 2..<3])
        #expect(StagingService.shares(of: [1, 1 << 20, 1, 1]) == [0..<1, 1..<2, 2..<4])
    }
}
