public import AlbumModel
import Crypto

/// Files small enough to read, with the structure that their formats ask for.
public enum SamplePhoto {
    /// A JPEG by its structure; other seeds give other bytes.
    public static func jpeg(_ seed: Int, byteCount: Int = 600) -> [UInt8] {
        var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]
        let note = Array("seed \(seed)".utf8)
        bytes += [0xFF, 0xFE, 0, UInt8(note.count + 2)] + note
        bytes += [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
        while bytes.count < byteCount - 2 { bytes.append(UInt8(truncatingIfNeeded: bytes.count &* 31 &+ seed) & 0x7F) }
        return bytes + [0xFF, 0xD9]
    }

    public static var png: [UInt8] {
        func chunk(_ kind: String, _ body: [UInt8]) -> [UInt8] {
            BigEndian.bytes(UInt32(body.count)) + Array(kind.utf8) + body + [0, 0, 0, 0]
        }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", Array(repeating: 1, count: 13))
            + chunk("IDAT", Array(repeating: 7, count: 500)) + chunk("IEND", [])
    }

    public static var gif: [UInt8] {
        Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255] + [0x21, 0xF9, 4, 0, 0, 0, 0, 0]
            + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
    }

    public static var webp: [UInt8] {
        let body = Array("WEBPVP8 ".utf8) + [4, 0, 0, 0, 1, 2, 3, 4]
        return Array("RIFF".utf8) + [UInt8(body.count), 0, 0, 0] + body
    }

    public static func box(_ kind: String, _ body: [UInt8]) -> [UInt8] {
        BigEndian.bytes(UInt32(body.count + 8)) + Array(kind.utf8) + body
    }

    public static func boxes(brand: String, compatible: [String] = [], index: String) -> [UInt8] {
        let brands = ([brand, "\0\0\0\0"] + compatible).flatMap { Array($0.utf8) }
        return box("ftyp", brands) + box(index, Array(repeating: 0, count: 40))
            + box("mdat", Array(repeating: 9, count: 400))
    }

    /// One strip of 100 bytes behind the directory.
    public static func tiff(extra: [(tag: UInt16, value: UInt32)] = [], maker: String = "") -> [UInt8] {
        let count = 2 + extra.count + (maker.isEmpty ? 0 : 1)
        let end = UInt32(8 + 2 + count * 12 + 4)
        var entries: [(UInt16, UInt16, UInt32, UInt32)] = extra.map { ($0.tag, 4, 1, $0.value) }
        if !maker.isEmpty { entries.append((0x10F, 2, UInt32(maker.utf8.count + 1), end + 100)) }
        entries += [(0x111, 4, 1, end), (0x117, 4, 1, 100)]
        func little(_ value: some FixedWidthInteger) -> [UInt8] { BigEndian.bytes(value.byteSwapped) }
        var bytes: [UInt8] = [0x49, 0x49, 42, 0] + little(UInt32(8)) + little(UInt16(count))
        for entry in entries { bytes += little(entry.0) + little(entry.1) + little(entry.2) + little(entry.3) }
        return bytes + [0, 0, 0, 0] + Array(repeating: 5, count: 100) + Array(maker.utf8) + [0]
    }
}

/// The name under which the gathering knows these bytes.
public func blobID(_ bytes: [UInt8]) -> BlobID { BlobID(digest: SHA256.hash(data: bytes)) }
