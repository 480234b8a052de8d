import AlbumModel
import NIOPosix
import PhotoStore
import TestSupport
import Testing

@testable import FolderEngine
@testable import SharedFolder

/// Facts on their way to the journal.
struct FactQueueTests {
    // Shows that what was decided first, and is committed last, does not stand: the journal has what is known by then.
    @Test func lateFactsAreNoOlderThanOthers() async throws {
        let kit = try await Kit()
        defer { kit.remove() }
        let path = FolderPath("A/x.jpg")
        let record = FileRecord(
            photo: FakeHost.photo(blobID([1]), in: "A"),
            signature: FileSignature(inode: 1, byteCount: 10, modified: 0, changed: 0), origin: .placed)
        let core = kit.folder.core
        let recorded = core.queue.change { judge, _ in judge.state.record(path, record) }
        let dropped = core.queue.change { judge, _ in judge.state.drop(path) }
        try await core.facts.commit(dropped)
        try await core.facts.commit(recorded)
        #expect(try kit.journal.fact(.folderFile, path.bytes) == nil)
        try await core.facts.commit(core.queue.change { judge, _ in judge.state.record(path, record) })
        #expect(try kit.journal.fact(.folderFile, path.bytes) == record.bytes)
        try await kit.pool.shutdownGracefully()
    }
}
