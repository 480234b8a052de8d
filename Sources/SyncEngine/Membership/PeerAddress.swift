/// Where a device's agent can be dialled.
public struct PeerAddress: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// A numeric address: IPv4, or IPv6 with `%scope` where it is link-local.
    public var host: String
    public var port: UInt16

    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Reads `HOST:PORT` or `[IPV6]:PORT`; `nil` for anything else. Names are kept as they are.
    public init?(parsing text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0 else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.init(host: String(host), port: port)
    }

    /// Whether the host is an IPv6 address.
    var isV6: Bool { host.contains(":") }

    /// Whether the host is an IPv4 address at which another machine may find somebody.
    public var isUnicastV4: Bool { NumericAddress(host).map { $0.bytes.count == 4 && $0.isUnicast } ?? false }

    /// Whether the host leads back to the machine that dials it.
    var isLoopback: Bool { NumericAddress(host)?.isLoopback == true }

    public var description: String { isV6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

    public static func < (left: PeerAddress, right: PeerAddress) -> Bool {
        (left.host, left.port) < (right.host, right.port)
    }
}

extension Collection<PeerAddress> {
    /// Both families in turn, each in its order, so that one which leads nowhere does not hold the other up (RFC 8305,
    /// section 4). IPv4 comes first: the headers of its packets are 20 bytes shorter.
    var familiesInTurn: [PeerAddress] {
        let families = [filter { !$0.isV6 }, filter(\.isV6)]
        return (0..<count).flatMap { index in families.compactMap { index < $0.count ? $0[index] : nil } }
    }
}
