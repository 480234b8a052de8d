import Foundation

/// A page of the catalogue, as far as its tables are held against the sources.
struct Page {
    private let lines: [Substring]

    init(text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    init(_ name: String, below root: URL) throws {
        let url = root.appendingPathComponent("Sources/PotluckAgent/PotluckAgent.docc/\(name).md")
        self.init(text: try String(contentsOf: url, encoding: .utf8))
    }

    /// The words in code font in the first cells of the rows between this heading and the next one, in order.
    func rowNames(below heading: String) -> [String] {
        guard let start = lines.firstIndex(of: Substring(heading)) else { return [] }
        let section = lines[(start + 1)...].prefix { !$0.hasPrefix("#") }
        return section.flatMap { line in
            guard line.hasPrefix("|") else { return [] as [String] }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
            return cells.count > 1 ? Self.codeWords(cells[1]) : []
        }
    }

    /// What stands between pairs of backticks.
    static func codeWords(_ text: some StringProtocol) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .compactMap { index, part in index % 2 == 1 ? String(part) : nil }
    }
}

/// What the manifest names.
enum Manifest {
    /// The last part of each package's address, without `.git`.
    static func packages(in text: String) -> [String] {
        let address = /\.package\(\s*url:\s*"[^"]*\/([^"\/]+)"/
        return text.matches(of: address).map { match in
            match.output.1.hasSuffix(".git") ? String(match.output.1.dropLast(4)) : String(match.output.1)
        }
    }

    /// The names of all targets that are no tests.
    static func targets(in text: String) -> [String] {
        let declaration =
            /(?:\.(?:target|systemLibrary|executableTarget)|[^.\w](?:library|computingLibrary|support|supportProgram))\(\s*(?:name:\s*)?"([^"]+)"/
        return text.matches(of: declaration).map { String($0.output.1) }
    }
}
