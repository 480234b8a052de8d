import AlbumModel
import DiskIO
import Glibc
import StoreProbe
import Synchronization
import Testing

@testable import PhotoStore

/// What the file system does when it is asked for a clone, whatever the one under the tests can do.
enum CloneAnswer: CaseIterable, Sendable {
    case clones
    case refuses

    var cloner: BlobStore.Cloner {
        switch self {
        case .clones: { Self.copy(to: $0, from: $1) }
        case .refuses: { _, _ in false }
        }
    }

    private static func copy(to destination: Int32, from source: Int32) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var offset = 0
        while true {
            let count = pread(source, &buffer, buffer.count, off_t(offset))
            guard count > 0 else { return count == 0 }
            guard pwrite(destination, buffer, count, off_t(offset)) == count else { return false }
            offset += count
        }
    }
}

/// Sizes around a piece's edges.
private let sizes = [0, 1, 1 << 20, (1 << 20) + 1, (3 << 20) + 17]

/// A dropped file comes in under its hash, read-only, with the list of its pieces, by clone and by copy alike, and is
/// there after reopening without being read again.
@Test(arguments: sizes, CloneAnswer.allCases)
func ingest(_ byteCount: Int, answer: CloneAnswer) throws {
    let home = TemporaryHome()
    let bytes = Samples.bytes(byteCount, seed: 1)
    let cut = Cut(bytes)
    let list = cut.pieces.count > 1 ? cut.list : nil
    let path = try home.write(bytes, to: "drop.jpg")
    let expected = IngestedBlob(
        id: cut.id, byteCount: cut.byteCount, pieceList: list, firstBytes: Array(bytes.prefix(4096)))
    do {
        let store = try home.store(cloner: answer.cloner)
        #expect(try store.ingest(path: path) == expected)
        #expect(try store.ingest(path: path) == expected)
        #expect(try FileStat(path: store.paths.blob(cut.id)).mode & 0o777 == 0o444)
    }
    let store = try home.store()
    #expect(store.held() == [cut.id: cut.byteCount])
    #expect(try store.sweep(wanted: []) == SweepReport())
    #expect(store.suspects().isEmpty)
    #expect(try store.bytes(cut.id) == bytes)
    #expect(try store.pieceList(cut.id) == list)
    #expect(try home.stagingNames().isEmpty)
}

/// A file that is changed, or grows, while it is read leaves nothing behind.
@Test func ingestOfAChangingFile() throws {
    let home = TemporaryHome()
    let store = try home.store()
    let path = try home.write(Samples.bytes(3 << 20, seed: 1), to: "drop.jpg")
    let error = #expect(throws: BlobError.self) { try store.ingest(path: path) { false } }
    #expect(error?.code == .changedWhileReading)
    #expect(store.held().isEmpty)
    #expect(try home.stagingNames().isEmpty)
}

