import Glibc
import NIOCore

/// The link by which connections to an address leave this machine.
///
/// Linux keeps addresses and routes of a cable that was pulled, and has connections wait there for a neighbour that
/// cannot answer. When the cable is back, all of them go out in one moment, and what then comes from the neighbour is
/// answered only when the kernel next asks where it is, up to a second later.
enum OutgoingLink {
    /// Whether the link has a carrier: its cable is plugged in, its Wi-Fi is joined. `true` where the system does not
    /// tell.
    static func isConnected(towards address: SocketAddress) -> Bool {
        guard let own = ownAddress(towards: address)?.numeric else { return true }
        let flags = interfaceFlags { $0.numeric.map { $0 == own } ?? false }
        return flags.isEmpty || flags.contains { $0 & UInt32(IFF_RUNNING) != 0 }
    }

    /// What the kernel would send from; `nil` where there is no way. Nothing is sent.
    private static func ownAddress(towards address: SocketAddress) -> SocketAddress? {
        let kind = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue
        let descriptor = socket(address.protocol.rawValue, Int32(kind), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard address.withSockAddr({ connect(descriptor, $0, socklen_t($1)) }) == 0 else { return nil }
        var storage = sockaddr_storage()
        var byteCount = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                getsockname(descriptor, pointer, &byteCount) == 0 ? SocketAddress(pointer) : nil
            }
        }
    }

    /// Flags (netdevice(7)) of the interfaces that have such an address.
    private static func interfaceFlags(where isMeant: (SocketAddress) -> Bool) -> [UInt32] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var flags: [UInt32] = []
        var next = list
        while let interface = next?.pointee {
            next = interface.ifa_next
            if let address = interface.ifa_addr.flatMap(SocketAddress.init), isMeant(address) {
                flags.append(interface.ifa_flags)
            }
        }
        return flags
    }
}

extension SocketAddress {
    /// `nil` for other families than IPv4 and IPv6.
    fileprivate init?(_ pointer: UnsafeMutablePointer<sockaddr>) {
        let memory = UnsafeRawPointer(pointer)
        switch Int32(pointer.pointee.sa_family) {
        case AF_INET: self.init(memory.loadUnaligned(as: sockaddr_in.self))
        case AF_INET6: self.init(memory.loadUnaligned(as: sockaddr_in6.self))
        default: return nil
        }
    }
}
