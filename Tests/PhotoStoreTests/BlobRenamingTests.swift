import DiskIO
import Glibc
import StoreProbe
import Synchronization
import Testing

@testable import PhotoStore

/// Placed files that get other names.
struct BlobRenamingTests {
    /// A placed photo, of a store that makes links or copies.
    private func place(_ home: TemporaryHome, mayLink: Bool) throws -> (store: BlobStore, cut: Cut, path: String) {
        let store = try home.store(cloner: CloneAnswer.refuses.cloner)
        let cut = Cut(Samples.bytes(100, seed: 31))
        _ = try store.receive(cut)
        let path = home.path + "/a.jpg"
        _ = try store.place(cut.id, at: path, mayLink: mayLink, modified: 1_234_567_890_123_456_789)
        return (store, cut, path)
    }

    /// The file has its new name with the values that are told, and a blob whose link it is counts as it was: neither this
    /// store nor the next start hashes it.
    @Test(arguments: [true, false]) func renamedFilesAreKnown(mayLink: Bool) throws {
        let home = TemporaryHome()
        let (store, cut, path) = try place(home, mayLink: mayLink)
        let target = home.path + "/b.jpg"
        let stat = try store.rename(cut.id, from: path, to: target) { _ in true }
        #expect(try FileStat.find(path: path) == nil && stat == FileStat(path: target))
        #expect(store.suspects().isEmpty && store.isIndexed)
        #expect(try home.store().suspects().isEmpty)
    }

    /// Nothing is replaced; nothing is done to another file than was meant, nor to one that a person gave a further name.
    @Test func someFilesKeepTheirNames() throws {
        let home = TemporaryHome()
        let (store, cut, path) = try place(home, mayLink: false)
        let target = home.path + "/b.jpg"
        #expect(try store.rename(cut.id, from: path, to: target) { _ in false } == nil)
        #expect(link(path, home.path + "/mine.jpg") == 0)
        #expect(try store.rename(cut.id, from: path, to: target) { _ in true } == nil)
        #expect(unlink(home.path + "/mine.jpg") == 0)
        try overwrite(target, with: [1])
        let error = #expect(throws: BlobError.self) {
            try store.rename(cut.id, from: path, to: target) { _ in true }
        }
        #expect(error?.code == .destinationExists)
        #expect(try contents(target) == [1] && FileStat(path: path).isRegularFile)
    }

    /// Nobody who opens a blob waits for a file that is none of its links: it may be on a slow disk.
    @Test func othersNeedNotWait() throws {
        let home = TemporaryHome()
        let (store, cut, path) = try place(home, mayLink: false)
        let stat = try store.rename(cut.id, from: path, to: home.path + "/b.jpg") { _ in
            store.marking.withLockIfAvailable { _ in true } ?? false
        }
        #expect(stat != nil)
    }

    /// Bytes that a person changed through the link do not count as the blob's because it was renamed.
    @Test func changedLinksAreStillFoundOut() throws {
        let home = TemporaryHome()
        let (store, cut, path) = try place(home, mayLink: true)
        #expect(chmod(path, 0o644) == 0)
        try overwrite(path, with: [0, 0, 0, 0])
        _ = try store.rename(cut.id, from: path, to: home.path + "/b.jpg") { _ in true }
        #expect(store.suspects() == [cut.id])
        #expect(throws: BlobError.self) { try store.open(cut.id) }
    }
}
