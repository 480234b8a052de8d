import Crypto
import Glibc

/// Where an agent's socket is.
public enum AgentSocket {
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
            "The path of the home is too long for a socket: \(home). Choose a shorter one with --home, or set XDG_RUNTIME_DIR."
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
}
