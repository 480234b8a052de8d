import CQRencode

/// Text as a QR code of half blocks: two modules, one above the other, in a character.
enum QRCode {
    /// Modules of light around it, as ISO/IEC 18004 asks.
    private static let quietModuleCount = 4

    /// Lines of text; `nil` where the text is too long for any QR code.
    ///
    /// - Parameter isColoured: Whether black on white is set by escape sequences, so that phones read it on a dark
    ///   terminal too. Without, the characters are dark modules on light paper.
    static func text(_ content: String, isColoured: Bool) -> String? {
        guard let code = QRcode_encodeString8bit(content, 0, QR_ECLEVEL_M) else { return nil }
        defer { QRcode_free(code) }
        guard let modules = code.pointee.data else { return nil }
        let side = Int(code.pointee.width)
        func isDark(_ column: Int, _ row: Int) -> Bool {
            (0..<side).contains(column) && (0..<side).contains(row) && modules[row * side + column] & 1 == 1
        }
        let range = -quietModuleCount..<(side + quietModuleCount)
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
            let line = range.map { column in block(isDark(column, row), isDark(column, row + 1)) }.joined()
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
