import AlbumModel
import Testing

@testable import MediaReader

/// Where programs put EXIF into a PNG, beside the place that the decoder hands out.
@Suite(
    .enabled(if: Machine.settings.worker != nil, "there is no potluck-media-worker beside the tests"),
    .enabled(if: Machine.settings.exifTool != nil, "ExifTool is not installed"))
struct PNGMetadataTests {
    private let scratch = Scratch()

    /// As ImageMagick writes it: the number of bytes, then all of them in hexadecimal digits.
    private static let profile: [UInt8] = {
        let exif = Fixture.exif(orientation: 1)
        let digits = exif.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return Array("\nexif\n\(exif.count)\n\(digits)\n".utf8)
    }()

    /// A picture with chunks behind its header, and others behind its pixels.
    private func file(_ name: String, _ first: [UInt8], _ last: [UInt8] = []) throws -> MediaFile {
        let png = Fixture.png(width: 40, height: 30)
        let header = 8 + 12 + 13, end = png.count - 12
        return try scratch.file(name, Array(png[..<header]) + first + png[header..<end] + last + png[end...])
    }

    /// Time, camera and place come from a raw profile, plain or compressed, also behind more texts than libvips reads,
    /// and from EXIF behind the pixels, where ImageMagick puts it today.
    @Test(.timeLimit(.minutes(3))) func exifIsFoundWhereverItStands() async throws {
        let plain = Fixture.chunk("tEXt", Array("Raw profile type exif\0".utf8) + Self.profile)
        let packed = Fixture.chunk("zTXt", Array("Raw profile type APP1\0\0".utf8) + Fixture.stored(Self.profile))
        let texts = (0..<60).flatMap { Fixture.chunk("tEXt", Array("note \($0)\0of no account".utf8)) }
        let exif = Fixture.chunk("eXIf", Array(Fixture.exif(orientation: 1).dropFirst(6)))
        let files = [
            try file("plain.png", plain), try file("packed.png", packed), try file("late.png", texts + plain),
            try file("behind.png", [], exif),
        ]
        try await withReader { reader in
            for file in files {
                let facts = await reader.read(file).facts
                #expect(facts.taken?.source == .exif, "\(file.name)")
                #expect(facts.taken?.localMilliseconds == FactsDateTests.summer, "\(file.name)")
                #expect(facts.camera.make == "Kuh", "\(file.name)")
                #expect(facts.place?.latitudeMicrodegrees == 52_500_000, "\(file.name)")
                #expect(facts.problem == "" && facts.size == PixelSize(width: 40, height: 30), "\(file.name)")
            }
        }
    }
}
