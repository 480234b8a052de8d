/// What a run is made of: equal options give equal runs. One line says it all, and can be read back; what a line does not
/// name is drawn from its seed, so `seed=17` alone is the run of that seed.
public protocol RunOptions: Hashable, Sendable, LosslessStringConvertible {
    var seed: UInt64 { get }
    /// Everything that is one step simpler.
    var simpler: [Self] { get }

    init(seed: UInt64)

    /// Takes one option of a line.
    /// - Returns: false for one that does not exist or makes no sense.
    mutating func read(_ key: Substring, _ value: Substring) -> Bool

    func run() -> RunOutcome
}

/// How a run ended.
public struct RunOutcome: Sendable {
    public var eventCount: Int
    public var virtualSeconds: Double
    /// A fingerprint of all that happened.
    public var trace: String
    /// The first property that did not hold; `nil` if all did.
    public var failure: SimulationFailure?
}

extension RunOptions {
    /// Reads what `description` writes, or a seed alone; `nil` for anything else.
    public init?(_ text: String) {
        if let seed = UInt64(text) {
            self.init(seed: seed)
            return
        }
        var values: [(key: Substring, value: Substring)] = []
        for word in text.split(separator: " ") {
            guard let equals = word.firstIndex(of: "=") else { return nil }
            values.append((word[..<equals], word[word.index(after: equals)...]))
        }
        guard let seed = values.first(where: { $0.key == "seed" }).flatMap({ UInt64($0.value) }) else { return nil }
        self.init(seed: seed)
        for (key, value) in values where key != "seed" {
            guard read(key, value) else { return nil }
        }
    }

    static func set<Value>(_ option: inout Value, _ value: Value?) -> Bool {
        guard let value else { return false }
        option = value
        return true
    }

    /// A list of names; "none" is an empty one.
    static func names<Name: RawRepresentable<String>>(_ text: Substring) -> Set<Name>? {
        var names: Set<Name> = []
        for word in text.split(separator: ",") where word != "none" {
            guard let name = Name(rawValue: String(word)) else { return nil }
            names.insert(name)
        }
        return names
    }

    static func text<Name: RawRepresentable<String>>(_ names: Set<Name>) -> String {
        names.isEmpty ? "none" : names.map(\.rawValue).sorted().joined(separator: ",")
    }

    /// These options changed, where that makes a difference.
    func changed(_ change: (inout Self) -> Void) -> [Self] {
        var other = self
        change(&other)
        return other == self ? [] : [other]
    }
}
