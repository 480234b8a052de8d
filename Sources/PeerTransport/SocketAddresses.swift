import AlbumModel
import NIOCore
import SyncEngine

extension SocketAddress {
    /// How IPv6 spells an IPv4 address (RFC 4291, section 2.5.5.2): the listener takes both families on one socket.
    private static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

    /// 4 or 16 bytes, a mapped IPv4 address as 4, and the scope of an IPv6 address or 0; `nil` for other families.
    ///
    /// Read from the kernel's structure by its layout (netinet/in.h): `sockaddr_in` has the address at 4,
    /// `sockaddr_in6` at 8 and the scope in host byte order at 24.
    var numeric: (bytes: [UInt8], scope: UInt32)? {
        withSockAddr { pointer, byteCount in
            let memory = UnsafeRawBufferPointer(start: pointer, count: byteCount)
            switch self {
            case .v4: return (Array(memory[4..<8]), 0)
            case .v6:
                let bytes = Array(memory[8..<24])
                if bytes.starts(with: Self.mappedPrefix) { return (Array(bytes.suffix(4)), 0) }
                return (bytes, memory.loadUnaligned(fromByteOffset: 24, as: UInt32.self))
            case .unixDomainSocket: return nil
            }
        }
    }
}

extension PeerAddress {
    /// The address in numbers, with the scope where it is link-local; `nil` for a socket that has none.
    init?(_ address: SocketAddress?) {
        guard let address, let (bytes, scope) = address.numeric, let port = address.port else { return nil }
        if bytes.count == 4 {
            self.init(host: bytes.map(String.init).joined(separator: "."), port: UInt16(port))
        } else {
            guard let text = address.ipAddress?.prefix(while: { $0 != "%" }) else { return nil }
            self.init(host: scope == 0 ? String(text) : "\(text)%\(scope)", port: UInt16(port))
        }
    }
}

/// Who is at the other end of a connection, as far as its address tells.
struct Source: Hashable, Sendable {
    /// What connections are counted by: an IPv4 address in either spelling, or an IPv6 /64, of which a host can take as
    /// many addresses as it likes; a link-local one with its link.
    let network: [UInt8]
    /// The whole address, without the link.
    let host: [UInt8]

    init(_ address: SocketAddress?) {
        guard let (bytes, scope) = address?.numeric else {
            (network, host) = ([], [])
            return
        }
        host = bytes
        guard bytes.count == 16 else {
            network = bytes
            return
        }
        let isLinkLocal = bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80
        network = bytes.prefix(8) + (isLinkLocal ? BigEndian.bytes(scope) : [])
    }

    /// `nil` for a name.
    init?(_ address: PeerAddress) {
        let text = String(address.host.prefix { $0 != "%" })
        guard let numeric = try? SocketAddress(ipAddress: text, port: Int(address.port)) else { return nil }
        self.init(numeric)
    }
}
