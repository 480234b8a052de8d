/// One line that says it all, and can be read back: `seed=17 laptops=4 … faults=crash:6,cut:3 lies=none`.
///
/// What a line does not name is drawn from its seed, so `seed=17` alone is the run of that seed.
extension SimulationOptions: LosslessStringConvertible {
    public var description: String {
        let faults = faults.sorted { $0.key < $1.key }.map { "\($0.key.rawValue):\(Self.text($0.value))" }
        let lies = lies.map(\.rawValue).sorted()
        let words = [
            "seed=\(seed)", "laptops=\(laptopCount)", "seconds=\(Self.text(faultSeconds))", "edits=\(editCount)",
            "words=\(wordCount)", "bulk=\(bulkCount)",
            "heal=\(Self.text(healSeconds))", "delay=\(Self.text(delay))", "rate=\(Self.text(rate))",
            "p256=\(usesP256)", "first-version=\(hasFirstVersion)", "tight=\(hasTightSets)",
            "faults=" + (faults.isEmpty ? "none" : faults.joined(separator: ",")),
            "liars=\(liarCount)", "quiet=\(hasQuietEnd)",
            "lies=" + (lies.isEmpty ? "none" : lies.joined(separator: ",")),
        ]
        return (words + (mutant.map { ["mutant=\($0.rawValue)"] } ?? [])).joined(separator: " ")
    }

    private static func text(_ number: Double) -> String {
        number == number.rounded() && number < 1e15 ? "\(Int(number))" : "\(number)"
    }

    /// Reads what ``description`` writes, or a seed alone; `nil` for anything else.
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
        for (key, value) in values {
            guard read(key, value) else { return nil }
        }
    }

    private mutating func read(_ key: Substring, _ value: Substring) -> Bool {
        switch key {
        case "seed": true
        case "laptops": Self.set(&laptopCount, Int(value))
        case "seconds": Self.set(&faultSeconds, Double(value))
        case "edits": Self.set(&editCount, Int(value))
        case "words": Self.set(&wordCount, Int(value))
        case "bulk": Self.set(&bulkCount, Int(value))
        case "heal": Self.set(&healSeconds, Double(value))
        case "delay": Self.set(&delay, Double(value))
        case "rate": Self.set(&rate, Double(value))
        case "p256": Self.set(&usesP256, Bool(String(value)))
        case "first-version": Self.set(&hasFirstVersion, Bool(String(value)))
        case "tight": Self.set(&hasTightSets, Bool(String(value)))
        case "faults": Self.set(&faults, Self.faults(value))
        case "lies": Self.set(&lies, Self.lies(value))
        case "liars": Self.set(&liarCount, Int(value))
        case "quiet": Self.set(&hasQuietEnd, Bool(String(value)))
        case "mutant": Self.set(&mutant, Mutant(rawValue: String(value)))
        default: false
        }
    }

    private static func set<Value>(_ option: inout Value, _ value: Value?) -> Bool {
        guard let value else { return false }
        option = value
        return true
    }

    private static func faults(_ text: Substring) -> [FaultFamily: Double]? {
        var faults: [FaultFamily: Double] = [:]
        for word in text.split(separator: ",") where word != "none" {
            let parts = word.split(separator: ":")
            guard parts.count == 2, let family = FaultFamily(rawValue: String(parts[0])),
                let interval = Double(parts[1]), interval > 0
            else { return nil }
            faults[family] = interval
        }
        return faults
    }

    private static func lies(_ text: Substring) -> Set<Lie>? {
        var lies: Set<Lie> = []
        for word in text.split(separator: ",") where word != "none" {
            guard let lie = Lie(rawValue: String(word)) else { return nil }
            lies.insert(lie)
        }
        return lies
    }
}
