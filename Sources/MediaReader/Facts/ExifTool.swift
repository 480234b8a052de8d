/// How ExifTool is asked, and what its answers mean.
///
/// Its table output (`-t`) rather than JSON: values keep their letters (a model "1.10" is no number there), keys that
/// come twice keep both values, bytes that are no UTF-8 stay, and it takes no parser. Line breaks in values are escaped
/// (`-ec`), so that no value can pass for another line.
///
/// Over 44 files of real cameras it took, kept running, 13 ms a file on a processor core with little else to do, and
/// 25 ms on one that it had to share: least for a bare JPEG (4 to 9 ms), most for an iPhone's HEIC with depth and gain
/// maps, a film and a CR3 (20 to 50 ms); it holds 56 MB. All tags instead of these make no great difference, and
/// neither does `-fast`, which is there to keep it from what stands behind a JPEG's end. `-fast2` saves a fifth, but
/// leaves out the makers' notes, where lenses, serial numbers and Apple's identifiers stand. Started for one file alone
/// it takes 300 ms.
public enum ExifTool {
    /// Bytes of an answer: a hundred times what a file of many tracks and parts gives.
    public static let answerByteCountMax = 1 << 20

    /// What ExifTool is asked about every file. No configuration file of the person's is read (`-config` must come
    /// first), numbers stand for themselves (`-n`), what comes twice comes twice (`-a`), and a JPEG is not searched for
    /// what hangs behind its end (`-fast`): ``MovingPartReader`` looks there itself.
    private static let options =
        ["-q", "-q", "-fast", "-api", "LargeFileSupport=1", "-n", "-a", "-G0:1", "-t", "-s", "-ec"] + tags

    private static let tags = Set(MetadataKey.allCases.compactMap(\.exifToolTag)).sorted().map { "-\($0)" }

    /// The words after the program's name to read one file and end.
    ///
    /// - Parameter path: absolute, or such as `/dev/fd/5` and `/proc/self/fd/5`.
    public static func oneShot(path: String) -> [String] { ["-config", ""] + options + [path] }

    /// The words after the program's name to have it wait for requests on its standard input.
    ///
    /// It waits for ever, asking a hundred times a second, even when its standard input has ended: whoever starts it
    /// must see to its end, also when dying himself (`PR_SET_PDEATHSIG`).
    public static let stayOpen = ["-config", "", "-stay_open", "True", "-@", "-", "-common_args"] + options

    /// What to write to a waiting ExifTool to have it read a file; `nil` for a path that cannot be named there.
    static func request(path: String, number: UInt32) -> String? {
        guard path.hasPrefix("/"), !path.utf8.contains(where: { $0 < 0x20 }) else { return nil }
        return "\(path)\n-execute\(number)\n"
    }

    /// The line that ends the answer to a request.
    static func endMark(number: UInt32) -> String { "{ready\(number)}\n" }

    /// - Parameter answer: what it wrote to standard output for one file, without end mark.
    public static func metadata(answer: some Sequence<UInt8>) -> RawMetadata {
        var raw = RawMetadata()
        for line in Array(answer).split(separator: UInt8(ascii: "\n")) {
            let parts = line.split(separator: UInt8(ascii: "\t"), maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let group = group(String(decoding: parts[0], as: UTF8.self))
            let value = unescaped(parts[2].prefix(4 * RawMetadata.valueByteCountMax))
            raw.add(value, named: "\(group):\(String(decoding: parts[1], as: UTF8.self))")
        }
        return raw
    }

    /// The short name of a place, of ExifTool's two: `EXIF:ExifIFD`, `QuickTime:Track1`, `XMP:XMP-xmp`, `File`.
    private static func group(_ groups: String) -> String {
        let parts = groups.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { return groups }
        switch (parts[0], parts[1]) {
        case ("EXIF", "IFD0"), ("EXIF", "ExifIFD"), ("EXIF", "GPS"): return "EXIF"
        case ("EXIF", _): return "SubIFD"
        case ("QuickTime", "Keys"), ("QuickTime", "ItemList"), ("QuickTime", "UserData"): return String(parts[1])
        case ("QuickTime", let track) where track.hasPrefix("Track"): return "Track"
        default: return String(parts[0])
        }
    }

    /// Takes back what `-ec` did to control characters and backslashes.
    private static func unescaped(_ value: ArraySlice<UInt8>) -> String {
        var bytes: [UInt8] = []
        var rest = value
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() else {
                bytes.append(byte)
                continue
            }
            switch escaped {
            case UInt8(ascii: "\\"): bytes.append(escaped)
            case UInt8(ascii: "x"): rest = rest.dropFirst(2)  // A control character that has no letter: no loss.
            default: bytes.append(UInt8(ascii: " "))  // A line break, a tabulator and their like.
            }
        }
        // Cameras of old wrote Latin-1; ExifTool hands on what it finds.
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map(Unicode.Scalar.init)))
    }
}

extension MetadataKey {
    /// The tag's name where it is one of ExifTool's.
    fileprivate var exifToolTag: Substring? {
        switch self {
        case .writtenLatitude, .writtenLongitude, .writtenTime: return nil
        case .displayWidth, .displayHeight, .movingPartStart, .movingPartByteCount, .movingPartDuration, .probedWidth,
            .probedHeight, .probedRotation, .probedDuration:
            return nil
        default:
            return rawValue.split(separator: ":").last
        }
    }
}
