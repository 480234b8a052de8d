import Foundation

/// A page of the documentation, or a file that may name one.
struct TextFile {
    /// Below the package's folder.
    let path: String
    let lines: [Substring]

    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    var isPage: Bool { path.contains(".docc/") && path.hasSuffix(".md") }

    /// DocC knows a page by this name, whatever folder its file is in.
    var name: Substring { path.split(separator: "/").last?.split(separator: ".").first ?? "" }

    /// The number of a decision: three digits at the beginning of its page's name.
    var decisionNumber: Int? { name.dropFirst(3).first == "-" ? Int(name.prefix(3)) : nil }

    /// Pages and Swift files, except this target's, whose samples break the rules.
    static func all(below root: URL) throws -> [TextFile] {
        try ["Sources", "Tests"].flatMap { folder in
            let directory = root.appendingPathComponent(folder)
            return try FileManager.default.subpathsOfDirectory(atPath: directory.path).sorted().compactMap {
                path -> TextFile? in
                guard path.hasSuffix(".swift") || path.hasSuffix(".md"), !path.hasPrefix("LayeringTests/") else {
                    return nil
                }
                let text = try String(contentsOf: directory.appendingPathComponent(path), encoding: .utf8)
                return TextFile(path: "\(folder)/\(path)", text: text)
            }
        }
    }
}

/// Whatever names a page or a decision names one that is there, and every page can be found from the first one.
enum PageRules {
    static func breaches(_ files: [TextFile]) -> [Breach] {
        let pages = files.filter(\.isPage)
        return names(pages) + listings(pages) + numbers(pages) + links(files, pages)
    }

    static func names(_ pages: [TextFile]) -> [Breach] {
        Dictionary(grouping: pages, by: \.name).values.filter { $0.count > 1 }.map { same in
            Breach(path: same[1].path, line: 1, sentence: "\(same[0].path) has the same name")
        }
    }

    /// Each page but the catalogue's own is a line of a list of topics.
    static func listings(_ pages: [TextFile]) -> [Breach] {
        let listed = Set(pages.flatMap(\.lines))
        return pages.compactMap { page in
            guard page.lines.first?.hasPrefix("# ``") != true, !listed.contains("- <doc:\(page.name)>") else {
                return nil
            }
            return Breach(path: page.path, line: 1, sentence: "no list of topics has \(page.name)")
        }
    }

    /// A decision's title begins with the number of its file, and no number is left out or used twice.
    static func numbers(_ pages: [TextFile]) -> [Breach] {
        let decisions = pages.filter { $0.decisionNumber != nil }.sorted { $0.name < $1.name }
        return decisions.enumerated().flatMap { index, page -> [Breach] in
            let number = page.decisionNumber!
            var sentences: [String] = []
            if number != index + 1 { sentences.append("the decision after \(index) is \(index + 1)") }
            if page.lines.first?.hasPrefix("# \(number): ") != true { sentences.append("the title lacks \(number)") }
            return sentences.map { Breach(path: page.path, line: 1, sentence: $0) }
        }
    }

    static func links(_ files: [TextFile], _ pages: [TextFile]) -> [Breach] {
        let names = Set(pages.map(\.name))
        let numbers = Set(pages.compactMap(\.decisionNumber))
        let (link, decision) = (linkPattern, decisionPattern)
        var breaches: [Breach] = []
        for file in files {
            for (index, line) in file.lines.enumerated() where line.contains("<doc:") || line.contains("ecision") {
                for match in line.matches(of: link) where !names.contains(match.output.1) {
                    let sentence = "there is no page \(match.output.1)"
                    breaches.append(Breach(path: file.path, line: index + 1, sentence: sentence))
                }
                for match in line.matches(of: decision) where Int(match.output.1).map(numbers.contains) != true {
                    let sentence = "there is no decision \(match.output.1)"
                    breaches.append(Breach(path: file.path, line: index + 1, sentence: sentence))
                }
            }
        }
        return breaches
    }

    private static var linkPattern: Regex<(Substring, Substring)> { /<doc:([^>#]*)(?:#[^>]*)?>/ }
    private static var decisionPattern: Regex<(Substring, Substring)> {
        /\b[Dd]ecisions?>? (\d+)\b/.wordBoundaryKind(.simple)
    }
}
