import Glibc

/// A numeric address out of an A or AAAA record.
struct IPAddress: Hashable, Comparable, Sendable {
    enum Kind: Hashable, Comparable, CaseIterable, Sendable { case v4, v6 }

    /// Where dialling is most promising comes first.
    enum Reach: Int, Comparable, Sendable {
        case routable, linkLocal, loopback, none

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// In network order: 4 or 16 of them.
    let bytes: [UInt8]

    init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    var kind: Kind { bytes.count == 4 ? .v4 : .v6 }

    /// The host part of a dialable address. A link-local IPv6 address means something on one interface only, which
    /// stands behind the `%` (RFC 4007, section 11) by its index.
    func host(interface: UInt32) -> String {
        let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            let text = inet_ntop(kind == .v4 ? AF_INET : AF_INET6, bytes, buffer.baseAddress, socklen_t(buffer.count))
            return text.map { String(cString: $0) } ?? ""
        }
        return kind == .v6 && reach == .linkLocal ? "\(text)%\(interface)" : text
    }

    /// `none` for what cannot be dialled: unspecified, multicast, broadcast, and IPv4 addresses in disguise.
    var reach: Reach {
        switch kind {
        case .v4:
            switch bytes[0] {
            case 0, 224...: .none
            case 127: .loopback
            case 169 where bytes[1] == 254: .linkLocal
            default: .routable
            }
        case .v6:
            switch (bytes[0], bytes[1]) {
            case (0, 0) where bytes[2..<15].allSatisfy { $0 == 0 }: bytes[15] == 1 ? .loopback : .none
            case (0, 0) where bytes[2..<10].allSatisfy { $0 == 0 }: .none
            case (0xff, _): .none
            case (0xfe, 0x80...0xbf): .linkLocal
            default: .routable
            }
        }
    }

    /// The order in which addresses are told: routable before link-local before loopback, IPv4 before IPv6.
    static func < (left: Self, right: Self) -> Bool {
        if left.reach != right.reach { return left.reach < right.reach }
        if left.kind != right.kind { return left.kind < right.kind }
        return left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
