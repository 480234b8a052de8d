/// The list of things that Samsung's phones hang behind a JPEG (as ExifTool's Samsung.pm describes it): each thing has
/// a header of its own, and a directory at the file's very end tells how far before it each begins.
enum SamsungTrailer {
    /// The type of "MotionPhoto_Data".
    private static let filmType: UInt64 = 0x0A30
    private static let entryCountMax: UInt64 = 256

    /// Where the film lies; `nil` where there is none.
    static func film(in file: FileSpan) -> Range<UInt64>? {
        let end = file.range.upperBound
        guard end >= 20, let tail = file.bytes(at: end - 8, count: 8), tail[4...].elementsEqual("SEFT".utf8) else {
            return nil
        }
        let directoryByteCount = tail[..<4].littleEndian
        guard directoryByteCount >= 12, directoryByteCount <= end - 8 else { return nil }
        let directoryStart = end - 8 - directoryByteCount
        guard let directory = file.bytes(at: directoryStart, count: directoryByteCount),
            directory.starts(with: "SEFH".utf8)
        else { return nil }
        for index in 0..<min(directory[8..<12].littleEndian, entryCountMax) {
            let entry = directory.dropFirst(12 + 12 * Int(index)).prefix(12)
            guard entry.count == 12 else { return nil }
            if let film = film(entry, directoryStart: directoryStart, in: file) { return film }
        }
        return nil
    }

    /// An entry: two zeros, the type, how far before the directory the thing begins, its length. The thing: as much as
    /// the entry's first four bytes, the length of its name, its name, the film.
    private static func film(
        _ entry: ArraySlice<UInt8>, directoryStart: UInt64, in file: FileSpan
    ) -> Range<UInt64>? {
        let base = entry.startIndex
        let distance = entry[base + 4..<base + 8].littleEndian
        let byteCount = entry[base + 8..<base + 12].littleEndian
        guard entry[base + 2..<base + 4].littleEndian == filmType, distance <= directoryStart, byteCount <= distance,
            let header = file.bytes(at: directoryStart - distance, count: 8)
        else { return nil }
        let headerByteCount = 8 + header[4...].littleEndian
        guard headerByteCount < byteCount else { return nil }
        let start = directoryStart - distance
        return start + headerByteCount..<start + byteCount
    }
}
