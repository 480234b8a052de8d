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

    /// Coordinates and times that are text are read with decimal commas, under names of their own; make and model may
    /// stand beside the date.
    @Test func writtenPlacesAreRead() throws {
        let latitude = Array("52,00000,50,00000,34,01180\0".utf8), longitude = Array("11,10,58.2836\0".utf8)
        let time = Array("17,00000,8,00000,29,00000\0".utf8), make = Array("Kuh\0".utf8)
        let shot = 8 + 2 + 2 * 12 + 4, place = shot + 2 + 12 + 4, data = place + 2 + 5 * 12 + 4
        let head: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
        let block =
            head + Fixture.directory([(0x8769, 4, shot), (0x8825, 4, place)])
            + Fixture.directory([(0x010F, 2, make.reduce(0) { $0 << 8 | Int($1) })], counts: [0x010F: make.count])
            + Fixture.directory(
                [
                    (1, 2, 0x4E00_0000), (2, 2, data), (3, 2, 0x4500_0000), (4, 2, data + latitude.count),
                    (7, 2, data + latitude.count + longitude.count),
                ], counts: [2: latitude.count, 4: longitude.count, 7: time.count])
            + latitude + longitude + time
        let found = values(try #require(ExifReader(block)).tags)
        #expect(found["EXIF:Make"] == "Kuh")
        #expect(found["EXIF:WrittenGPSLatitude"]?.hasPrefix("52.842781") == true)
        #expect(found["EXIF:WrittenGPSLongitude"]?.hasPrefix("11.182856") == true)
        #expect(found["EXIF:WrittenGPSTimeStamp"] == "17:08:29")
        #expect(found["EXIF:GPSLatitude"] == nil)
        for count in block.indices { _ = ExifReader(Array(block.prefix(count))) }
    }

    /// Three numbers as people write them; what can be read in two ways is not read.
    @Test(
        arguments: [
            ("52,50,34.5", [52, 50, 34.5]), ("52 50 34", [52, 50, 34]), ("52/1,50/1,3450/100", [52, 50, 34.5]),
            ("52° 50' 34.5\"", [52, 50, 34.5]), ("52.75", [52.75, 0, 0]), ("52,5,50,25,34,75", [52.5, 50.25, 34.75]),
            ("52,75", nil), ("52,50,34,5", nil), ("-52.75", nil), ("52,99,1", nil), ("", nil), ("no", nil),
            ("52/0", nil), ("1,2,3,4,5,6,7", nil), ("1.2.3", nil), (".", nil), ("/", nil), ("1/2/3", nil),
        ] as [(String, [Double]?)])
    func writtenTriplesAreRead(_ text: String, _ parts: [Double]?) { #expect(WrittenTriple(text)?.parts == parts) }

    /// XMP's coordinates, by its standard and as people write them.
    @Test func writtenCoordinatesOfXMPAreRead() {
        #expect(XMPReader.coordinate("52,30.0N") == "52.5" && XMPReader.coordinate("52,30N") == "52.5")
        #expect(XMPReader.coordinate("52° 30' 0.0\" S") == "-52.5" && XMPReader.coordinate("52 deg 30' W") == "-52.5")
        #expect(XMPReader.coordinate("52.5") == nil && XMPReader.coordinate("-52.5 S") == nil)
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
        let kept = reference("thmb", 47, [46]) + reference("cdsc", 69, [46]) + reference("auxl", 63, [46])
        let repaired =
            box("ftyp", Array("heic".utf8))
            + box(
                "meta", [0, 0, 0, 0] + box("iref", [0, 0, 0, 0] + kept) + box("free", Array(repeating: 0, count: 10)))
            + box("mdat", [1, 2, 3])
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
