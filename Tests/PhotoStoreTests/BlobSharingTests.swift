import AlbumModel
import DiskIO
import Glibc
import StoreProbe
import Testing

@testable import PhotoStore

/// One file for a blob and for a person's own photo.
@Suite struct BlobSharingTests {
    private static let bytes = Samples.bytes((1 << 20) + 3, seed: 31)

    private let home = TemporaryHome()

    /// A dropped file, taken in.
    private func dropped(_ store: BlobStore, _ name: String = "drop.jpg") throws -> (path: String, id: BlobID) {
        let path = try home.write(Self.bytes, to: name)
        let id = try store.ingest(path: path).id
        store.settle([id])
        return (path, id)
    }

    private func store() throws -> BlobStore { try home.store(cloner: CloneAnswer.refuses.cloner) }

    /// The person's file stays what it is but for its mode, and is the blob's, over a restart too; twice changes nothing.
    @Test func filesAndBlobsBecomeOne() throws {
        do {
            let store = try store()
            let (path, id) = try dropped(store)
            let before = try FileStat(path: path)
            let stat = try #require(try store.share(id, withFileAt: path) { $0 == before })
            #expect(try FileStat(path: store.path(of: id)) == stat && FileStat(path: path) == stat)
            #expect(stat.inode == before.inode && stat.modified == before.modified && stat.linkCount == 2)
            #expect(stat.mode & 0o777 == 0o444)
            #expect(try store.isShared(id, withFileAt: path))
            #expect(store.suspects().isEmpty)
            #expect(try store.share(id, withFileAt: path) { _ in true } == nil)
            #expect(try home.stagingNames().isEmpty)
        }
        let store = try store()
        #expect(try store.bytes(Samples.blobID(Self.bytes)) == Self.bytes)
    }

    /// Two files again, each with the bytes; an edit of the person's leaves the blob alone.
    @Test func filesAndBlobsBecomeTwoAgain() throws {
        let store = try store()
        let (path, id) = try dropped(store)
        #expect(try store.separate(id, fromFileAt: path) == nil)
        _ = try store.share(id, withFileAt: path) { _ in true }
        let stat = try #require(try store.separate(id, fromFileAt: path))
        #expect(stat.linkCount == 1 && stat.mode & 0o777 == 0o644)
        #expect(try !store.isShared(id, withFileAt: path))
        #expect(store.suspects().isEmpty)
        try overwrite(path, with: [0, 0, 0, 0])
        #expect(try store.bytes(id) == Self.bytes)
        #expect(try home.stagingNames().isEmpty)
    }

    /// A private file stays private.
    @Test func rightsAreKept() throws {
        let store = try store()
        let (path, id) = try dropped(store)
        #expect(chmod(path, 0o600) == 0)
        #expect(try store.share(id, withFileAt: path) { _ in true }.map { $0.mode & 0o777 } == 0o400)
        #expect(try store.separate(id, fromFileAt: path).map { $0.mode & 0o777 } == 0o600)
    }

    /// A photo that is placed in another album as well is one file with this one, and stays read-only.
    @Test func placedLinksStayReadOnly() throws {
        let store = try store()
        let (path, id) = try dropped(store)
        _ = try store.share(id, withFileAt: path) { _ in true }
        _ = try store.place(id, at: home.path + "/placed.jpg", mayLink: true, modified: 0)
        let stat = try #require(try store.separate(id, fromFileAt: path))
        #expect(stat.linkCount == 2 && stat.mode & 0o222 == 0)
        #expect(try !store.isShared(id, withFileAt: path))
    }

    /// What an edit of the one file destroys is noticed, and the edit stays the person's.
    @Test func editsAreNoticed() throws {
        let store = try store()
        let (path, id) = try dropped(store)
        _ = try store.share(id, withFileAt: path) { _ in true }
        try overwrite(path, with: [0, 0, 0, 0])
        let error = #expect(throws: BlobError.self) { try store.open(id) }
        #expect(error?.code == .contentChanged)
        #expect(!store.contains(id))
        #expect(try contents(path).prefix(4) == [0, 0, 0, 0])
        #expect(try FileStat(path: path).linkCount == 1)
    }

    /// Bytes that come again after that are taken in, though there is a file of their name.
    @Test func changedBytesComeInAgain() throws {
        let store = try store()
        let (path, id) = try dropped(store)
        _ = try store.share(id, withFileAt: path) { _ in true }
        try overwrite(path, with: [0, 0, 0, 0])
        let again = try home.write(Self.bytes, to: "again.jpg")
        #expect(try store.ingest(path: again).id == id)
        #expect(try store.bytes(id) == Self.bytes)
        #expect(try contents(path).prefix(4) == [0, 0, 0, 0])
    }

    /// Bytes of the same size and time that are others stay the person's alone, writable as before.
    @Test func filesOfOtherBytesAreNotShared() throws {
        let store = try store()
        let (path, id) = try dropped(store)
        try overwrite(path, with: [0, 0, 0, 0])
        #expect(try store.share(id, withFileAt: path) { _ in true } == nil)
        #expect(try FileStat(path: path).mode & 0o777 == 0o644)
        #expect(try store.bytes(id) == Self.bytes)
        #expect(try home.stagingNames().isEmpty)
    }

    /// A file that somebody has open for writing, that has another name, or that is another one than was meant, stays.
    @Test func filesInUseAreNotShared() throws {
        let store = try store()
        let (path, id) = try dropped(store)
        do {
            let writer = try Descriptor(opening: path, .update)
            let stat = try store.share(id, withFileAt: path) { _ in true }
            #expect(stat == nil)
            // Its number is of use for as long as it lives.
            withExtendedLifetime(writer) {}
        }
        #expect(try store.share(id, withFileAt: path) { _ in false } == nil)
        try Disk.link(path, to: home.path + "/other.jpg")
        #expect(try store.share(id, withFileAt: path) { _ in true } == nil)
        unlink(home.path + "/other.jpg")
        symlink(path, home.path + "/link.jpg")
        #expect(throws: BlobError.self) { try store.share(id, withFileAt: home.path + "/link.jpg") { _ in true } }
        #expect(try FileStat(path: path).mode & 0o777 == 0o644)
        #expect(try store.share(id, withFileAt: path) { _ in true } != nil)
    }

    /// Where files share their bytes anyway, each keeps its own.
    @Test func cloningDisksNeedNoLinks() throws {
        let store = try home.store(cloner: CloneAnswer.clones.cloner)
        let (path, id) = try dropped(store)
        #expect(try store.share(id, withFileAt: path) { _ in true } == nil)
        #expect(try FileStat(path: path).linkCount == 1)
        #expect(store.mayClone(to: path))
        #expect(try home.stagingNames().isEmpty)
    }
}
