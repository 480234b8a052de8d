/// Everything that bounds the reading of media. Times are of the wall clock unless they say otherwise.
///
/// Memory, with W workers (one a core): the agent holds at most W answers and W pictures, 16 MiB each at the very most and
/// about 50 KiB in fact; a decoder needs about 60 MB, and 100 to 350 MB while it decodes a HEIC of 12 to 24 million pixels.
public struct MediaReaderLimits: Sendable {
    /// Of one decoder, in bytes: enough for a HEIC of 100 million pixels.
    public var decoderMemory: UInt64 = 1 << 30
    /// Of one ExifTool, in bytes: five times what it needs.
    public var exifToolMemory: UInt64 = 256 << 20
    /// Of one run of FFmpeg, in bytes: enough for a frame of 8K film.
    public var ffmpegMemory: UInt64 = 2 << 30
    /// Of a picture that is decoded: width times height as stored.
    public var pixelCountMax: UInt64 = 200_000_000
    public var decoderTimeout: Duration = .seconds(30)
    /// For a film's poster, a RAW file's preview, and a copy of a film without its place.
    public var toolTimeout: Duration = .seconds(60)
    /// Processor time of one decoding, or of one run of a tool, in seconds; for what hides from the agent's clock.
    public var processorSeconds: UInt32 = 90
    /// How long a worker may take to start.
    public var startTimeout: Duration = .seconds(20)
    /// How often a file may end a worker, or run into a limit, before it is given up.
    public var strikeMax = 3
    /// After so much time without work, workers are ended, to give their memory back.
    public var idleTimeout: Duration = .seconds(30)
    /// After so many files a worker is replaced, whatever leaks in it.
    public var filesPerWorkerMax = 1000
    /// The longest side of a thumbnail, in pixels, and its bytes: one piece.
    public var thumbnailSide = 480
    public var thumbnailByteCountMax = 1 << 20
    /// A frame or preview that a tool takes out of a file.
    public var extractedByteCountMax: UInt64 = 64 << 20
    /// What a tool says of a file.
    public var answerByteCountMax: UInt64 = 1 << 20
    /// The longest side of a preview, in pixels.
    public var previewSide = 2048
    /// How many times as long all of it may take for a preview, whose worker has the processor only while others leave it.
    public var previewPatience = 4
    /// Previews that wait or are being made; more are refused.
    public var previewCountMax = 64
    /// Films that wait or are being made playable; more are refused.
    public var playableCountMax = 16
    /// Of a film that was made playable: half of what ``RenditionLimits`` keeps.
    public var playableByteCountMax: UInt64 = 512 << 20
    /// For making a film playable: so much, and so many times its length.
    public var playableTimeout: Duration = .seconds(120)
    public var playableTimeoutFactor = 30.0
    /// Files up to this size are copied into memory for an ExifTool that is kept running; for longer ones it is started.
    public var copiedByteCountMax: UInt64 = 64 << 20

    public init() {}

    /// Of previews. The processor time stays the same: it, not the clock, tells a file that is too much from a machine
    /// that is busy.
    var ofPreviews: MediaReaderLimits {
        var limits = self
        limits.decoderTimeout *= previewPatience
        limits.toolTimeout *= previewPatience
        limits.startTimeout *= previewPatience
        return limits
    }
}
