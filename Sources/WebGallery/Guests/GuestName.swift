import AlbumModel

/// Names that guests give themselves, made fit to stand beside photos.
public enum GuestName {
    public static let characterCountMax = 60
    /// A character may have many scalars.
    private static let byteCountMax = 240

    /// Composed, on one line, without what nobody sees and without blanks at its ends; `nil` where nothing is left.
    public static func cleaned(_ name: String) -> String? {
        var scalars = String.UnicodeScalarView()
        for scalar in AlbumName.composed(String(name.prefix(characterCountMax * 4))).unicodeScalars {
            if scalar.properties.isWhitespace {
                if let last = scalars.last, last != " " { scalars.append(" ") }
            } else if isVisible(scalar) {
                scalars.append(scalar)
            }
        }
        var clean = AlbumName.trimmed(String(String(scalars).prefix(characterCountMax)))
        while clean.utf8.count > byteCountMax { clean.removeLast() }
        clean = AlbumName.trimmed(AlbumName.composed(clean))
        // Joiners alone are nothing to look at.
        return clean.unicodeScalars.contains { !$0.isInvisible } ? clean : nil
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: false
        default: !scalar.isInvisible || scalar.isPartOfSpelling
        }
    }
}
