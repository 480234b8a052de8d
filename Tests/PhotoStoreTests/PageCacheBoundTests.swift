import AlbumModel
import DiskIO
import Glibc
import StoreProbe
import Synchronization
import Testing

@testable import PhotoStore

/// The oldest give their pages back first, once, and only as many as are beyond the bound.
@Test func theOldestPagesGoFirst() {
    let dropped = Mutex<[BlobID]>([])
    let bound = PageCacheBound(byteCountMax: 100) { id in dropped.withLock { $0.append(id) } }
    let ids = (0..<6).map { BlobID(bytes: [UInt8](repeating: $0, count: 32))! }
    bound.add(ids[0], byteCount: 60)
    bound.add(ids[1], byteCount: 40)
    #expect(dropped.withLock { $0 }.isEmpty)
    bound.add(ids[2], byteCount: 1)
    #expect(dropped.withLock { $0 } == [ids[0]])
    // One that is larger than the bound stays until the next one comes.
    bound.add(ids[3], byteCount: 1000)
    #expect(dropped.withLock { $0 } == [ids[0], ids[1], ids[2]])
    bound.add(ids[4], byteCount: 100)
    #expect(dropped.withLock { $0 } == [ids[0], ids[1], ids[2], ids[3]])
    bound.add(ids[5], byteCount: 0)
    #expect(dropped.withLock { $0.count } == 4)
}

/// Photos taken in and photos received leave the kernel's memory behind the bound, and can be read as before.
@Test func storedPhotosLeaveThePageCache() throws {
    let home = TemporaryHome()
    // What is in memory alone, as on tmpfs, stays there.
    guard try keepsFilesOnADisk(home) else { return }
    let bytes = (0..<4).map { Samples.bytes(3 << 20, seed: 40 + UInt64($0)) }
    let store = try BlobStore(
        home: home.path, index: try Index(home: home.path), cloner: CloneAnswer.refuses.cloner,
        cachedByteCountMax: 7 << 20)
    var ids: [BlobID] = []
    for (number, bytes) in bytes.enumerated() {
        if number % 2 == 0 {
            let cut = Cut(bytes)
            #expect(try store.receive(cut) == .committed)
            ids.append(cut.id)
        } else {
            let file = try Descriptor(opening: try home.write(bytes, to: "\(number).jpg"), .readOwn)
            ids.append(try store.ingest(descriptor: file.number).id)
        }
    }
    for (number, id) in ids.enumerated() {
        // The kernel may have more of its own reasons to drop pages, and none to read them again.
        if number < 2 { #expect(try cachedPageCount(store.paths.blob(id)) == 0) }
    }
    #expect(try cachedPageCount(store.paths.blob(ids[3])) > 0)
    for (id, bytes) in zip(ids, bytes) { #expect(try store.bytes(id) == bytes) }
}

private func keepsFilesOnADisk(_ home: TemporaryHome) throws -> Bool {
    let file = try Descriptor(opening: try home.write([1], to: "probe"), .readOwn)
    try file.synchronize()
    file.dropCache()
    return try cachedPageCount(file.path) == 0
}

/// How many pages of a file the kernel has in memory.
private func cachedPageCount(_ path: String) throws -> Int {
    let file = try Descriptor(opening: path, .readOwn)
    let byteCount = Int(try FileStat(descriptor: file.number).byteCount)
    let map = mmap(nil, byteCount, PROT_READ, MAP_SHARED, file.number, 0)
    let start = try #require(map == MAP_FAILED ? nil : map)
    defer { munmap(start, byteCount) }
    let pageByteCount = Int(sysconf(Int32(_SC_PAGESIZE)))
    var pages = [UInt8](repeating: 0, count: (byteCount + pageByteCount - 1) / pageByteCount)
    try #require(mincore(start, byteCount, &pages) == 0)
    return pages.count { $0 & 1 == 1 }
}
