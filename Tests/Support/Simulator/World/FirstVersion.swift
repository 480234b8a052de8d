import WireFormat

/// The messages and fields of the protocol's first version, looked at byte by byte: a peer that knows no others must be
/// told none, and must be done without what it does not say. But it verifies pieces as everybody does by now.
enum FirstVersion {
    /// The envelope's field of hello, and the kinds of message that there were.
    private static let hello: UInt64 = 1
    private static let kinds: ClosedRange<UInt64> = 1...25
    /// Fields of hello that there were: version, run, port, fold level, oldest version, need of a link, presence known.
    private static let helloFields: ClosedRange<UInt64> = 1...8

    /// - Throws: if a later agent has something to say that the first version had no words for.
    static func sent(_ bytes: [UInt8]) throws(SimulationFailure) -> [UInt8] {
        try narrowed(bytes, "is sent by")
    }

    static func received(_ bytes: [UInt8]) throws(SimulationFailure) -> [UInt8] {
        try narrowed(bytes, "is sent to")
    }

    /// What it sees of a liar's message, which may be of any kind and in any version.
    static func receivedFromLiar(_ bytes: [UInt8]) -> [UInt8] {
        (try? narrowed(bytes, "is sent to", setsVersion: false)) ?? bytes
    }

    private static func narrowed(
        _ bytes: [UInt8], _ verb: String, setsVersion: Bool = true
    ) throws(SimulationFailure) -> [UInt8] {
        guard let envelope = ProtobufField.fields(bytes).first else { return bytes }
        guard kinds.contains(envelope.number) else {
            let sentence = "message \(envelope.number) \(verb) a laptop of the first version"
            throw SimulationFailure(.unreadable, sentence)
        }
        guard envelope.number == hello, let content = envelope.content else { return bytes }
        var narrow: [UInt8] = []
        for field in ProtobufField.fields(content) where helloFields.contains(field.number) {
            // The version is the first field, and the oldest is what it says here.
            let oldest = UInt8(WireLimits.protocolVersions.lowerBound)
            narrow += setsVersion && field.number == 1 ? [0x08, oldest] : field.bytes
        }
        return [0x0A] + ProtobufField.varint(UInt64(narrow.count)) + narrow
    }
}

/// One field of an encoded protobuf message.
struct ProtobufField {
    var number: UInt64
    /// With its tag.
    var bytes: [UInt8]
    /// Of a field that has a length.
    var content: [UInt8]?

    /// Up to the first one that cannot be read.
    static func fields(_ message: [UInt8]) -> [ProtobufField] {
        var fields: [ProtobufField] = []
        var rest = message[...]
        while let tag = takeVarint(&rest) {
            let start = message.index(rest.startIndex, offsetBy: -varint(tag).count)
            var content: [UInt8]?
            switch tag & 7 {
            case 0: _ = takeVarint(&rest)
            case 1: rest = rest.dropFirst(8)
            case 2:
                let count = Int(takeVarint(&rest) ?? 0)
                content = Array(rest.prefix(count))
                rest = rest.dropFirst(count)
            case 5: rest = rest.dropFirst(4)
            default: return fields
            }
            fields.append(
                ProtobufField(number: tag >> 3, bytes: Array(message[start..<rest.startIndex]), content: content))
        }
        return fields
    }

    private static func takeVarint(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while let byte = bytes.popFirst(), shift < 64 {
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        return nil
    }

    static func varint(_ value: UInt64) -> [UInt8] {
        var rest = value
        var bytes: [UInt8] = []
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}
