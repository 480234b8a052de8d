import Glibc

/// A file in an archive.
public struct ZipEntry: Hashable, Sendable {
    /// A path with `/` between its parts; at most 65,535 bytes of UTF-8.
    public var name: String
    /// Milliseconds from 1970-01-01T00:00:00 to what the clock showed when the file was last changed: what archives
    /// have told since the days of DOS, in steps of two seconds and from 1980 to 2107.
    public var localMilliseconds: Int64
    /// The same instant in milliseconds since 1970-01-01T00:00:00Z, which newer readers prefer.
    public var milliseconds: Int64

    public init(name: String, localMilliseconds: Int64, milliseconds: Int64) {
        precondition(name.utf8.count <= Int(UInt16.max), "a name in an archive has at most 65,535 bytes")
        self.name = name
        self.localMilliseconds = localMilliseconds
        self.milliseconds = milliseconds
    }

    /// MS-DOS date and time: time in the lower half.
    var dosTime: UInt32 {
        var time = time_t(Self.seconds(localMilliseconds))
        var clock = tm()
        gmtime_r(&time, &clock)
        let year = Int(clock.tm_year) + 1900
        if year < 1980 { return 1 << 21 | 1 << 16 }
        if year > 2107 { return 127 << 25 | 12 << 21 | 31 << 16 | 23 << 11 | 59 << 5 | 29 }
        let date = UInt32(year - 1980) << 9 | UInt32(clock.tm_mon + 1) << 5 | UInt32(clock.tm_mday)
        return date << 16 | UInt32(clock.tm_hour) << 11 | UInt32(clock.tm_min) << 5 | UInt32(clock.tm_sec) / 2
    }

    /// Info-ZIP's extended timestamp: the field 0x5455 with the time of modification. Empty where its 31 bits do not
    /// hold it.
    var timestampField: [UInt8] {
        guard let seconds = UInt32(exactly: Self.seconds(milliseconds)), seconds < 1 << 31 else { return [] }
        var field = ZipFields()
        field.add16(0x5455)
        field.add16(5)
        field.bytes.append(1)
        field.add32(seconds)
        return field.bytes
    }

    /// Whole seconds, rounded down, before 1970 too.
    private static func seconds(_ milliseconds: Int64) -> Int64 {
        milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0)
    }
}

/// Numbers as archives have them, the least significant byte first.
struct ZipFields {
    var bytes: [UInt8] = []

    mutating func add16(_ value: UInt16) { add(value) }
    mutating func add32(_ value: UInt32) { add(value) }
    mutating func add64(_ value: UInt64) { add(value) }

    private mutating func add(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
