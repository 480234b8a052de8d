import Glibc

/// What `potluck-media-worker` does: the agent starts it, and nobody else has any use for it.
public enum MediaWorkerCommand {
    /// Runs the worker that the command line asks for, and returns the process's exit status.
    ///
    ///     decode PARENT MEMORY SECONDS IDLE PIXELS
    ///     tool PARENT MEMORY SECONDS IDLE WRITTEN PROGRAM ARGUMENT…
    ///     film PARENT MEMORY SECONDS IDLE WRITTEN PROGRAM ARGUMENT…
    ///
    /// All numbers are decimal: the agent's process, bytes of address space, seconds of processor time (for each file, or
    /// in all), 1 where the work gives way to readings and else 0, the largest picture in pixels, the most bytes that may
    /// be written.
    public static func run(_ words: [String]) -> Int32 {
        let numbers = words.dropFirst(2).prefix(5).compactMap { UInt64($0) }
        guard words.count >= 7, numbers.count == 5, let parent = pid_t(exactly: numbers[0]),
            let seconds = UInt32(exactly: numbers[2]), numbers[3] <= 1
        else { return wrongUsage() }
        let isIdle = numbers[3] == 1
        switch words[1] {
        case "decode" where words.count == 7:
            let limits = DecoderLimits(
                memoryByteCount: numbers[1], processorSeconds: seconds, pixelCountMax: numbers[4], isIdle: isIdle)
            return DecoderProcess(limits: limits, parent: parent).run()
        case "tool" where words.count > 7, "film" where words.count > 7:
            return ToolProcess(
                memoryByteCount: numbers[1], processorSeconds: UInt64(seconds), writtenByteCountMax: numbers[4],
                isIdle: isIdle, hasOutputFile: words[1] == "film", parent: parent, words: Array(words.dropFirst(7))
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
