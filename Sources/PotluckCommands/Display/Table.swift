/// Rows in columns, as wide as the terminal allows.
struct Table {
    struct Column {
        var title: String
        var isNumber = false
        /// Whether a narrow terminal may shorten it with `…`.
        var isShortenable = false
        /// What people look for: it is shortened after the others.
        var isKey = false
        /// Left out where no row has anything in it.
        var isOptional = false
        /// Left out on a terminal that is too narrow for all; the last one first.
        var isDispensable = false
    }

    /// A shortened column keeps at least this many cells.
    private static let shortenedCellCountMin = 8
    /// Columns are left out before a shortenable one gets narrower than this.
    private static let readableCellCountMin = 24
    /// A key keeps so many cells more than the other columns that are shortened.
    private static let keyCellCount = 10
    private static let gap = "  "

    var columns: [Column]
    /// As many texts a row as there are columns.
    var rows: [[String]]

    /// - Parameter cellCount: The terminal's width; `nil` shortens nothing.
    func text(cellCount: Int?) -> String {
        lines(cellCount: cellCount).map { $0 + "\n" }.joined()
    }

    /// The titles, and a line for each row.
    func lines(cellCount: Int?) -> [String] {
        let texts = [columns.map(\.title)] + rows.map { $0.map(PrintableText.line) }
        let needed = columns.indices.map { index in texts.lazy.map { TextWidth.of($0[index]) }.max() ?? 0 }
        let kept = kept(needed, cellCount: cellCount)
        let shown = kept.map { columns[$0] }
        let widths = Self.widths(kept.map { needed[$0] }, shown, cellCount: cellCount)
        return texts.map { row in Self.line(kept.map { row[$0] }, shown, widths) }
    }

    /// The columns that are shown, by their positions.
    private func kept(_ needed: [Int], cellCount: Int?) -> [Int] {
        var kept = columns.indices.filter { index in
            !columns[index].isOptional || rows.contains { !$0[index].isEmpty }
        }
        guard let cellCount else { return kept }
        func readableCellCount() -> Int {
            let widths = kept.map {
                columns[$0].isShortenable ? min(needed[$0], Self.readableCellCountMin) : needed[$0]
            }
            return widths.reduce(0, +) + Self.gap.count * (kept.count - 1)
        }
        while readableCellCount() > cellCount, let last = kept.lastIndex(where: { columns[$0].isDispensable }) {
            kept.remove(at: last)
        }
        return kept
    }

    /// What each column needs, the widest shortenable ones cut until a line fits.
    private static func widths(_ needed: [Int], _ columns: [Column], cellCount: Int?) -> [Int] {
        var widths = needed
        guard let cellCount else { return widths }
        var excess = widths.reduce(0, +) + gap.count * (columns.count - 1) - cellCount
        while excess > 0 {
            let candidates = columns.indices.filter { columns[$0].isShortenable && widths[$0] > shortenedCellCountMin }
            let weights = candidates.map { widths[$0] - (columns[$0].isKey ? keyCellCount : 0) }
            guard let heaviest = weights.max(), let place = weights.lastIndex(of: heaviest) else { break }
            let widest = candidates[place]
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
