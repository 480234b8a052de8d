import Glibc

/// The command lines of `potluck-media-worker`; MediaWorkerCommand reads them.
struct WorkerCommand {
    /// The program's path.
    let worker: String
    let limits: MediaReaderLimits

    func decoder() -> [String] {
        [
            worker, "decode", "\(getpid())", "\(limits.decoderMemory)", "\(limits.processorSeconds)",
            "\(limits.pixelCountMax)",
        ]
    }

    /// - Parameters:
    ///   - program: path and arguments.
    ///   - memory: that it may fill, in bytes.
    ///   - written: the most bytes that it may write, to its standard output.
    ///   - processorSeconds: in all; 0 for a program that is kept running.
    func tool(_ program: [String], memory: UInt64, written: UInt64, processorSeconds: UInt32) -> [String] {
        [worker, "tool", "\(getpid())", "\(memory)", "\(processorSeconds)", "\(written)"] + program
    }

    /// How a tool names the file that it was handed: the worker makes it descriptor 3.
    static let handedFile = "/proc/self/fd/3"
    /// How a tool names what it is given to read beside.
    static let standardInput = "/proc/self/fd/0"
}
