import Glibc

/// The program that runs, as a file.
public enum ProgramFile {
    /// When it was made or installed, in milliseconds since 1970; `nil` where nobody can look.
    public static func made() -> Int64? {
        var info = stat()
        guard stat("/proc/self/exe", &info) == 0 else { return nil }
        return Int64(info.st_mtim.tv_sec) * 1000
    }
}
