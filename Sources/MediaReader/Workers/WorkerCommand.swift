import Glibc

/// The command lines of `potluck-media-worker`; MediaWorkerCommand reads them.
struct WorkerCommand {
    /// The program's path.
    let worker: String
    let limits: MediaReaderLimits
    /// Whether the process works only while readings leave processor time.
    var isIdle = false

    func decoder() -> [String] {
        [
            worker, "decode", "\(getpid())", "\(limits.decoderMemory)", "\(limits.processorSeconds)",
            idleWord, "\(limits.pixelCountMax)",
        ]
    }

    /// - Parameters:
    ///   - program: path and arguments.
    ///   - memory: that it may fill, in bytes.
    ///   - written: the most bytes that it may write, to its standard output or its output file.
    ///   - processorSeconds: in all; 0 for a program that is kept running.
    ///   - hasOutputFile: whether it gets ``outputFile``.
    func tool(
        _ program: [String], memory: UInt64, written: UInt64, processorSeconds: UInt32, hasOutputFile: Bool = false
    ) -> [String] {
        let kind = hasOutputFile ? "film" : "tool"
        return [worker, kind, "\(getpid())", "\(memory)", "\(processorSeconds)", idleWord, "\(written)"] + program
    }

    private var idleWord: String { isIdle ? "1" : "0" }

    /// How a tool names the file that it was handed: the worker makes it descriptor 3.
    static let handedFile = "/proc/self/fd/3"
    /// How a tool names the empty file that it writes to, where it gets one: the worker makes it descriptor 4.
    static let outputFile = "/proc/self/fd/4"
    /// How a tool names what it is given to read beside.
    static let standardInput = "/proc/self/fd/0"
}
