import AlbumModel
import DiskIO
import Glibc
import StoreProbe
import Testing

@testable import PhotoStore

/// What the store does where nobody can look: it keeps what it knows. A link that leads to itself stands for a disk that
/// does not answer, and a process's own memory for a file that cannot be read, for root as well.
@Suite struct FailedLookTests {
    private static let unreadable = "/proc/self/mem"

    /// Moves what is at `path` away and puts a link there that leads to itself; the closure puts it back.
    private func hide(_ path: String) throws -> () throws -> Void {
        try #require(rename(path, path + ".away") == 0)
        try #require(symlink(path, path) == 0)
        return {
            try #require(unlink(path) == 0)
            try #require(rename(path + ".away", path) == 0)
        }
    }

    private func stored(_ store: BlobStore, _ home: TemporaryHome, seed: UInt64 = 1) throws -> BlobID {
        try store.ingest(path: home.write(Samples.bytes(3000, seed: seed), to: "drop.jpg")).id
    }

    /// An index that cannot be looked at is not made anew: it knows which blobs were here.
    @Test func indexesStay() throws {
        let home = TemporaryHome()
        let path = home.path + "/" + Index.fileName
        do { _ = try stored(home.store(), home) }
        let back = try hide(path)
        #expect(throws: StoreError.self) { try Index(home: home.path) }
        try back()
        #expect(try !Index(home: home.path).wasRebuilt)
    }

    /// A tree that cannot be listed is not empty.
    @Test func treesAreNotEmpty() throws {
        let home = TemporaryHome()
        let id = try stored(home.store(), home)
        let back = try hide(home.path + "/blobs")
        #expect(throws: BlobError.self) { try BlobTree(root: home.path).blobs() }
        try back()
        #expect(try BlobTree(root: home.path).blobs() == [id: 3000])
        #expect(try BlobTree(root: home.path + "/absent").blobs() == [:])
    }

    /// A tree that goes while it is copied, or one of its directories, has lost nothing; a single file that goes has.
    @Test func treesThatGoHaveLostNothing() throws {
        let (home, target) = (TemporaryHome(), TemporaryHome())
        let store = try home.store()
        let id = try stored(store, home)
        let (source, copy) = (BlobTree(root: home.path), BlobTree(root: target.path))
        try copy.prepare()
        for path in [home.path, home.path + "/blobs", store.paths.directory(of: id)] {
            try #require(rename(path, target.path + "/away") == 0)
            #expect(throws: BlobError.self) { try source.copy([id], to: copy) }
            try #require(rename(target.path + "/away", path) == 0)
        }
        unlink(store.path(of: id))
        #expect(try source.copy([id], to: copy) == [id: .absent])
    }

    /// A home whose blobs are on a disk that is away is not one without photos; one in which no store was made is.
    @Test func homesWithoutTheirDiskAreNotEmpty() throws {
        let home = TemporaryHome()
        let tree = BlobTree(root: home.path, of: .person)
        #expect(try tree.blobs() == [:])
        let (blobs, away) = (home.path + "/blobs", home.path + "/away")
        let id = try stored(home.store(), home)
        try #require(rename(blobs, away) == 0)
        try #require(mkdir(blobs, 0o700) == 0)
        #expect(throws: BlobError.self) { try tree.blobs() }
        try #require(rmdir(blobs) == 0)
        try #require(symlink(away + "/unplugged", blobs) == 0)
        #expect(throws: BlobError.self) { try tree.blobs() }
        try #require(unlink(blobs) == 0)
        try #require(symlink(away, blobs) == 0)
        #expect(try tree.blobs() == [id: 3000])
    }

