import Synchronization

/// Counts over threads.
final class Counter: Sendable {
    private let value = Atomic<Int>(0)

    var count: Int { value.load(ordering: .sequentiallyConsistent) }

    @discardableResult
    func increment(by amount: Int = 1) -> Int { value.add(amount, ordering: .sequentiallyConsistent).newValue }
}
