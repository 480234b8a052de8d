/// A line of options: `seed=17 laptops=4 … faults=crash:6,cut:3 lies=none`.
extension SimulationOptions {
    public var description: String {
        let faults = faults.sorted { $0.key < $1.key }.map { "\($0.key.rawValue):\(Self.text($0.value))" }
        let words = [
            "seed=\(seed)", "laptops=\(laptopCount)", "seconds=\(Self.text(faultSeconds))", "edits=\(editCount)",
            "words=\(wordCount)", "rulings=\(rulingCount)", "bulk=\(bulkCount)",
            "heal=\(Self.text(healSeconds))", "delay=\(Self.text(delay))", "rate=\(Self.text(rate))",
            "p256=\(usesP256)", "first-version=\(hasFirstVersion)", "tight=\(hasTightSets)",
            "faults=" + (faults.isEmpty ? "none" : faults.joined(separator: ",")),
            "liars=\(liarCount)", "quiet=\(hasQuietEnd)",
            "lies=" + Self.text(lies),
        ]
        return (words + (mutant.map { ["mutant=\($0.rawValue)"] } ?? [])).joined(separator: " ")
    }

    private static func text(_ number: Double) -> String {
        number == number.rounded() && number < 1e15 ? "\(Int(number))" : "\(number)"
    }

    public mutating func read(_ key: Substring, _ value: Substring) -> Bool {
        switch key {
        case "laptops": Self.set(&laptopCount, Int(value))
        case "seconds": Self.set(&faultSeconds, Double(value))
        case "edits": Self.set(&editCount, Int(value))
        case "words": Self.set(&wordCount, Int(value))
        case "rulings": Self.set(&rulingCount, Int(value))
        case "bulk": Self.set(&bulkCount, Int(value))
        case "heal": Self.set(&healSeconds, Double(value))
        case "delay": Self.set(&delay, Double(value))
        case "rate": Self.set(&rate, Double(value))
        case "p256": Self.set(&usesP256, Bool(String(value)))
        case "first-version": Self.set(&hasFirstVersion, Bool(String(value)))
        case "tight": Self.set(&hasTightSets, Bool(String(value)))
        case "faults": Self.set(&faults, Self.faults(value))
        case "lies": Self.set(&lies, Self.names(value))
        case "liars": Self.set(&liarCount, Int(value))
        case "quiet": Self.set(&hasQuietEnd, Bool(String(value)))
        case "mutant": Self.set(&mutant, Mutant(rawValue: String(value)))
        default: false
        }
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
}
