import Foundation
import Testing

@Suite("Bounds") struct BoundTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Reads the page of bounds and all tests, and shows that each bound has one, and that each that is named is there.
    @Test func boundsHaveTests() throws {
        let page = try #require(try TextFile.all(below: Self.root).first { $0.isPage && $0.name == "Bounds" })
        #expect(BoundRules.rows(page).count > 100, "the bounds are not where this test looks for them")
        let tests = TestNames(try SourceFile.all(in: ["Tests"], below: Self.root))
        let breaches = BoundRules.breaches(page, tests)
        #expect(breaches.isEmpty, "\(breaches.map(\.description).joined(separator: "\n"))")
    }

    // MARK: Rules, on samples that break them

    private let tests = TestNames([
        SourceFile(
            target: "ATests", path: "One.swift",
            text: """
                @Suite(.timeLimit(.minutes(1))) struct OneTests {
                    @Test func first() {}
                    @Test(arguments: [1, 2])
                    func second(number: Int) {}
                    func noTest() {}
                    // @Test func comment() {}
                    let text = "@Test func text() {}"
                }

                extension OneTests {
                    @Test func third() {}
                }

                private struct Helper {
                    func first() {}
                }
                """),
        SourceFile(target: "HostileTests", path: "Two.swift", text: "final class Two {\n    @Test func lonely() {}\n}"),
    ])

    private func breaches(_ cell: String) -> [String] {
        let text = "# Bounds\n\n| what | test |\n| --- | --- |\n| **Group** | |\n| guests | \(cell) |"
        return BoundRules.breaches(TextFile(path: "Bounds.md", text: text), tests).map(\.description)
    }

    @Test(
        arguments: [
            "`OneTests.first`", "`OneTests.first`, `.second`, `.third`", "`OneTests`", "`lonely`", "`first` (`ATests`)",
            "`OneTests`, `.third`, `lonely`",
        ])
    func testsThatAreTherePass(_ cell: String) {
        #expect(breaches(cell) == [])
    }

    @Test(
        arguments: [
            ("`OneTests.fourth`", "OneTests.fourth"), ("`OneTests.first`, `.noTest`", ".noTest"),
            ("`Helper`", "Helper"),
            ("`OneTests.comment`", "OneTests.comment"), ("`OneTests.text`", "OneTests.text"), ("`first`", "first"),
            ("`Helper.first`", "Helper.first"), ("`lonely` (`ATests`)", "lonely"), ("`.first`", ".first"),
        ])
    func testsThatAreNowhereAreBreaches(_ cell: String, _ name: String) {
        #expect(breaches(cell) == ["Bounds.md:6: there is no test \(name)"])
    }

    @Test(arguments: ["none", "", "browser tests"]) func boundsWithoutTestsAreBreaches(_ cell: String) {
        #expect(breaches(cell) == ["Bounds.md:6: no test fills “guests”"])
    }
}
