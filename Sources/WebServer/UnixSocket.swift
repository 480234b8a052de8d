import Glibc
import PotluckAPI

/// Sockets that the home's owner alone can connect to.
enum UnixSocket {
    /// A socket that listens at `path` and that its owner alone can connect to. Replaces what an agent left behind that
    /// was killed: the caller holds the home's lock, so nobody else listens there.
    static func listen(path: String, waitingCountMax: Int) throws(PotluckError) -> Int32 {
        let type = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        let descriptor = socket(AF_UNIX, Int32(type), 0)
        guard descriptor >= 0 else { throw failure(path) }
        unlink(path)
        // Nobody can connect before listen(2), so the mode is narrowed in time.
        let isListening =
            withAddress(path) { bind(descriptor, $0, $1) == 0 } && chmod(path, 0o600) == 0
            && Glibc.listen(descriptor, Int32(clamping: waitingCountMax)) == 0
        guard isListening else {
            let error = failure(path)
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func withAddress<Result>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        precondition(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path), "path(home:) bounds it")
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private static func failure(_ path: String) -> PotluckError {
        let reason = String(cString: strerror(errno))
        return PotluckError(
            .badSetting, "The socket \(path) cannot be made: \(reason). Check the home's permissions.")
    }
}
