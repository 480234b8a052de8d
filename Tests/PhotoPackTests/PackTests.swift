import AlbumModel
import DiskIO
import FoundationEssentials
import Glibc
import Testing
import WireFormat

@testable import PhotoPack

/// What is written to a stick, and read from it again.
@Suite(.timeLimit(.minutes(1))) struct PackTests {
    /// Shows that batches and blobs come out as they went in, and that nothing else is left on the stick.
    @Test func whatGoesInComesOut() throws {
        let workshop = try Workshop()
        let blob = try workshop.blob("a photo")
        let writer = try workshop.writer()
        try writer.add([batch(1), batch(2)])
        try writer.add([batch(2), batch(3)])
        try writer.endBatches()
        #expect(try writer.add(blob.id, from: blob.path) == .written)
        #expect(try writer.add(blob.id, from: workshop.path + "/nothing").isLeftOut)
        let manifest = try writer.finish(isWhole: true)
        #expect((manifest.batches, manifest.files, manifest.isWhole) == (3, 1, true))

        #expect(try workshop.names() == ["batches", "blobs", "potluck-pack.json"])
        let reader = try workshop.reader()
        #expect(reader.manifest == manifest)
        #expect(try reader.batchFiles() == [1])
        #expect(try reader.batches(inFile: 1).pages.flatMap(\.batches) == [batch(1), batch(2), batch(3)])
        #expect(try reader.blobCount() == 1)
        #expect(try reader.open(blob.id)?.blobID() == blob.id)
    }

    /// Shows that another laptop adds what is missing and writes nothing twice, whoever packed before.
    @Test func aPackGrows() throws {
        let workshop = try Workshop()
        let (first, second) = (try workshop.blob("a photo"), try workshop.blob("another photo"))
        var writer: PackWriter? = try workshop.writer()
        try writer?.add([batch(1)])
        _ = try writer?.add(first.id, from: first.path)
        _ = try writer?.finish(isWhole: true)
        // It holds the lock.
        writer = nil
        let inode = try inode(workshop.packed(first.id))

        let other = try workshop.writer()
        #expect(other.batchCount == 1)
        try other.add([batch(1), batch(2)])
        try other.endBatches()
        #expect(try other.add(first.id, from: first.path) == .kept)
        #expect(try other.add(second.id, from: second.path) == .written)
        let manifest = try other.finish(isWhole: true)
        #expect((manifest.batches, manifest.files) == (2, 2))
        #expect(try self.inode(workshop.packed(first.id)) == inode)
        let reader = try workshop.reader()
        #expect(try reader.batchFiles() == [1, 2])
        #expect(try reader.batches(inFile: 2).pages.flatMap(\.batches) == [batch(2)])
    }

    private func inode(_ path: String) throws -> UInt64 {
        var info = stat()
        try #require(stat(path, &info) == 0)
        return UInt64(info.st_ino)
    }

    /// Shows that pages have the size of those that peers send, that files of batches are bounded, and that they are
    /// read in their order.
    @Test func filesOfBatchesAreBounded() throws {
        let workshop = try Workshop()
        let batches = (0..<80).map { batch($0, byteCount: 200_000) }
        let writer = try workshop.writer()
        try writer.add(batches)
        try writer.endBatches()
        let reader = try workshop.reader()
        #expect(try reader.batchFiles() == [1, 2])
        #expect(try workshop.bytes("batches/000001.batches").count < 8 << 20 + 256 << 10)
        let pages = try [1, 2].flatMap { try reader.batches(inFile: $0).pages }
        #expect(pages.count == 80)
        #expect(pages.flatMap(\.batches) == batches)
    }

    /// Shows that a packing tells apart as many batches as it may. What it adds beyond them is packed, rather twice than
    /// not at all; a pack that has more than them is left as it is.
    @Test func knownBatchesAreBounded() throws {
        let workshop = try Workshop()
        func writer(knowing countMax: Int) throws -> PackWriter {
            try PackWriter(
                directory: workshop.stick, manifest: workshop.manifest("aa"), write: TemporaryFile.systemWrite,
                knownBatchCountMax: countMax)
        }
        var first: PackWriter? = try writer(knowing: 2)
        try first?.add([batch(1), batch(2), batch(3), batch(1), batch(3)])
        let manifest = try #require(try first?.finish(isWhole: true))
        #expect(manifest.batches == 4)
        // It holds the lock.
        first = nil
        let packed = try workshop.reader().batches(inFile: 1).pages.flatMap(\.batches)
        #expect(packed == [batch(1), batch(2), batch(3), batch(3)])

        let error = #expect(throws: PackError.self) { _ = try writer(knowing: 2) }
        #expect(error?.code == .destination)
        #expect(try workshop.reader().manifest == manifest)
        let other = try writer(knowing: 3)
        #expect(other.batchCount == 3)
        try other.add([batch(1), batch(2), batch(3)])
        #expect(try other.finish(isWhole: true).batches == 3)
        #expect(try workshop.reader().batchFiles() == [1])
    }

    /// Shows that bytes which are not those of the photo are never packed, and that nothing of them is left.
    @Test func damagedPhotosAreLeftOut() throws {
        let workshop = try Workshop()
        let blob = try workshop.blob("a photo")
        try Data("another".utf8).write(to: URL(filePath: blob.path))
        let writer = try workshop.writer()
        #expect(try writer.add(blob.id, from: blob.path).isLeftOut)
        #expect(try writer.finish(isWhole: true).files == 0)
        #expect(try workshop.names() == ["batches", "blobs", "potluck-pack.json"])
    }

    /// Shows that a photo that was cut short on the stick is written again, and one that was damaged is when the stick
    /// is read again.
    @Test func damagedFilesAreWrittenAgain() throws {
        let workshop = try Workshop()
        let blob = try workshop.blob("a photo")
        func add(rereads: Bool = false) throws -> PackWriter.Outcome {
            let writer = try workshop.writer(rereads: rereads)
            let outcome = try writer.add(blob.id, from: blob.path)
            _ = try writer.finish(isWhole: true)
            return outcome
        }
        #expect(try add() == .written)
        try Data("a ph".utf8).write(to: URL(filePath: workshop.packed(blob.id)))
        #expect(try add() == .written)
        try Data("A photo".utf8).write(to: URL(filePath: workshop.packed(blob.id)))
        #expect(try add() == .kept)
        #expect(try add(rereads: true) == .written)
        #expect(try add(rereads: true) == .kept)
        #expect(try workshop.reader().open(blob.id)?.blobID() == blob.id)
    }
}

extension PackWriter.Outcome {
    var isLeftOut: Bool {
        if case .leftOut = self { true } else { false }
    }
}
