import MediaWorkerProtocol
import Testing

@testable import MediaReader

/// What the agent takes for a picture from a worker that may have been broken into.
@Suite struct PictureCheckTests {
    /// The frame of a JPEG of 4 × 2 pixels; what is coded in it nobody decodes here.
    private static let plain: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xDB, 0, 4, 1, 2]
        + [0xFF, 0xC0, 0, 11, 8, 0, 2, 0, 4, 1, 1, 0x11, 0] + [0xFF, 0xC4, 0, 3, 0]
        + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x12, 0xFF, 0, 0x34, 0xFF, 0xD0, 0x56, 0xFF, 0xD9]

    private func isPlain(_ bytes: [UInt8], width: UInt32 = 4, height: UInt32 = 2, side: UInt32 = 4) -> Bool {
        PictureCheck.isPlain(Report.Picture(width: width, height: height, bytes: bytes), side: side)
    }

    /// A picture such as ours are is taken.
    @Test func plainPicturesAreTaken() { #expect(isPlain(Self.plain)) }

    /// One of another size than it says, or larger than was asked for, is not.
    @Test func sizesMustAgree() {
        #expect(!isPlain(Self.plain, width: 3) && !isPlain(Self.plain, height: 4) && !isPlain(Self.plain, side: 3))
        #expect(!isPlain(Self.plain, width: 0) && !isPlain([]))
    }

    /// Nor is one that carries metadata, a comment, a profile or anything behind its end.
    @Test(arguments: [0xE1, 0xE2, 0xED, 0xFE, 0xEE] as [UInt8])
    func nothingElseTravelsInPictures(_ marker: UInt8) {
        let segment: [UInt8] = [0xFF, marker, 0, 4, 0x45, 0x78]
        #expect(!isPlain(Self.plain.prefix(2) + segment + Self.plain.dropFirst(2)))
        #expect(!isPlain(Self.plain.dropLast(2) + segment + [0xFF, 0xD9]))
        #expect(!isPlain(Self.plain + segment + [0xFF, 0xD9]))
    }

    /// Wherever it is cut, and whichever byte is another, nothing is read that is not there.
    @Test func damageIsNoTrap() {
        for count in Self.plain.indices { #expect(!isPlain(Array(Self.plain.prefix(count)))) }
        for index in Self.plain.indices {
            for value in [0, 0xFF, 0xDA, 0xD9] as [UInt8] {
                var bytes = Self.plain
                bytes[index] = value
                _ = isPlain(bytes)
            }
        }
    }
}
