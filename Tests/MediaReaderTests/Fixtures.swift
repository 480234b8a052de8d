import AlbumModel
import Foundation
import Testing

@testable import MediaReader

/// Files made on the spot.
enum Fixture {
    /// A PNG of grey squares, not compressed; `isBomb` leaves all pixels out.
    static func png(width: Int, height: Int, isBomb: Bool = false) -> [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<(isBomb ? 0 : height) {
            rows.append(0)
            rows += (0..<width).map { x in UInt8(truncatingIfNeeded: (x / 8 + y / 8) % 2 * 160 + x % 8 * 4) }
        }
        var header = bigEndian(width, 4) + bigEndian(height, 4)
        header += [8, 0, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
            + chunk("IDAT", stored(rows)) + chunk("IEND", [])
    }

    /// A TIFF of one grey strip a row, all black, of which the file holds nothing but the header: the rest is a hole.
    ///
    /// - Returns: the header; the file is to be made `byteCount` long.
    static func blackTIFF(side: Int, orientation: Int = 1) -> (header: [UInt8], byteCount: Int) {
        let entries: [(tag: Int, type: Int, value: Int)] = [
            (256, 4, side), (257, 4, side), (258, 3, 8), (259, 3, 1), (262, 3, 1), (273, 4, 4096),
            (274, 3, orientation),
            (277, 3, 1), (278, 4, side), (279, 4, side * side),
        ]
        return ([0x4D, 0x4D, 0, 42, 0, 0, 0, 8] + directory(entries), 4096 + side * side)
    }

    /// An EXIF block, as it stands in a JPEG's segment: a date, an orientation, a camera and a place.
    static func exif(orientation: Int, date: String = "2024:07:01 12:30:05") -> [UInt8] {
        let make = Array("Kuh\0".utf8), date = Array("\(date)\0".utf8)
        let main = 8, shot = main + 2 + 4 * 12 + 4, place = shot + 2 + 12 + 4, data = place + 2 + 4 * 12 + 4
        var tiff: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
        tiff += directory(
            [
                (0x010F, 2, word(make)), (0x0112, 3, orientation), (0x8769, 4, shot), (0x8825, 4, place),
            ], counts: [0x010F: 4])
        tiff += directory([(0x9003, 2, data)], counts: [0x9003: 20])
        tiff += directory(
            [
                (1, 2, word(Array("N\0\0\0".utf8))), (2, 5, data + 20), (3, 2, word(Array("E\0\0\0".utf8))),
                (4, 5, data + 44),
            ],
            counts: [1: 2, 2: 3, 3: 2, 4: 3])
        tiff += date
        for fraction in [(52, 1), (30, 1), (0, 1), (13, 1), (15, 1), (0, 1)] {
            tiff += bigEndian(fraction.0, 4) + bigEndian(fraction.1, 4)
        }
        return Array("Exif\0\0".utf8) + tiff
    }

    /// A JPEG with this block put in behind its first marker.
    static func jpeg(_ jpeg: [UInt8], exif: [UInt8]) -> [UInt8] {
        Array(jpeg[..<2]) + [0xFF, 0xE1] + bigEndian(exif.count + 2, 2) + exif + Array(jpeg[2...])
    }

    // MARK: Parts

    static func bigEndian(_ value: Int, _ byteCount: Int) -> [UInt8] {
        (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func word(_ bytes: [UInt8]) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    static func directory(_ entries: [(tag: Int, type: Int, value: Int)], counts: [Int: Int] = [:]) -> [UInt8] {
        var bytes = bigEndian(entries.count, 2)
        for entry in entries {
            bytes += bigEndian(entry.tag, 2) + bigEndian(entry.type, 2) + bigEndian(counts[entry.tag] ?? 1, 4)
            bytes += entry.type == 3 ? bigEndian(entry.value, 2) + [0, 0] : bigEndian(entry.value, 4)
        }
        return bytes + [0, 0, 0, 0]
    }

    static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let named = Array(type.utf8) + content
        return bigEndian(content.count, 4) + named + bigEndian(Int(crc(named)), 4)
    }

    /// zlib's format with blocks that are not compressed.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65535)
            rest = rest.dropFirst(65535)
            let length = [UInt8(block.count & 0xFF), UInt8(block.count >> 8)]
            result += [rest.isEmpty ? 1 : 0] + length + length.map { ~$0 } + block
        } while !rest.isEmpty
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        return result + bigEndian(Int(high << 16 | low), 4)
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0 as UInt32) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
    }
}

/// A folder that is gone after the test.
final class Scratch: Sendable {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("media-reader-\(UUID())").path
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// - Parameter byteCount: how long the file is to be, with a hole behind `bytes`.
    func file(_ name: String, _ bytes: [UInt8], byteCount: Int? = nil) throws -> MediaFile {
        let file = "\(path)/\(name)"
        try #require(FileManager.default.createFile(atPath: file, contents: Data(bytes)))
        if let byteCount { truncate(file, off_t(byteCount)) }
        return MediaFile(path: file, name: name, modified: 0, byteCount: UInt64(byteCount ?? bytes.count))
    }
}
