import Foundation
import Testing

/// Pages that list names of the sources list those that there are: a reader finds each part, and each name leads
/// somewhere.
@Suite("Documentation") struct DocumentationTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func manifest() throws -> String {
        try String(contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8)
    }

    // MARK: Architecture

    /// Each folder of Sources is a target of the manifest, and has one row among the parts; no row is of anything else.
    /// So has each folder of Tests/Support among what tests are made with.
    @Test func partsAreTheTargets() throws {
        let (parts, support) = try Self.parts()
        #expect(try parts.sorted() == SourceFile.targets(in: "Sources", below: Self.root).sorted())
        #expect(try support.sorted() == SourceFile.targets(in: "Tests/Support", below: Self.root).sorted())
        #expect(try (parts + support).sorted() == Manifest.targets(in: Self.manifest()).sorted())
    }

    private static func parts() throws -> (parts: [String], support: [String]) {
        let page = try Page("Architecture", below: root)
        return (page.rowNames(below: "## Parts"), page.rowNames(below: "## What tests are made with"))
    }

    /// A part imports those below it in the list at most, and nothing that is for tests.
    @Test func partsPointDown() throws {
        let (product, support) = try Self.parts()
        let parts = support + product
        for (index, part) in parts.enumerated() {
            let below = Set(parts[(index + 1)...])
            #expect(Layers.layer(of: part)?.own.subtracting(below) == [], "\(part) stands too low in the list")
        }
    }

    /// Each package that the manifest names has one row with its reason, and no row is of anything else.
    @Test func librariesAreThePackages() throws {
        let libraries = try Page("Architecture", below: Self.root).rowNames(below: "## Libraries")
        #expect(libraries.sorted() == Manifest.packages(in: try Self.manifest()).sorted())
    }

    // MARK: Glossary

    /// Terms that the glossary shows as code are identifiers of the code.
    @Test func termsAreIdentifiers() throws {
        let terms = try Page("Glossary", below: Self.root).rowNames(below: "## Overview")
        #expect(terms.count > 40, "the terms are not where this test looks for them")
        #expect(Set(terms).count == terms.count, "a term has two rows")
        let files = try SourceFile.ofPackage.get().filter { !$0.isGenerated }
        let words = files.reduce(into: Set<Substring>()) { $0.formUnion($1.words) }
        #expect(terms.filter { !words.contains($0[...]) } == [])
    }

    // MARK: What the tests read, on samples

    @Test func rowsAreReadBelowTheirHeading() {
        let page = Page(
            text: """
                ## Parts

                Before `the` table.

                | part | is for |
                | --- | --- |
                | **Group** | `none` |
                | `one`, `two` | something with `three` |
                | plain | |

                ## More

                | `four` | |
                """)
        #expect(page.rowNames(below: "## Parts") == ["one", "two"])
        #expect(page.rowNames(below: "## More") == ["four"])
        #expect(page.rowNames(below: "## Elsewhere") == [])
    }

    @Test func manifestsAreRead() {
        let text = """
            .package(url: "https://example.org/one/swift-first.git", from: "1.0.0"),
            .package(
                url: "https://example.org/two/Second", exact: "1.0.0"),
            let third = Target.Dependency.product(name: "Third", package: "swift-third")
            func library(_ name: String) -> Target { .target(name: name) }
            .target(name: "CFirst"), .systemLibrary(name: "CSecond", pkgConfig: "second-2.0"),
            library(
                "Third", [fourth]),
            .library(name: "fifth", type: .dynamic, targets: ["CFifth"]), .executable(name: "sixth", targets: []),
            .executableTarget(
                name: "seventh", dependencies: []), tests("Eighth", [])
            support("Ninth", []), supportProgram("tenth", ["Ninth"]), computingLibrary("Eleventh", []),
            """
        #expect(Manifest.packages(in: text) == ["swift-first", "Second"])
        #expect(Manifest.targets(in: text) == ["CFirst", "CSecond", "Third", "seventh", "Ninth", "tenth", "Eleventh"])
    }

    /// Words of comments and texts lead nowhere, parts of longer words neither.
    @Test func wordsAreThoseOfCode() {
        let text = "let heldBlobs = \"named\" // `told`\nfunc answer(_ question_2: Int) {}"
        let words = SourceFile(target: "PhotoStore", path: "Sample.swift", text: text).words
        #expect(words == ["let", "heldBlobs", "func", "answer", "_", "question_2", "Int"])
    }
}
