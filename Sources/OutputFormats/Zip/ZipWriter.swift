/// Writes ZIP archives of files that are stored as they are: photos do not compress.
///
/// Does no I/O: it hands out the bytes that stand before, between and after the files' own, and the caller brings all
/// of them to a file or a browser in that order. Follows PKWARE's APPNOTE.TXT 6.3.10: names in UTF-8, ZIP64 where a
/// size, an offset or the number of files needs it. It keeps some 100 bytes for each file until ``finish()``.
///
/// A file whose CRC is known before its bytes are sent takes ``add(_:crc:byteCount:)``; one whose CRC is not takes
/// ``begin(_:byteCount:)`` and ``end(crc:)``.
public struct ZipWriter: Sendable {
    /// Where the next byte goes, counted from the archive's beginning.
    public private(set) var offset: UInt64 = 0
    public private(set) var fileCount: UInt64 = 0
    private var directory = ZipFields()
    /// The file that has begun and not ended.
    private var open: Record?

    public init() {}

    /// Both lengths and offsets of that size and above stand in ZIP64 fields.
    private static let limit32 = UInt64(UInt32.max)

    private struct Record {
        var entry: ZipEntry
        var byteCount: UInt64
        var crc: UInt32
        var offset: UInt64
        var isStreamed: Bool

        var isLarge: Bool { byteCount >= ZipWriter.limit32 }
    }

    // MARK: Files

    /// How many bytes stand before the content of a file of this size, so that a caller who can seek may write the
    /// content first.
    public static func headerByteCount(_ entry: ZipEntry, byteCount: UInt64) -> Int {
        30 + entry.name.utf8.count + entry.timestampField.count + (byteCount >= limit32 ? 20 : 0)
    }

    /// The bytes before a file's content; exactly `byteCount` bytes of content follow.
    public mutating func add(_ entry: ZipEntry, crc: UInt32, byteCount: UInt64) -> [UInt8] {
        precondition(open == nil, "a file of this archive has not ended")
        let record = Record(entry: entry, byteCount: byteCount, crc: crc, offset: offset, isStreamed: false)
        let header = Self.localHeader(record)
        offset += UInt64(header.count) + byteCount
        list(record)
        return header
    }

    /// The bytes before the content of a file whose CRC is told by ``end(crc:)``, after exactly `byteCount` bytes of
    /// content.
    public mutating func begin(_ entry: ZipEntry, byteCount: UInt64) -> [UInt8] {
        precondition(open == nil, "a file of this archive has not ended")
        let record = Record(entry: entry, byteCount: byteCount, crc: 0, offset: offset, isStreamed: true)
        let header = Self.localHeader(record)
        offset += UInt64(header.count) + byteCount
        open = record
        return header
    }

    /// The bytes after the content of the file that has begun: its data descriptor.
    public mutating func end(crc: UInt32) -> [UInt8] {
        guard var record = open else { preconditionFailure("no file of this archive has begun") }
        open = nil
        record.crc = crc
        list(record)
        var fields = ZipFields()
        fields.add32(0x0807_4B50)
        fields.add32(crc)
        for _ in 0..<2 {
            if record.isLarge { fields.add64(record.byteCount) } else { fields.add32(UInt32(record.byteCount)) }
        }
        offset += UInt64(fields.bytes.count)
        return fields.bytes
    }

    private static func localHeader(_ record: Record) -> [UInt8] {
        var extra = ZipFields()
        if record.isLarge {
            extra.add16(1)
            extra.add16(16)
            extra.add64(record.isStreamed ? 0 : record.byteCount)
            extra.add64(record.isStreamed ? 0 : record.byteCount)
        }
        extra.bytes += record.entry.timestampField
        var fields = ZipFields()
        fields.add32(0x0403_4B50)
        addCommon(record, isLarge: record.isLarge, hidesSizes: record.isStreamed, extra, to: &fields)
        fields.bytes += Array(record.entry.name.utf8) + extra.bytes
        return fields.bytes
    }

    /// What a file's header and its line in the directory have alike, from the version to the lengths.
    private static func addCommon(
        _ record: Record, isLarge: Bool, hidesSizes: Bool, _ extra: ZipFields, to fields: inout ZipFields
    ) {
        let byteCount = record.isLarge ? UInt32.max : hidesSizes ? 0 : UInt32(record.byteCount)
        fields.add16(isLarge ? 45 : 20)
        // The name is UTF-8; sizes follow the content.
        fields.add16(record.isStreamed ? 0x0808 : 0x0800)
        // Stored.
        fields.add16(0)
        fields.add32(record.entry.dosTime)
        fields.add32(record.crc)
        fields.add32(byteCount)
        fields.add32(byteCount)
        fields.add16(UInt16(record.entry.name.utf8.count))
        fields.add16(UInt16(extra.bytes.count))
    }

    // MARK: The directory

    /// Notes a file for the directory at the archive's end.
    private mutating func list(_ record: Record) {
        let isFar = record.offset >= Self.limit32
        var extra = ZipFields()
        if record.isLarge || isFar {
            extra.add16(1)
            extra.add16((record.isLarge ? 16 : 0) + (isFar ? 8 : 0))
            if record.isLarge {
                extra.add64(record.byteCount)
                extra.add64(record.byteCount)
            }
            if isFar { extra.add64(record.offset) }
        }
        extra.bytes += record.entry.timestampField
        directory.add32(0x0201_4B50)
        // Made on Unix, by version 4.5.
        directory.add16(3 << 8 | 45)
        Self.addCommon(record, isLarge: record.isLarge || isFar, hidesSizes: false, extra, to: &directory)
        // No comment, the first disk, nothing internal; an ordinary file that everybody may read.
        directory.add16(0)
        directory.add16(0)
        directory.add16(0)
        directory.add32(0o100644 << 16)
        directory.add32(isFar ? .max : UInt32(record.offset))
        directory.bytes += Array(record.entry.name.utf8) + extra.bytes
        fileCount += 1
    }

    /// The bytes after the last file: the directory, and where it is. Nothing may be added any more.
    public mutating func finish() -> [UInt8] {
        precondition(open == nil, "a file of this archive has not ended")
        let start = offset
        let byteCount = UInt64(directory.bytes.count)
        var fields = directory
        directory = ZipFields()
        if fileCount >= UInt16.max || start >= Self.limit32 || byteCount >= Self.limit32 {
            addLargeEnd(start: start, byteCount: byteCount, to: &fields)
        }
        let count = UInt16(clamping: fileCount)
        fields.add32(0x0605_4B50)
        fields.add16(0)
        fields.add16(0)
        fields.add16(count)
        fields.add16(count)
        fields.add32(UInt32(clamping: byteCount))
        fields.add32(UInt32(clamping: start))
        fields.add16(0)
        offset += UInt64(fields.bytes.count)
        return fields.bytes
    }

    /// ZIP64's end of the directory, and the record that says where it is.
    private func addLargeEnd(start: UInt64, byteCount: UInt64, to fields: inout ZipFields) {
        fields.add32(0x0606_4B50)
        fields.add64(44)
        fields.add16(3 << 8 | 45)
        fields.add16(45)
        fields.add32(0)
        fields.add32(0)
        fields.add64(fileCount)
        fields.add64(fileCount)
        fields.add64(byteCount)
        fields.add64(start)
        fields.add32(0x0706_4B50)
        fields.add32(0)
        fields.add64(start + byteCount)
        fields.add32(1)
    }
}
