import DiskIO

/// Looks at the structure of a film that a worker made, without decoding it, as ``PictureCheck`` does with a picture.
///
/// FFmpeg's own are plain: brands, then the movie's description with one or two tracks, a little room, the media data, and
/// nothing behind. Metadata have no place in them.
enum FilmCheck {
    /// An empty list of metadata, as FFmpeg writes it, has 61 bytes.
    private static let emptyByteCountMax = 64

    static func isPlain(_ file: Descriptor) -> Bool {
        let span = FileSpan(descriptor: file.number, range: 0..<file.byteCount)
        guard let boxes = MediaBox.all(in: span) else { return false }
        let types = boxes.map { String(decoding: $0.type, as: UTF8.self) }
        guard types.filter({ $0 != "free" }) == ["ftyp", "moov", "mdat"] else { return false }
        guard let movie = boxes.first(where: { $0.type.elementsEqual("moov".utf8) }),
            let parts = MediaBox.all(in: span.part(movie.payload))
        else { return false }
        let kinds = parts.map { String(decoding: $0.type, as: UTF8.self) }
        let rest = parts.filter { $0.type.elementsEqual("udta".utf8) }
        return kinds.first == "mvhd" && (1...2).contains(kinds.count { $0 == "trak" })
            && Set(kinds).isSubset(of: ["mvhd", "trak", "udta"])
            && rest.allSatisfy { $0.payload.count <= emptyByteCountMax }
    }
}
