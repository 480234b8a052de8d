import Glibc

/// What `potluck-media-worker` does: the agent starts it, and nobody else has any use for it.
public enum MediaWorkerCommand {
    /// Runs the worker that the command line asks for, and returns the process's exit status.
    ///
    ///     decode PARENT MEMORY SECONDS PIXELS
    ///     tool PARENT MEMORY SECONDS WRITTEN PROGRAM ARGUMENT…
    ///
    /// All numbers are decimal: the agent's process, bytes of address space, seconds of processor time (for each file, or
    /// in all), the largest picture in pixels, the most bytes that may be written.
    public static func run(_ words: [String]) -> Int32 {
        let numbers = words.dropFirst(2).prefix(4).compactMap { UInt64($0) }
        guard words.count >= 6, numbers.count == 4, let parent = pid_t(exactly: numbers[0]),
            let seconds = UInt32(exactly: numbers[2])
        else { return wrongUsage() }
        switch words[1] {
        case "decode" where words.count == 6:
            let limits = DecoderLimits(
                memoryByteCount: numbers[1], processorSeconds: seconds, pixelCountMax: numbers[3])
            return DecoderProcess(limits: limits, parent: parent).run()
        case "tool" where words.count > 6:
            return ToolProcess(
                memoryByteCount: numbers[1], processorSeconds: UInt64(seconds), writtenByteCountMax: numbers[3],
                parent: parent, words: Array(words.dropFirst(6))
            ).run()
        default: return wrongUsage()
        }
    }

    private static func wrongUsage() -> Int32 {
        let sentence = "potluck-media-worker: the agent starts this program by itself; run `potluck up`.\n"
        _ = sentence.withCString { write(STDERR_FILENO, $0, strlen($0)) }
        return ExitStatus.wrongUsage
    }
}
