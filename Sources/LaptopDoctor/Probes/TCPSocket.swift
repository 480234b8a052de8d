import Glibc
import SyncEngine

/// A connection over TCP, closed with the last reference. Calls block as long as they say.
final class TCPSocket: Sendable {
    let descriptor: Int32

    init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Connects, and says what became of it. Names are not looked up.
    static func connect(
        to address: PeerAddress, until deadline: ContinuousClock.Instant
    ) -> (outcome: Contact.Outcome, socket: TCPSocket?) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address.host, "\(address.port)", &hints, &list) == 0, let info = list?.pointee else {
            return (.unreachable, nil)
        }
        defer { freeaddrinfo(list) }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(info.ai_family, kind, 0)
        guard descriptor >= 0 else { return (.unreachable, nil) }
        let connection = TCPSocket(owning: descriptor)
        if Glibc.connect(descriptor, info.ai_addr, info.ai_addrlen) != 0 {
            guard errno == EINPROGRESS else { return (outcome(errno), nil) }
            guard connection.isReady(POLLOUT, until: deadline) else { return (.timedOut, nil) }
            var error: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size)
            guard error == 0 else { return (outcome(error), nil) }
        }
        return (.accepted, connection)
    }

    private static func outcome(_ error: Int32) -> Contact.Outcome {
        switch error {
        case ECONNREFUSED, ECONNRESET: .refused
        case ETIMEDOUT: .timedOut
        case EPERM, EACCES: .forbidden
        default: .unreachable
        }
    }

    private func isReady(_ events: Int32, until deadline: ContinuousClock.Instant) -> Bool {
        let left = max(.zero, deadline - .now)
        var ready = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        return poll(&ready, 1, Int32(left / .milliseconds(1)) + 1) == 1
    }

    /// Sends a line; `false` where it cannot.
    func send(_ line: [UInt8]) -> Bool {
        var rest = (line + [UInt8(ascii: "\n")])[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// The next line, without its end, of at most `byteCountMax`; `nil` where none comes until then.
    func line(byteCountMax: Int, until deadline: ContinuousClock.Instant) -> [UInt8]? {
        var line: [UInt8] = []
        // Byte by byte: nothing that follows the line is taken along, and lines are short.
        while line.count <= byteCountMax, isReady(POLLIN, until: deadline) {
            var byte: UInt8 = 0
            let count = recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT))
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count == 1 else { return nil }
            if byte == UInt8(ascii: "\n") { return line }
            line.append(byte)
        }
        return nil
    }

    /// The address of the other end; `nil` where it is not one of IPv4.
    var peer: IPv4? {
        var other = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutableBytes(of: &other) { bytes in
            getpeername(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, &size)
        }
        guard status == 0, other.sin_family == sa_family_t(AF_INET) else { return nil }
        return IPv4(bits: UInt32(bigEndian: other.sin_addr.s_addr))
    }
}
