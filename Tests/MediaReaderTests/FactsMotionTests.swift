import AlbumModel
import Glibc
import Testing

@testable import MediaReader

/// Films behind pictures, as Google's and Samsung's phones put them there.
@Suite struct FactsMotionTests {
    private let film = tinyFilm(seconds: 3)

    /// The facts of a file with these bytes whose XMP says this.
    private func facts(_ bytes: [UInt8], _ raw: RawMetadata = [:]) throws -> PhotoFacts {
        let folder = try FactsFolder()
        let path = try folder.write(bytes, as: "photo")
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        var raw = raw
        MovingPartReader.add(to: &raw, descriptor: descriptor, byteCount: UInt64(bytes.count))
        return MetadataReading.facts(from: raw, name: "photo", modified: 0, readerVersion: 1)
    }

    private func expect(_ facts: PhotoFacts, at start: Int, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(facts.kind == .motion, sourceLocation: sourceLocation)
        #expect(
            facts.movingPart == UInt64(start)..<UInt64(start + film.count), sourceLocation: sourceLocation)
        #expect(facts.durationMilliseconds == 3000, sourceLocation: sourceLocation)
    }

    @Test func microVideosAreFound() throws {
        let raw: RawMetadata = [.microVideo: "1", .microVideoOffset: "\(film.count)"]
        expect(try facts(tinyJPEG + film, raw), at: tinyJPEG.count)
    }

    /// With the first item's length, without it, and with a gain map before and something else behind the film.
    @Test func motionPhotosAreFound() throws {
        var raw: RawMetadata = [
            .motionPhoto: "1", .itemSemantic: "Primary", .itemSemantic: "MotionPhoto", .itemLength: "0",
            .itemLength: "\(film.count)",
        ]
        expect(try facts(tinyJPEG + film, raw), at: tinyJPEG.count)
        raw = [
            .motionPhoto: "1", .itemSemantic: "Primary, GainMap, MotionPhoto, Depth",
            .itemLength: "10, \(film.count), 4",
        ]
        let between = [UInt8](repeating: 0, count: 10)
        expect(try facts(tinyJPEG + between + film + [1, 2, 3, 4], raw), at: tinyJPEG.count + 10)
    }

    /// What an editor cut off, or moved, is not there.
    @Test func filmsThatAreGoneAreNotClaimed() throws {
        let raws: [RawMetadata] = [
            [.microVideo: "1", .microVideoOffset: "\(film.count)"], [.microVideo: "1", .microVideoOffset: "0"],
            [.microVideo: "1", .microVideoOffset: "99999999999"], [.microVideo: "1"], [.motionPhoto: "1"],
            [.motionPhoto: "1", .itemSemantic: "MotionPhoto", .itemLength: "5"],
            [.motionPhoto: "1", .itemSemantic: "Primary, MotionPhoto", .itemLength: "\(UInt64.max)"],
            [.motionPhoto: "1", .itemSemantic: "Primary, MotionPhoto", .itemLength: "-5"],
            [.motionPhoto: "1", .itemSemantic: "Primary, MotionPhoto, X", .itemLength: "5, \(UInt64.max)"],
        ]
        for raw in raws {
            for bytes in [tinyJPEG, [], [0xFF], tinyJPEG + [UInt8](repeating: 0xFF, count: film.count)] {
                let found = try facts(bytes, raw)
                #expect(found.kind == .photo)
                #expect(found.movingPart == nil)
            }
        }
    }

    /// Samsung's trailer: the film under its name, a directory, "SEFT".
    private func trailer(type: UInt16 = 0x0A30, distance: UInt32? = nil, byteCount: UInt32? = nil) -> [UInt8] {
        let name = Array("MotionPhoto_Data".utf8)
        let mark: [UInt8] = [0, 0, UInt8(type & 0xFF), UInt8(type >> 8)]
        let thing = mark + littleEndian(UInt32(name.count)) + name + film
        let directory =
            Array("SEFH".utf8) + littleEndian(101) + littleEndian(1) + mark
            + littleEndian(distance ?? UInt32(thing.count)) + littleEndian(byteCount ?? UInt32(thing.count))
        return thing + directory + littleEndian(UInt32(directory.count)) + Array("SEFT".utf8)
    }

    @Test func samsungsTrailersAreRead() throws {
        expect(try facts(tinyJPEG + trailer()), at: tinyJPEG.count + 8 + 16)
    }

    @Test func brokenTrailersGiveNothing() throws {
        let broken: [[UInt8]] = [
            trailer(type: 0x0100), trailer(distance: .max), trailer(byteCount: .max), trailer(distance: 0),
            trailer(byteCount: 3), trailer(distance: 20), Array("\u{0}\u{0}\u{0}\u{0}SEFT".utf8),
            [0xFF, 0xFF, 0xFF, 0xFF] + Array("SEFT".utf8),
            Array("SEFH".utf8) + littleEndian(101) + littleEndian(.max) + littleEndian(12) + Array("SEFT".utf8),
        ]
        for trailer in broken { #expect(try facts(tinyJPEG + trailer).movingPart == nil) }
    }

    /// A HEIC has the film in a box of its own.
    @Test func heicMotionPhotosAreFound() throws {
        let head = box("ftyp", Array("heic".utf8) + bigEndian(0)) + box("meta", [1, 2, 3]) + box("mdat", [4])
        let raw: RawMetadata = [.fileType: "HEIC", .mimeType: "image/heic"]
        expect(try facts(head + box("mpvd", film) + box("sefd", [1]), raw), at: head.count + 8)
        for odd in [[], bigEndian(1) + Array("mpvd".utf8), bigEndian(7) + Array("free".utf8), bigEndian(0)] {
            #expect(try facts(head + odd, raw).movingPart == nil)
        }
        #expect(try facts(tinyFilm(seconds: 1), [.mimeType: "video/mp4"]).kind == .video)
    }
}
