import AlbumModel
import Glibc

/// Makes a copy of a file without what its metadata say of a place.
struct PlacelessCopy: Sendable {
    let file: MediaFile
    let path: String
    let settings: MediaReaderSettings
    let pool: WorkerPool

    /// Coordinates, and names of places: of EXIF, XMP (IPTC's schemas among it), IPTC, and films.
    private static let tags = [
        "GPS:all", "XMP:GPS*", "XMP:Geo*", "XMP-photoshop:City", "XMP-photoshop:State", "XMP-photoshop:Country",
        "XMP-iptcCore:Location", "XMP-iptcCore:CountryCode", "XMP-iptcExt:LocationCreated*",
        "XMP-iptcExt:LocationShown*",
        "IPTC:City", "IPTC:Sub-location", "IPTC:Province-State", "IPTC:Country*", "Keys:GPSCoordinates",
        "Keys:LocationName", "Keys:LocationBody", "Keys:LocationNote", "Keys:LocationRole", "Keys:LocationDate",
        "Keys:LocationAccuracyHorizontal", "ItemList:GPSCoordinates", "UserData:GPSCoordinates",
        "UserData:LocationInformation",
    ]
    private static let places: [MetadataKey] = [
        .latitude, .longitude, .xmpLatitude, .xmpLongitude, .keysCoordinates, .userCoordinates, .itemCoordinates,
    ]
    /// Bytes a second that a slow disk can write.
    private static let slowestRate: UInt64 = 5 << 20
    /// What a rewritten file may be longer than the original.
    private static let addedByteCountMax: UInt64 = 1 << 20

    func make() async throws {
        let source = file.path
        guard let exifTool = settings.exifTool else {
            throw MediaError(.impossible, "Its place cannot be taken out of it: ExifTool is missing. Install it.")
        }
        try await pool.perform(.soon) { slot in
            let opened = try OwnedDescriptor.file(source)
            let number = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
            guard number >= 0 else {
                throw MediaError(.impossible, "\(path) cannot be written: \(SystemWords.last).")
            }
            let copy = OwnedDescriptor(number)
            do {
                try write(copy, opened, slot, exifTool)
            } catch {
                unlink(path)
                throw error
            }
        }
    }

    private func write(
        _ copy: OwnedDescriptor, _ opened: OwnedDescriptor, _ slot: Slot, _ exifTool: String
    ) throws {
        if try placeIsSaid(opened, slot) {
            try rewrite(copy, opened, slot, exifTool)
        } else {
            try copy.copy(opened)
        }
        guard copy.byteCount > 0, try !placeIsSaid(copy, slot), try clearFilm(copy, slot) else {
            throw MediaError(
                .unreadable, "Its place cannot be taken out of it: some of it is where nothing can be changed.")
        }
    }

    private func rewrite(
        _ copy: OwnedDescriptor, _ opened: OwnedDescriptor, _ slot: Slot, _ exifTool: String
    ) throws {
        let words = ["-m", "-api", "LargeFileSupport=1"] + Self.tags.map { "-\($0)=" } + ["-o", "-"]
        var tool = ToolCall.exifTool(
            exifTool, words, written: opened.byteCount + Self.addedByteCountMax, settings.limits)
        tool.timeout = max(tool.timeout, .seconds(opened.byteCount / Self.slowestRate))
        tool.refusal = "files of its kind cannot be changed"
        do {
            try slot.run(tool, on: opened, output: copy)
        } catch let failure {
            guard case .refused(let words) = failure else { throw failure }
            throw MediaError(.unreadable, "Its place cannot be taken out of it: \(words).")
        }
    }

    private func placeIsSaid(_ opened: OwnedDescriptor, _ slot: Slot) throws(WorkerFailure) -> Bool {
        guard let raw = try slot.metadata(opened) else { return true }
        return Self.places.contains { raw[$0] != nil }
    }

    private func clearFilm(_ copy: OwnedDescriptor, _ slot: Slot) throws(WorkerFailure) -> Bool {
        guard var raw = try slot.metadata(copy) else { return false }
        MovingPartReader.add(to: &raw, descriptor: copy.number, byteCount: copy.byteCount)
        guard let start = raw.count(.movingPartStart), let byteCount = raw.count(.movingPartByteCount) else {
            return true
        }
        return try MovingPlace.clear(start..<start + byteCount, in: copy)
    }
}
