/// A program that is run on one file, and how far it may go.
struct ToolCall: Sendable {
    /// Path and arguments; ``WorkerCommand/handedFile`` is the file.
    var words: [String]
    /// What it can read from its standard input.
    var input = ""
    /// That it may fill, in bytes.
    var memory: UInt64
    /// The most bytes that it may write to its standard output.
    var written: UInt64
    var timeout: Duration
    /// Of the processor; ``MediaReaderLimits/processorSeconds`` for `nil`.
    var processorSeconds: UInt32?
    /// What it means that it gives up, in words that go on after "cannot be read: ".
    var refusal: String

    /// - Parameters:
    ///   - program: ExifTool's path. No configuration of a person's is read.
    ///   - configuration: One of ours, in Perl.
    static func exifTool(
        _ program: String, _ words: [String], configuration: String = "", written: UInt64, _ limits: MediaReaderLimits
    ) -> ToolCall {
        let file = configuration.isEmpty ? "" : WorkerCommand.standardInput
        return ToolCall(
            words: [program, "-config", file, "-q", "-q"] + words + [WorkerCommand.handedFile], input: configuration,
            memory: limits.exifToolMemory, written: written, timeout: limits.toolTimeout,
            refusal: "ExifTool cannot read it")
    }

    /// - Parameter program: FFmpeg's path, or that of its prober.
    static func ffmpeg(_ program: String, _ words: [String], written: UInt64, _ limits: MediaReaderLimits) -> ToolCall {
        ToolCall(
            words: [program] + words, memory: limits.ffmpegMemory, written: written, timeout: limits.toolTimeout,
            refusal: "FFmpeg finds no picture in it")
    }
}
