import AlbumModel
import DiskIO
import Glibc
import StoreProbe
import Synchronization
import Testing

@testable import PhotoStore

/// Blobs that are placed together.
struct PlacedGroupTests {
    private struct NoPlace: Error {}

    /// Directories in the order in which they were synced.
    private final class Syncs: Sendable {
        private let directories = Mutex<[String]>([])
        var all: [String] { directories.withLock { $0 } }
        func note(_ directory: String) { directories.withLock { $0.append(directory) } }
    }

    private func store(
        _ home: TemporaryHome, _ answer: CloneAnswer, sync: @escaping BlobStore.DirectorySync
    ) throws -> BlobStore {
        try BlobStore(home: home.path, index: Index(home: home.path), cloner: answer.cloner, directorySync: sync)
    }

    private func placement(_ cut: Cut, _ path: String) -> BlobPlacement {
        BlobPlacement(blob: cut.id, path: path, mayLink: true, modified: 1_600_000_000_000_000_000)
    }

    /// Shows that each directory is synced once, whatever is placed in it, one blob twice among it; and that what stands in
    /// the way, an absent blob, and what is called off right before are each their own affair.
    @Test(arguments: [CloneAnswer.clones, .refuses]) func eachFailsAlone(_ answer: CloneAnswer) throws {
        let home = TemporaryHome()
        let syncs = Syncs()
        let store = try store(home, answer) { directory in
            syncs.note(directory)
            try Disk.synchronizeDirectory(directory)
        }
        let cuts = (1...3).map { Cut(Samples.bytes(1000, seed: $0)) }
        for cut in cuts { _ = try store.receive(cut) }
        let (a, b) = (home.path + "/a", home.path + "/b")
        for directory in [a, b] { #expect(mkdir(directory, 0o755) == 0) }
        try overwrite(b + "/mine.jpg", with: [7])
        let absent = Cut(Samples.bytes(1000, seed: 4))
        let group = [
            placement(cuts[0], a + "/0.jpg"), placement(cuts[1], b + "/mine.jpg"), placement(cuts[1], a + "/1.jpg"),
            placement(absent, a + "/absent.jpg"), placement(cuts[2], b + "/2.jpg"), placement(cuts[0], b + "/0.jpg"),
            placement(cuts[2], a + "/late.jpg"), placement(cuts[2], home.path + "/none/2.jpg"),
        ]
        let outcomes = store.place(group) { number in if number == 6 { throw NoPlace() } }
        #expect(outcomes.map { (try? $0.get()) != nil } == [true, false, true, false, true, true, false, false])
        for (number, code) in [(1, BlobError.Code.destinationExists), (3, .absent), (7, .system)] {
            let error = #expect(throws: BlobError.self) { try outcomes[number].get() }
            #expect(error?.code == code)
        }
        #expect(throws: NoPlace.self) { try outcomes[6].get() }
        #expect(syncs.all == [a, b])
        #expect(Set(try Disk.names(in: a)) == ["0.jpg", "1.jpg"])
        #expect(Set(try Disk.names(in: b)) == ["mine.jpg", "2.jpg", "0.jpg"])
        #expect(try contents(b + "/mine.jpg") == [7])
        for (path, cut) in [(a + "/0.jpg", cuts[0]), (a + "/1.jpg", cuts[1]), (b + "/2.jpg", cuts[2])] {
            #expect(try contents(path) == cut.pieces[0])
        }
        #expect(store.suspects().isEmpty && store.isIndexed)
    }

    /// Shows that where one of two directories cannot be synced, all that was placed in it is taken back and told so, but
    /// for a file that a person put in such a one's place meanwhile; what is in the other one stays.
    @Test(arguments: [CloneAnswer.clones, .refuses]) func failedSyncsTakeBackTheirOwn(_ answer: CloneAnswer) throws {
        let home = TemporaryHome()
        let (bad, good) = (home.path + "/bad", home.path + "/good")
        let store = try store(home, answer) { directory in
            guard directory == bad else { return try Disk.synchronizeDirectory(directory) }
            try overwrite(bad + "/new", with: [7])
            try Disk.rename(bad + "/new", to: bad + "/1.jpg")
            throw FileError(errno: EIO, "fsync", directory)
        }
        let cuts = (0..<4).map { Cut(Samples.bytes(1000, seed: 10 + $0)) }
        for cut in cuts { _ = try store.receive(cut) }
        for directory in [bad, good] { #expect(mkdir(directory, 0o755) == 0) }
        let outcomes = store.place(
            zip(cuts, [bad + "/0.jpg", good + "/0.jpg", bad + "/1.jpg", good + "/1.jpg"]).map { placement($0, $1) })
        #expect(outcomes.map { (try? $0.get()) != nil } == [false, true, false, true])
        for number in [0, 2] {
            let error = #expect(throws: BlobError.self) { try outcomes[number].get() }
            #expect(error?.errno == EIO)
        }
        #expect(try Disk.names(in: bad) == ["1.jpg"] && contents(bad + "/1.jpg") == [7])
        #expect(Set(try Disk.names(in: good)) == ["0.jpg", "1.jpg"])
    }
}
