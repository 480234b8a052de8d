import Testing

@testable import WebGallery

/// How often guests may do something.
@Suite struct RequestBudgetTests {
    /// Shows a bucket that empties, says when to come again, is right about it, and never holds more than it can.
    @Test func bucketsRefill() {
        var bucket = TokenBucket(.init(capacity: 3, refill: 2), now: 1000)
        for _ in 0..<3 { #expect(bucket.take(now: 1000) == .allowed) }
        #expect(bucket.take(now: 1000) == .wait(500))
        #expect(bucket.take(2, now: 1100) == .wait(900))
        #expect(bucket.take(now: 1499) == .wait(1))
        #expect(bucket.take(now: 1500) == .allowed)
        #expect(bucket.take(now: 1500) == .wait(500))
        for _ in 0..<3 { #expect(bucket.take(now: 1_000_000) == .allowed) }
        #expect(bucket.take(now: 1_000_000) == .wait(500))
        #expect(bucket.take(4, now: 9_000_000) == .tooMuch)
        #expect(bucket.take(3, now: 9_000_000) == .allowed)
    }

    /// Shows that a clock that stands or a span of ages does no harm.
    @Test func timesMayBeStrange() {
        var bucket = TokenBucket(.init(capacity: 1 << 40, refill: 1 << 40), now: 0)
        #expect(bucket.take(1 << 40, now: 0) == .allowed)
        #expect(bucket.take(now: -5) == .wait(1))
        #expect(bucket.take(1 << 40, now: .max) == .allowed)
    }

    /// Shows that one guest cannot use up what is for all, that all together are bounded, and that a refusal costs nothing.
    @Test func guestsShare() {
        var budget = RequestBudget<String>(
            each: .init(capacity: 2, refill: 1), all: .init(capacity: 5, refill: 10), now: 0)
        for _ in 0..<2 { #expect(budget.take(of: "Lena", now: 0) == .allowed) }
        for _ in 0..<9 { #expect(budget.take(of: "Lena", now: 0) == .wait(1000)) }
        for _ in 0..<2 { #expect(budget.take(of: "Ben", now: 0) == .allowed) }
        #expect(budget.take(of: "Tom", now: 0) == .allowed)
        #expect(budget.take(of: "Mia", now: 0) == .wait(100))
        #expect(budget.take(of: "Mia", now: 100) == .allowed)
        #expect(budget.take(3, of: "Mia", now: 100) == .tooMuch)
        #expect(budget.take(of: "Lena", now: 1000) == .allowed)
    }

    /// Shows that keys that nobody needs any more make room, and that without room the common bucket still bounds.
    @Test func keysAreBounded() {
        var budget = RequestBudget<Int>(
            each: .init(capacity: 1, refill: 1), all: .init(capacity: 10, refill: 1), keyCountMax: 2, now: 0)
        #expect(budget.take(of: 1, now: 0) == .allowed)
        #expect(budget.take(of: 2, now: 0) == .allowed)
        for _ in 0..<8 { #expect(budget.take(of: 3, now: 0) == .allowed) }
        #expect(budget.take(of: 3, now: 0) == .wait(1000))
        #expect(budget.take(of: 3, now: 5000) == .allowed)
        #expect(budget.take(of: 3, now: 5000) == .wait(1000))
    }
}
