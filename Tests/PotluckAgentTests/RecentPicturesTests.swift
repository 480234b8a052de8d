import NIOCore
import TestSupport
import Testing

@testable import PotluckAgent

struct RecentPicturesTests {
    private func picture(_ number: UInt8, byteCount: Int) -> ByteBuffer {
        ByteBuffer(repeating: number, count: byteCount)
    }

    // Shows that what pages ask for again stays, that what nobody asks for goes, and how much memory both take at most.
    @Test func memoryIsBounded() {
        let recent = RecentPictures()
        let byteCount = RecentPictures.byteCountMax / 10
        recent.keep(picture(0, byteCount: byteCount), of: blobID([0]))
        recent.keep(picture(1, byteCount: byteCount), of: blobID([1]))
        for number in UInt8(2)...200 {
            recent.keep(picture(number, byteCount: byteCount), of: blobID([number]))
            #expect(recent.bytes(of: blobID([0])) == picture(0, byteCount: byteCount))
            #expect(recent.byteCount <= 2 * RecentPictures.byteCountMax + 2 * byteCount)
        }
        #expect(recent.bytes(of: blobID([1])) == nil)
        #expect(recent.bytes(of: blobID([200])) == picture(200, byteCount: byteCount))
    }

    // Shows that a picture which is kept twice counts once, and that one which is too large is not kept.
    @Test func picturesCountOnce() {
        let recent = RecentPictures()
        for _ in 0..<100 { recent.keep(picture(1, byteCount: RecentPictures.byteCountMax / 2), of: blobID([1])) }
        #expect(recent.byteCount == RecentPictures.byteCountMax / 2)
        recent.keep(picture(2, byteCount: RecentPictures.byteCountMax + 1), of: blobID([2]))
        #expect(recent.bytes(of: blobID([2])) == nil)
    }
}
