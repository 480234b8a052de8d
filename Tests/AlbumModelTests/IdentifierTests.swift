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

    /// In a text that lies elsewhere than in one piece, too; no sign counts for a digit that is none, wherever it stands.
    @Test func digitsAreReadOneByOne() {
        let values = (0...UInt8.max).map { (UnicodeScalar($0), UInt8(String(UnicodeScalar($0)), radix: 16)) }
        for (sign, value) in values where sign.isASCII {
            #expect(Hexadecimal.bytes("\(sign)7") == value.map { [$0 << 4 | 7] })
            #expect(Hexadecimal.bytes("7\(sign)") == value.map { [7 << 4 | $0] })
        }
        let text = "00ff" + String("é7".dropFirst()) + "1"
        #expect(Hexadecimal.bytes(text) == [0, 255, 0x71])
        #expect(Hexadecimal.bytes(text.dropFirst(2)) == [255, 0x71])
        #expect(Hexadecimal.bytes("é") == nil && Hexadecimal.bytes("") == [])
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
