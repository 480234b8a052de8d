/// Makes something of each element, some of them at a time, and uses the results one after the other in their order.
///
/// - Parameter width: How many are being made or wait to be used, at most.
/// - Throws: What `make` or `use` throws first; the rest is cancelled.
func inOrder<Element: Sendable, Made: Sendable>(
    _ elements: [Element], width: Int, make: @escaping @Sendable (Element) async throws -> Made,
    use: (Element, Made) async throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: (Int, Made).self) { group in
        var begun = 0
        var waiting: [Int: Made] = [:]
        for (next, element) in elements.enumerated() {
            while begun < min(elements.count, next + width) {
                let index = begun
                group.addTask { (index, try await make(elements[index])) }
                begun += 1
            }
            while waiting[next] == nil, let (index, made) = try await group.next() { waiting[index] = made }
            guard let made = waiting.removeValue(forKey: next) else { preconditionFailure("each is made once") }
            try await use(element, made)
        }
    }
}
