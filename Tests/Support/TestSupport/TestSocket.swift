import Glibc

/// Streams of bytes, for tests of what serves them.
public enum TestSocket {
    /// A connected socket, which is the caller's to close; -1 where nobody listens.
    public static func connected(host: String, port: Int) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        return ifConnected(isConnected, descriptor)
    }

    /// The same with a socket that has a path.
    public static func connected(path: String) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        return ifConnected(isConnected, descriptor)
    }

    /// Keeps the error of a connection that failed, for who asks why.
    private static func ifConnected(_ isConnected: Bool, _ descriptor: Int32) -> Int32 {
        guard !isConnected else { return descriptor }
        let error = errno
        close(descriptor)
        errno = error
        return -1
    }

    /// Sends a request and reads until the server closes, or nothing has come for 20 s. Blocks.
    ///
    /// - Returns: `nil` where nobody listens.
    public static func answer(_ request: String, host: String, port: Int) -> String? {
        let descriptor = connected(host: host, port: port)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        limitWaiting(descriptor)
        _ = send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL))
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = recv(descriptor, &chunk, chunk.count, 0), count > 0 { all += chunk.prefix(count) }
        return String(decoding: all, as: UTF8.self)
    }

    /// Whoever receives waits for 20 s at most.
    public static func limitWaiting(_ descriptor: Int32) {
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
}
