import AlbumModel
import Foundation
import Glibc
import Testing

@testable import MediaReader

/// Programs of the system that these tests ask, as the agent does.
enum Tool {
    static let exifTool = find("exiftool")
    static let ffprobe = find("ffprobe")
    static let ffmpeg = find("ffmpeg")

    private static func find(_ name: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// What a program writes to standard output. It has a minute.
    ///
    /// - Parameter input: a file that is its standard input; nothing where there is none.
    @discardableResult
    static func run(_ program: String, _ words: [String], input: String? = nil) throws -> Data {
        let command = (["/usr/bin/timeout", "--kill-after=1", "60", program] + words).map(quoted).joined(separator: " ")
        let stream = try #require(popen("\(command) 2>/dev/null <\(quoted(input ?? "/dev/null"))", "re"))
        defer { pclose(stream) }
        var answer = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&buffer, 1, buffer.count, stream), count > 0 { answer += buffer.prefix(count) }
        return answer
    }

    private static func quoted(_ word: String) -> String {
        "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }
}

/// The facts of a file, read as the agent reads it: ExifTool, what hangs behind, FFmpeg for films that need it. The
/// programs see an open file without its name.
func factsOf(_ path: String) throws -> PhotoFacts {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var status = stat()
    fstat(descriptor, &status)
    let nameless = "/proc/\(getpid())/fd/\(descriptor)"
    var raw = try ExifTool.metadata(answer: Tool.run(#require(Tool.exifTool), ExifTool.oneShot(path: nameless)))
    MovingPartReader.add(to: &raw, descriptor: descriptor, byteCount: UInt64(status.st_size))
    if FFprobe.isNeeded(raw), let ffprobe = Tool.ffprobe {
        raw.fill(from: FFprobe.metadata(answer: try Tool.run(ffprobe, FFprobe.oneShot(path: nameless))))
    }
    let name = (path as NSString).lastPathComponent
    return MetadataReading.facts(from: raw, name: name, modified: 0, readerVersion: 1)
}

/// A folder for one test, removed with it.
final class FactsFolder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "potluck-facts-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and returns its path.
    func write(_ bytes: [UInt8], as name: String) throws -> String {
        let file = path + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }
}

/// The smallest JPEG that decoders take: one grey pixel.
let tinyJPEG: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xDB, 0x00, 0x43, 0x00] + [UInt8](repeating: 1, count: 64)
    + [0xFF, 0xC0, 0x00, 0x0B, 0x08, 0x00, 0x01, 0x00, 0x01, 0x01, 0x01, 0x11, 0x00]
    + [0xFF, 0xC4, 0x00, 0x14, 0x00, 0x01] + [UInt8](repeating: 0, count: 15) + [0x00]
    + [0xFF, 0xC4, 0x00, 0x14, 0x10, 0x01] + [UInt8](repeating: 0, count: 15) + [0x00]
    + [0xFF, 0xDA, 0x00, 0x08, 0x01, 0x01, 0x00, 0x00, 0x3F, 0x00, 0x37, 0xFF, 0xD9]

/// A number's bytes, the highest or the lowest first.
func bigEndian(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
func littleEndian(_ value: UInt32) -> [UInt8] { bigEndian(value).reversed() }

/// A box of an ISO base media file.
func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    bigEndian(UInt32(8 + payload.count)) + Array(type.utf8) + payload
}

/// A film without pictures that runs so many seconds.
func tinyFilm(seconds: UInt32) -> [UInt8] {
    let header = [UInt8](repeating: 0, count: 12) + bigEndian(600) + bigEndian(600 * seconds)
    let brands = Array("isom".utf8) + bigEndian(0) + Array("isom".utf8)
    return box("ftyp", brands) + box("mdat", [1, 2, 3])
        + box("moov", box("mvhd", header + [UInt8](repeating: 0, count: 80)))
}
