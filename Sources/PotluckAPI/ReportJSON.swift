public import FoundationEssentials

/// JSON as Potluck writes it: on one line, keys in alphabetical order, without a character that a terminal or a log
/// would not show as it is.
public enum ReportJSON {
    public static func data(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return JSONEscapes.escaped(try encoder.encode(value))
    }

    /// One line, without its end.
    public static func text(_ value: some Encodable) throws -> String {
        String(decoding: try data(value), as: UTF8.self)
    }

    public static func value<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try JSONDecoder().decode(type, from: data)
    }

    /// A document that an agent wrote, safe for a terminal: an agent of another version may escape less.
    public static func safeText(_ document: Data) -> String {
        String(decoding: JSONEscapes.escaped(document), as: UTF8.self)
    }
}
