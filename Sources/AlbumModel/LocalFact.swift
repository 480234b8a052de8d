/// What a local fact is about. Each user of facts names its own kinds, beside its code.
public struct FactKind: RawRepresentable, Hashable, Sendable {
    public var rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// Sets or deletes one local fact.
public struct FactChange: Hashable, Sendable {
    public var kind: FactKind
    public var key: [UInt8]
    /// `nil` deletes.
    public var value: [UInt8]?

    public init(kind: FactKind, key: [UInt8], value: [UInt8]?) {
        self.kind = kind
        self.key = key
        self.value = value
    }
}
