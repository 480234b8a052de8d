import DiskIO

/// The program that runs, as a file.
public enum ProgramFile {
    /// When it was made or installed, in milliseconds since 1970; `nil` where nobody can look.
    public static func made() -> Int64? {
        let stat = try? FileStat(path: "/proc/self/exe", followsLink: true)
        return stat.map { $0.modified / 1_000_000_000 * 1000 }
    }
}
