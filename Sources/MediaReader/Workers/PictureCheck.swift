package import MediaWorkerProtocol

/// Looks at the frame of a JPEG that a worker made, without decoding it.
///
/// A worker that a file has broken into could put anything into a picture that travels to everybody. So it must be as
/// ours are: only the segments (ITU-T T.81, annex B) that decoding takes, none of metadata or comments, one frame of the
/// size that was said, and nothing behind the end.
package enum PictureCheck {
    private static let frames: Set<UInt8> = [0xC0, 0xC1, 0xC2]
    /// JFIF, quantisation tables, Huffman tables, restart interval.
    private static let tables: Set<UInt8> = [0xE0, 0xDB, 0xC4, 0xDD]

    package static func isPlain(_ picture: Report.Picture, side: UInt32) -> Bool {
        guard (1...side).contains(picture.width), (1...side).contains(picture.height) else { return false }
        let bytes = picture.bytes
        guard bytes.starts(with: [0xFF, 0xD8]), bytes.suffix(2).elementsEqual([0xFF, 0xD9]) else { return false }
        var offset = 2
        var frame: (width: UInt32, height: UInt32)?
        while offset + 4 <= bytes.count, bytes[offset] == 0xFF {
            let marker = bytes[offset + 1], length = word(bytes, offset + 2)
            guard length >= 2, offset + 2 + length <= bytes.count else { return false }
            if marker == 0xDA {
                guard let frame, frame == (picture.width, picture.height) else { return false }
                return hasOnlyScans(bytes, from: offset)
            } else if frames.contains(marker), frame == nil, length >= 8 {
                frame = (UInt32(word(bytes, offset + 7)), UInt32(word(bytes, offset + 5)))
            } else if !tables.contains(marker) {
                return false
            }
            offset += 2 + length
        }
        return false
    }

    /// Whether scans and their tables go on to the end, and the end is where the bytes end.
    private static func hasOnlyScans(_ bytes: [UInt8], from start: Int) -> Bool {
        var offset = start
        while offset + 4 <= bytes.count {
            guard bytes[offset + 1] == 0xDA || tables.contains(bytes[offset + 1]) else { return false }
            let isScan = bytes[offset + 1] == 0xDA
            offset += 2 + word(bytes, offset + 2)
            if isScan { offset = endOfScan(bytes, from: offset) }
            guard offset + 2 <= bytes.count, bytes[offset] == 0xFF else { return false }
            if bytes[offset + 1] == 0xD9 { return offset + 2 == bytes.count }
        }
        return false
    }

    /// Coded data ends at a marker other than a stuffed zero and a restart.
    private static func endOfScan(_ bytes: [UInt8], from start: Int) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            var offset = start
            while offset + 1 < bytes.count {
                let next = bytes[offset + 1]
                if bytes[offset] == 0xFF, next != 0, !(0xD0...0xD7).contains(next) { return offset }
                offset += 1
            }
            return bytes.count
        }
    }

    private static func word(_ bytes: [UInt8], _ offset: Int) -> Int {
        Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
    }
}
