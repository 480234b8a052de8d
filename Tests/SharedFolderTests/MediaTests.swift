import AlbumModel
import FolderEngine
import Glibc
import TestSupport
import Testing

@testable import SharedFolder

struct MediaTests {
    // Shows that content alone decides the type, for one sample of each format that we tell apart.
    @Test(arguments: samples)
    func tellsTypesByContent(sample: TypeSample) {
        #expect(MediaType.sniff(sample.bytes, name: "a")?.name == sample.type)
    }

    /// One by one, since the compiler loses its way in one long array of bytes.
    static let samples: [TypeSample] = [
        TypeSample("image/jpeg", SamplePhoto.jpeg(1)),
        TypeSample("image/png", SamplePhoto.png),
        TypeSample("image/gif", SamplePhoto.gif),
        TypeSample("image/webp", SamplePhoto.webp),
        TypeSample("image/tiff", SamplePhoto.tiff()),
        TypeSample("image/heic", SamplePhoto.boxes(brand: "mif1", compatible: ["heic"], index: "meta")),
        TypeSample("image/heif", SamplePhoto.boxes(brand: "mif1", index: "meta")),
        TypeSample("image/avif", SamplePhoto.boxes(brand: "avif", index: "meta")),
        TypeSample("image/x-canon-cr3", SamplePhoto.boxes(brand: "crx ", index: "moov")),
        TypeSample("video/mp4", SamplePhoto.boxes(brand: "isom", index: "moov")),
        TypeSample("video/quicktime", SamplePhoto.boxes(brand: "qt  ", index: "moov")),
        TypeSample("video/x-m4v", SamplePhoto.boxes(brand: "M4V ", index: "moov")),
        TypeSample("video/3gpp", SamplePhoto.boxes(brand: "3gp5", index: "moov")),
        TypeSample("video/quicktime", SamplePhoto.box("mdat", [1, 2, 3, 4, 5]) + SamplePhoto.box("moov", [])),
        TypeSample("image/x-adobe-dng", SamplePhoto.tiff(extra: [(0xC612, 0x0401)])),
        TypeSample("image/x-nikon-nef", SamplePhoto.tiff(extra: [(0xFE, 1)], maker: "NIKON CORPORATION")),
        TypeSample("image/x-sony-arw", SamplePhoto.tiff(extra: [(0xFE, 1)], maker: "SONY")),
        TypeSample("image/tiff", SamplePhoto.tiff(maker: "NIKON CORPORATION")),
        TypeSample("image/x-canon-cr2", [0x49, 0x49, 42, 0, 16, 0, 0, 0] + Array("CR".utf8) + [2, 0]),
        TypeSample("image/x-fuji-raf", Array("FUJIFILMCCD-RAW 0201".utf8)),
        TypeSample("image/x-olympus-orf", Array("IIRO\u{8}\0\0\0".utf8)),
        TypeSample("image/x-panasonic-rw2", [0x49, 0x49, 0x55, 0, 0x18, 0, 0, 0]),
        TypeSample("image/jxl", [0xFF, 0x0A, 1, 2]),
        TypeSample("video/x-msvideo", Array("RIFF\0\0\0\0AVI LIST".utf8)),
        TypeSample("video/webm", [0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x82, 0x84] + Array("webm".utf8)),
        TypeSample("video/x-matroska", [0x1A, 0x45, 0xDF, 0xA3, 0xA3, 0x42, 0x82, 0x88] + Array("matroska".utf8)),
        TypeSample("video/mp2t", (0..<800).map { $0 % 192 == 4 ? UInt8(0x47) : 0 }),
        TypeSample("image/bmp", Array("BM".utf8) + [70, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 1, 0, 0, 0]),
    ]

    // Shows that what is no photo or video is none, whatever it resembles.
    @Test(
        arguments: [
            [], Array("<html><body>".utf8), Array("%PDF-1.7".utf8), Array("BMW is a maker of cars, and so on".utf8),
            Array("PK\u{3}\u{4}".utf8), SamplePhoto.boxes(brand: "M4A ", index: "moov"), [0x49, 0x49],
            Array(repeating: 0, count: 4096),
        ] as [[UInt8]])
    func refusesOthers(bytes: [UInt8]) {
        #expect(MediaType.sniff(bytes, name: "a") == nil)
    }

    // Shows that a JPEG 2000, as a file or as its bare stream, is no type of ours, and that its reason says so.
    @Test func saysWhyJPEG2000IsSkipped() {
        let file: [UInt8] =
            [0, 0, 0, 12] + Array("jP  ".utf8) + [0x0D, 0x0A, 0x87, 0x0A, 0, 0, 0, 20] + Array("ftypjp2 ".utf8)
            + [0, 0, 0, 0] + Array("jp2 ".utf8)
        for bytes in [file, [0xFF, 0x4F, 0xFF, 0x51, 0, 47]] {
            #expect(MediaType.sniff(bytes, name: "a.jp2") == nil)
            #expect(MediaType.reasonToSkip(bytes).contains("JPEG 2000"))
        }
        #expect(MediaType.reasonToSkip(Array("hello".utf8)) == "it is not a photo or a video")
    }

