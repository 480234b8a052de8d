import Logging

/// One log message as journald takes it (<https://systemd.io/JOURNAL_NATIVE_PROTOCOL/>).
struct JournalEntry {
    /// How much of a message is sent; the rest is left out, and said to be. A datagram holds what a socket's buffer does,
    /// usually 208 KiB.
    struct Limits {
        var messageByteCount: Int
        var fieldByteCount: Int
        var fieldCount: Int

        /// 16 KiB + 32 × (4 KiB + a name) = 147 KiB at most.
        static let standard = Limits(messageByteCount: 16 << 10, fieldByteCount: 4 << 10, fieldCount: 32)
        /// For a socket whose buffer is small; below 2 KiB in all.
        static let short = Limits(messageByteCount: 1 << 10, fieldByteCount: 0, fieldCount: 0)
    }

    static let identifier = "potluck"
    /// Before the name of each piece of metadata.
    private static let prefix = "POTLUCK_"
    /// journald ignores fields of longer names.
    private static let nameByteCountMax = 64

    private(set) var bytes: [UInt8] = []

    /// - Parameter message: What a person reads, metadata included.
    init(level: Logger.Level, message: String, metadata: Logger.Metadata, limits: Limits = .standard) {
        add("MESSAGE", Self.cut(message, to: limits.messageByteCount))
        add("PRIORITY", "\(Self.priority(level))")
        add("SYSLOG_IDENTIFIER", Self.identifier)
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }).prefix(limits.fieldCount) {
            add(Self.name(key), Self.cut("\(value)", to: limits.fieldByteCount))
        }
        if metadata.count > limits.fieldCount {
            add(Self.prefix + "FIELDS_LEFT_OUT", "\(metadata.count - limits.fieldCount)")
        }
    }

    /// A value of several lines goes with its length: otherwise its second line would be a field of its own.
    private mutating func add(_ name: String, _ value: String) {
        bytes += name.utf8
        if value.utf8.contains(UInt8(ascii: "\n")) {
            bytes.append(UInt8(ascii: "\n"))
            withUnsafeBytes(of: UInt64(value.utf8.count).littleEndian) { bytes += $0 }
        } else {
            bytes.append(UInt8(ascii: "="))
        }
        bytes += value.utf8
        bytes.append(UInt8(ascii: "\n"))
    }

    /// `peer.id` becomes `POTLUCK_PEER_ID`: journald takes capital letters, digits and underscores.
    static func name(_ key: String) -> String {
        let letters = key.uppercased().unicodeScalars.map { scalar -> Character in
            switch scalar {
            case "A"..."Z", "0"..."9": Character(scalar)
            default: "_"
            }
        }
        return String((prefix + String(letters)).prefix(nameByteCountMax))
    }

    /// Of syslog (RFC 5424, section 6.2.1).
    static func priority(_ level: Logger.Level) -> Int {
        switch level {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }

    /// The text if it fits, else its beginning and how much was left out.
    static func cut(_ text: String, to byteCountMax: Int) -> String {
        let bytes = text.utf8
        guard bytes.count > byteCountMax else { return text }
        // No scalar is cut in two: one goes on with bytes of the form 10xxxxxx.
        var end = bytes.index(bytes.startIndex, offsetBy: byteCountMax)
        while end > bytes.startIndex, bytes[end] & 0xC0 == 0x80 { bytes.formIndex(before: &end) }
        let rest = bytes.distance(from: end, to: bytes.endIndex)
        return "\(text[..<end])… [\(Phrases.count(rest, "byte")) left out]"
    }
}
