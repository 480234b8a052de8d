import Testing

@testable import WebGallery

/// RFC 9110, section 14: parts of files.
@Suite struct ByteRangeTests {
    private func choice(_ range: String?, _ byteCount: UInt64 = 10_000, ifRange: String? = nil) -> ByteRange.Choice {
        ByteRange.choice(
            range: range, ifRange: ifRange, byteCount: byteCount, entityTag: EntityTag(opaque: "a"),
            lastModified: HTTPTimestamp(secondsSince1970: 784_111_777))
    }

    private func part(_ offset: UInt64, _ count: UInt64) -> ByteRange.Choice {
        .part(ByteRange(offset: offset, count: count))
    }

    /// Shows the examples of section 14.1.2, and the edges of a file of 10,000 bytes.
    @Test func rangesAreTaken() {
        #expect(choice("bytes=0-499") == part(0, 500))
        #expect(choice("bytes=500-999") == part(500, 500))
        #expect(choice("bytes=-500") == part(9500, 500))
        #expect(choice("bytes=9500-") == part(9500, 500))
        #expect(choice("bytes=0-0") == part(0, 1))
        #expect(choice("bytes=-1") == part(9999, 1))
        #expect(choice("bytes=9999-") == part(9999, 1))
        #expect(choice("bytes=0-99999") == part(0, 10_000))
        #expect(choice("bytes=-99999") == part(0, 10_000))
        #expect(choice("Bytes = 1-2 ,") == part(1, 2))
        #expect(choice("bytes=1-99999999999999999999999") == part(1, 9999))
    }

    @Test func whatLiesBeyondIsRefused() {
        #expect(choice("bytes=10000-") == .unsatisfiable)
        #expect(choice("bytes=10000-10001") == .unsatisfiable)
        #expect(choice("bytes=99999999999999999999999-") == .unsatisfiable)
        #expect(choice("bytes=-0") == .unsatisfiable)
        #expect(choice("bytes=0-", 0) == .unsatisfiable)
        #expect(choice("bytes=-5", 0) == .unsatisfiable)
        #expect(ByteRange.unsatisfied(of: 10_000) == "bytes */10000")
    }

    /// Shows that what is not understood, and several ranges, get the whole.
    @Test(
        arguments: [
            nil, "", "bytes", "bytes=", "bytes=-", "bytes=5-2", "bytes=a-b", "bytes=1-2,4-5", "bytes=0-0,-1",
            "lines=1-2", "bytes=1--2", "bytes=+1-2", "bytes=1-2-3", "bytes 1-2", "bytes=0x1-2", "bytes=１-２",
        ])
    func otherwiseAllOfIt(_ range: String?) {
        #expect(choice(range) == .whole)
    }

    /// Shows that a download goes on only with the version that it began with.
    @Test func aRangeMayDependOnAVersion() {
        #expect(choice("bytes=5-", ifRange: "\"a\"") == part(5, 9995))
        #expect(choice("bytes=5-", ifRange: "\"b\"") == .whole)
        #expect(choice("bytes=5-", ifRange: "W/\"a\"") == .whole)
        #expect(choice("bytes=5-", ifRange: "Sun, 06 Nov 1994 08:49:37 GMT") == part(5, 9995))
        #expect(choice("bytes=5-", ifRange: "Sun, 06 Nov 1994 08:49:38 GMT") == .whole)
        #expect(choice("bytes=5-", ifRange: "yesterday") == .whole)
        #expect(choice("bytes=99999-", ifRange: "\"b\"") == .whole)
        #expect(ByteRange.choice(range: "bytes=5-", ifRange: "\"a\"", byteCount: 10) == .whole)
    }

    @Test func partsSayWhereTheyBelong() {
        #expect(ByteRange(offset: 500, count: 500).contentRange(of: 1234) == "bytes 500-999/1234")
        #expect(ByteRange(offset: 0, count: 1).contentRange(of: 1) == "bytes 0-0/1")
    }
}
