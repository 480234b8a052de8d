import Glibc

/// Where the programs are that a ``MediaReader`` works through, and how far it may go.
public struct MediaReaderSettings: Sendable {
    /// `potluck-media-worker`; `nil` where there is none.
    public var worker: String?
    public var exifTool: String?
    public var ffmpeg: String?
    public var ffprobe: String?
    /// How many files are read at a time; at least one.
    public var workerCount: Int
    public var limits = MediaReaderLimits()

    public init(worker: String?, exifTool: String?, ffmpeg: String?, ffprobe: String?, workerCount: Int) {
        self.worker = worker
        self.exifTool = exifTool
        self.ffmpeg = ffmpeg
        self.ffprobe = ffprobe
        self.workerCount = max(1, workerCount)
    }

    /// What this machine has: the worker beside the running program, the tools where systems keep programs, a worker for
    /// each core. Looks at the disk.
    public static func found() -> MediaReaderSettings {
        MediaReaderSettings(
            worker: beside("potluck-media-worker"), exifTool: installed("exiftool"), ffmpeg: installed("ffmpeg"),
            ffprobe: installed("ffprobe"), workerCount: sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }

    /// Not PATH: what a person has in a folder of their own is closed to the tools' sandbox.
    private static let programFolders = ["/usr/bin", "/usr/local/bin", "/bin", "/run/current-system/sw/bin"]

    private static func installed(_ name: String) -> String? {
        programFolders.lazy.map { "\($0)/\(name)" }.first(where: isProgram)
    }

    private static func beside(_ name: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes {
            readlink("/proc/self/exe", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
        }
        guard count > 0, let slash = buffer.prefix(count).lastIndex(of: UInt8(ascii: "/")) else { return nil }
        let path = String(decoding: buffer[...slash], as: UTF8.self) + name
        return isProgram(path) ? path : nil
    }

    private static func isProgram(_ path: String) -> Bool { access(path, X_OK) == 0 }
}
