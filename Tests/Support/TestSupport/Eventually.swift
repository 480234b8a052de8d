/// What went wrong in a test, in words.
public struct TestFailure: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}

/// Asks again and again until `answer` has one, or the time is over; says then what the last obstacle was.
@discardableResult
public func eventually<Value>(
    _ what: String, within limit: Duration = .seconds(30), _ answer: () async throws -> Attempt<Value>
) async throws -> Value {
    let deadline = ContinuousClock.now + limit
    while true {
        switch try await answer() {
        case .done(let value): return value
        case .notYet(let reason):
            guard ContinuousClock.now < deadline else { throw TestFailure("\(what): not within \(limit); \(reason)") }
        }
        try await Task.sleep(for: .milliseconds(20))
    }
}

public enum Attempt<Value> {
    case done(Value)
    case notYet(String)
}

extension Attempt where Value == Void {
    public static func when(_ condition: Bool, _ reason: @autoclosure () throws -> String) rethrows -> Attempt {
        condition ? .done(()) : .notYet(try reason())
    }
}
