import DiskIO
import Foundation
import StoreProbe
import Testing

@testable import PhotoStore

/// Blobs of one piece, which come whole.
@Suite struct WholeBlobTests {
    private let bytes = Samples.bytes(20_000, seed: 31)

    private func receive(_ bytes: [UInt8], into store: BlobStore) throws -> Bool {
        try bytes.withUnsafeBytes { try store.receive(Samples.blobID(self.bytes), bytes: $0) }
    }

    /// It is there under its name, read-only, after one call, and nothing is left in staging; once more changes nothing.
    @Test func aWholeBlobIsDurableAtOnce() throws {
        let home = TemporaryHome()
        let store = try home.store()
        let id = Samples.blobID(bytes)
        for _ in 0..<2 {
            #expect(try receive(bytes, into: store))
            #expect(store.contains(id) && store.byteCount(of: id) == 20_000)
            #expect(try store.bytes(id) == bytes)
            #expect(try FileStat(path: store.path(of: id)).mode & 0o777 == 0o444)
            #expect(try home.stagingNames().isEmpty)
        }
        #expect(try home.store().contains(id))
    }

    /// Bytes that are not the blob's make no file, neither too few nor others.
    @Test func wrongBytesAreRefused() throws {
        let home = TemporaryHome()
        let store = try home.store()
        for wrong in [Array(bytes.dropLast()), bytes.reversed(), []] { #expect(try !receive(wrong, into: store)) }
        #expect(store.held().isEmpty)
        #expect(try home.stagingNames().isEmpty)
    }

    /// What the disk refuses leaves nothing behind, and comes when it is well again.
    @Test func aRefusedBlobLeavesNothing() throws {
        let home = TemporaryHome()
        let store = try home.store()
        let id = Samples.blobID(bytes)
        let directory = store.paths.directory(of: id)
        #expect(rmdir(directory) == 0)
        let error = #expect(throws: BlobError.self) { try receive(bytes, into: store) }
        #expect(error?.errno == ENOENT)
        #expect(!store.contains(id))
        #expect(try home.stagingNames().isEmpty)
        #expect(mkdir(directory, 0o700) == 0)
        #expect(try receive(bytes, into: store))
        #expect(try store.bytes(id) == bytes)
    }

    /// Bytes are not dropped for the sake of a file that somebody has deleted.
    @Test func aDeletedFileComesBack() throws {
        let home = TemporaryHome()
        let store = try home.store()
        let id = Samples.blobID(bytes)
        #expect(try receive(bytes, into: store))
        try Disk.remove(store.path(of: id))
        #expect(try receive(bytes, into: store))
        #expect(try store.bytes(id) == bytes)
    }

    /// Peers may bring it at the same moment: each is told that it is there.
    @Test func equalBlobsAtOneTime() throws {
        let home = TemporaryHome()
        let store = try home.store()
        let (id, bytes) = (Samples.blobID(bytes), bytes)
        try onThreads(8) { _ in
            let isRight = try bytes.withUnsafeBytes { try store.receive(id, bytes: $0) }
            #expect(isRight)
        }
        #expect(try store.bytes(id) == bytes)
        #expect(try home.stagingNames().isEmpty)
    }

    /// What an earlier version left of a blob of one piece goes, also where the blob is wanted, instead of standing in
    /// staging unused.
    @Test func partsOfOnePieceAreSwept() throws {
        let home = TemporaryHome()
        let store = try home.store()
        let (small, large) = (bytes, Samples.bytes(1 << 20, seed: 32))
        let ids = [Samples.blobID(small), Samples.blobID(large)]
        try overwrite(store.paths.part(ids[0]), with: small)
        try overwrite(store.paths.part(ids[1]), with: large)
        let report = try store.sweep(wanted: Set(ids))
        #expect(report.resumable.isEmpty && report.removedCount == 2)
        #expect(try home.stagingNames().isEmpty)
    }
}
