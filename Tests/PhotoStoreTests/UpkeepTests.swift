import AlbumModel
import DiskIO
import Glibc
import StoreProbe
import Testing

@testable import PhotoStore

/// Damage that shows neither in size nor in times is found by reading, and only by that; what is right is recorded as seen.
@Test func checksReadTheBytes() throws {
    let home = TemporaryHome()
    let store = try home.store()
    let bytes = Samples.bytes((2 << 20) + 7, seed: 1)
    let id = try store.ingest(path: home.write(bytes, to: "drop.jpg")).id
    #expect(try store.check(id) { true } == .whole)
    #expect(try store.check(id) { false } == nil)
    #expect(try store.check(Samples.blobID([9])) { true } == .absent)

    let path = store.path(of: id)
    let inode = try FileStat(path: path).inode
    chmod(path, 0o644)
    try overwrite(path, with: [bytes[100] ^ 1], at: 100)
    #expect(try store.check(id) { true } == .changed(inode: inode))
    // A look alone changes nothing.
    #expect(store.contains(id))

    // The file that was found is set aside, another one in its place is not.
    #expect(try store.setAside(id, inode: inode + 1) == nil)
    #expect(store.contains(id))
    let kept = try #require(try store.setAside(id, inode: inode))
    #expect(kept.hasPrefix(home.path + "/quarantine/"))
    #expect(try contents(kept).count == bytes.count)
    #expect(!store.contains(id))
    #expect(try store.quarantined().files == 1)
    #expect(try home.store().held().isEmpty)
}

/// A file that turns out to be damaged when it is opened may be all that is left of a photo: it is kept.
@Test func openingKeepsDamagedFiles() throws {
    let home = TemporaryHome()
    let store = try home.store()
    let bytes = Samples.bytes(3000, seed: 1)
    let id = try store.ingest(path: home.write(bytes, to: "drop.jpg")).id
    chmod(store.path(of: id), 0o644)
    try overwrite(store.path(of: id), with: [bytes[100] ^ 1], at: 100)
    let error = #expect(throws: BlobError.self) { try store.open(id) }
    #expect(error?.code == .contentChanged)
    #expect(!store.contains(id))
    let kept = try Disk.names(in: home.path + "/quarantine")
    #expect(kept.count == 1 && kept[0].hasPrefix(id.hex))
    #expect(try contents(home.path + "/quarantine/" + kept[0]).suffix(2899) == bytes.suffix(2899))
}

/// Where `quarantine/` is on another disk than the blobs, a damaged file stays with these under another name.
@Test(.enabled(if: access("/dev/shm", W_OK) == 0)) func damagedFilesAreKeptOnTheirDisk() throws {
    var other = Array("/dev/shm/potluck-store-XXXXXX".utf8CString)
    try #require(mkdtemp(&other) != nil)
    defer { rmdir(other) }
    let home = TemporaryHome()
    let store = try home.store()
    let id = try store.ingest(path: home.write(Samples.bytes(3000, seed: 1), to: "drop.jpg")).id
    try #require(symlink(other, home.path + "/quarantine") == 0)
    let kept = try #require(try store.setAside(id, inode: FileStat(path: store.path(of: id)).inode))
    #expect(try contents(kept) == Samples.bytes(3000, seed: 1))
    #expect(!store.contains(id))
    #expect(try store.strays().count == 1)
    #expect(try home.store().held().isEmpty)
}

/// Bytes that were wrong in memory alone are read again, and the blob stays.
@Test func wrongBytesAreReadTwice() throws {
    let home = TemporaryHome()
    let store = try home.store()
    let bytes = Samples.bytes(3000, seed: 1)
    let id = try store.ingest(path: home.write(bytes, to: "drop.jpg")).id
    let path = store.path(of: id)
    chmod(path, 0o644)
    try overwrite(path, with: [bytes[100] ^ 1], at: 100)
    // Asked when the first look has read the file's only piece.
    let file = open(path, O_WRONLY | O_CLOEXEC)
    defer { close(file) }
    #expect(try store.check(id) { pwrite(file, [bytes[100]], 1, 100) == 1 } == .whole)
    #expect(try store.bytes(id) == bytes)
}