/// Pieces in any order make the blob, by a list of either kind, which is the one that is told on.
@Test(arguments: [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2], [2, 2, 0, 0, 1, 3]], Cut.ListKind.allCases)
func receivingInAnyOrder(_ order: [Int], _ kind: Cut.ListKind) throws {
    let home = TemporaryHome()
    let store = try home.store()
    let bytes = Samples.bytes((3 << 20) + 5, seed: 2)
    let cut = Cut(bytes, kind)
    let partial = try store.beginReceiving(cut.id, byteCount: cut.byteCount, list: cut.list)
    for piece in order { #expect(try partial.write(piece, cut.pieces[piece]) == .stored) }
    #expect(partial.isComplete)
    #expect(!store.contains(cut.id))
    #expect(try partial.commit() == .committed)
    #expect(try store.bytes(cut.id) == bytes)
    #expect(try store.pieceList(cut.id) == cut.list)
    #expect(try store.sweep(wanted: []) == SweepReport())
    #expect(store.suspects().isEmpty)
    #expect(try home.stagingNames().isEmpty)
}

/// Threads that bring pieces of one blob at once, some twice, end with the right blob.
@Test func receivingFromManyThreads() throws {
    let home = TemporaryHome()
    let store = try home.store()
    let cut = Cut(Samples.bytes(24 << 20, seed: 3))
    let partial = try store.beginReceiving(cut.id, byteCount: cut.byteCount, list: cut.list)
    try onThreads(6) { thread in
        for piece in 0..<24 where piece % 6 == thread || piece % 5 == thread {
            _ = try partial.write(piece, cut.pieces[piece])
        }
    }
    #expect(try partial.commit() == .committed)
    #expect(try store.open(cut.id) != nil)
}

/// Wrong bytes, a short piece and a number beyond the last are refused, leave nothing, and the right piece fits still.
@Test(arguments: Cut.ListKind.allCases) func wrongPiece(_ kind: Cut.ListKind) throws {
    let home = TemporaryHome()
    let store = try home.store()
    let cut = Cut(Samples.bytes(2 << 20, seed: 4), kind)
    let partial = try store.beginReceiving(cut.id, byteCount: cut.byteCount, list: cut.list)
    for (number, piece) in cut.pieces.enumerated() {
        var wrong = piece
        wrong[7] ^= 1
        #expect(try partial.write(number, wrong) == .wrongHash)
    }
    #expect(try partial.write(1, cut.pieces[0]) == .wrongHash)
    #expect(try partial.write(0, Array(cut.pieces[0].dropLast())) == .wrongHash)
    #expect(try partial.write(cut.pieces.count, cut.pieces[0]) == .wrongHash)
    #expect(partial.piecesHeld.allSatisfy { !$0 })
    let error = #expect(throws: BlobError.self) { try partial.commit() }
    #expect(error?.code == .incomplete)
    for (number, piece) in cut.pieces.enumerated() { #expect(try partial.write(number, piece) == .stored) }
    #expect(try partial.commit() == .committed)
}

/// A list that fits its pieces and not the blob's name is found out at the end; another list may then be tried.
@Test func wrongWhole() throws {
    let home = TemporaryHome()
    let store = try home.store()
    let right = Cut(Samples.bytes(2 << 20, seed: 5))
    let forged = Cut(Samples.bytes(2 << 20, seed: 6), .ofPieceHashes)
    let partial = try store.beginReceiving(right.id, byteCount: right.byteCount, list: forged.list)
    for (number, piece) in forged.pieces.enumerated() { #expect(try partial.write(number, piece) == .stored) }
    #expect(try partial.commit() == .wrongWhole)
    #expect(!store.contains(right.id))
    #expect(try home.stagingNames().isEmpty)
    #expect(try store.receive(right) == .committed)
}

/// Of other bytes than the blob's no chained list is completed: it has no last piece. Catches a photo of wrong bytes.
@Test func forgedChain() throws {
    let home = TemporaryHome()
    let store = try home.store()
    let right = Cut(Samples.bytes((2 << 20) + 9, seed: 5))
    let forged = Cut(Samples.bytes((2 << 20) + 9, seed: 6))
    let list = PieceList(hashes: forged.list.hashes.dropLast() + [right.id])
    let partial = try store.beginReceiving(right.id, byteCount: right.byteCount, list: list)
    for piece in 0..<2 { #expect(try partial.write(piece, forged.pieces[piece]) == .stored) }
    for pieces in [forged.pieces, right.pieces] { #expect(try partial.write(2, pieces[2]) == .wrongHash) }
    #expect(throws: BlobError.self) { try partial.commit() }
    partial.abandon()
    #expect(try store.receive(right) == .committed)
}

/// Size, number of pieces and list must fit before a byte is allocated, and one blob is received once at a time.
@Test func receivingIsRefused() throws {
    let home = TemporaryHome()
    let store = try home.store()
    let cut = Cut(Samples.bytes(2 << 20, seed: 7))
    func code(_ byteCount: UInt64, _ list: PieceList) -> BlobError.Code? {
        do {
            _ = try store.beginReceiving(cut.id, byteCount: byteCount, list: list)
            return nil
        } catch {
            return error.code
        }
    }
    #expect(code(cut.byteCount + 1, cut.list) == .badShape)
    #expect(code(1000, PieceList(hashes: [cut.id])) == .badShape)
    #expect(code(.max, cut.list) == .badShape)
    #expect(try home.stagingNames().isEmpty)
    let partial = try store.beginReceiving(cut.id, byteCount: cut.byteCount, list: cut.list)
    #expect(code(cut.byteCount, cut.list) == .alreadyReceiving)
    partial.abandon()
    #expect(try home.stagingNames().isEmpty)
    #expect(try store.receive(cut) == .committed)
    #expect(code(cut.byteCount, cut.list) == .alreadyHeld)
}

/// A process that dies leaves its pieces: the next one takes those that are whole, whatever else the file holds, and
/// needs only the rest.
@Test(arguments: Cut.ListKind.allCases) func receivingResumes(_ kind: Cut.ListKind) throws {
    let home = TemporaryHome()
    let bytes = Samples.bytes((4 << 20) + 9, seed: 8)
    let cut = Cut(bytes, kind)
    do {
        let store = try home.store()
        let partial = try store.beginReceiving(cut.id, byteCount: cut.byteCount, list: cut.list)
        for piece in [0, 1, 2, 4] { _ = try partial.write(piece, cut.pieces[piece]) }
        try overwrite(store.paths.part(cut.id), with: [1, 2, 3], at: (1 << 20) + 77)
        _ = try home.write([1], to: "staging/old.new")
        _ = try home.write([1], to: "staging/\(Samples.blobID([1]).hex).part")
        // As a process leaves it that is killed while it commits.
        #expect(chmod(store.paths.part(cut.id), 0o444) == 0)
    }
    let store = try home.store()
    let report = try store.sweep(wanted: [cut.id])
    #expect(report.resumable == [cut.id])
    #expect(report.removedCount == 2)
    let partial = try store.beginReceiving(cut.id, byteCount: cut.byteCount, list: cut.list)
    #expect(partial.piecesHeld == [true, false, true, false, true])
    for piece in [3, 1] { #expect(try partial.write(piece, cut.pieces[piece]) == .stored) }
    #expect(try partial.commit() == .committed)
    #expect(try store.bytes(cut.id) == bytes)
}

/// A part whose length is not the blob's is taken as far as it is right.
@Test func receivingResumesOddParts() throws {
    let home = TemporaryHome()
    let store = try home.store()
    let large = Cut(Samples.bytes(2 << 20, seed: 9))
    try overwrite(store.paths.part(large.id), with: large.pieces[0] + [1, 2, 3])
    let partial = try store.beginReceiving(large.id, byteCount: large.byteCount, list: large.list)
    #expect(partial.piecesHeld == [true, false])
}

/// What is left of a blob is looked at, whatever its length and mode; what is wrong is written over, and nothing of it
/// stays behind the blob's last byte.
@Test(arguments: [[], [1, 2, 3], [UInt8](repeating: 7, count: 1_300_000)], [mode_t(0o600), 0o444])
func oddPartsAreWrittenOver(_ left: [UInt8], _ mode: mode_t) throws {
    let home = TemporaryHome()
    let store = try home.store()
    let bytes = Samples.bytes(1_200_000, seed: 11)
    let cut = Cut(bytes)
    try overwrite(store.paths.part(cut.id), with: left)
    #expect(chmod(store.paths.part(cut.id), mode) == 0)
    let partial = try store.beginReceiving(cut.id, byteCount: cut.byteCount, list: cut.list)
    #expect(partial.piecesHeld == [false, false])
    for (number, piece) in cut.pieces.enumerated() { #expect(try partial.write(number, piece) == .stored) }
    #expect(try partial.commit() == .committed)
    #expect(try contents(store.path(of: cut.id)) == bytes)
}

/// A commit that the disk refuses keeps the pieces, and succeeds once the disk is well.
@Test func commitCanBeTriedAgain() throws {
    let home = TemporaryHome()
    let store = try home.store()
    let cut = Cut(Samples.bytes(2 << 20, seed: 10))
    let directory = store.paths.directory(of: cut.id)
    #expect(rmdir(directory) == 0)
    let partial = try store.beginReceiving(cut.id, byteCount: cut.byteCount, list: cut.list)
    for (number, piece) in cut.pieces.enumerated() { _ = try partial.write(number, piece) }
    let error = #expect(throws: BlobError.self) { try partial.commit() }
    #expect(error?.code == .system)
    #expect(error?.errno == ENOENT)
    #expect(!store.contains(cut.id))
    #expect(mkdir(directory, 0o700) == 0)
    #expect(try partial.commit() == .committed)
    #expect(try store.open(cut.id) != nil)
}

/// Blobs that many threads finish at once are all there, also for the next start, and leave nothing in staging.
@Test func concurrentCommits() throws {
    let home = TemporaryHome()
    let cuts = (0..<96).map { Cut(Samples.bytes(3000, seed: 100 + UInt64($0))) }
    do {
        let store = try home.store()
        try onThreads(12) { thread in
            for number in stride(from: thread, to: cuts.count, by: 12) {
                guard try store.receive(cuts[number]) == .committed else { throw CancellationError() }
            }
        }
    }
    let store = try home.store()
    #expect(Set(store.held().keys) == Set(cuts.map(\.id)))
    #expect(try store.sweep(wanted: []) == SweepReport())
    #expect(store.suspects().isEmpty)
    #expect(try home.stagingNames().isEmpty)
}

/// Equal bytes that many threads take in at once, among others of the same directory and of other ones: each gets its
/// blob, there is one file of each, as the store knows it, and nothing is left in staging.
@Test func equalBytesAtOneTime() throws {
    let home = TemporaryHome()
    let store = try home.store()
    let all = (0..<24).map { Samples.bytes(2000, seed: 300 + UInt64($0)) }
    try onThreads(12) { _ in
        for bytes in all {
            guard try store.ingest(bytes: bytes) == Samples.blobID(bytes) else { throw CancellationError() }
        }
    }
    #expect(store.heldIDs == Set(all.map { Samples.blobID($0) }))
    #expect(try BlobPaths(home: home.path).blobIDs() == store.heldIDs)
    #expect(store.suspects().isEmpty)
    #expect(store.isIndexed)
    #expect(try home.stagingNames().isEmpty)
    for bytes in all { #expect(try store.bytes(Samples.blobID(bytes)) == bytes) }
}

/// Where one directory of blobs is missing, the others take theirs; a blob of that one comes once it is back.
@Test func directoriesFailAlone() throws {
    let home = TemporaryHome()
    let store = try home.store()
    let cuts = (0..<4).map { Cut(Samples.bytes(500, seed: 400 + UInt64($0))) }
    let missing = store.paths.directory(of: cuts[0].id)
    #expect(rmdir(missing) == 0)
    let isAlone = cuts.dropFirst().allSatisfy { store.paths.directory(of: $0.id) != missing }
    #expect(isAlone, "two of the samples are in one directory")
    let failed = Mutex<[BlobID]>([])
    try onThreads(cuts.count) { number in
        do {
            _ = try store.receive(cuts[number])
        } catch {
            failed.withLock { $0.append(cuts[number].id) }
        }
    }
    #expect(failed.withLock { $0 } == [cuts[0].id])
    #expect(store.heldIDs == Set(cuts.dropFirst().map(\.id)))
    #expect(mkdir(missing, 0o700) == 0)
    #expect(try store.receive(cuts[0]) == .committed)
    #expect(try store.bytes(cuts[0].id) == cuts[0].pieces[0])
}

/// Without its index the store still knows what it holds; it hashes each blob once before it serves it.
@Test func storeWithoutItsIndex() throws {
    let home = TemporaryHome()
    let bytes = Samples.bytes(2 << 20, seed: 11)
    let cut = Cut(bytes)
    do { _ = try home.store().receive(cut) }
    for suffix in ["", "-wal", "-shm"] { unlink(home.path + "/index.sqlite" + suffix) }
    let store = try home.store()
    #expect(store.held() == [cut.id: cut.byteCount])
    #expect(store.suspects() == [cut.id])
    #expect(try store.pieceList(cut.id) == cut.list)
    #expect(try store.bytes(cut.id) == bytes)
    #expect(store.suspects().isEmpty)
}

/// A row of the index whose file has gone is no blob, whether the file goes before the start or after it.
@Test func vanishedFiles() throws {
    let home = TemporaryHome()
    let cuts = [Cut(Samples.bytes(100, seed: 12)), Cut(Samples.bytes(100, seed: 13))]
    do {
        let store = try home.store()
        for cut in cuts { _ = try store.receive(cut) }
        unlink(store.paths.blob(cuts[0].id))
    }
    let index = try Index(home: home.path)
    let store = try BlobStore(home: home.path, index: index)
    #expect(Set(store.held().keys) == [cuts[1].id])
    unlink(store.paths.blob(cuts[1].id))
    #expect(try store.open(cuts[1].id) == nil)
    #expect(!store.contains(cuts[1].id))
    #expect(try index.blobs().isEmpty)
}

/// A person who edits a hard-linked file keeps the edit, and the store never serves it as the photo that it was.
@Test func editThroughAHardLink() throws {
    let home = TemporaryHome()
    let store = try home.store(cloner: CloneAnswer.refuses.cloner)
    let cut = Cut(Samples.bytes(5000, seed: 14))
    _ = try store.receive(cut)
    let path = home.path + "/placed.jpg"
    #expect(try store.place(cut.id, at: path, mayLink: true, modified: 1_000_000_000).linkCount == 2)
    #expect(chmod(path, 0o644) == 0)
    // Only the mode changed: one more hash, and the blob stays.
    #expect(try store.bytes(cut.id) == cut.pieces[0])
    try overwrite(path, with: [0, 0, 0, 0])
    let error = #expect(throws: BlobError.self) { try store.open(cut.id) }
    #expect(error?.code == .contentChanged)
    #expect(!store.contains(cut.id))
    #expect(try store.open(cut.id) == nil)
    #expect(try contents(path).prefix(4) == [0, 0, 0, 0])
    #expect(try FileStat(path: path).linkCount == 1)
    #expect(try store.receive(cut) == .committed)
    #expect(try store.bytes(cut.id) == cut.pieces[0])
}

/// Each way of placing gives the same bytes and time, leaves no other file, never replaces anything, and the store's
/// own changes of a link's values do not look like an edit.
@Test(arguments: [(CloneAnswer.clones, true), (.refuses, true), (.refuses, false)])
func placing(_ answer: CloneAnswer, _ mayLink: Bool) throws {
    let home = TemporaryHome()
    let store = try home.store(cloner: answer.cloner)
    let bytes = Samples.bytes((1 << 20) + 3, seed: 15)
    let cut = Cut(bytes)
    _ = try store.receive(cut)
    let folder = home.path + "/folder"
    #expect(mkdir(folder, 0o755) == 0)
    let isLink = mayLink && answer == .refuses
    for name in ["a.jpg", "b.jpg"] {
        let path = folder + "/" + name
        let stat = try store.place(cut.id, at: path, mayLink: mayLink, modified: 1_234_567_890_123_456_789)
        #expect(try contents(path) == bytes)
        #expect(try FileStat(path: path) == stat)
        #expect(stat.modified == 1_234_567_890_123_456_789)
        #expect(stat.mode & 0o222 == (isLink ? 0 : 0o200))
        #expect(store.suspects().isEmpty)
    }
    #expect(try FileStat(path: store.paths.blob(cut.id)).linkCount == (isLink ? 3 : 1))

    try overwrite(folder + "/c.jpg", with: [1])
    let error = #expect(throws: BlobError.self) {
        try store.place(cut.id, at: folder + "/c.jpg", mayLink: mayLink, modified: 0)
    }
    #expect(error?.code == .destinationExists)
    #expect(try contents(folder + "/c.jpg") == [1])
    #expect(Set(try Disk.names(in: folder)) == ["a.jpg", "b.jpg", "c.jpg"])
    #expect(store.suspects().isEmpty)
}

/// What a link changes of its blob's values is in the index once it is placed: the next start takes no placed photo for an
/// edited one, and hashes none.
@Test func placedLinksAreKnownAtTheNextStart() throws {
    let home = TemporaryHome()
    let cut = Cut(Samples.bytes(100, seed: 17))
    do {
        let store = try home.store(cloner: { _, _ in false })
        _ = try store.receive(cut)
        _ = try store.place(cut.id, at: home.path + "/a.jpg", mayLink: true, modified: 1_600_000_000_000_000_000)
        #expect(try FileStat(path: store.paths.blob(cut.id)).linkCount == 2)
        #expect(store.isIndexed)
    }
    #expect(try home.store().suspects().isEmpty)
}

/// What cannot be placed says why: no such directory, no such blob.
@Test func placingFails() throws {
    let home = TemporaryHome()
    let store = try home.store()
    let cut = Cut(Samples.bytes(100, seed: 16))
    _ = try store.receive(cut)
    let system = #expect(throws: BlobError.self) {
        try store.place(cut.id, at: home.path + "/none/a.jpg", mayLink: true, modified: 0)
    }
    #expect(system?.errno == ENOENT)
    let absent = #expect(throws: BlobError.self) {
        try store.place(Samples.blobID([1]), at: home.path + "/a.jpg", mayLink: true, modified: 0)
    }
    #expect(absent?.code == .absent)
}

/// A full disk is told as such, with what to do.
@Test func fullDiskIsNamed() {
    let error = BlobError(FileError(errno: ENOSPC, "write", "/home/anna/potluck/staging/x"))
    #expect(error.isDiskFull)
    #expect(error.message.contains("is full"))
    #expect(!BlobError(FileError(errno: EIO, "write", "/x")).isDiskFull)
}
