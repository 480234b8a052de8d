import Glibc
import NIOPosix
import TestSupport
import Testing

/// A client that speaks bytes, not requests.
final class RawClient: Sendable {
    private let descriptor: Int32

    init(path: String) throws {
        descriptor = TestSocket.connected(path: path)
        try #require(descriptor >= 0, "connect: \(String(cString: strerror(errno)))")
        TestSocket.limitWaiting(descriptor)
    }

    /// - Parameter connected: A socket, which is the client's from now on.
    init(connected descriptor: Int32) {
        self.descriptor = descriptor
        TestSocket.limitWaiting(descriptor)
    }

    deinit { close(descriptor) }

    /// Which one has something to read first; `nil` after 20 s.
    static func firstReadable(_ clients: [RawClient]) async throws -> Int? {
        let descriptors = clients.map(\.descriptor)
        return try await NIOThreadPool.singleton.runIfActive {
            var waiting = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            poll(&waiting, nfds_t(waiting.count), 20_000)
            return waiting.firstIndex { $0.revents != 0 }
        }
    }

    /// What the server takes; less where it closes first.
    func send(_ bytes: [UInt8]) async throws {
        try await NIOThreadPool.singleton.runIfActive { [descriptor] in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    /// What the server sends until it closes, or a text has come, or 20 s have passed in which nothing came.
    func receive(upTo end: String? = nil) async throws -> String {
        try await NIOThreadPool.singleton.runIfActive { [descriptor] in
            var all: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = recv(descriptor, &chunk, chunk.count, 0)
                guard count > 0 else { break }
                all += chunk.prefix(count)
                if let end, String(decoding: all, as: UTF8.self).contains(end) { break }
            }
            return String(decoding: all, as: UTF8.self)
        }
    }

    /// Whether something can be read, or the server has closed.
    func isReadable(withinMilliseconds patience: Int32) async throws -> Bool {
        try await NIOThreadPool.singleton.runIfActive { [descriptor] in
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&waiting, 1, patience) > 0
        }
    }

    /// Until the server has closed, without reading; 20 s at most.
    func waitForHangUp() async throws {
        let isGone = try await NIOThreadPool.singleton.runIfActive { [descriptor] in
            var waiting = pollfd(fd: descriptor, events: 0, revents: 0)
            return poll(&waiting, 1, 20_000) > 0
        }
        try #require(isGone)
    }
}
