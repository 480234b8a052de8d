/// A value that is kept elsewhere: where there is none, its place is one word.
indirect enum Boxed<Value> {
    case value(Value)

    var value: Value {
        switch self {
        case .value(let value): value
        }
    }
}

extension Boxed: Equatable where Value: Equatable {}
extension Boxed: Hashable where Value: Hashable {}
extension Boxed: Sendable where Value: Sendable {}
