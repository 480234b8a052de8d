import MediaWorkerProtocol

/// What the XMP packet of a photo says, by ExifTool's names.
///
/// Not a reader of RDF: it looks for the properties that a photo's facts are made of, by their namespaces, as attributes
/// or as elements of plain text, and knows nothing of what stands around them.
struct XMPReader {
    private(set) var tags: [Report.Tag] = []
    /// Short names of the namespaces that matter, by the prefixes that this packet gives them.
    private var namespaces: [Substring: String] = [:]

    private static let shortNames: [String: String] = [
        "http://ns.adobe.com/exif/1.0/": "exif", "http://cipa.jp/exif/1.0/": "exifEX",
        "http://ns.adobe.com/exif/1.0/aux/": "aux", "http://ns.adobe.com/tiff/1.0/": "tiff",
        "http://ns.adobe.com/xap/1.0/": "xmp", "http://ns.adobe.com/photoshop/1.0/": "photoshop",
        "http://ns.google.com/photos/1.0/camera/": "camera",
        "http://ns.google.com/photos/1.0/container/item/": "item",
    ]
    private static let names: [String: String] = [
        "exif:DateTimeOriginal": "DateTimeOriginal", "exif:DateTimeDigitized": "DateTimeDigitized",
        "photoshop:DateCreated": "DateCreated", "xmp:CreateDate": "CreateDate",
        "exif:GPSLatitude": "GPSLatitude", "exif:GPSLongitude": "GPSLongitude", "exif:GPSAltitude": "GPSAltitude",
        "exif:GPSLatitudeRef": "GPSLatitudeRef", "exif:GPSLongitudeRef": "GPSLongitudeRef",
        "exif:GPSAltitudeRef": "GPSAltitudeRef", "exif:GPSTimeStamp": "GPSDateTime",
        "tiff:Make": "Make", "tiff:Model": "Model", "tiff:Orientation": "Orientation",
        "aux:SerialNumber": "SerialNumber", "exifEX:BodySerialNumber": "SerialNumber", "exifEX:LensModel": "LensModel",
        "camera:BurstID": "BurstID", "camera:MicroVideo": "MicroVideo", "camera:MicroVideoOffset": "MicroVideoOffset",
        "camera:MotionPhoto": "MotionPhoto",
        "item:Semantic": "DirectoryItemSemantic", "item:Length": "DirectoryItemLength",
    ]
    /// Properties that stand once in each member of a list: each gives a tag of its own.
    private static let listed: Set<String> = ["DirectoryItemSemantic", "DirectoryItemLength"]
    private static let byteCountMax = 1 << 20
    private static let itemCountMax = 16

    init(_ packet: some Collection<UInt8>) {
        var scanner = MarkupScanner(Array(packet.prefix(Self.byteCountMax)))
        var open = ""
        while let part = scanner.next() {
            switch part {
            case .element(let name, let attributes):
                open = name
                for attribute in attributes where attribute.name.hasPrefix("xmlns:") {
                    namespaces[attribute.name.dropFirst(6)] = Self.shortNames[attribute.value]
                }
                for attribute in attributes { take(attribute.name, attribute.value) }
            case .text(let text): take(open, text)
            case .end: open = ""
            }
        }
    }

    private mutating func take(_ property: String, _ value: String) {
        let parts = property.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, !value.isEmpty, let namespace = namespaces[parts[0]],
            let name = Self.names[namespace + ":" + parts[1]]
        else { return }
        let countMax = Self.listed.contains(name) ? Self.itemCountMax : 1
        guard tags.count(where: { $0.name == "XMP:" + name }) < countMax else { return }
        tags.append(Report.Tag(name: "XMP:" + name, value: form(name, value)))
    }

    private func form(_ name: String, _ value: String) -> String {
        switch name {
        case "DateTimeOriginal", "DateTimeDigitized", "DateCreated", "CreateDate", "GPSDateTime": Self.date(value)
        case "GPSLatitude", "GPSLongitude": Self.coordinate(value) ?? value
        case "GPSAltitude": Self.fraction(value) ?? value
        default: value
        }
    }

    /// From ISO 8601 to EXIF's way, as ExifTool does: `2020:07:10 06:16:29.23+02:00`.
    static func date(_ value: String) -> String {
        let halves = value.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        let day = String(halves[0].map { $0 == "-" ? ":" : $0 })
        return halves.count == 2 ? day + " " + halves[1] : day
    }

    /// `39,3.08N` or `39,3,5N`: degrees and minutes, or degrees, minutes and seconds; north and east are positive. The
    /// same with other marks, as people write it: `39° 3' 4.8" N`.
    static func coordinate(_ value: String) -> String? {
        guard let direction = value.last, "NSEW".contains(direction), !value.contains("-"),
            let written = WrittenTriple(value.dropLast(), allowsPair: true)
        else { return nil }
        let degrees = zip(written.parts, [1.0, 60, 3600]).reduce(0) { $0 + $1.0 / $1.1 }
        return Text.number("SW".contains(direction) ? -degrees : degrees, digits: 13)
    }

    static func fraction(_ value: String) -> String? {
        let parts = value.split(separator: "/").map { Double($0) }
        guard parts.count == 2, let above = parts[0], let below = parts[1], below != 0 else { return nil }
        return Text.number(above / below)
    }
}
