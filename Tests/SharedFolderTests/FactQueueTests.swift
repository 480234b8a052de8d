import AlbumModel
import NIOPosix
import PhotoStore
import Synchronization
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

    // Shows that what a commit that failed has left goes with the next one, whoever asks for it, each fact once and before
    // what is newer; and that it is not written again after that.
    @Test func whatFailedComesWithTheNext() async throws {
        let pool = NIOThreadPool.singleton
        let written = Mutex<(isFull: Bool, commits: [[FactChange]])>((true, []))
        let queue = FactQueue(pool: pool) { changes in
            try written.withLock { written in
                if written.isFull { throw FolderError(.failed, "The disk is full.") }
                written.commits.append(changes)
            }
        } newest: {
            $0
        }
        func change(_ key: UInt8, _ value: UInt8?) -> FactChange {
            FactChange(kind: .folderGone, key: [key], value: value.map { [$0] })
        }
        await #expect(throws: FolderError.self) { try await queue.commit([change(1, 1), change(2, 1)]) }
        await #expect(throws: FolderError.self) { try await queue.commit([change(1, 2)]) }
        written.withLock { $0.isFull = false }
        try await queue.commit([change(3, 1), change(2, nil)])
        try await queue.commit([change(4, 1)])
        let commits = written.withLock { $0.commits }
        #expect(
            commits == [[change(1, 2), change(2, 1), change(3, 1), change(2, nil)], [change(4, 1)]])
    }
}
