import AlbumModel

/// When a photo was taken: the best of what its metadata, its name and its file's date say.
enum CaptureTimes {
    /// One place where a date may stand, and what belongs to it there.
    private struct Statement {
        var date: MetadataKey
        var subSeconds: MetadataKey?
        var offset: MetadataKey?
        var source: CaptureTime.Source
        /// The date is in UTC where it says nothing else.
        var isUTC = false
    }

    // An offset counts only where it is stated for the date in question: OffsetTime belongs to the date of the last
    // change (EXIF 2.31, table 8), which an editor at home writes, and a date in XMP has the offset of the computer
    // that wrote it where EXIF has none. A difference between the camera's clock and GPS is no statement either: it
    // holds the clock's own error, and fixes are kept for hours, so it goes to ``PhotoFacts/gpsMilliseconds`` for
    // those who compare clocks.

    private static let pictures: [Statement] = [
        Statement(
            date: .dateTimeOriginal, subSeconds: .subSecondsOriginal, offset: .offsetOriginal, source: .exif),
        Statement(
            date: .dateTimeDigitized, subSeconds: .subSecondsDigitized, offset: .offsetDigitized, source: .exif),
        Statement(date: .xmpDateTimeOriginal, source: .xmp),
        Statement(date: .xmpDateCreated, source: .xmp),
        Statement(date: .xmpCreateDate, source: .xmp),
        Statement(date: .xmpDateTimeDigitized, source: .xmp),
        Statement(date: .pngCreationTime, source: .xmp),
        Statement(date: .keysCreationDate, source: .quickTime),
        Statement(date: .quickTimeCreateDate, source: .quickTime, isUTC: true),
    ]

    /// A film's container first: it says with an offset what EXIF beside it says without. Then what is on the camera's
    /// clock, then what is in UTC.
    private static let films: [Statement] = [
        Statement(date: .keysCreationDate, source: .quickTime),
        Statement(date: .itemContentCreateDate, source: .quickTime),
        Statement(date: .userContentCreateDate, source: .quickTime),
        Statement(date: .xmlCreationDate, source: .quickTime),
        Statement(
            date: .dateTimeOriginal, subSeconds: .subSecondsOriginal, offset: .offsetOriginal, source: .exif),
        Statement(date: .userDateTimeOriginal, source: .quickTime),
        Statement(date: .h264DateTimeOriginal, source: .quickTime),
        Statement(date: .riffDateTimeOriginal, source: .quickTime),
        Statement(date: .matroskaDateTimeOriginal, source: .quickTime, isUTC: true),
        Statement(date: .asfCreationDate, source: .quickTime, isUTC: true),
        Statement(date: .quickTimeCreateDate, source: .quickTime, isUTC: true),
        Statement(date: .trackCreateDate, source: .quickTime, isUTC: true),
        Statement(date: .xmpDateTimeOriginal, source: .xmp),
        Statement(date: .xmpDateCreated, source: .xmp),
        Statement(date: .xmpCreateDate, source: .xmp),
    ]

    /// - Parameters:
    ///   - name: the file's name, with extension.
    ///   - modified: nanoseconds since 1970, UTC; 0 or less where it is not known.
    static func find(in raw: RawMetadata, kind: MediaKind, name: String, modified: Int64) -> CaptureTime? {
        for statement in kind == .video ? films : pictures {
            if let taken = read(statement, in: raw) { return taken }
        }
        if let date = NameDate(name) {
            return CaptureTime(
                localMilliseconds: date.milliseconds, offsetMinutes: date.offsetMinutes, source: .fileName)
        }
        guard modified > 0 else { return nil }
        return CaptureTime(localMilliseconds: modified / 1_000_000, offsetMinutes: 0, source: .modification)
    }

    private static func read(_ statement: Statement, in raw: RawMetadata) -> CaptureTime? {
        guard let text = raw[statement.date], let date = DateText(text) else { return nil }
        var milliseconds = date.milliseconds
        // A fraction in the date itself, as XMP has it, is not added to a second time.
        if milliseconds % 1000 == 0, let fraction = statement.subSeconds.flatMap({ raw[$0] }) {
            milliseconds += Int64(DateText.milliseconds(fraction: fraction.trimmed))
        }
        let offset = date.offsetMinutes ?? statement.offset.flatMap { raw[$0] }.flatMap(DateText.offset)
        return CaptureTime(
            localMilliseconds: milliseconds, offsetMinutes: offset ?? (statement.isUTC ? 0 : nil),
            source: statement.source)
    }

    /// UTC as the GPS receiver gave it, in milliseconds since 1970.
    static func gpsMilliseconds(in raw: RawMetadata) -> Int64? {
        if let day = raw[.gpsDate]?.trimmed, let time = (raw[.writtenTime] ?? raw[.gpsTime])?.trimmed {
            // Rationals that nobody has put together: "10 30 5.5".
            let clock = time.split(separator: " ").joined(separator: ":")
            if let date = DateText("\(day.prefix(10)) \(clock)"), isOfSatellites(date) { return date.milliseconds }
        }
        guard let date = raw[.xmpGPSDateTime].flatMap(DateText.init), isOfSatellites(date) else { return nil }
        return date.milliseconds - Int64(date.offsetMinutes ?? 0) * 60_000
    }

    /// No camera had GPS before 1990.
    private static func isOfSatellites(_ date: DateText) -> Bool { date.milliseconds > 631_152_000_000 }
}
