import AlbumModel
import DiskIO
import StoreProbe
import Testing

@testable import PhotoStore

/// Chained lists, and which of the two kinds a peer is sent.
@Suite struct PieceListTests {
    /// Words and hash as another program gives them for 2 MiB and 5 bytes, all of them 7.
    @Test func chainedListsHoldTheStandardsWords() throws {
        let home = TemporaryHome()
        let path = try home.write([UInt8](repeating: 7, count: (2 << 20) + 5), to: "drop.jpg")
        let list = try home.store().ingest(path: path).pieceList
        #expect(
            list?.hashes.map(\.hex) == [
                "2cab23c8103036000eb8265dabff4198f6eacf0d9742bd3bbdc9362ff9e7aa99",
                "59c23408d9584c04328b30ec530866ea4e46cd16553ae440bfd8dda965a13153",
                "55be6a239cf4866c8c4aeb5b59097e796c98a867d3ea501e88fa160dfca99d3a",
            ])
    }

    /// A state that is taken up again goes on as if nothing had happened, wherever it was cut.
    @Test(arguments: [0, 1, 63, 64, 65, 1000]) func statesAreTakenUp(_ restByteCount: Int) throws {
        let bytes = Samples.bytes(128 + restByteCount, seed: 1)
        bytes.withUnsafeBytes { bytes in
            var first = ResumableSHA256()
            first.update(UnsafeRawBufferPointer(rebasing: bytes[..<128]))
            var second = ResumableSHA256(after: 128, state: first.state)
            second.update(UnsafeRawBufferPointer(rebasing: bytes[128...]))
            #expect(second.finalize() == BlobID(piece: bytes))
        }
    }

    /// Contributors may have named a list of either kind, and the store keeps one: the other one is made of the bytes where
    /// it is asked for, and kept. Catches a holder that is condemned for a list that it was not asked for, after an index
    /// was lost, or a stick was unpacked.
    @Test func theListThatContributorsNameIsMade() throws {
        let home = TemporaryHome()
        let store = try home.store()
        let bytes = Samples.bytes((2 << 20) + 7, seed: 1)
        let (chained, ofPieces) = (Cut(bytes, .chained), Cut(bytes, .ofPieceHashes))
        let id = try store.ingest(path: home.write(bytes, to: "drop.jpg")).id
        func list(_ hashes: [BlobID]) throws -> PieceList? { try store.pieceList(id, fitting: hashes) }
        #expect(try list([]) == chained.list)
        #expect(try list([chained.list.listHash, ofPieces.list.listHash]) == chained.list)
        for _ in 0..<2 {
            #expect(try list([ofPieces.list.listHash]) == ofPieces.list)
            #expect(try list([]) == ofPieces.list)
            #expect(try list([id, chained.list.listHash]) == chained.list)
        }
        #expect(store.suspects().isEmpty)
    }

    /// A wrong description has the bytes read once, not with each question, and gets what is there.
    @Test func unknownListsCostOneReading() throws {
        let home = TemporaryHome()
        let store = try home.store()
        let cut = Cut(Samples.bytes((2 << 20) + 7, seed: 1))
        #expect(try store.receive(cut) == .committed)
        #expect(try store.pieceList(cut.id, fitting: [cut.id]) == cut.list)
        // Without a file nothing can be read.
        try Disk.remove(store.path(of: cut.id))
        #expect(try store.pieceList(cut.id, fitting: [cut.id]) == cut.list)
        #expect(throws: BlobError.self) { try store.pieceList(cut.id, fitting: [Self.otherKind(of: cut)]) }
    }

    private static func otherKind(of cut: Cut) -> BlobID { Samples.listOfPieceHashes(cut.pieces).listHash }
}
