/// Finds the film that a Motion Photo carries behind its picture.
///
/// A file that says it has one may have lost it on its way through some editor, so only what begins as a film is one.
public enum MovingPartReader {
    /// Adds the film's place and length under ``MetadataKey/movingPartStart`` and the keys after it; leaves `raw` as it
    /// is where there is none. Blocks, for a few small reads.
    ///
    /// - Parameters:
    ///   - raw: what was read of the file; its XMP tells where Google's phones and those after them put the film.
    ///   - descriptor: of the file, open for reading at any offset; stays the caller's.
    ///   - byteCount: of the whole file.
    public static func add(to raw: inout RawMetadata, descriptor: Int32, byteCount: UInt64) {
        let file = FileSpan(descriptor: descriptor, range: 0..<byteCount)
        guard let start = file.bytes(at: 0, count: 12) else { return }
        let candidates =
            if start.starts(with: [0xFF, 0xD8]) {
                [SamsungTrailer.film(in: file), fromEnd(raw, byteCount: byteCount)]
            } else if start[4..<8].elementsEqual("ftyp".utf8), raw[.mimeType]?.hasPrefix("video/") != true {
                [MediaBox.first("mpvd", in: file)?.payload, fromEnd(raw, byteCount: byteCount)]
            } else {
                [Range<UInt64>?]()
            }
        guard let film = candidates.lazy.compactMap({ $0 }).first(where: { isFilm(file.part($0)) }) else { return }
        raw.add(String(film.lowerBound), for: .movingPartStart)
        raw.add(String(film.upperBound - film.lowerBound), for: .movingPartByteCount)
        if let duration = MediaBox.duration(ofFilmIn: file.part(film)) {
            raw.add(String(duration), for: .movingPartDuration)
        }
    }

    /// By XMP: the Motion Photo format (its items fill the file's end in order, each with its length), or MicroVideo,
    /// which it followed.
    private static func fromEnd(_ raw: RawMetadata, byteCount: UInt64) -> Range<UInt64>? {
        if raw[.motionPhoto] == "1", let film = amongItems(raw, byteCount: byteCount) { return film }
        guard raw[.microVideo] == "1", let offset = raw.count(.microVideoOffset), offset < byteCount else { return nil }
        return byteCount - offset..<byteCount
    }

    private static func amongItems(_ raw: RawMetadata, byteCount: UInt64) -> Range<UInt64>? {
        let semantics = values(of: .itemSemantic, raw)
        // The first item, the picture, may have no length, so they are counted from the end.
        let lengths = Array(values(of: .itemLength, raw).map { UInt64($0) }.suffix(max(0, semantics.count - 1)))
        guard let index = semantics.lastIndex(of: "MotionPhoto"), index > 0, lengths.count == semantics.count - 1
        else { return nil }
        var end = byteCount
        for length in lengths[index...].reversed() {
            guard let length, length <= end else { return nil }
            end -= length
        }
        guard let length = lengths[index - 1], length > 0, length <= end else { return nil }
        return end - length..<end
    }

    private static func values(of key: MetadataKey, _ raw: RawMetadata) -> [Substring] {
        raw.all(key).flatMap { $0.split { $0 == "," || $0 == " " } }
    }

    private static func isFilm(_ span: FileSpan) -> Bool {
        span.bytes(at: span.range.lowerBound, count: 8)?[4...].elementsEqual("ftyp".utf8) ?? false
    }
}
