import Glibc

/// A socket for UDP over IPv4, closed with the last reference. Calls block as long as they say.
final class UDPSocket: Sendable {
    static let mdnsGroup = IPv4(bits: 0xe000_00fb)
    static let mdnsPort: UInt16 = 5353

    let descriptor: Int32

    /// `nil` where the system grants none.
    init?() {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// One that gets what is sent to the group of mDNS by these interfaces, beside Avahi.
    static func ear(on interfaces: [UInt32]) -> UDPSocket? {
        guard let ear = UDPSocket() else { return nil }
        ear.set(SOL_SOCKET, SO_REUSEADDR, Int32(1))
        // Only what comes in by these interfaces, not what other programs asked for.
        ear.set(Int32(IPPROTO_IP), IP_MULTICAST_ALL, Int32(0))
        guard ear.bind(mdnsGroup, mdnsPort) else { return nil }
        for interface in interfaces {
            ear.set(Int32(IPPROTO_IP), IP_ADD_MEMBERSHIP, Self.membership(interface))
        }
        return ear
    }

    /// Has multicasts leave by this interface, and come back to this machine.
    func useForMulticast(_ interface: UInt32) {
        set(Int32(IPPROTO_IP), IP_MULTICAST_IF, Self.membership(interface))
        set(Int32(IPPROTO_IP), IP_MULTICAST_LOOP, Int32(1))
        // RFC 6762, section 11.
        set(Int32(IPPROTO_IP), IP_MULTICAST_TTL, Int32(255))
    }

    func bind(_ address: IPv4, _ port: UInt16) -> Bool {
        Self.withAddress(address, port) { Glibc.bind(descriptor, $0, $1) == 0 }
    }

    /// 0, or an errno.
    func send(_ bytes: [UInt8], to address: IPv4, _ port: UInt16) -> Int32 {
        let count = Self.withAddress(address, port) { sendto(descriptor, bytes, bytes.count, 0, $0, $1) }
        return count < 0 ? errno : 0
    }

    /// The next packet; `nil` when none comes until then.
    func receive(until deadline: ContinuousClock.Instant) -> [UInt8]? {
        let left = deadline - .now
        guard left > .zero else { return nil }
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, Int32(left / .milliseconds(1)) + 1) == 1 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 9000)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return count >= 0 ? Array(buffer[..<count]) : nil
    }

    /// The own address that would send there, without sending anything; an errno where nothing leads there.
    func source(towards address: IPv4) -> Result<IPv4, SystemError> {
        let result = Self.withAddress(address, 9) { connect(descriptor, $0, $1) }
        guard result == 0 else { return .failure(SystemError(number: errno)) }
        var own = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutableBytes(of: &own) { bytes in
            getsockname(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, &size)
        }
        guard status == 0 else { return .failure(SystemError(number: errno)) }
        return .success(IPv4(bits: UInt32(bigEndian: own.sin_addr.s_addr)))
    }

    private func set(_ level: Int32, _ option: Int32, _ value: some BitwiseCopyable) {
        withUnsafeBytes(of: value) { bytes in
            _ = setsockopt(descriptor, level, option, bytes.baseAddress, socklen_t(bytes.count))
        }
    }

    private static func membership(_ interface: UInt32) -> ip_mreqn {
        var membership = ip_mreqn()
        membership.imr_multiaddr.s_addr = mdnsGroup.bits.bigEndian
        membership.imr_ifindex = Int32(interface)
        return membership
    }

    static func withAddress<Value>(
        _ address: IPv4, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value {
        var value = sockaddr_in()
        value.sin_family = sa_family_t(AF_INET)
        value.sin_port = port.bigEndian
        value.sin_addr.s_addr = address.bits.bigEndian
        return withUnsafeBytes(of: &value) { bytes in
            body(bytes.assumingMemoryBound(to: sockaddr.self).baseAddress!, socklen_t(bytes.count))
        }
    }
}

/// An errno.
struct SystemError: Error, Hashable {
    var number: Int32
}
