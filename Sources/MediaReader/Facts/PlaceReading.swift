import AlbumModel

/// Where a photo was taken.
enum PlaceReading {
    /// Metres: from below the deepest sea to the edge of space.
    private static let altitudes = -12_000.0...100_000.0

    /// `nil` where the file says nothing, nothing possible, or exactly 0, 0: a receiver without a fix writes that, and
    /// nobody takes photos in that spot of the Gulf of Guinea.
    static func find(in raw: RawMetadata) -> Place? {
        guard let (latitude, longitude, altitude) = coordinates(raw) else { return nil }
        guard abs(latitude) <= 90, abs(longitude) <= 180, latitude != 0 || longitude != 0 else { return nil }
        let metres = altitude.flatMap { altitudes.contains($0) ? $0 : nil }
        return Place(
            latitudeMicrodegrees: Int32((latitude * 1e6).rounded()),
            longitudeMicrodegrees: Int32((longitude * 1e6).rounded()),
            altitudeCentimetres: metres.map { Int32(($0 * 100).rounded()) })
    }

    private typealias Coordinates = (latitude: Double, longitude: Double, altitude: Double?)

    private static func coordinates(_ raw: RawMetadata) -> Coordinates? {
        let exif: [MetadataKey] = [
            .latitude, .latitudeRef, .longitude, .longitudeRef, .writtenLatitude, .writtenLongitude,
        ]
        // Whoever emptied EXIF's place may have forgotten the copy in XMP.
        guard !exif.contains(where: { raw[$0] != nil }) else { return self.exif(raw) }
        return film(raw) ?? FilmLocation.find(in: raw) ?? avchd(raw) ?? xmp(raw)
    }

    private static func exif(_ raw: RawMetadata) -> Coordinates? {
        let altitude = altitude(raw, .altitude, .altitudeRef)
        return signed(
            raw[.writtenLatitude] ?? raw[.latitude], raw[.latitudeRef], raw[.writtenLongitude] ?? raw[.longitude],
            raw[.longitudeRef], altitude)
    }

    private static func avchd(_ raw: RawMetadata) -> Coordinates? {
        signed(raw[.h264Latitude], raw[.h264LatitudeRef], raw[.h264Longitude], raw[.h264LongitudeRef], nil)
    }

    /// Without a letter for the hemisphere the place is on one side of the world or the other: none is better.
    private static func signed(
        _ latitude: String?, _ latitudeRef: String?, _ longitude: String?, _ longitudeRef: String?, _ altitude: Double?
    ) -> Coordinates? {
        guard let latitude = latitude.flatMap(degrees), let longitude = longitude.flatMap(degrees),
            let north = sign(latitudeRef, positive: "N", negative: "S"),
            let east = sign(longitudeRef, positive: "E", negative: "W")
        else { return nil }
        return (latitude * north, longitude * east, altitude)
    }

    private static func xmp(_ raw: RawMetadata) -> Coordinates? {
        guard var latitude = raw.number(.xmpLatitude), var longitude = raw.number(.xmpLongitude) else { return nil }
        if sign(raw[.xmpLatitudeRef], positive: "N", negative: "S") == -1 { latitude = -abs(latitude) }
        if sign(raw[.xmpLongitudeRef], positive: "E", negative: "W") == -1 { longitude = -abs(longitude) }
        return (latitude, longitude, altitude(raw, .xmpAltitude, .xmpAltitudeRef))
    }

    private static func film(_ raw: RawMetadata) -> Coordinates? {
        let keys: [MetadataKey] = [.keysCoordinates, .itemCoordinates, .userCoordinates]
        guard let text = keys.lazy.compactMap({ raw[$0] }).first else { return nil }
        let numbers = text.split(separator: " ").map(RawMetadata.number)
        guard numbers.count >= 2, let latitude = numbers[0], let longitude = numbers[1] else { return nil }
        return (latitude, longitude, numbers.count > 2 ? numbers[2] : nil)
    }

    /// Degrees as one number, or with minutes and seconds behind them.
    private static func degrees(_ text: String) -> Double? {
        let numbers = text.split(separator: " ").map(RawMetadata.number)
        guard (1...3).contains(numbers.count), numbers.allSatisfy({ ($0 ?? -1) >= 0 }) else { return nil }
        return zip(numbers, [1, 60, 3600.0]).reduce(0) { $0 + ($1.0 ?? 0) / $1.1 }
    }

    private static func sign(_ text: String?, positive: Character, negative: Character) -> Double? {
        switch text?.trimmed.first {
        case positive: 1
        case negative: -1
        default: nil
        }
    }

    private static func altitude(_ raw: RawMetadata, _ key: MetadataKey, _ ref: MetadataKey) -> Double? {
        guard let metres = raw.number(key) else { return nil }
        // EXIF 3: 1 and 3 are below, above sea level or the ellipsoid.
        return raw[ref].map { ["1", "3"].contains($0.trimmed) } == true ? -metres : metres
    }
}
