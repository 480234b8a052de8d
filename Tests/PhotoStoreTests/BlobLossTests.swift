import AlbumModel
import DiskIO
import Glibc
import StoreProbe
import Synchronization
import Testing

@testable import PhotoStore

/// Blobs that the store finds to be gone or wrong leave it, whatever else fails, and are told of.
@Suite(.timeLimit(.minutes(1))) struct BlobLossTests {
    private final class Losses: Sendable {
        private let told = Mutex<[BlobID]>([])

        var all: [BlobID] { told.withLock { $0 } }

        func note(_ blob: BlobID) { told.withLock { $0.append(blob) } }
    }

    private func stored(_ store: BlobStore, _ home: TemporaryHome, seed: UInt64) throws -> BlobID {
        try store.ingest(path: home.write(Samples.bytes(3000, seed: seed), to: "drop.jpg")).id
    }

    private func damage(_ path: String) throws {
        let byte = try contents(path)[100]
        chmod(path, 0o644)
        try overwrite(path, with: [byte ^ 1], at: 100)
    }

    /// Whoever finds a file gone or changed, each loss is told of once. While it is, others may use the store. Catches a
    /// loss that stays with its finder, and a watcher that is called under a lock.
    @Test func lossesAreTold() throws {
        let home = TemporaryHome()
        let store = try home.store()
        let ids = try (1...4).map { try stored(store, home, seed: $0) }
        let sound = try stored(store, home, seed: 9)
        let losses = Losses()
        store.whenLost { blob in
            #expect(!store.contains(blob))
            #expect((try? store.open(sound)) != nil)
            losses.note(blob)
        }
        try #require(unlink(store.path(of: ids[0])) == 0)
        #expect(try store.open(ids[0]) == nil)
        #expect(try store.open(ids[0]) == nil)
        try damage(store.path(of: ids[1]))
        #expect(throws: BlobError.self) { try store.open(ids[1]) }
        try store.setAside(ids[2], inode: FileStat(path: store.path(of: ids[2])).inode)
        try #require(unlink(store.path(of: ids[3])) == 0)
        #expect(try store.check(ids[3]) { true } == .absent)
        #expect(losses.all == ids)
    }

    /// A deletion that was asked for is no loss, and neither is a disk that is away.
    @Test func whatWasDeletedIsNotLost() throws {
        let home = TemporaryHome()
        let store = try home.store()
        let ids = try (1...2).map { try stored(store, home, seed: $0) }
        store.settle(ids)
        let losses = Losses()
        store.whenLost { losses.note($0) }
        #expect(try store.delete(ids[0]))
        #expect(try store.open(ids[0]) == nil)
        try #require(rename(home.path + "/blobs", home.path + "/away") == 0)
        #expect(throws: BlobError.self) { try store.open(ids[1]) }
        #expect(losses.all.isEmpty)
        #expect(store.contains(ids[1]))
    }

    /// Bytes come in whose file is found to be gone: whoever was told so meanwhile is told again once they are here.
    /// Catches a blob that counts as lost from then on although the store has it.
    @Test func whatComesAgainIsToldOf() throws {
        let home = TemporaryHome()
        let store = try home.store()
        let id = try stored(store, home, seed: 1)
        let losses = Losses()
        store.whenLost { blob in
            #expect(store.contains(blob))
            losses.note(blob)
        }
        #expect(try stored(store, home, seed: 1) == id)
        #expect(losses.all.isEmpty)
        try #require(unlink(store.path(of: id)) == 0)
        #expect(try stored(store, home, seed: 1) == id)
        #expect(losses.all == [id])
    }

    /// Where nothing can be moved into `quarantine/`, as on a full disk that has none yet, a damaged file is kept under
    /// another name: the store must not go on to count it as its photo. Catches a blob that stays held with wrong bytes.
    @Test func damagedFilesLeaveWhereNoQuarantineCanBeMade() throws {
        let home = TemporaryHome()
        let store = try home.store()
        let id = try stored(store, home, seed: 1)
        _ = try home.write([], to: "quarantine")
        try damage(store.path(of: id))
        let error = #expect(throws: BlobError.self) { try store.open(id) }
        #expect(error?.code == .contentChanged)
        #expect(!store.contains(id))
        let strays = try store.strays()
        #expect(strays.count == 1)
    }

    /// The disk does not make it durable that a damaged file went: the store has no such blob all the same. Here the
    /// directory goes once the loss is told. Catches a record that outlives its file.
    @Test func damagedFilesLeaveWhereNothingIsDurable() throws {
        let home = TemporaryHome()
        let store = try home.store()
        let id = try stored(store, home, seed: 1)
        try damage(store.path(of: id))
        let (directory, away) = (store.paths.directory(of: id), home.path + "/away")
        store.whenLost { _ in #expect(rename(directory, away) == 0) }
        let error = #expect(throws: BlobError.self) { try store.open(id) }
        #expect(error?.code == .system)
        #expect(!store.contains(id))
    }

    /// The index is a cache: where it cannot be read, the list of a blob's pieces is made of its bytes. Catches a question
    /// of peers that nobody answers until the next start.
    @Test func pieceListsDoWithoutTheIndex() throws {
        let home = TemporaryHome()
        let index = try Index(home: home.path)
        let store = try BlobStore(home: home.path, index: index)
        let id = try store.ingest(path: home.write(Samples.bytes((2 << 20) + 7, seed: 1), to: "drop.jpg")).id
        let list = try store.pieceList(id)
        #expect(list?.hashes.isEmpty == false)
        try index.file.close()
        let again = try store.pieceList(id)
        #expect(again == list)
    }
}
