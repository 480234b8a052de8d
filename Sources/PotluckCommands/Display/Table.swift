/// Rows in columns, as wide as the terminal allows.
struct Table {
    struct Column {
        var title: String
        var isNumber = false
        /// Whether a narrow terminal may shorten it with `…`.
        var isShortenable = false
        /// Left out where no row has anything in it.
        var isOptional = false
    }

    /// A shortened column keeps at least this many cells.
    private static let shortenedCellCountMin = 8
    private static let gap = "  "

    var columns: [Column]
    /// As many texts a row as there are columns.
    var rows: [[String]]

    /// - Parameter cellCount: The terminal's width; `nil` shortens nothing.
    func text(cellCount: Int?) -> String {
        let kept = columns.indices.filter { index in
            !columns[index].isOptional || rows.contains { !$0[index].isEmpty }
        }
        let shown = kept.map { columns[$0] }
        let lines = [shown.map(\.title)] + rows.map { row in kept.map { PrintableText.line(row[$0]) } }
        let widths = Self.widths(lines, shown, cellCount: cellCount)
        return lines.map { Self.line($0, shown, widths) + "\n" }.joined()
    }

    /// What each column needs, the widest shortenable ones cut until a line fits.
    private static func widths(_ lines: [[String]], _ columns: [Column], cellCount: Int?) -> [Int] {
        var widths = columns.indices.map { index in lines.map { TextWidth.of($0[index]) }.max() ?? 0 }
        guard let cellCount else { return widths }
        var excess = widths.reduce(0, +) + gap.count * (columns.count - 1) - cellCount
        while excess > 0 {
            let candidates = columns.indices.filter { columns[$0].isShortenable && widths[$0] > shortenedCellCountMin }
            guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }

    private static func line(_ texts: [String], _ columns: [Column], _ widths: [Int]) -> String {
        var cells: [String] = []
        for (index, text) in texts.enumerated() {
            let short = TextWidth.shortened(text, to: widths[index])
            let padding = String(repeating: " ", count: max(0, widths[index] - TextWidth.of(short)))
            cells.append(columns[index].isNumber ? padding + short : short + padding)
        }
        var line = cells.joined(separator: gap)
        while line.last == " " { line.removeLast() }
        return line
    }
}
