import Dispatch
import Glibc

/// Tells when an address or a link of this machine comes or goes.
///
/// The kernel's messages say only that it is worth looking: routers make it repeat addresses every few seconds, and
/// a full socket loses messages. What counts is whether the snapshot differs.
final class NetworkWatcher {
    private let descriptor: Int32
    private let watch: ReadWatch

    /// - Parameter onChange: called on `queue`; not any more after `stop()` was called there.
    /// - Returns: `nil` where the kernel grants no such socket; addresses are then watched by nobody.
    init?(queue: DispatchQueue, onChange: @escaping @Sendable () -> Void) {
        guard let descriptor = Self.openSocket() else { return nil }
        self.descriptor = descriptor
        // Touched by the handler only, which runs on one serial queue.
        nonisolated(unsafe) var before = NetworkSnapshot()
        watch = ReadWatch(descriptor: descriptor, queue: queue) {
            Self.drain(descriptor)
            let now = NetworkSnapshot()
            guard now != before else { return }
            before = now
            onChange()
        }
    }

    func stop() { watch.stop { [descriptor] in close(descriptor) } }

    /// A socket that receives link and address changes (rtnetlink(7)).
    private static func openSocket() -> Int32? {
        let kind = SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let routingProtocol: Int32 = 0
        let descriptor = socket(AF_NETLINK, Int32(kind), routingProtocol)
        guard descriptor >= 0 else { return nil }
        // struct sockaddr_nl: family, padding, port (0: the kernel draws one), groups.
        let links: UInt32 = 1 << 0, addressesV4: UInt32 = 1 << 4, addressesV6: UInt32 = 1 << 8
        var address = (UInt16(AF_NETLINK), UInt16(0), UInt32(0), links | addressesV4 | addressesV6)
        let isBound = withUnsafeBytes(of: &address) { bytes in
            bind(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count)) == 0
        }
        guard isBound else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func drain(_ descriptor: Int32) {
        withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 8) { buffer in
            // ENOBUFS tells of lost messages, once: what follows it is still to be read.
            while recv(descriptor, buffer.baseAddress, buffer.count, 0) >= 0 || errno == ENOBUFS || errno == EINTR {}
        }
    }
}

/// The interfaces that are up, whether they have a carrier, and their addresses.
struct NetworkSnapshot: Equatable {
    private var lines: Set<[UInt8]> = []

    /// Takes it now; empty where the system does not tell.
    init() {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return }
        defer { freeifaddrs(list) }
        var next = list
        while let interface = next?.pointee {
            next = interface.ifa_next
            guard let name = interface.ifa_name else { continue }
            let state = interface.ifa_flags & UInt32(IFF_UP | IFF_RUNNING)
            lines.insert(
                Array(String(cString: name).utf8) + [0, UInt8(truncatingIfNeeded: state)]
                    + Self.addressBytes(interface.ifa_addr))
        }
    }

    /// Family and address; nothing for the entries that carry an interface's counters.
    private static func addressBytes(_ address: UnsafeMutablePointer<sockaddr>?) -> [UInt8] {
        guard let address else { return [] }
        let byteCount: Int
        switch Int32(address.pointee.sa_family) {
        case AF_INET: byteCount = MemoryLayout<sockaddr_in>.size
        case AF_INET6: byteCount = MemoryLayout<sockaddr_in6>.size
        default: return []
        }
        return Array(UnsafeRawBufferPointer(start: address, count: byteCount))
    }
}
