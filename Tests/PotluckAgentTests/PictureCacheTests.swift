import AlbumModel
import Foundation
import PotluckAgent
import Testing

struct PictureCacheTests {
    private let home = FileManager.default.temporaryDirectory.appending(path: "pictures-\(UUID())").path

    private func photo(_ number: UInt8) -> BlobID { BlobID(bytes: [UInt8](repeating: number, count: 32))! }

    private func jpeg(_ byteCount: Int, _ filling: UInt8) -> [UInt8] {
        [0xFF, 0xD8] + [UInt8](repeating: filling, count: byteCount - 4) + [0xFF, 0xD9]
    }

    /// A picture is there again for its photo and size, in another process as well, and for no other.
    @Test func picturesAreKept() {
        defer { try? FileManager.default.removeItem(atPath: home) }
        let cache = PictureCache(home: home)
        #expect(cache.picture(of: photo(1), fitting: 2048) == nil)
        cache.keep(jpeg(100, 7), of: photo(1), fitting: 2048)
        #expect(PictureCache(home: home).picture(of: photo(1), fitting: 2048) == jpeg(100, 7))
        #expect(cache.picture(of: photo(1), fitting: 1024) == nil)
        #expect(cache.picture(of: photo(2), fitting: 2048) == nil)
    }

    /// A file that was cut short is no picture.
    @Test func damagedPicturesAreNotShown() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        let cache = PictureCache(home: home)
        cache.keep(jpeg(100, 7), of: photo(1), fitting: 2048)
        let directory = "\(home)/cache/pictures"
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: directory).first)
        try Data(jpeg(100, 7).dropLast(10)).write(to: URL(fileURLWithPath: "\(directory)/\(name)"))
        #expect(cache.picture(of: photo(1), fitting: 2048) == nil)
    }

    /// It never holds more than it may; what was asked for last stays, and what is too large alone is not kept.
    @Test func itIsBounded() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        let cache = PictureCache(home: home, byteCountMax: 1000)
        let directory = "\(home)/cache/pictures"
        for number in 1...20 as ClosedRange<UInt8> {
            cache.keep(jpeg(100, number), of: photo(number), fitting: 2048)
            // The first is asked for again and again.
            #expect(cache.picture(of: photo(1), fitting: 2048) != nil)
            let sizes = try FileManager.default.contentsOfDirectory(atPath: directory).map {
                try FileManager.default.attributesOfItem(atPath: "\(directory)/\($0)")[.size] as? Int ?? 0
            }
            #expect(sizes.reduce(0, +) <= 1000)
        }
        #expect(cache.picture(of: photo(20), fitting: 2048) != nil)
        #expect(cache.picture(of: photo(2), fitting: 2048) == nil)
        cache.keep(jpeg(1001, 1), of: photo(21), fitting: 2048)
        #expect(cache.picture(of: photo(21), fitting: 2048) == nil)
    }
}
