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
}
