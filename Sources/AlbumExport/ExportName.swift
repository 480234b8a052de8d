import AlbumModel

/// Names of files in an export: by time and person, and such that ext4, NTFS, FAT and exFAT can all hold them.
///
/// They begin with a date or `Undated`, so that they sort by time, and none is a name that Windows keeps for devices.
enum ExportName {
    static let undated = "Undated"
    /// Short enough for a directory's path beside it in the 259 characters of Windows.
    static let personByteCountMax = 40
    static let stemByteCountMax = 80
    static let directoryByteCountMax = 80

    /// `2026-07-04 14.03.22 Anna IMG_0102`.
    static func stem(time: FileTime?, person: String, name: String) -> String {
        let date = time.map { "\($0.clock.dateText) \($0.clock.clockText)" } ?? undated
        let parts = [
            date, shortened(cleaned(person), to: personByteCountMax),
            shortened(cleaned(FileEnding.stem(name)), to: stemByteCountMax),
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The one directory that an archive has.
    static func directory(_ album: String) -> String {
        let name = shortened(cleaned(album), to: directoryByteCountMax)
        let isReserved = reserved.contains(name.prefix { $0 != "." && $0 != " " }.uppercased())
        return name.isEmpty ? "Album" : isReserved ? "_" + name : name
    }

    /// Whether an export can have given this name to a file that it made of `key`: what a record says may be anybody's
    /// word, and no other file is ours to move or to remove.
    static func canBe(_ name: String, of key: FileKey) -> Bool {
        switch key.treatment {
        case .original, .placeless: isHash(key.source) && isOfPhoto(name)
        case .large: isHash(key.source) && isOfPhoto(name) && hasPictureEnding(name)
        case .small, .view: isHash(key.source) && isOfGallery(name, key)
        case .text:
            name == key.source
                && [GalleryPage.name, AlbumExporter.checksumsName, AlbumExporter.missingName].contains(name)
        }
    }

    private static func isHash(_ text: String) -> Bool { BlobID(hex: text)?.hex == text }

    /// One part, that begins as ``stem(time:person:name:)`` begins, with nothing that ``cleaned(_:)`` would replace.
    private static func isOfPhoto(_ name: String) -> Bool {
        let isDated = zip("0000-00-00 00.00.00", name).allSatisfy { digit, own in
            digit == "0" ? own.isASCII && own.isNumber : own == digit
        }
        return (isDated && name.count >= 19 || name.hasPrefix(undated)) && name.utf8.count <= 255
            && !name.unicodeScalars.contains(where: isUnfit)
    }

    private static func isOfGallery(_ name: String, _ key: FileKey) -> Bool {
        let stem = "\(GalleryPage.directory)/\(key.source.prefix(16))\(key.treatment == .view ? "-large" : "")"
        return name.hasPrefix(stem + ".") && hasPictureEnding(name) && name.utf8.count <= stem.utf8.count + 5
    }

    private static func hasPictureEnding(_ name: String) -> Bool {
        pictureEndings.contains { name.hasSuffix($0) }
    }

    /// Those of what a ``PictureMaker`` makes, and of the gathering's small pictures.
    private static let pictureEndings = ["image/jpeg", "image/webp"].map { FileEnding.ofPicture(mediaType: $0) }

    /// Equal for names that some file system takes for the same one.
    static func folded(_ name: String) -> String { AlbumName.key(name) }

    /// Composed, without what some system allows in no name, and without dots or spaces at the ends.
    private static func cleaned(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in AlbumName.composed(text).unicodeScalars { scalars.append(isUnfit(scalar) ? "_" : scalar) }
        return trimmed(Substring(String(scalars)))
    }

    private static func trimmed(_ text: Substring) -> String {
        var rest = text
        while let first = rest.unicodeScalars.first, isLoose(first) { rest.unicodeScalars.removeFirst() }
        while let last = rest.unicodeScalars.last, isLoose(last) { rest.unicodeScalars.removeLast() }
        return String(rest)
    }

    private static func isLoose(_ scalar: Unicode.Scalar) -> Bool { scalar == "." || scalar.properties.isWhitespace }

    private static func isUnfit(_ scalar: Unicode.Scalar) -> Bool {
        if #"<>:"/\|?*"#.unicodeScalars.contains(scalar) || scalar == "\u{FFFD}" { return true }
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return true
        // Joiners stay, which emoji and several scripts need; direction marks let a name pretend to be another.
        case .format: return scalar != "\u{200C}" && scalar != "\u{200D}"
        default: return false
        }
    }

    /// At most `byteCount` bytes of UTF-8, cut between characters.
    private static func shortened(_ text: String, to byteCount: Int) -> String {
        if text.utf8.count <= byteCount { return text }
        var rest = Substring()
        var used = 0
        for character in text {
            used += character.utf8.count
            if used > byteCount { break }
            rest.append(character)
        }
        return trimmed(rest)
    }

    /// Windows' device names.
    private static let reserved: Set<String> = {
        var names: Set<String> = ["CON", "PRN", "AUX", "NUL"]
        for number in 0...9 {
            names.insert("COM\(number)")
            names.insert("LPT\(number)")
        }
        return names
    }()
}
