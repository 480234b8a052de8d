import Simulator
import Testing

/// What people did to files stands in the ledger, and what is shown otherwise is found.
@Suite struct FolderLedgerTests {
    private static func ledger() -> FolderLedger<String, Int> {
        var ledger = FolderLedger<String, Int>()
        for (path, photo) in [("A/a", 1), ("A/b", 2), ("B/c", 2)] { ledger.put(photo, at: path) }
        return ledger
    }

    @Test func deedsAreFollowed() {
        var ledger = Self.ledger()
        ledger.move("A/a", to: "A/b")
        #expect(ledger.files == ["A/b": 1, "B/c": 2])
        ledger.swap("A/b", "B/c")
        ledger.moveAll { $0.hasPrefix("A/") ? "D/b" : nil }
        #expect(ledger.files == ["D/b": 2, "B/c": 1])
        #expect(ledger.take("B/c") == 1)
        #expect(ledger.paths(of: 2) == ["D/b"] && ledger.paths(of: 1).isEmpty)
        #expect(ledger.everPut == ["D/b": [1, 2], "B/c": [2]])
    }

    @Test func whatIsShownOtherwiseIsFound() {
        let ledger = Self.ledger()
        #expect(ledger.differences(from: ["A/a": "1", "A/b": "2", "B/c": "2"]) { "\($0)" } == [])
        #expect(ledger.differences(from: ["A/x": 1, "A/b": 3, "B/c": 2]) { $0 } == ["A/a", "A/b", "A/x"])
    }

    /// A file that goes and comes back, or holds something else for a while, has not been there since before.
    @Test func filesAreThereSinceAStep() {
        var ledger = FolderLedger<String, Int>()
        ledger.follow(["a": 1, "b": 2], step: 3)
        ledger.put(1, at: "a", step: 5)
        ledger.follow(["a": 1], step: 6)
        ledger.follow(["a": 1, "b": 2], step: 7)
        #expect(ledger.photo(at: "a", since: 4) == 1)
        #expect(ledger.photo(at: "b", since: 7) == nil && ledger.photo(at: "b", since: 8) == 2)
        ledger.moveAll { "b/" + $0 }
        #expect(ledger.photo(at: "b/b", since: 7) == nil && ledger.photo(at: "b/b", since: 8) == 2)
        #expect(ledger.everPut == ["b/a": [1]])
    }
}
