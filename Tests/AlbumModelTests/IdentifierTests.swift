import AlbumModel
import Testing

/// Identifiers keep their bytes, order by them, and refuse what is no identifier.
@Suite struct IdentifierTests {
    @Test func bytesAndTextRoundTrip() throws {
        let bytes = (0..<32).map { UInt8($0 * 7 & 255) }
        let id = try #require(BlobID(bytes: bytes))
        #expect(id.bytes == bytes)
        #expect(BlobID(hex: id.hex) == id)
        #expect(BlobID(hex: id.hex.uppercased()) == id)
    }

    @Test(arguments: ["", "0", "zz", String(repeating: "0", count: 63), String(repeating: "0", count: 66)])
    func wrongTextIsRefused(text: String) {
        #expect(BlobID(hex: text) == nil)
    }

    @Test func orderIsThatOfTheBytes() throws {
        var low = [UInt8](repeating: 0, count: 16)
        var high = low
        low[15] = 255
        high[0] = 1
        #expect(try #require(AlbumID(bytes: low)) < #require(AlbumID(bytes: high)))
    }

    /// Pieces cover a blob exactly, and an empty or tiny blob has one.
    @Test(arguments: [0, 1, 1 << 20, (1 << 20) + 1, 5_000_000] as [UInt64])
    func piecesCoverTheBlob(byteCount: UInt64) {
        let ranges = (0..<Pieces.count(blobByteCount: byteCount)).map { Pieces.range(of: $0, blobByteCount: byteCount) }
        #expect(ranges.first?.lowerBound == 0)
        #expect(ranges.last?.upperBound == byteCount)
        #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        #expect(ranges.dropLast().allSatisfy { $0.count == 1 << 20 })
    }
}
