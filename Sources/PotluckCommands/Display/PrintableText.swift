import AlbumModel

/// Text from people and other devices, made safe for a terminal.
enum PrintableText {
    /// Replaces what could move the cursor, change colours, reverse the reading order or hide. The joiners stay, which
    /// emoji and several scripts need.
    static func line(_ text: String) -> String {
        replacing(text, keepingLineFeeds: false)
    }

    /// Like ``line(_:)``, but line feeds stay.
    static func lines(_ text: String) -> String {
        replacing(text, keepingLineFeeds: true)
    }

    private static func replacing(_ text: String, keepingLineFeeds: Bool) -> String {
        if isPlain(text) { return text }
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            safe.append(isPrintable(scalar) || (keepingLineFeeds && scalar == "\n") ? scalar : "\u{FFFD}")
        }
        return String(safe)
    }

    /// Printable ASCII alone, which most names are: one byte a character and a cell.
    static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.isUnsafeToShow || scalar.isPartOfSpelling
    }
}

/// How many terminal cells text takes.
enum TextWidth {
    static func of(_ text: String) -> Int {
        PrintableText.isPlain(text) ? text.utf8.count : text.reduce(0) { $0 + of($1) }
    }

    /// Two for emoji and East Asian wide characters, none for a lone mark, else one.
    static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if first.properties.isEmojiPresentation || scalars.contains("\u{FE0F}") || isWide(first) { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return 1
        }
    }

    /// The ranges that Unicode's EastAsianWidth.txt marks as wide or full-width, joined where only rare ones differ.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
            0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }

    /// The text if it fits, else its beginning and `…`.
    static func shortened(_ text: String, to cellCount: Int) -> String {
        guard of(text) > cellCount else { return text }
        var short = ""
        var taken = 1
        for character in text {
            taken += of(character)
            if taken > cellCount { break }
            short.append(character)
        }
        return short + "…"
    }
}
