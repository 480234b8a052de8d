/// Rows as the architecture pages show them.
struct TextTable: CustomStringConvertible {
    private let title: String
    private var rows: [[String]]

    init(_ title: String, _ heads: [String]) {
        self.title = title
        rows = [heads]
    }

    var isEmpty: Bool { rows.count == 1 }

    mutating func add(_ row: [String]) { rows.append(row) }

    var description: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let line = { (row: [String]) in
            let cells = zip(row, widths).map { String(repeating: " ", count: $1 - $0.count) + $0 }
            return "| " + cells.joined(separator: " | ") + " |"
        }
        let rule = "| " + widths.map { String(repeating: "-", count: $0) }.joined(separator: " | ") + " |"
        return "\n\(title)\n\n" + ([line(rows[0]), rule] + rows.dropFirst().map(line)).joined(separator: "\n")
    }
}
