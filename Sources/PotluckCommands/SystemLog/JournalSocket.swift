import DiskIO
import Glibc

/// Where journald takes messages with fields.
final class JournalSocket: Sendable {
    enum Outcome: Hashable {
        case sent
        /// It does not fit into a datagram of this socket.
        case tooLong
        /// Nobody takes it, or not now.
        case failed
    }

    static let systemPath = "/run/systemd/journal/socket"

    private let descriptor: Int32
    private let path: String

    /// - Parameter bufferByteCount: Of the socket's send buffer; the system's for `nil`.
    /// - Returns: `nil` where the process can have no socket.
    init?(path: String = JournalSocket.systemPath, bufferByteCount: Int32? = nil) {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.path = path
        guard descriptor >= 0 else { return nil }
        if var bufferByteCount {
            setsockopt(
                descriptor, SOL_SOCKET, SO_SNDBUF, &bufferByteCount, socklen_t(MemoryLayout<Int32>.size))
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Sends one datagram and waits for nothing. The socket is looked up each time: journald may have been started anew.
    func send(_ bytes: [UInt8]) -> Outcome {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isShort = withUnsafeMutableBytes(of: &address.sun_path) { target in
            guard path.utf8.count < target.count else { return false }
            target.copyBytes(from: path.utf8)
            return true
        }
        guard isShort else { return .failed }
        let count = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(
                    descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL), $0,
                    socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if count == bytes.count { return .sent }
        return errno == EMSGSIZE ? .tooLong : .failed
    }

    /// Whether journald reads what is written to a descriptor: systemd names the stream that it gave to a service in
    /// `JOURNAL_STREAM`, as device and inode in decimal digits (systemd.exec(5)). A service whose output was redirected
    /// since has another one.
    static func isRead(_ descriptor: Int32, stream: String?) -> Bool {
        guard let parts = stream?.split(separator: ":", omittingEmptySubsequences: false), parts.count == 2,
            let device = UInt64(parts[0]), let inode = UInt64(parts[1])
        else { return false }
        return FileIdentity(of: descriptor).map { $0.device == device && $0.inode == inode } ?? false
    }
}
