import CSandbox
import Glibc

/// The short-lived worker: closes itself in as far as a program can stand it, then becomes that program.
///
/// Descriptor 3 is the file that it is handed; the program names it `/proc/self/fd/3`.
struct ToolProcess {
    private static let file: Int32 = 3

    /// Programs, libraries and what they are set up by; nothing of any user's. `/proc` tells a process of itself.
    private static let folders = [
        "/usr", "/bin", "/lib", "/lib64", "/opt", "/nix/store", "/etc/ld.so.cache", "/etc/alternatives", "/etc/perl",
        "/etc/localtime", "/dev/null", "/dev/urandom", "/proc",
    ]

    let memoryByteCount: UInt64
    let processorSeconds: UInt64
    let writtenByteCountMax: UInt64
    let parent: pid_t
    /// The program's path, then its arguments.
    let words: [String]

    /// Returns only if the program could not be started.
    func run() -> Int32 {
        var rights = csandbox_limits(
            memory: memoryByteCount, written: writtenByteCountMax, descriptors: 64, processor_seconds: processorSeconds)
        guard csandbox_restrain(&rights, parent) == 0 else { return ExitStatus.failed }
        let folders = Self.folders.map { UnsafePointer(strdup($0)) } + [nil]
        // Where the kernel lacks one of the two, the other stands; the agent has told.
        _ = csandbox_close_files(folders, Self.file)
        _ = csandbox_filter_tool()
        let arguments = words.map { strdup($0) } + [nil]
        execv(words[0], arguments)
        return ExitStatus.failed
    }
}
