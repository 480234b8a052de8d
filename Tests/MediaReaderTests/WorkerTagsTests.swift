import MediaWorkerProtocol
import Testing

@testable import MediaWorker

/// What a worker reads of metadata by itself.
@Suite struct WorkerTagsTests {
    private func values(_ tags: [Report.Tag]) -> [String: String] {
        Dictionary(tags.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// Date, orientation, camera and place of an EXIF block, as ExifTool would name and write them.
    @Test func exifIsRead() throws {
        let exif = try #require(ExifReader(Fixture.exif(orientation: 6)))
        #expect(
            values(exif.tags) == [
                "EXIF:Make": "Kuh", "EXIF:Orientation": "6", "EXIF:DateTimeOriginal": "2024:07:01 12:30:05",
                "EXIF:GPSLatitudeRef": "N", "EXIF:GPSLatitude": "52.5", "EXIF:GPSLongitudeRef": "E",
                "EXIF:GPSLongitude": "13.25",
            ])
        #expect(!exif.mayHoldMore)
        #expect(ExifReader([0xFF, 0xE1, 0, 0] + Fixture.exif(orientation: 1)) != nil)
    }

    /// A block that is cut or altered gives what is left of it; nothing is read that is not there.
    @Test func damagedExifIsNoTrap() {
        let block = Fixture.exif(orientation: 1)
        for count in block.indices { _ = ExifReader(Array(block.prefix(count))) }
        for index in block.indices {
            for value in [0, 0x7F, 0x80, 0xFF] as [UInt8] {
                var other = block
                other[index] = value
                _ = ExifReader(other)
            }
        }
        #expect(ExifReader(Array(block.prefix(40)))?.mayHoldMore == true)
    }

    /// Apple's notes name what the two halves of a Live Photo share.
    @Test func applesNotesAreRead() throws {
        let identifier = Array("570F1469-09C7\0".utf8)
        let head = Array("Apple iOS\0\0\u{1}MM".utf8)
        let notes =
            head + Fixture.directory([(0x11, 2, head.count + 2 + 12 + 4)], counts: [0x11: identifier.count])
            + identifier
        let main: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
        let block =
            main + Fixture.directory([(0x8769, 4, 26)])
            + Fixture.directory([(0x927C, 7, 44)], counts: [0x927C: notes.count]) + notes
        let exif = try #require(ExifReader(block))
        #expect(exif.tags == [.init(name: "MakerNotes:ContentIdentifier", value: "570F1469-09C7")])
    }

    /// Properties are known by their namespaces, whatever the prefix, as attributes and as elements.
    @Test func xmpIsRead() {
        let packet = """
            <?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF>
            <rdf:Description xmlns:e="http://ns.adobe.com/exif/1.0/" e:DateTimeOriginal='2024-07-01T12:30:05.25+02:00'
             e:GPSLatitude="52,30.0N" e:GPSLongitude="0,7,30W" other:Make="no" xmlns:C="http://ns.google.com/photos/1.0/camera/"
             C:MotionPhoto="1"><tiff:Make xmlns:tiff="http://ns.adobe.com/tiff/1.0/">Kuh &amp; Co &lt;b&gt;</tiff:Make>
            <!-- tiff:Model="no" --><Container:Directory xmlns:I="http://ns.google.com/photos/1.0/container/item/">
            <I:x I:Semantic="Primary"/><I:x I:Semantic="MotionPhoto" I:Length="4711"/></Container:Directory>
            """
        let tags = XMPReader(Array(packet.utf8)).tags
        #expect(
            tags.map { "\($0.name)=\($0.value)" } == [
                "XMP:DateTimeOriginal=2024:07:01 12:30:05.25+02:00", "XMP:GPSLatitude=52.5", "XMP:GPSLongitude=-0.125",
                "XMP:MotionPhoto=1", "XMP:Make=Kuh & Co <b>", "XMP:DirectoryItemSemantic=Primary",
                "XMP:DirectoryItemSemantic=MotionPhoto", "XMP:DirectoryItemLength=4711",
            ])
        for count in packet.utf8.indices { _ = XMPReader(Array(packet.utf8[..<count])) }
    }

    /// A HEIF file whose references name several targets at once gets a list of the same length that old libraries read.
    @Test func referencesAreRepaired() throws {
        func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
            Fixture.bigEndian(content.count + 8, 4) + Array(type.utf8) + content
        }
        func reference(_ type: String, _ from: Int, _ to: [Int]) -> [UInt8] {
            box(
                type,
                Fixture.bigEndian(from, 2) + Fixture.bigEndian(to.count, 2) + to.flatMap { Fixture.bigEndian($0, 2) })
        }
        func file(_ references: [UInt8]) -> [UInt8] {
            box("ftyp", Array("heic".utf8)) + box("meta", [0, 0, 0, 0] + box("iref", [0, 0, 0, 0] + references))
                + box("mdat", [1, 2, 3])
        }
        let damaged = file(
            reference("thmb", 47, [46]) + reference("auxl", 64, [46, 68]) + reference("cdsc", 69, [46, 68])
                + reference("auxl", 63, [46]))
        let repaired = file(
            reference("thmb", 47, [46]) + reference("cdsc", 69, [46]) + reference("auxl", 63, [46])
                + reference("skip", 0, [0, 0, 0]))
        #expect(HEIFRepair.repaired(damaged) == repaired)
        #expect(HEIFRepair.repaired(repaired) == nil)
        for count in damaged.indices { _ = HEIFRepair.repaired(Array(damaged.prefix(count))) }
    }

    /// Kinds are known by content; what is none of ours is unknown.
    @Test func containersAreKnownByTheirFirstBytes() {
        #expect(Container(start: Fixture.png(width: 1, height: 1)) == .png)
        #expect(Container(start: Fixture.blackTIFF(side: 1).header) == .tiff)
        #expect(Container(start: Array("\0\0\0\u{18}ftypheic\0\0\0\0mif1heic".utf8)) == .heif)
        #expect(Container(start: Array("\0\0\0\u{18}ftypmif1\0\0\0\0mif1avif".utf8)) == .avif)
        #expect(Container(start: Array("\0\0\0\u{10}ftypcrx \0\0\0\0".utf8)) == .raw)
        #expect(Container(start: Array("\0\0\0\u{10}ftypqt  \0\0\0\0".utf8)) == .video)
        #expect(Container(start: Array(" <x:xmpmeta xmlns:x='adobe:ns:meta/'>".utf8)) == .sidecar)
        for other in ["", "<svg/>", "<html>", "%PDF-1.7", "GIF8", "\0\0\0\u{8}ftyp"] {
            #expect(Container(start: Array(other.utf8)) == .unknown, "\(other)")
        }
    }
}
