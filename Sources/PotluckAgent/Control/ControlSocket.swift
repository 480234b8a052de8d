import Crypto
import Glibc

/// Where an agent's control socket is.
public enum ControlSocket {
    /// The longest path that is used. `sockaddr_un` holds 107 bytes (unix(7)); the margin keeps room for a suffix.
    static let pathByteCountMax = 100

    /// `control.sock` in the home; where that path is too long, a name in `$XDG_RUNTIME_DIR` that follows from it.
    ///
    /// - Parameter home: An absolute path. Symbolic links are resolved, so that every way to a home gives one socket.
    public static func path(
        home: String, runtimeDirectory: String? = environment("XDG_RUNTIME_DIR")
    ) throws(PotluckError) -> String {
        let home = resolved(home)
        let inHome = home + "/control.sock"
        if inHome.utf8.count <= pathByteCountMax { return inHome }
        let hash = SHA256.hash(data: Array(home.utf8)).prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        if let runtimeDirectory, runtimeDirectory.hasPrefix("/") {
            let inRuntime = runtimeDirectory + "/potluck-\(hash.joined()).sock"
            if inRuntime.utf8.count <= pathByteCountMax { return inRuntime }
        }
        throw PotluckError(
            .badSetting,
            "The path of the home is too long for a control socket: \(home). Choose a shorter one with --home, or set XDG_RUNTIME_DIR."
        )
    }

    /// The path without symbolic links; as it is while the directory does not exist.
    private static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// A variable of this process's environment.
    public static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// A socket that listens at `path` and that its owner alone can connect to. Replaces what an agent left behind that
    /// was killed: the caller holds the home's lock, so nobody else listens there.
    static func listen(path: String) throws(PotluckError) -> Int32 {
        let type = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        let descriptor = socket(AF_UNIX, Int32(type), 0)
        guard descriptor >= 0 else { throw failure(path) }
        unlink(path)
        // Nobody can connect before listen(2), so the mode is narrowed in time.
        let isListening =
            withAddress(path) { bind(descriptor, $0, $1) == 0 } && chmod(path, 0o600) == 0
            && Glibc.listen(descriptor, ControlLimits.clientCountMax) == 0
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
            .badSetting, "The control socket \(path) cannot be made: \(reason). Check the home's permissions.")
    }
}
