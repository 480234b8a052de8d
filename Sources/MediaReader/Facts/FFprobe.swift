import AlbumModel

/// How FFmpeg's prober is asked, and what its answers mean: for films that ExifTool gives no size or length of.
///
/// It takes an eighth of a second of processor time a file, start included, so it is asked only then.
public enum FFprobe {
    /// Films as cameras, phones and browsers make them. Neither lists of other files nor what is fetched from
    /// elsewhere, which FFmpeg would follow.
    static let formats = "mov,matroska,avi,mpegts,mpeg,mpegvideo,asf,flv,ogg,gif,mxf,dv"
    /// What it may read where the header does not tell: a few seconds of film.
    static let probeByteCount = 32 << 20

    /// The words after the program's name to read one file and end.
    ///
    /// - Parameter path: absolute, or such as `/dev/fd/5` and `/proc/self/fd/5`.
    public static func oneShot(path: String) -> [String] {
        [
            "-v", "quiet", "-protocol_whitelist", "file", "-format_whitelist", formats,
            "-probesize", String(probeByteCount), "-select_streams", "v", "-show_entries",
            "stream=width,height,duration:stream_disposition=attached_pic:stream_tags=rotate"
                + ":stream_side_data=rotation:format=duration",
            "-of", "flat", "-i", "file:\(path)",
        ]
    }

    /// Whether it is worth asking: a film whose size or length is missing still.
    public static func isNeeded(_ raw: RawMetadata) -> Bool {
        guard KindReading.find(in: raw, name: "") == .video else { return false }
        return SizeReading.find(in: raw, kind: .video) == nil || MetadataReading.duration(raw, kind: .video) == nil
    }

    /// - Parameter answer: what it wrote to standard output.
    public static func metadata(answer: some Sequence<UInt8>) -> RawMetadata {
        let (streams, duration) = Self.entries(answer: answer)
        var raw = RawMetadata()
        // A cover picture is a stream too.
        let film = streams.sorted { $0.key < $1.key }.first { $0.value["attached_pic"] != "1" }?.value ?? [:]
        for (value, key) in [
            (film["width"], MetadataKey.probedWidth), (film["height"], .probedHeight),
            (film["rotation"] ?? film["rotate"], .probedRotation), (film["duration"], .probedDuration),
            (duration, .probedDuration),
        ] {
            if let value, value != "N/A" { raw.add(value, for: key) }
        }
        return raw
    }

    /// What stands in an answer in the form `flat`: of each stream by its number, and how long the whole is.
    static func entries(
        answer: some Sequence<UInt8>
    ) -> (streams: [Int: [String: String]], duration: String?) {
        var streams: [Int: [String: String]] = [:]
        var duration: String?
        for line in Array(answer).prefix(ExifTool.answerByteCountMax).split(separator: UInt8(ascii: "\n")) {
            let parts = String(decoding: line, as: UTF8.self).split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let path = parts[0].split(separator: ".")
            let value = String(parts[1].filter { $0 != "\"" })
            if path == ["format", "duration"] { duration = value }
            guard path.count >= 4, path[0] == "streams", let number = Int(path[2]), let name = path.last else {
                continue
            }
            streams[number, default: [:]][String(name)] = value
        }
        return (streams, duration)
    }
}
