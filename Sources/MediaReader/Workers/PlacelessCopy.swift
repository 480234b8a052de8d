import AlbumModel
import DiskIO

/// Makes a copy of a file without what its metadata say of a place.
struct PlacelessCopy: Sendable {
    let file: MediaFile
    let path: String
    let settings: MediaReaderSettings
    let pool: WorkerPool

    /// Where coordinates stand in most files that have any: these are asked for first, since that takes no time.
    private static let places: [MetadataKey] = [
        .latitude, .longitude, .xmpLatitude, .xmpLongitude, .keysCoordinates, .userCoordinates, .itemCoordinates,
    ]
    /// Bytes a second that a slow disk can write.
    private static let slowestRate: UInt64 = 5 << 20
    private static let options = ["-m", "-api", "LargeFileSupport=1"]
    /// What a rewritten file may be longer than the original.
    private static let addedByteCountMax: UInt64 = 1 << 20

    func make() async throws {
        let source = file.path
        guard let exifTool = settings.exifTool else {
            throw MediaError(.impossible, "Its place cannot be taken out of it: ExifTool is missing. Install it.")
        }
        try await pool.perform(.soon) { slot in
            let opened = try Descriptor.file(source)
            let copy = try Descriptor.newFile(path, mode: 0o644)
            do {
                try write(copy, opened, slot, exifTool)
            } catch {
                // The first error says why.
                try? Disk.remove(path)
                throw error
            }
        }
    }

    private func write(
        _ copy: Descriptor, _ opened: Descriptor, _ slot: Slot, _ exifTool: String
    ) throws {
        var isClear = true
        if try placeIsSaid(opened, slot, exifTool) {
            try rewrite(copy, opened, slot, exifTool)
            isClear = try !placeIsSaid(copy, slot, exifTool)
        } else {
            try copy.copy(opened)
        }
        guard copy.byteCount > 0, isClear, try clearFilm(copy, slot) else {
            throw MediaError(
                .unreadable, "Its place cannot be taken out of it: some of it is where nothing can be changed.")
        }
    }

    private func rewrite(
        _ copy: Descriptor, _ opened: Descriptor, _ slot: Slot, _ exifTool: String
    ) throws {
        let words = Self.options + PlaceTags.deletable.map { "-\($0)=" } + ["-o", "-"]
        var tool = ToolCall.exifTool(
            exifTool, words, configuration: PlaceTags.configuration,
            written: opened.byteCount + Self.addedByteCountMax, settings.limits)
        tool.timeout = max(tool.timeout, .seconds(opened.byteCount / Self.slowestRate))
        tool.refusal = "files of its kind cannot be changed"
        do {
            try slot.run(tool, on: opened, output: copy)
        } catch {
            throw Self.refused(error)
        }
    }

    /// Whether anything of a place is left. What ExifTool cannot read may say one, so that no copy is made of it.
    private func placeIsSaid(_ opened: Descriptor, _ slot: Slot, _ exifTool: String) throws -> Bool {
        guard let raw = try slot.metadata(opened) else { return true }
        if Self.places.contains(where: { raw[$0] != nil }) { return true }
        var tool = ToolCall.exifTool(
            exifTool, Self.options + ["-s"] + PlaceTags.telling.map { "-\($0)" },
            written: settings.limits.answerByteCountMax, settings.limits)
        tool.refusal = "ExifTool cannot read it"
        do {
            return try slot.run(tool, on: opened).byteCount > 0
        } catch {
            throw Self.refused(error)
        }
    }

    private static func refused(_ failure: WorkerFailure) -> any Error {
        guard case .refused(let words) = failure else { return failure }
        return MediaError(.unreadable, "Its place cannot be taken out of it: \(words).")
    }

    private func clearFilm(_ copy: Descriptor, _ slot: Slot) throws(WorkerFailure) -> Bool {
        guard var raw = try slot.metadata(copy) else { return false }
        MovingPartReader.add(to: &raw, descriptor: copy.number, byteCount: copy.byteCount)
        guard let start = raw.count(.movingPartStart), let byteCount = raw.count(.movingPartByteCount) else {
            return true
        }
        return try MovingPlace.clear(start..<start + byteCount, in: copy)
    }
}
