extension Collection where Element: Sendable {
    /// What a body makes of each element, in their order; it is at work on so many at a time, begun in their order.
    ///
    /// - Throws: what one of them failed by, once those that were begun have ended; no other is begun then.
    func concurrentMap<Value: Sendable>(
        atMost countMax: Int, _ body: @escaping @Sendable (Element) async throws -> Value
    ) async throws -> [Value] {
        precondition(countMax > 0, "somebody is at work")
        return try await withThrowingTaskGroup(of: (place: Int, value: Value).self) { group in
            var values = [Value?](repeating: nil, count: count)
            for (place, element) in enumerated() {
                if place >= countMax, let done = try await group.next() { values[done.place] = done.value }
                group.addTask { (place, try await body(element)) }
            }
            for try await done in group { values[done.place] = done.value }
            return values.map { $0! }
        }
    }
}
