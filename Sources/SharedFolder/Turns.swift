import Synchronization

/// Lets one task at a time work on one thing; others wait in the order they came.
final class Turns<Key: Hashable & Sendable>: Sendable {
    /// A key that is present is being worked on.
    private let waiting = Mutex<[Key: [CheckedContinuation<Void, Never>]]>([:])

    func withTurn<Value>(_ key: Key, _ body: () async throws -> Value) async rethrows -> Value {
        await begin(key)
        defer { pass(key) }
        return try await body()
    }

    /// Several at once. Whoever holds one turn only must not wait for somebody who holds several.
    func withTurns<Value>(_ keys: Set<Key>, _ body: () async throws -> Value) async rethrows -> Value {
        for key in keys { await begin(key) }
        defer { for key in keys { pass(key) } }
        return try await body()
    }

    private func begin(_ key: Key) async {
        await withCheckedContinuation { continuation in
            let isFree = waiting.withLock { waiting in
                guard waiting[key] != nil else {
                    waiting[key] = []
                    return true
                }
                waiting[key]!.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func pass(_ key: Key) {
        let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
            guard waiting[key]?.isEmpty == false else {
                waiting[key] = nil
                return nil
            }
            return waiting[key]!.removeFirst()
        }
        next?.resume()
    }
}
