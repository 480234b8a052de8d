/// The tests of the package, as their files show them.
struct TestNames {
    private var bySuite: [String: Set<String>] = [:]
    private var byTarget: [String: Set<String>] = [:]

    init(_ files: [SourceFile]) {
        let (suite, function) = (Self.suitePattern, Self.functionPattern)
        for file in files {
            var (type, isTest) = ("", false)
            for line in file.code {
                // Most lines are within a type.
                if !line.hasPrefix(" "), let match = line.firstMatch(of: suite) { type = String(match.output.1) }
                if line.contains("@Test") { isTest = true }
                guard isTest, let match = line.firstMatch(of: function) else { continue }
                isTest = false
                bySuite[type, default: []].insert(String(match.output.1))
                byTarget[file.target, default: []].insert(String(match.output.1))
            }
        }
    }

    func isSuite(_ name: some StringProtocol) -> Bool { bySuite[String(name)] != nil }

    func suite(_ suite: some StringProtocol, has test: some StringProtocol) -> Bool {
        bySuite[String(suite)]?.contains(String(test)) ?? false
    }

    func target(_ target: some StringProtocol, has test: some StringProtocol) -> Bool {
        byTarget[String(target)]?.contains(String(test)) ?? false
    }

    /// A type that is in no other one, or an extension of one.
    private static var suitePattern: Regex<(Substring, Substring)> {
        /^(?:@Suite.*\s)?(?:(?:public|package|private|fileprivate|final)\s+)*(?:struct|class|actor|enum|extension)\s+(\w+)/
    }
    private static var functionPattern: Regex<(Substring, Substring)> { /\bfunc\s+(\w+)/ }
}

/// Each bound that the page lists is filled by tests that there are.
enum BoundRules {
    /// - Parameter page: With one table, whose last column names tests: `Suite.test`, `.test` of the suite before, `Suite` for
    ///   all of it, `test` of `HostileTests`, or `test` (`Target`) of another target.
    static func breaches(_ page: TextFile, _ tests: TestNames) -> [Breach] {
        var breaches: [Breach] = []
        for (index, cells) in rows(page) {
            let sentences = missing(cells[cells.count - 2], tests).map { "there is no test \($0)" }
            breaches += sentences.map { Breach(path: page.path, line: index + 1, sentence: $0) }
            guard !cells[cells.count - 2].contains(namePattern) else { continue }
            breaches.append(Breach(path: page.path, line: index + 1, sentence: "no test fills “\(cells[1])”"))
        }
        return breaches
    }

    /// Rows of bounds, with what stands before, between and behind their lines.
    static func rows(_ page: TextFile) -> [(index: Int, cells: [Substring])] {
        page.lines.enumerated().filter { $0.element.hasPrefix("|") }.dropFirst(2).map { index, line in
            (index, line.split(separator: "|", omittingEmptySubsequences: false).map { trimmed($0) })
        }.filter { !$0.cells[1].hasPrefix("**") }
    }

    private static func trimmed(_ cell: Substring) -> Substring {
        var cell = cell.drop { $0 == " " }
        while cell.last == " " { cell.removeLast() }
        return cell
    }

    private static func missing(_ cell: Substring, _ tests: TestNames) -> [String] {
        var (suite, missing): (Substring, [String]) = ("", [])
        for match in cell.matches(of: namePattern) {
            let name = match.output.1
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            let isThere: Bool
            if parts.count == 2 {
                if !parts[0].isEmpty { suite = parts[0] }
                isThere = tests.suite(suite, has: parts[1])
            } else if name.first?.isUppercase == true {
                suite = name
                isThere = tests.isSuite(name)
            } else {
                isThere = tests.target(match.output.2 ?? "HostileTests", has: name)
            }
            if !isThere { missing.append(String(name)) }
        }
        return missing
    }

    private static var namePattern: Regex<(Substring, Substring, Substring?)> { /`([^`]+)`(?: \(`(\w+)`\))?/ }
}
