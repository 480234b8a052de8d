import MediaWorkerProtocol

/// What the EXIF block of a photo says, by ExifTool's names.
///
/// Reads what a photo's facts are made of, from the places that EXIF 2.32 and Apple's notes name; whether that may not
/// be all, ``mayHoldMore`` tells.
struct ExifReader {
    private(set) var tags: [Report.Tag] = []
    /// The structure is damaged, or a maker's notes are the only place for the lens.
    private(set) var mayHoldMore = false

    private let reader: TIFFReader

    private enum Form {
        case text, number, coordinate, time
    }

    private static let main: [UInt16: (String, Form)] = [
        0x010F: ("Make", .text), 0x0110: ("Model", .text), 0x0112: ("Orientation", .number),
        0xC62F: ("CameraSerialNumber", .text),
    ]
    // Some editors keep make and model here instead.
    private static let shot: [UInt16: (String, Form)] = [
        0x010F: ("Make", .text), 0x0110: ("Model", .text),
        0x9003: ("DateTimeOriginal", .text), 0x9004: ("CreateDate", .text),
        0x9011: ("OffsetTimeOriginal", .text), 0x9012: ("OffsetTimeDigitized", .text),
        0x9291: ("SubSecTimeOriginal", .text), 0x9292: ("SubSecTimeDigitized", .text),
        0xA431: ("SerialNumber", .text), 0xA434: ("LensModel", .text),
    ]
    private static let place: [UInt16: (String, Form)] = [
        0x0001: ("GPSLatitudeRef", .text), 0x0002: ("GPSLatitude", .coordinate),
        0x0003: ("GPSLongitudeRef", .text), 0x0004: ("GPSLongitude", .coordinate),
        0x0005: ("GPSAltitudeRef", .number), 0x0006: ("GPSAltitude", .number),
        0x0007: ("GPSTimeStamp", .time), 0x001D: ("GPSDateStamp", .text),
    ]

    /// - Parameter bytes: the TIFF structure, or the same after the "Exif\0\0" of JPEG, with or without the segment's
    ///   marker and length before it, which some HEIC files have kept.
    init?(_ bytes: [UInt8]) {
        let mark = Array("Exif\0\0".utf8)
        let start = [0, 4].first { bytes.dropFirst($0).starts(with: mark) }.map { $0 + mark.count } ?? 0
        guard let reader = TIFFReader(Array(bytes.dropFirst(start))) else { return nil }
        self.reader = reader
        guard let main = reader.directory(at: reader.first) else {
            mayHoldMore = true
            return
        }
        take(main, Self.main)
        takeDirectory(of: main, pointer: 0x8825, Self.place)
        if let shot = takeDirectory(of: main, pointer: 0x8769, Self.shot) { takeNotes(shot) }
    }

    @discardableResult
    private mutating func takeDirectory(
        of entries: [TIFFReader.Entry], pointer: UInt16, _ names: [UInt16: (String, Form)]
    ) -> [TIFFReader.Entry]? {
        guard let entry = entries.first(where: { $0.tag == pointer }) else { return nil }
        guard let offset = reader.numbers(entry, countMax: 1).first.flatMap({ $0 }),
            let found = reader.directory(at: Int(offset))
        else {
            mayHoldMore = true
            return nil
        }
        take(found, names)
        return found
    }

    private mutating func take(_ entries: [TIFFReader.Entry], _ names: [UInt16: (String, Form)]) {
        for entry in entries {
            guard let (name, form) = names[entry.tag], let value = value(entry, form), !value.isEmpty else { continue }
            tags.append(Report.Tag(name: (isWritten(entry, form) ? "EXIF:Written" : "EXIF:") + name, value: value))
        }
    }

    /// Text where EXIF has fractions, as some editors write coordinates and times by satellite.
    private func isWritten(_ entry: TIFFReader.Entry, _ form: Form) -> Bool {
        (form == .coordinate || form == .time) && entry.type == TIFFReader.textType
    }

    /// Three fractions, or what stands for them in text; one without a denominator is `nil`.
    private func triple(_ entry: TIFFReader.Entry, _ form: Form) -> [Double?] {
        guard isWritten(entry, form) else { return reader.numbers(entry, countMax: 3) }
        return reader.text(entry).flatMap { WrittenTriple($0) }?.parts ?? []
    }

    private func value(_ entry: TIFFReader.Entry, _ form: Form) -> String? {
        switch form {
        case .text: return reader.text(entry)
        case .number: return reader.numbers(entry, countMax: 1).first.flatMap { $0 }.map { Text.number($0) }
        case .coordinate:
            // Degrees, minutes, seconds. Whoever leaves one of them open (0/0) wants the others not to be read either.
            let parts = triple(entry, form)
            guard parts.count == 3, let degrees = parts[0], let minutes = parts[1], let seconds = parts[2] else {
                return nil
            }
            return Text.number(degrees + minutes / 60 + seconds / 3600, digits: 13)
        case .time:
            let parts = triple(entry, form).compactMap { $0 }
            guard parts.count == 3, parts.allSatisfy({ $0 >= 0 && $0 < 100 }) else { return nil }
            func two(_ value: Double) -> String { (value < 10 ? "0" : "") + Text.number(value, digits: 6) }
            return parts.map(two).joined(separator: ":")
        }
    }
}

extension ExifReader {
    /// Makers whose notes name the lens or the body's number where old cameras' EXIF has no tag for them.
    private static let tellingMakers = [
        "canon", "nikon", "sony", "olympus", "om digital", "panasonic", "pentax", "ricoh", "fujifilm", "leica", "sigma",
        "minolta", "konica", "hasselblad", "casio", "kodak",
    ]

    private mutating func takeNotes(_ shot: [TIFFReader.Entry]) {
        guard let notes = shot.first(where: { $0.tag == 0x927C }) else { return }
        let block = Array(reader.block(notes))
        if block.starts(with: "Apple iOS\0".utf8) {
            takeAppleNotes(block)
        } else if !tags.contains(where: { $0.name == "EXIF:LensModel" }) {
            let make = tags.first { $0.name == "EXIF:Make" }?.value.lowercased() ?? ""
            mayHoldMore = mayHoldMore || Self.tellingMakers.contains(where: make.hasPrefix)
        }
    }

    /// Apple's notes are a directory after 14 bytes; offsets count from the notes' beginning.
    private mutating func takeAppleNotes(_ block: [UInt8]) {
        let notes = TIFFReader(block, isBigEndian: block.dropFirst(12).first == 0x4D, first: 14)
        for entry in notes.directory(at: notes.first) ?? [] {
            guard let name = [0x000B: "BurstUUID", 0x0011: "ContentIdentifier"][Int(entry.tag)],
                let value = notes.text(entry), !value.isEmpty
            else { continue }
            tags.append(Report.Tag(name: "MakerNotes:" + name, value: value))
        }
    }
}
