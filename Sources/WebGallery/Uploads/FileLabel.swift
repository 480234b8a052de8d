import AlbumModel

/// Names of files as guests' browsers send them, made labels: something that shows a person what it is, and that is
/// no path. Whoever places the file makes a name for disks of it.
public enum FileLabel {
    static let byteCountMax = 255
    private static let standard = "Photo"

    /// The last part of a path, composed, without what nobody sees, without dots and blanks at its ends; `_` for what
    /// some system allows in no name.
    public static func cleaned(_ name: String) -> String {
        let last = name.split { $0 == "/" || $0 == "\\" }.last ?? ""
        var scalars = String.UnicodeScalarView()
        for scalar in AlbumName.composed(String(last)).unicodeScalars {
            if isUnfit(scalar) {
                scalars.append("_")
            } else if !scalar.isInvisible || scalar.isPartOfSpelling {
                scalars.append(scalar)
            }
        }
        let clean = trimmed(Substring(AlbumName.composed(String(scalars))))
        let short = shortened(clean)
        return short.isEmpty ? standard : short
    }

    /// `IMG_1`, `.JPG`; without an ending all of it is the stem.
    static func split(_ name: String) -> (stem: String, ending: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex, name[dot...].utf8.count <= 16 else {
            return (name, "")
        }
        return (String(name[..<dot]), String(name[dot...]))
    }

    /// At most 255 bytes; the ending stays.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > byteCountMax else { return name }
        let (stem, ending) = split(name)
        var rest = Substring()
        var room = byteCountMax - ending.utf8.count
        for character in stem {
            room -= character.utf8.count
            if room < 0 { break }
            rest.append(character)
        }
        return trimmed(rest) + ending
    }

    private static func trimmed(_ text: Substring) -> String {
        var rest = text
        while let first = rest.unicodeScalars.first, isLoose(first) { rest.unicodeScalars.removeFirst() }
        while let last = rest.unicodeScalars.last, isLoose(last) { rest.unicodeScalars.removeLast() }
        return String(rest)
    }

    private static func isLoose(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "." || scalar == "\u{200C}" || scalar == "\u{200D}" || scalar.properties.isWhitespace
    }

    private static func isUnfit(_ scalar: Unicode.Scalar) -> Bool {
        if #"<>:"|?*"#.unicodeScalars.contains(scalar) || scalar == "\u{FFFD}" { return true }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: return true
        default: return false
        }
    }
}
