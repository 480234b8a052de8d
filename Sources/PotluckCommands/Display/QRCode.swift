import OutputFormats

/// Text as a QR code of half blocks: two modules, one above the other, in a character.
enum QRCode {
    /// Lines of text; `nil` where the text is too long for any QR code.
    ///
    /// - Parameter isColoured: Whether black on white is set by escape sequences, so that phones read it on a dark
    ///   terminal too. Without, the characters are dark modules on light paper.
    static func text(_ content: String, isColoured: Bool) -> String? {
        guard let picture = QRPicture(content) else { return nil }
        let range = -QRPicture.quietModuleCount..<(picture.side + QRPicture.quietModuleCount)
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
            let line = range.map { column in
                block(picture.isDark(column: column, row: row), picture.isDark(column: column, row: row + 1))
            }.joined()
            return isColoured ? "\u{1B}[38;5;16;48;5;231m\(line)\u{1B}[0m\n" : line + "\n"
        }.joined()
    }

    private static func block(_ isUpperDark: Bool, _ isLowerDark: Bool) -> String {
        switch (isUpperDark, isLowerDark) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }
}
