import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

@Suite struct WantTableTests {
    private let blob = BlobID(bytes: [UInt8](repeating: 1, count: 32))!

    private var table: WantTable {
        var table = WantTable()
        table[blob] = Want(
            blob: blob, blobClass: .original, urgency: .zero, claims: [BlobClaim(byteCount: 1, pieceListHash: nil)])
        return table
    }

    /// A copy is a value of its own, though the table keeps its wants elsewhere.
    @Test func copiesAreIndependent() {
        let table = table
        var copy = table
        copy[blob]!.pieces.ask(0, 7)
        #expect(table[blob]?.pieces.asked == [:] && copy[blob]?.pieces.asked == [0: [7]])
        copy[blob] = nil
        #expect(table.blobs == [blob] && copy.blobs.isEmpty)
    }

    @Test func changesInPlaceAddAndRemove() {
        func clear(_ want: inout Want?) { want = nil }
        func put(_ want: inout Want?, _ new: Want) { want = new }
        var table = table
        let want = table[blob]!
        clear(&table[blob])
        #expect(table.blobs.isEmpty && Array(table.all).isEmpty)
        clear(&table[blob])
        #expect(table.blobs.isEmpty)
        put(&table[blob], want)
        #expect(table.blobs == [blob] && table.all.map(\.blob) == [blob])
    }
}
