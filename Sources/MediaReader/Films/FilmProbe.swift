/// What has to be known of a film before it is made playable.
struct FilmProbe: Hashable {
    /// Streams by their numbers in the file. `nil`: there is none that FFmpeg decodes.
    var video: Int?
    var audio: Int?
    /// How long it runs; `nil` where the file does not say.
    var seconds: Double?
    /// How brightness is coded, by FFmpeg's name for it.
    var transfer: String?

    /// The words after the name of FFmpeg's prober.
    static func words(path: String) -> [String] {
        [
            "-v", "quiet", "-protocol_whitelist", "file", "-format_whitelist", FFprobe.formats,
            "-probesize", String(FFprobe.probeByteCount), "-show_entries",
            "stream=codec_type,codec_name,color_transfer,duration:stream_disposition=attached_pic:format=duration",
            "-of", "flat", "-i", "file:\(path)",
        ]
    }

    /// - Parameter answer: what it wrote to standard output.
    init(answer: [UInt8]) {
        let (streams, duration) = FFprobe.entries(answer: answer)
        let known = streams.sorted { $0.key < $1.key }.filter { stream in
            !["", "unknown"].contains(stream.value["codec_name"] ?? "")
        }
        let film = known.first { $0.value["codec_type"] == "video" && $0.value["attached_pic"] != "1" }
        video = film?.key
        audio = known.first { $0.value["codec_type"] == "audio" }?.key
        transfer = film?.value["color_transfer"]
        seconds = [film?.value["duration"], duration].lazy.compactMap { $0.flatMap(Double.init) }
            .first { $0.isFinite && $0 > 0 }
    }

    init(video: Int? = nil, audio: Int? = nil, seconds: Double? = nil, transfer: String? = nil) {
        (self.video, self.audio, self.seconds, self.transfer) = (video, audio, seconds, transfer)
    }

    /// Whether it is brighter than what all screens show: SMPTE ST 2084 and ARIB STD-B67 (ITU-R BT.2100).
    var isHighDynamicRange: Bool { transfer == "smpte2084" || transfer == "arib-std-b67" }
}
