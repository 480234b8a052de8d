import AlbumModel
import DiskIO
import Dispatch
import Glibc
import StoreProbe
import Synchronization
import Testing

@testable import PhotoStore

/// Blobs whose space is given back.
@Suite struct BlobDeletionTests {
    /// What was taken in just now stays until an album may be known to name it; then it goes for good, and a link in the
    /// folder keeps the bytes.
    @Test func deletedBlobsAreGone() throws {
        let home = TemporaryHome()
        let bytes = Samples.bytes(3000, seed: 1)
        let path = try home.write(bytes, to: "drop.jpg")
        let id = Samples.blobID(bytes)
        do {
            let store = try home.store(cloner: CloneAnswer.refuses.cloner)
            #expect(try store.ingest(path: path).id == id)
            #expect(try !store.delete(id))
            #expect(try store.bytes(id) == bytes)
            store.settle([id])
            _ = try store.place(id, at: home.path + "/placed.jpg", mayLink: true, modified: 0)
            #expect(try store.delete(id))
            #expect(!store.contains(id))
            #expect(try store.open(id) == nil)
            #expect(try contents(home.path + "/placed.jpg") == bytes)
            #expect(try store.delete(id))
        }
        #expect(try home.store().held().isEmpty)
    }

    /// Bytes that come again while, or after, they are deleted are there: taking them in writes them anew.
    @Test func deletedBytesMayComeAgain() throws {
        let home = TemporaryHome()
        let bytes = Samples.bytes(3000, seed: 2)
        let store = try home.store()
        let id = try store.ingest(bytes: bytes)
        store.settle([id])
        #expect(try store.delete(id))
        #expect(try store.ingest(bytes: bytes) == id)
        #expect(try store.bytes(id) == bytes)
        #expect(try !store.delete(id))
    }

    /// What an album comes to name after it was decided that it goes is kept. Catches a deletion that asks only for bytes
    /// that were taken in.
    @Test func keptBlobsStay() throws {
        let home = TemporaryHome()
        let store = try home.store()
        let id = try store.ingest(bytes: Samples.bytes(100, seed: 5))
        store.settle([id])
        store.keep([id])
        #expect(try !store.delete(id))
        #expect(store.contains(id))
        store.settle([id])
        #expect(try store.delete(id))
    }

    /// A blob that an earlier run took in may go.
    @Test func anEarlierRunsBlobsMayGo() throws {
        let home = TemporaryHome()
        let id = try home.store().ingest(bytes: Samples.bytes(100, seed: 3))
        let store = try home.store()
        #expect(try store.delete(id))
        #expect(try home.store().held().isEmpty)
    }

    /// A file that cannot be removed, such as a directory in its place, is held still.
    @Test func whatCannotBeRemovedIsHeld() throws {
        let home = TemporaryHome()
        let store = try home.store()
        let id = try store.ingest(bytes: Samples.bytes(100, seed: 4))
        store.settle([id])
        let path = store.path(of: id)
        try #require(unlink(path) == 0)
        try #require(mkdir(path, 0o700) == 0)
        #expect(throws: BlobError.self) { try store.delete(id) }
        #expect(store.contains(id))
        try #require(rmdir(path) == 0)
        #expect(try store.delete(id))
        #expect(!store.contains(id))
    }

    /// What an earlier attempt left is discarded while the blob is received anew, over and over: the new file keeps its name.
    /// Catches, now and then, a file that is removed after somebody began to receive into it.
    @Test func discardingLeavesWhatIsReceived() throws {
        let home = TemporaryHome()
        let store = try home.store()
        let cut = Cut(Samples.bytes(2 << 20, seed: 8))
        let hasEnded = Atomic<Bool>(false)
        let missing = Atomic<Int>(0)
        DispatchQueue.concurrentPerform(iterations: 2) { number in
            if number == 1 {
                while !hasEnded.load(ordering: .relaxed) {
                    store.discardStaged(cut.id)
                    sched_yield()
                }
                return
            }
            for _ in 0..<500 {
                let partial = try? store.beginReceiving(cut.id, byteCount: cut.byteCount, list: cut.list)
                let isThere = (try? FileStat(path: store.paths.part(cut.id))) != nil
                if partial == nil || !isThere { missing.add(1, ordering: .relaxed) }
                partial?.abandon()
            }
            hasEnded.store(true, ordering: .relaxed)
        }
        #expect(missing.load(ordering: .relaxed) == 0)
    }
}
