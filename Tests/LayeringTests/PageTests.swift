import Foundation
import Testing

@Suite("Pages") struct PageTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Reads all pages, sources and tests, and shows that none names a page or a decision that is not there.
    @Test func pagesAreFound() throws {
        let files = try TextFile.all(below: Self.root)
        #expect(files.count { $0.isPage } > 20, "the pages are not where this test looks for them")
        #expect(files.contains { $0.decisionNumber == 1 }, "the decisions are not where this test looks for them")
        let breaches = PageRules.breaches(files)
        #expect(breaches.isEmpty, "\(breaches.map(\.description).joined(separator: "\n"))")
    }

    // MARK: Rules, on samples that break them

    private let sound = [
        TextFile(path: "Sources/A/A.docc/A.md", text: "# ``A``\n- <doc:Decisions>"),
        TextFile(path: "Sources/A/A.docc/Decisions.md", text: "# Decisions\n- <doc:001-one>"),
        TextFile(path: "Sources/A/A.docc/Decisions/001-one.md", text: "# 1: One"),
        TextFile(path: "Sources/A/A.swift", text: "// <doc:Decisions>, <doc:001-one#Why>, decision 1\nlet a = 1"),
    ]

    private func breaches(with path: String, _ text: String) -> [String] {
        PageRules.breaches(sound + [TextFile(path: path, text: text)]).map(\.description)
    }

    @Test func soundPagesPass() {
        #expect(PageRules.breaches(sound) == [])
    }

    @Test func namesOfNothingAreBreaches() {
        let path = "Tests/ATests/ATests.swift"
        #expect(breaches(with: path, "\n/// <doc:Nowhere>") == ["\(path):2: there is no page Nowhere"])
        #expect(breaches(with: path, "// Decision 2 says so.") == ["\(path):1: there is no decision 2"])
    }

    @Test func pagesThatNobodyFindsAreBreaches() {
        #expect(
            breaches(with: "Sources/A/A.docc/B.md", "# B, after <doc:A>")
                == ["Sources/A/A.docc/B.md:1: no list of topics has B"])
        #expect(
            breaches(with: "Sources/A/A.docc/Elsewhere/Decisions.md", "# Others")
                == ["Sources/A/A.docc/Elsewhere/Decisions.md:1: Sources/A/A.docc/Decisions.md has the same name"])
    }

    @Test func decisionsAreNumbered() {
        let listed = "\n- <doc:003-three>"
        let path = "Sources/A/A.docc/Decisions/003-three.md"
        #expect(breaches(with: path, "# 3: Three" + listed) == ["\(path):1: the decision after 1 is 2"])
        let second = "Sources/A/A.docc/Decisions/002-two.md"
        #expect(breaches(with: second, "# Two\n- <doc:002-two>") == ["\(second):1: the title lacks 2"])
    }
}
