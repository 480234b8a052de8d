import AlbumModel
import DiskIO
import Foundation
import TestSupport
import Testing

@testable import MediaReader

/// Copies that do not say where they were taken.
@Suite(
    .enabled(if: Machine.settings.worker != nil, "there is no potluck-media-worker beside the tests"),
    .enabled(if: Machine.settings.exifTool != nil, "ExifTool is not installed"))
struct PlacelessCopyTests {
    private let scratch = Scratch()

    /// The place goes, the date and every bit of the picture stay.
    @Test(.timeLimit(.minutes(3))) func onlyThePlaceGoes() async throws {
        let png = try scratch.file("a.png", Fixture.png(width: 400, height: 300))
        try await withReader { reader in
            let plain = try await reader.picture(of: png, fitting: 400).bytes
            let photo = try scratch.file("b.jpg", Fixture.jpeg(plain, exif: Fixture.exif(orientation: 6)))
            let path = "\(scratch.path)/copy.jpg"
            try await reader.copyWithoutPlace(of: photo, to: path)
            let copy = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            let reading = await reader.read(MediaFile(path: path, name: "c.jpg", modified: 0, byteCount: 0))
            #expect(reading.facts.place == nil)
            #expect(await reader.read(photo).facts.place != nil)
            #expect(reading.facts.taken?.source == .exif)
            #expect(reading.facts.size?.width == 300)
            // From the first table on, the file is the picture.
            let picture = plain.drop { $0 != 0xDB }
            #expect(copy.suffix(picture.count).elementsEqual(picture))
        }
    }

    /// What says nothing of a place is copied as it is; what is there already is not overwritten.
    @Test(.timeLimit(.minutes(3))) func nothingElseIsTouched() async throws {
        let bytes = Fixture.png(width: 40, height: 30)
        let file = try scratch.file("a.png", bytes)
        try await withReader { reader in
            try await reader.copyWithoutPlace(of: file, to: "\(scratch.path)/b.png")
            #expect(try Data(contentsOf: URL(fileURLWithPath: "\(scratch.path)/b.png")) == Data(bytes))
            await #expect(throws: MediaError.self) {
                try await reader.copyWithoutPlace(of: file, to: "\(scratch.path)/b.png")
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: "\(scratch.path)/b.png")) == Data(bytes))
        }
    }

    /// Names of places in IPTC, letters of the hemisphere that XMP has against its standard, and PNG's texts go too, with
    /// or without coordinates beside them; what else stands there stays.
    @Test(.slow, .timeLimit(.minutes(3))) func namesAndLettersGoToo() async throws {
        let exifTool = try #require(Machine.settings.exifTool)
        func tagged(_ name: String, _ bytes: [UInt8], _ tags: [String]) throws -> MediaFile {
            let file = try scratch.file(name, bytes)
            try Tool.run(exifTool, ["-config", "", "-q", "-overwrite_original"] + tags + [file.path])
            return file
        }
        let packet = """
            <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
            <rdf:Description rdf:about='' xmlns:exif='http://ns.adobe.com/exif/1.0/'
              xmlns:dc='http://purl.org/dc/elements/1.1/' exif:GPSLatitudeRef='N' exif:GPSLongitudeRef='E'
              dc:source='Kuh'/></rdf:RDF></x:xmpmeta>
            """
        let xmp = try scratch.file("packet.xmp", Array(packet.utf8)).path
        let text = Fixture.chunk("tEXt", Array("exif:GPSLatitude\0".utf8) + Array("52/1, 30/1, 0/1".utf8))
        let png = Fixture.png(width: 40, height: 30)
        try await withReader { reader in
            let plain = try await reader.picture(of: scratch.file("p.png", png), fitting: 40).bytes
            let files = [
                try tagged(
                    "names.jpg", plain, ["-IPTC:ContentLocationName=Alm", "-IPTC:City=Alm", "-IPTC:By-line=Kuh"]),
                try tagged("letters.jpg", plain, ["-XMP<=\(xmp)"]),
                try tagged(
                    "both.jpg", Fixture.jpeg(plain, exif: Fixture.exif(orientation: 1)),
                    ["-IPTC:ContentLocationName=Alm", "-XMP<=\(xmp)"]),
                try scratch.file("text.png", Array(png.dropLast(12)) + text + png.suffix(12)),
            ]
            for file in files {
                let copy = "\(scratch.path)/copy-\(file.name)"
                try await reader.copyWithoutPlace(of: file, to: copy)
                func said(_ path: String) throws -> String {
                    let tags = ["-GPS:all", "-XMP:GPS*", "-IPTC:ContentLocation*", "-IPTC:City", "-PNG:ExifGPS*"]
                    let answer = try Tool.run(exifTool, ["-config", "", "-s"] + tags + [path])
                    return String(decoding: answer, as: UTF8.self)
                }
                #expect(try said(file.path) != "", "\(file.name) says no place before")
                #expect(try said(copy) == "", "\(file.name)")
                if file.name.hasSuffix(".jpg") {
                    let kept = try Tool.run(exifTool, ["-config", "", "-s3", "-By-line", "-Source", "-Make", copy])
                    #expect(String(decoding: kept, as: UTF8.self).contains("Kuh"), "\(file.name)")
                }
            }
        }
    }

    /// No copy is made of a file that says a place where nothing can be changed.
    @Test(
        .enabled(if: Machine.settings.ffmpeg != nil, "FFmpeg is not installed"), .timeLimit(.minutes(3)))
    func whatCannotBeChangedIsNotCopied() async throws {
        let film = "\(scratch.path)/film.mkv", copy = "\(scratch.path)/copy.mkv"
        try Tool.run(
            #require(Machine.settings.ffmpeg),
            [
                "-v", "quiet", "-f", "lavfi", "-i", "color=size=64x48:rate=10:duration=1", "-c:v", "mpeg4", "-metadata",
                "location=+52.5000+013.2500/", film,
            ])
        try await withReader { reader in
            let file = MediaFile(path: film, name: "film.mkv", modified: 0, byteCount: 0)
            #expect(await reader.read(file).facts.place != nil)
            await #expect(throws: MediaError.self) { try await reader.copyWithoutPlace(of: file, to: copy) }
            #expect(!FileManager.default.fileExists(atPath: copy))
        }
    }

    /// The film of a Motion Photo has its place taken out, in place; what else it holds stays.
    @Test func filmsInsidePhotosLoseTheirPlace() throws {
        func box(_ type: [UInt8], _ content: [UInt8]) -> [UInt8] {
            Fixture.bigEndian(content.count + 8, 4) + type + content
        }
        let place = box([0xA9] + Array("xyz".utf8), Array("\0\u{12}+52.5000+013.2500/".utf8))
        let film =
            box(Array("ftyp".utf8), Array("mp42".utf8))
            + box(Array("moov".utf8), box(Array("udta".utf8), place + box(Array("name".utf8), Array("Kuh".utf8))))
        let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]
        let path = try scratch.file("a.jpg", picture + film).path
        let file = try Descriptor(opening: path, .update)
        #expect(try MovingPlace.clear(4..<UInt64(4 + film.count), in: file))
        let cleared = file.contents(byteCountMax: 1 << 16)
        #expect(cleared.count == picture.count + film.count)
        #expect(!cleared.contains(subsequence: "+52.5") && cleared.contains(subsequence: "Kuh"))

        let key = box(Array("moov".utf8), Array("mdtacom.apple.quicktime.location.ISO6709".utf8))
        let other = try Descriptor(opening: try scratch.file("b.mov", key).path, .update)
        #expect(try !MovingPlace.clear(0..<UInt64(key.count), in: other))
    }
}