    // Shows that a complete file counts as complete, and every beginning of it as short.
    @Test(
        arguments: [
            SamplePhoto.jpeg(3), SamplePhoto.png, SamplePhoto.gif, SamplePhoto.webp, SamplePhoto.tiff(),
            SamplePhoto.boxes(brand: "mif1", compatible: ["heic"], index: "meta"),
            SamplePhoto.boxes(brand: "isom", index: "moov"),
        ] as [[UInt8]])
    func tellsShortFiles(bytes: [UInt8]) throws {
        let type = try #require(MediaType.sniff(bytes, name: "a"))
        let file = try ScratchFile(bytes)
        func isShort(_ count: Int) -> Bool {
            FormatLength.isShort(descriptor: file.descriptor, byteCount: UInt64(count), type: type)
        }
        #expect(!isShort(bytes.count))
        // These steps miss the places between two boxes, where nothing tells that another was to come.
        for count in stride(from: 11, to: bytes.count - (type == .tiff ? 1 : 0), by: 7) { #expect(isShort(count)) }
    }

    // Shows that the end of a thumbnail in a photo's header, at which a copy stopped, is not taken for the photo's.
    @Test func thumbnailsEndCompletesNothing() throws {
        let photo = SamplePhoto.jpeg(6)
        let segment: [UInt8] = [0xFF, 0xE1, 0, 10] + Array("Exif\0\0".utf8) + [0xFF, 0xD9]
        let bytes = Array(photo.prefix(2)) + segment + Array(photo.dropFirst(2))
        let file = try ScratchFile(bytes)
        func isShort(_ count: Int) -> Bool {
            FormatLength.isShort(descriptor: file.descriptor, byteCount: UInt64(count), type: .jpeg)
        }
        #expect(isShort(2 + segment.count))
        #expect(!isShort(bytes.count))
    }

    // Shows that wherever somebody reads, straight on or by leaps, the window shows the bytes that are there.
    @Test func windowShowsTheFile() throws {
        let bytes = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 / 251 &* 7 &+ $0 % 251) }
        let file = try ScratchFile(bytes)
        for step in [1000, 5000, 65_537, 300_000] {
            var view = FileBytes(descriptor: file.descriptor, byteCount: UInt64(bytes.count))
            for offset in stride(from: 0, to: bytes.count - 100, by: step) {
                #expect(view.bytes(at: UInt64(offset), count: 100) == Array(bytes[offset..<offset + 100]))
            }
            #expect(view.bytes(at: UInt64(bytes.count) - 2, count: 2) == Array(bytes.suffix(2)))
            #expect(view.bytes(at: UInt64(bytes.count) - 2, count: 3) == nil)
            #expect(view.bytes(at: 7, count: FileBytes.windowByteCount)?.count == FileBytes.windowByteCount)
        }
        // Sought through windows of all sizes.
        let zeros = try ScratchFile([UInt8](repeating: 0, count: 699_999) + [0xFF])
        var view = FileBytes(descriptor: zeros.descriptor, byteCount: 700_000)
        #expect(view.find(0xFF, from: 3) == 699_999)
    }

    // Shows that room made in advance for bytes still to come does not make a file complete.
    @Test func zerosDoNotCompleteAFile() throws {
        for bytes in [SamplePhoto.jpeg(4), SamplePhoto.png, SamplePhoto.boxes(brand: "isom", index: "moov")] {
            let type = try #require(MediaType.sniff(bytes, name: "a"))
            let half = Array(bytes.prefix(60)) + Array(repeating: 0, count: bytes.count - 60)
            let file = try ScratchFile(half)
            let isShort = FormatLength.isShort(
                descriptor: file.descriptor, byteCount: UInt64(half.count), type: type)
            #expect(isShort || type == .mp4)
        }
    }

    // Shows that a film behind a photo, as in motion photos, leaves it complete.
    @Test func trailersAreFine() throws {
        let bytes = SamplePhoto.jpeg(5) + SamplePhoto.boxes(brand: "isom", index: "moov")
        let file = try ScratchFile(bytes)
        #expect(!FormatLength.isShort(descriptor: file.descriptor, byteCount: UInt64(bytes.count), type: .jpeg))
    }
}

struct TypeSample: Sendable {
    var type: String
    var bytes: [UInt8]

    init(_ type: String, _ bytes: [UInt8]) {
        self.type = type
        self.bytes = bytes
    }
}

/// An open file without a name.
final class ScratchFile {
    let descriptor: Int32

    init(_ bytes: [UInt8]) throws {
        var template = Array("/tmp/potluck-folder-XXXXXX".utf8CString)
        descriptor = mkstemp(&template)
        try #require(descriptor >= 0)
        unlink(template)
        try #require(write(descriptor, bytes, bytes.count) == bytes.count)
    }

    deinit {
        close(descriptor)
    }
}
