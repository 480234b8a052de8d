/// The text format of Prometheus, version 0.0.4
/// (<https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format>).
public enum MetricsText {
    public static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    /// Names that the format forbids, and a name twice, are mistakes of the caller.
    public static func text(of families: [MetricFamily]) -> String {
        var names: Set<String> = []
        var text = ""
        for family in families {
            precondition(isName(family.name, allowsColon: true), "no name of a metric: \(family.name)")
            precondition(names.insert(family.name).inserted, "twice: \(family.name)")
            text += "# HELP \(family.name) \(escaped(family.help, quotes: false))\n"
            text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
            for sample in family.samples { text += line(family.name, sample) }
        }
        return text
    }

    private static func line(_ name: String, _ sample: MetricFamily.Sample) -> String {
        let labels = sample.labels.map { label in
            precondition(
                isName(label.name, allowsColon: false) && !label.name.hasPrefix("__"), "no name of a label: \(label)")
            return "\(label.name)=\"\(escaped(label.value, quotes: true))\""
        }
        let set = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
        return "\(name)\(set) \(text(of: sample.value))\n"
    }

    private static func text(of value: MetricValue) -> String {
        switch value {
        case .count(let number): return "\(number)"
        case .number(let number):
            if number.isNaN { return "NaN" }
            if number.isInfinite { return number < 0 ? "-Inf" : "+Inf" }
            return "\(number)"
        }
    }

    /// Backslashes and line feeds everywhere; in values of labels quotation marks too.
    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static func isName(_ text: String, allowsColon: Bool) -> Bool {
        guard let first = text.utf8.first, !isDigit(first) else { return false }
        return text.utf8.allSatisfy { byte in
            isDigit(byte) || byte == UInt8(ascii: "_") || (allowsColon && byte == UInt8(ascii: ":"))
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
