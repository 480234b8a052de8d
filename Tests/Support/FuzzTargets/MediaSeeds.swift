import MediaWorkerProtocol

/// Small inputs of the kinds that photos are made of.
enum MediaSeeds {
    static var reports: [[UInt8]] {
        var report = Report()
        (report.container, report.width, report.height, report.mayHoldMore) = (.jpeg, 40, 30, true)
        report.tags = [.init(name: "EXIF:Make", value: "Maker"), .init(name: "EXIF:GPSLatitude", value: "1.5")]
        report.picture = .init(width: 4, height: 3, bytes: [0xFF, 0xD8, 0xFF])
        var refused = Report()
        refused.problem = "the file is cut short"
        return [report.bytes, refused.bytes]
    }

    static let starts: [[UInt8]] = [
        [0xFF, 0xD8, 0xFF, 0xE0], Array("RIFF....WEBP".utf8), [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0],
        [0, 0, 0, 24] + Array("ftypheic".utf8) + [0, 0, 0, 0] + Array("mif1heic".utf8),
        Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8),
    ]

    static let xmp: [[UInt8]] = [
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/"
        xmlns:tiff="http://ns.adobe.com/tiff/1.0/" exif:GPSLatitude="48,8.5N" exif:GPSAltitude="300/10"
        tiff:Make="A &amp; B"><exif:DateTimeOriginal>2024-05-04T10:20:30+02:00</exif:DateTimeOriginal>
        </rdf:Description></x:xmpmeta>
        """
    ].map { Array($0.utf8) }

    /// Make, GPS with a latitude of fractions, and a moment with an offset; in both orders of bytes.
    static var exif: [[UInt8]] { [false, true].map(exif(isBigEndian:)) }

    private static func exif(isBigEndian: Bool) -> [UInt8] {
        func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
            let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
            return isBigEndian ? bytes.reversed() : bytes
        }
        func entry(_ tag: Int, _ type: Int, _ count: Int, at offset: Int) -> [UInt8] {
            number(tag, 2) + number(type, 2) + number(count, 4) + number(offset, 4)
        }
        func directory(_ entries: [UInt8]...) -> [UInt8] {
            number(entries.count, 2) + entries.flatMap { $0 } + number(0, 4)
        }
        // Places in what follows: the main directory, the shot's, GPS, then the values.
        let (main, shot, place) = (8, 50, 80)
        let values = place + 30
        return (isBigEndian ? Array("MM".utf8) : Array("II".utf8)) + number(42, 2) + number(main, 4)
            + directory(
                entry(0x010F, 2, 6, at: values), entry(0x8769, 4, 1, at: shot), entry(0x8825, 4, 1, at: place))
            + directory(entry(0x9003, 2, 20, at: values + 6), entry(0x9011, 2, 4, at: 0x0030_3A31))
            + directory(entry(0x0001, 2, 2, at: 0x4E), entry(0x0002, 5, 3, at: values + 26))
            + Array("Maker\0".utf8) + Array("2024:05:04 10:20:30\0".utf8)
            + [48, 1, 8, 1, 30, 1].flatMap { number($0, 4) }
    }

    /// Boxes with what is repaired: metadata of two pictures, an auxiliary picture of two, a size behind a rotation.
    static var heif: [[UInt8]] {
        let kind = box("ftyp", Array("heic".utf8), [0, 0, 0, 0])
        let references = box(
            "iref", [0, 0, 0, 0], box("cdsc", [0, 3, 0, 2, 0, 1, 0, 2]), box("auxl", [0, 4, 0, 2, 0, 1, 0, 2]))
        let properties = box(
            "iprp", box("ipco", box("irot", [1]), box("ispe", [0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 3])),
            box("ipma", [0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 2, 0x81, 2]))
        return [
            kind + box("meta", [0, 0, 0, 0], references, properties),
            kind + box("meta", [0, 0, 0, 0], box("free"), properties),
        ]
    }

    private static func box(_ kind: String, _ parts: [UInt8]...) -> [UInt8] {
        let content = parts.flatMap { $0 }
        return bigEndian(8 + content.count) + Array(kind.utf8) + content
    }

    /// A date as text, and EXIF behind the pixels.
    static var png: [[UInt8]] {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let begin = signature + chunk("IHDR", [0, 0, 0, 4, 0, 0, 0, 3, 8, 2, 0, 0, 0])
        let dated = begin + chunk("tEXt", Array("Creation Time\0today".utf8))
        let tagged = begin + chunk("IDAT", [1, 2]) + chunk("eXIf", Array("MM".utf8))
        return [dated + chunk("IEND", []), tagged + chunk("IEND", [])]
    }

    /// Without a sum, which nobody looks at.
    private static func chunk(_ kind: String, _ content: [UInt8]) -> [UInt8] {
        bigEndian(content.count) + Array(kind.utf8) + content + [0, 0, 0, 0]
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    /// A JPEG of 4 × 3 pixels, of which nobody decodes any: tables, a frame, and two scans.
    static let pictures: [[UInt8]] = [
        [
            0xFF, 0xD8, 0xFF, 0xDB, 0, 4, 1, 2, 0xFF, 0xC2, 0, 11, 8, 0, 3, 0, 4, 1, 1, 0x11, 0, 0xFF, 0xC4, 0, 3, 0,
            0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x12, 0xFF, 0, 0x34, 0xFF, 0xD0, 0x56, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0,
            63, 0, 0x78, 0xFF, 0xD9,
        ]
    ]

    /// ExifTool's, of a photo and of a film.
    static let answers: [[UInt8]] = [
        """
        File\tFileType\tJPEG
        File\tImageWidth\t4000
        File\tImageHeight\t3000
        EXIF:IFD0\tMake\tMaker
        EXIF:IFD0\tOrientation\t6
        EXIF:ExifIFD\tDateTimeOriginal\t2024:05:04 10:20:30
        EXIF:ExifIFD\tSubSecTimeOriginal\t054
        EXIF:ExifIFD\tOffsetTimeOriginal\t+02:00
        EXIF:GPS\tGPSLatitude\t48 8 30.5
        EXIF:GPS\tGPSLatitudeRef\tS
        EXIF:GPS\tGPSLongitude\t11.5
        EXIF:GPS\tGPSLongitudeRef\tE
        EXIF:GPS\tGPSDateStamp\t2024:05:04
        EXIF:GPS\tGPSTimeStamp\t08:20:29.99
        """,
        """
        File\tFileType\tMP4
        File\tMIMEType\tvideo/mp4
        QuickTime\tDuration\t3.5
        QuickTime\tCreateDate\t2024:05:04 08:20:30
        QuickTime:Keys\tCreationDate\t2024:05:04 10:20:30.25+02:00
        QuickTime:Keys\tLocation\t+52.5000+013.4000+030.000/
        QuickTime:Track1\tSourceImageWidth\t1920
        QuickTime:Track1\tSourceImageHeight\t1080
        QuickTime:UserData\tLocationInformation\tsea Role=shooting Lat=52.5 Lon=13.4 Alt=30.00
        Composite\tRotation\t90
        """,
    ].map { Array($0.utf8) }
}