    /// A store whose disk is missing does not begin, and makes nothing in its place; with the disk all is there.
    @Test func missingDisksHaveLostNothing() throws {
        let home = TemporaryHome()
        let blobs = home.path + "/blobs"
        let id: BlobID
        do { id = try stored(home.store(), home) }
        try #require(rename(blobs, blobs + ".away") == 0)
        try #require(mkdir(blobs, 0o700) == 0)
        for _ in 0..<2 {
            let error = #expect(throws: BlobError.self) { try home.store() }
            #expect(error?.message.contains("disk missing") == true)
        }
        try #require(rmdir(blobs) == 0)
        try #require(rename(blobs + ".away", blobs) == 0)
        let store = try home.store()
        #expect(store.missingAtStart.isEmpty && store.held() == [id: 3000])
        // A file that somebody deleted is one that is gone.
        unlink(store.path(of: id))
        #expect(try home.store().missingAtStart == [id])
    }

    /// A disk that goes while the store is open takes no blob out of it.
    @Test func blobsOutliveTheirDisksAbsence() throws {
        let home = TemporaryHome()
        let store = try home.store()
        let blobs = home.path + "/blobs"
        let id = try stored(store, home)
        try #require(rename(blobs, blobs + ".away") == 0)
        #expect(throws: BlobError.self) { try store.open(id) }
        #expect(throws: BlobError.self) { try store.check(id) { true } }
        #expect(throws: BlobError.self) { try self.stored(store, home) }
        #expect(store.contains(id))
        try #require(rename(blobs + ".away", blobs) == 0)
        #expect(try store.bytes(id)?.count == 3000)
        #expect(try store.check(id) { true } == .whole)
    }

    /// A look tells a disk that does not give bytes back from a file that nobody can look at, and takes nothing away.
    @Test func looksTellWhyTheyFailed() throws {
        let home = TemporaryHome()
        let store = try home.store()
        let id = try stored(store, home)
        let path = store.path(of: id)
        try #require(rename(path, path + ".away") == 0)

        try #require(symlink(Self.unreadable, path) == 0)
        guard case .unreadable? = try store.check(id, goesOn: { true }) else { throw Unexpected() }
        unlink(path)
        try #require(symlink(path, path) == 0)
        guard case .unknown? = try store.check(id, goesOn: { true }) else { throw Unexpected() }
        unlink(path)
        try #require(mkdir(path, 0o700) == 0)
        guard case .unknown? = try store.check(id, goesOn: { true }) else { throw Unexpected() }
        rmdir(path)

        #expect(store.contains(id))
        try #require(rename(path + ".away", path) == 0)
        #expect(try store.check(id) { true } == .whole)
    }

    private struct Unexpected: Error {}

    /// What cannot be looked at is not set aside, and the blob stays.
    @Test func nothingIsSetAsideUnseen() throws {
        let home = TemporaryHome()
        let store = try home.store()
        let id = try stored(store, home)
        let inode = try FileStat(path: store.path(of: id)).inode
        let back = try hide(store.paths.directory(of: id))
        #expect(throws: BlobError.self) { try store.setAside(id, inode: inode) }
        #expect(store.contains(id))
        try back()
        #expect(try store.bytes(id)?.count == 3000)
    }

    /// Bytes that come in again are kept where the store's own file was deleted meanwhile.
    @Test func deletedFilesComeInAgain() throws {
        let home = TemporaryHome()
        let store = try home.store()
        let id = try stored(store, home)
        unlink(store.path(of: id))
        #expect(try stored(store, home) == id)
        #expect(try contents(store.path(of: id)).count == 3000)
        unlink(store.path(of: try store.ingest(bytes: [1, 2])))
        #expect(try contents(store.path(of: store.ingest(bytes: [1, 2]))) == [1, 2])
    }

    /// A commit that fails while `staging/` cannot be looked at keeps the pieces.
    @Test func commitsKeepWhatTheyCannotSee() throws {
        let home = TemporaryHome()
        let store = try home.store()
        let cut = Cut(Samples.bytes(2 << 20, seed: 10))
        let partial = try store.beginReceiving(cut.id, byteCount: cut.byteCount, list: cut.list)
        for (number, piece) in cut.pieces.enumerated() { _ = try partial.write(number, piece) }
        let back = try hide(home.path + "/staging")
        #expect(throws: BlobError.self) { try partial.commit() }
        try back()
        #expect(try partial.commit() == .committed)
        #expect(try store.open(cut.id) != nil)
    }
}
