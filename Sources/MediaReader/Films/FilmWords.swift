/// How FFmpeg is asked for a film that all browsers play.
enum FilmWords {
    /// The words after the program's name. It tells on its standard output how far it is.
    static func conversion(
        _ probe: FilmProbe, video: Int, _ plan: FilmPlan, threadCount: Int, from input: String, to output: String
    ) -> [String] {
        let reading = [
            "-nostdin", "-v", "quiet", "-y", "-nostats", "-progress", "pipe:1",
            "-filter_threads", "\(threadCount)", "-threads", "\(threadCount)",
            "-protocol_whitelist", "file", "-format_whitelist", FFprobe.formats, "-i", "file:\(input)",
        ]
        let pictures = [
            "-map", "0:\(video)", "-vf", filter(probe, plan), "-fpsmax", "60", "-c:v", "libx264", "-threads",
            "\(threadCount)", "-preset", "veryfast", "-profile:v", "high", "-crf", "23",
            "-maxrate", "\(plan.videoBitRate)", "-bufsize", "\(2 * plan.videoBitRate)",
        ]
        let sound = probe.audio.map {
            ["-map", "0:\($0)", "-c:a", "aac", "-b:a", "\(FilmPlan.audioBitRate)", "-ac", "2", "-ar", "48000"]
        }
        // Not to empty a file when it is opened is what lets the sandbox tell such openings from harmful ones.
        let writing = [
            "-sn", "-dn", "-map_metadata", "-1", "-map_chapters", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact",
            "-flags:a", "+bitexact", "-movflags", "+faststart", "-f", "mp4", "-truncate", "0", "file:\(output)",
        ]
        return reading + pictures + (sound ?? ["-an"]) + writing
    }

    /// FFmpeg itself turns the pictures upright before.
    private static func filter(_ probe: FilmProbe, _ plan: FilmPlan) -> String {
        let (short, long) = (plan.lines, plan.lines * 16 / 9 / 2 * 2)
        let width = "if(gte(iw,ih),min(\(long),iw),min(\(short),iw))"
        let height = "if(gte(iw,ih),min(\(short),ih),min(\(long),ih))"
        let fitting = [
            "yadif=deint=interlaced",
            // Old cameras have pixels that are no squares.
            "scale=w='min(8192,iw*sar)':h=ih",
            "scale=w='\(width)':h='\(height)':force_original_aspect_ratio=decrease:force_divisible_by=2", "setsar=1",
        ]
        guard probe.isHighDynamicRange, let transfer = probe.transfer else {
            return (fitting + ["format=yuv420p"]).joined(separator: ",")
        }
        // What the pictures say of their colours may be half of it; all such films of phones have those of BT.2100.
        let toning = [
            "setparams=color_primaries=bt2020:color_trc=\(transfer):colorspace=bt2020nc",
            "zscale=t=linear:npl=100", "format=gbrpf32le", "zscale=p=bt709", "tonemap=tonemap=hable:desat=0",
            "zscale=t=bt709:m=bt709:r=tv", "format=yuv420p",
        ]
        return (fitting + toning).joined(separator: ",")
    }
}

/// Reads how far FFmpeg is from what it tells line by line.
struct FilmProgress {
    private static let key = Array("out_time_us=".utf8)
    /// What it tells at a time has a few hundred bytes; what goes on without an end is dropped.
    private static let byteCountMax = 1 << 14

    private var rest: [UInt8] = []
    private let seconds: Double?
    private var reached = 0.0

    /// - Parameter seconds: how long the film runs.
    init(seconds: Double?) { self.seconds = seconds }

    /// How far it is, from 0 to 1, where it got on.
    mutating func advance(_ bytes: [UInt8]) -> Double? {
        rest += bytes
        guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else {
            if rest.count > Self.byteCountMax { rest = [] }
            return nil
        }
        let lines = rest[..<end].split(separator: UInt8(ascii: "\n"))
        rest = Array(rest[(end + 1)...])
        guard let seconds, let line = lines.last(where: { $0.starts(with: Self.key) }),
            let microseconds = Int64(String(decoding: line.dropFirst(Self.key.count), as: UTF8.self))
        else { return nil }
        let share = min(1, Double(microseconds) / 1_000_000 / seconds)
        guard share > reached else { return nil }
        reached = share
        return share
    }
}