/// A file with a name in the folder only loses the store's: it may be a person's edit. A blob whose file is gone is known
/// to be.
@Test func linkedFilesKeepTheirOtherName() throws {
    let home = TemporaryHome()
    let store = try home.store()
    let ids = try (1...2).map { try store.ingest(path: home.write(Samples.bytes(10, seed: $0), to: "drop.jpg")).id }
    let other = home.path + "/shown.jpg"
    #expect(link(store.path(of: ids[0]), other) == 0)
    #expect(try store.setAside(ids[0], inode: FileStat(path: other).inode) == nil)
    #expect(access(other, F_OK) == 0)
    #expect(!store.contains(ids[0]))
    #expect(try store.quarantined().files == 0)
    unlink(store.path(of: ids[1]))
    #expect(try store.check(ids[1]) { true } == .absent)
    #expect(!store.contains(ids[1]))
}

/// What is in `blobs/` and no blob is named.
@Test func straysAreNamed() throws {
    let home = TemporaryHome()
    let store = try home.store()
    _ = try home.write([1], to: "blobs/notes.txt")
    _ = try home.write([1], to: "blobs/ab/cd")
    #expect(try store.strays() == ["blobs/ab/cd", "blobs/notes.txt"])
}

/// Blobs come into another tree whole or not at all, and each that could not be copied is told of.
@Test func treesAreCopied() throws {
    let home = TemporaryHome()
    let target = TemporaryHome()
    let store = try home.store()
    let ids = try (1...4).map { try store.ingest(path: home.write(Samples.bytes(3000, seed: $0), to: "drop.jpg")).id }
    chmod(store.path(of: ids[0]), 0o644)
    try overwrite(store.path(of: ids[0]), with: [0xFF, 0xFF, 0xFF])
    unlink(store.path(of: ids[1]))
    let source = BlobTree(root: home.path)
    let copy = BlobTree(root: target.path)
    try copy.prepare()
    #expect(try source.blobs().count == 3)
    let outcomes = try source.copy(ids, to: copy)
    #expect(
        outcomes == [
            ids[0]: .damaged, ids[1]: .absent, ids[2]: .copied(byteCount: 3000), ids[3]: .copied(byteCount: 3000),
        ])
    #expect(try copy.blobs() == [ids[2]: 3000, ids[3]: 3000])
    #expect(try copy.isWhole(ids[2]))
    #expect(try !source.isWhole(ids[0]))
    #expect(try !source.isWhole(ids[1]))
    #expect(try target.stagingNames().isEmpty)
    copy.finish()
    #expect(access(target.path + "/staging", F_OK) != 0)
    // A tree is a home's store.
    #expect(try target.store().bytes(ids[2]) == Samples.bytes(3000, seed: 3))
}

/// A journal's copy holds what it held at that moment, while it is in use, and is one whole file; a damaged one is refused.
@Test func journalsAreCopied() throws {
    let home = TemporaryHome()
    let journal = try Journal(home: home.path)
    let kind = FactKind(rawValue: "test.kind")
    try journal.setFacts([FactChange(kind: kind, key: [1], value: [2])])
    let path = home.path + "/copy.sqlite"
    try journal.copy(to: path)
    try journal.setFacts([FactChange(kind: kind, key: [1], value: [3])])
    try Journal.checkCopy(at: path)
    #expect(try journal.complaints().isEmpty)
    #expect(try journal.factKinds() == [kind])

    let second = TemporaryHome()
    try overwrite(second.path + "/journal.sqlite", with: try contents(path))
    let copy = try Journal(home: second.path)
    #expect(try copy.fact(kind, [1]) == [2])
    // What was written last is in the file that is moved, although there were readers.
    try copy.setFacts([FactChange(kind: kind, key: [1], value: [4])])
    try copy.close()
    let third = TemporaryHome()
    #expect(rename(second.path + "/journal.sqlite", third.path + "/journal.sqlite") == 0)
    #expect(try Journal(home: third.path).fact(kind, [1]) == [4])

    try overwrite(path, with: [UInt8](repeating: 0xA5, count: 4096), at: 4096)
    let error = #expect(throws: StoreError.self) { try Journal.checkCopy(at: path) }
    #expect(error?.code == .damaged)
    #expect(throws: StoreError.self) { try Journal.checkCopy(at: home.path + "/nowhere") }
}
