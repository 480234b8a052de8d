/// Amounts of bytes as people write and read them.
public enum ByteAmount {
    private static let units: [(name: String, byteCount: UInt64)] = [
        ("kb", 1000), ("mb", 1_000_000), ("gb", 1_000_000_000), ("tb", 1_000_000_000_000), ("k", 1000),
        ("m", 1_000_000), ("g", 1_000_000_000), ("t", 1_000_000_000_000), ("kib", 1 << 10), ("mib", 1 << 20),
        ("gib", 1 << 30), ("tib", 1 << 40), ("bytes", 1), ("byte", 1), ("b", 1), ("", 1),
    ]

    /// Reads `0`, `500000`, `500 kB`, `1.5 GB` or `1 GiB`, in any case; at most a thousand tebibytes.
    public static func parse(_ text: String) -> UInt64? {
        let text = text.lowercased().filter { $0 != " " }
        let number = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        guard let unit = units.first(where: { $0.name == text.dropFirst(number.count) }),
            number.first != ".", number.last != ".", let value = Double(number)
        else { return nil }
        let byteCount = value * Double(unit.byteCount)
        return byteCount <= Double(UInt64(1) << 50) ? UInt64(byteCount) : nil
    }

    /// `512 bytes`, `4.2 MB`, `160 GB`: decimal units, one decimal below ten.
    public static func text(_ byteCount: UInt64) -> String {
        guard byteCount >= 1000 else { return byteCount == 1 ? "1 byte" : "\(byteCount) bytes" }
        let names = ["kB", "MB", "GB", "TB", "PB", "EB"]
        var tenths = byteCount / 100
        var index = 0
        while tenths >= 10_000, index < names.count - 1 {
            tenths /= 1000
            index += 1
        }
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10) \(names[index])" : "\(tenths / 10) \(names[index])"
    }
}
