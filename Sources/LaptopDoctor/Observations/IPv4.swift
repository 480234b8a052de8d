/// An IPv4 address.
public struct IPv4: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The first of the four numbers is in the highest byte.
    public var bits: UInt32

    public init(bits: UInt32) { self.bits = bits }

    /// Reads `192.168.1.20`; `nil` for anything else.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { UInt8($0) }
        guard parts.count == 4, numbers.count == 4 else { return nil }
        bits = numbers.reduce(0) { $0 << 8 | UInt32($1) }
    }

    public var description: String {
        [24, 16, 8, 0].map { "\(bits >> UInt32($0) & 255)" }.joined(separator: ".")
    }

    /// What a machine calls itself where nobody gives addresses (RFC 3927).
    public var isLinkLocal: Bool { bits >> 16 == 0xa9fe }

    public static func < (left: IPv4, right: IPv4) -> Bool { left.bits < right.bits }
}

/// An own address and how much of it names the network.
public struct IPv4Network: Hashable, Sendable, CustomStringConvertible {
    public var address: IPv4
    /// 0 to 32.
    public var prefixLength: Int

    public init(address: IPv4, prefixLength: Int) {
        self.address = address
        self.prefixLength = min(max(prefixLength, 0), 32)
    }

    /// Reads `10.0.0.0/8`, or one address.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = parts.first.flatMap({ IPv4($0) }) else { return nil }
        guard parts.count == 2 else {
            self.init(address: address, prefixLength: 32)
            return
        }
        guard let length = Int(parts[1]), (0...32).contains(length) else { return nil }
        self.init(address: address, prefixLength: length)
    }

    private var mask: UInt32 { prefixLength == 0 ? 0 : ~0 << UInt32(32 - prefixLength) }

    public func contains(_ other: IPv4) -> Bool { address.bits & mask == other.bits & mask }

    /// Some addresses of other machines, at the beginning, in the middle and at the end.
    public var samples: [IPv4] {
        guard prefixLength <= 30 else { return [] }
        let first = address.bits & mask, size = ~mask
        let candidates = [1, 2, size / 2, size / 2 + 1, size - 2, size - 1].map { IPv4(bits: first + $0) }
        return candidates.filter { $0 != address }
    }

    public var description: String { "\(address)/\(prefixLength)" }
}
