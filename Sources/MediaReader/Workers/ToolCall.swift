/// A program that is run on one file, and how far it may go.
struct ToolCall: Sendable {
    /// Path and arguments; ``WorkerCommand/handedFile`` is the file.
    var words: [String]
    /// That it may fill, in bytes.
    var memory: UInt64
    /// The most bytes that it may write to its standard output.
    var written: UInt64
    var timeout: Duration
    /// What it means that it gives up, in words that go on after "cannot be read: ".
    var refusal: String

    /// - Parameter program: ExifTool's path. No configuration of a person's is read.
    static func exifTool(
        _ program: String, _ words: [String], written: UInt64, _ limits: MediaReaderLimits
    ) -> ToolCall {
        ToolCall(
            words: [program, "-config", "", "-q", "-q"] + words + [WorkerCommand.handedFile],
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
