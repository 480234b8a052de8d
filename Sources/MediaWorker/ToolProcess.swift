import CSandbox
import Glibc

/// The short-lived worker: closes itself in as far as a program can stand it, then becomes that program.
///
/// Descriptor 3 is the file that it is handed; the program names it `/proc/self/fd/3`. A program that goes back and forth
/// in what it writes gets that as descriptor 4, `/proc/self/fd/4`: an empty file, the only one that it may open to write.
struct ToolProcess {
    private static let file: Int32 = 3
    private static let outputFile: Int32 = 4

    /// Programs, libraries and what they are set up by; nothing of any user's. `/proc` tells a process of itself.
    private static let folders = [
        "/usr", "/bin", "/lib", "/lib64", "/opt", "/nix/store", "/etc/ld.so.cache", "/etc/alternatives", "/etc/perl",
        "/etc/localtime", "/dev/null", "/dev/urandom", "/proc",
    ]

    let memoryByteCount: UInt64
    let processorSeconds: UInt64
    let writtenByteCountMax: UInt64
    let isIdle: Bool
    let hasOutputFile: Bool
    let parent: pid_t
    /// The program's path, then its arguments.
    let words: [String]

    /// Returns only if the program could not be started.
    func run() -> Int32 {
        var rights = csandbox_limits(
            memory: memoryByteCount, written: writtenByteCountMax, descriptors: 64, processor_seconds: processorSeconds,
            is_idle: isIdle ? 1 : 0)
        guard csandbox_restrain(&rights, parent) == 0 else { return ExitStatus.failed }
        let folders = Self.folders.map { UnsafePointer(strdup($0)) } + [nil]
        // Where the kernel lacks one of the two, the other stands; the agent has told. But without Landlock nothing tells
        // the output file from any other.
        let isClosed = csandbox_close_files(folders, Self.file, hasOutputFile ? Self.outputFile : -1) == 0
        guard isClosed || !hasOutputFile else { return ExitStatus.failed }
        _ = csandbox_filter_tool(hasOutputFile ? 1 : 0)
        let arguments = words.map { strdup($0) } + [nil]
        execv(words[0], arguments)
        return ExitStatus.failed
    }
}
