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
