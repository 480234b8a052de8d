/// An IP address that was written as numbers.
struct NumericAddress: Hashable, Sendable {
    /// In network order: 4 or 16 of them.
    let bytes: [UInt8]

    /// Reads dotted decimal (four numbers without leading zeros) or IPv6 as RFC 4291, section 2.2, writes it; `nil` for
    /// anything else, a scope included.
    init?(_ text: String) {
        guard let bytes = text.utf8.contains(UInt8(ascii: ":")) ? Self.v6(text) : Self.v4(text[...]) else { return nil }
        self.bytes = bytes
    }

    /// Whether another machine may find somebody there: not unspecified, loopback, multicast, broadcast or reserved,
    /// no IPv4 address in disguise, and no IPv6 link-local one, which means nothing without the scope of the machine
    /// that tells it. IPv4 link-local needs no scope, and is all that there is where nobody hands out addresses.
    var isUnicast: Bool {
        if bytes.count == 4 { return bytes[0] != 0 && bytes[0] != 127 && bytes[0] < 224 }
        if bytes.prefix(10).allSatisfy({ $0 == 0 }) { return false }
        return bytes[0] != 0xff && !(bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80)
    }

    /// Whether it leads back to the machine that dials it (RFC 1122, section 3.2.1.3; RFC 4291, section 2.5.3).
    var isLoopback: Bool {
        if bytes.count == 4 { return bytes[0] == 127 }
        return bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
    }

    private static func v4(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                part.utf8.count == 1 || part.utf8.first != UInt8(ascii: "0"), let byte = UInt8(part)
            else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    private static func v6(_ text: String) -> [UInt8]? {
        let halves = text.split(separator: "::", omittingEmptySubsequences: false)
        switch halves.count {
        case 1: return groups(halves[0], mayEndInV4: true).flatMap { $0.count == 16 ? $0 : nil }
        case 2:
            // The gap stands for one group at least.
            guard let head = groups(halves[0], mayEndInV4: false), let tail = groups(halves[1], mayEndInV4: true),
                head.count + tail.count <= 14
            else { return nil }
            return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
        default: return nil
        }
    }

    private static func groups(_ text: Substring, mayEndInV4: Bool) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        var bytes: [UInt8] = []
        let groups = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, group) in groups.enumerated() {
            if mayEndInV4, index == groups.count - 1, group.utf8.contains(UInt8(ascii: ".")) {
                guard let last = v4(group) else { return nil }
                return bytes + last
            }
            guard (1...4).contains(group.utf8.count),
                group.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
                let number = UInt16(group, radix: 16)
            else { return nil }
            bytes += [UInt8(number >> 8), UInt8(number & 0xff)]
        }
        return bytes
    }
}
