/// The bytes of a DNS-SD text record: strings `key=value`, each led by its length (RFC 6763, section 6).
enum TextRecord {
    /// - Precondition: each string has at most 255 bytes.
    static func encode(_ entries: [(key: String, value: String)]) -> [UInt8] {
        entries.flatMap { key, value in
            let string = Array("\(key)=\(value)".utf8)
            return [UInt8(string.count)] + string
        }
    }

    /// Reads whatever a stranger sent: strings without a key or `=` are passed over, a string that runs past the end
    /// ends the reading. Keys are compared in lower case, the first of equal keys counts (section 6.4). The order of
    /// the strings means nothing: Avahi hands them over reversed.
    static func decode(_ bytes: [UInt8]) -> [String: [UInt8]] {
        var entries: [String: [UInt8]] = [:]
        var rest = bytes[...]
        while let length = rest.popFirst(), Int(length) <= rest.count {
            let string = rest.prefix(Int(length))
            rest = rest.dropFirst(Int(length))
            guard let equals = string.firstIndex(of: UInt8(ascii: "=")), equals > string.startIndex else { continue }
            let key = String(decoding: string[..<equals], as: UTF8.self).lowercased()
            if entries[key] == nil { entries[key] = Array(string[(equals + 1)...]) }
        }
        return entries
    }
}
