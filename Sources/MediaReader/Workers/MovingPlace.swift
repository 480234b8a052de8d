import DiskIO

/// The place in the film that a Motion Photo carries behind its picture, where ExifTool changes nothing.
enum MovingPlace {
    /// The longest description of a film that is searched, in bytes. Those of three seconds have a few thousand.
    private static let byteCountMax: UInt64 = 1 << 17
    /// Boxes of user data that hold a place: QuickTime's, and 3GPP's (TS 26.244, 8.2.3).
    private static let boxes: [[UInt8]] = [[0xA9, 0x78, 0x79, 0x7A], Array("loci".utf8)]
    /// The end of the key under which QuickTime's newer metadata hold one.
    private static let key = Array("location.ISO6709".utf8)

    /// Makes these boxes of a film free space, in place: nothing else moves. Blocks.
    ///
    /// - Parameters:
    ///   - film: where it is in the file.
    ///   - file: open for reading and writing.
    /// - Returns: whether no place is left in it.
    static func clear(_ film: Range<UInt64>, in file: Descriptor) throws(WorkerFailure) -> Bool {
        let span = FileSpan(descriptor: file.number, range: film)
        guard let movie = MediaBox.first("moov", in: span)?.payload else { return true }
        let byteCount = movie.upperBound - movie.lowerBound
        guard byteCount <= byteCountMax, let bytes = span.bytes(at: movie.lowerBound, count: byteCount) else {
            return false
        }
        for type in bytes.indices.dropFirst(4).dropLast(3) where boxes.contains(Array(bytes[type..<type + 4])) {
            let boxByteCount = Int(bytes[type - 4..<type].bigEndian)
            guard boxByteCount >= 8, type - 4 + boxByteCount <= bytes.count else { return false }
            let free = Array("free".utf8) + Array(repeating: 0, count: boxByteCount - 8)
            do throws(FileError) {
                try file.write(free, at: movie.lowerBound + UInt64(type))
            } catch {
                throw .impossible("it cannot be written (\(error.causeText))")
            }
        }
        return !bytes.indices.contains { bytes[$0...].starts(with: key) }
    }
}
