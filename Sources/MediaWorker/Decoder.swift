import CVipsShim
import MediaWorkerProtocol

/// libvips, for one file: by its descriptor, or by a repaired copy.
struct Decoder: ~Copyable {
    /// Enough for pictures that are looked at on a screen; the measurements are on the page MediaReader.
    private static let quality: Int32 = 80

    /// Under which programs write a PNG's date.
    private static let keysOfDates: [String] = ["Creation Time", "create-date", "date:create"]

    private let descriptor: Int32
    private let copy: [UInt8]?

    init(descriptor: Int32) {
        self.descriptor = descriptor
        copy = nil
    }

    init(copy: [UInt8]) {
        descriptor = -1
        self.copy = copy
    }

    /// What a picture's header says.
    struct Header {
        var width: UInt32
        var height: UInt32
        var orientation: UInt8
        var exif: [UInt8]?
        var xmp: [UInt8]?
        var hasDatedText: Bool
    }

    /// `nil`: it cannot be read; ``message`` says why.
    func header() -> Header? {
        withInput { input in
            guard let header = cvips_open(input) else { return nil }
            defer { cvips_close(header) }
            return Header(
                width: UInt32(max(0, cvips_width(header))), height: UInt32(max(0, cvips_height(header))),
                orientation: UInt8(clamping: cvips_orientation(header)), exif: Self.block(header, "exif-data"),
                xmp: Self.block(header, "xmp-data"),
                hasDatedText: Self.keysOfDates.contains { cvips_has_text(header, $0) != 0 })
        }
    }

    struct Fitted {
        var picture: Report.Picture
        var isDamaged: Bool
    }

    /// A JPEG that fits a square; `nil`: it cannot be read, and ``message`` says why.
    func fitted(side: UInt16, orientation: UInt8) -> Fitted? {
        withInput { input in
            var made = cvips_picture()
            defer { cvips_free(&made) }
            guard cvips_fit(input, Int32(side), Self.quality, Int32(orientation), &made) == 0 else { return nil }
            let bytes = [UInt8](UnsafeBufferPointer(start: made.bytes, count: made.byte_count))
            let picture = Report.Picture(width: UInt32(made.width), height: UInt32(made.height), bytes: bytes)
            return Fitted(picture: picture, isDamaged: made.is_damaged != 0)
        }
    }

    /// Why the last call failed, on one line.
    static var message: String {
        let lines = Text.lines(String(cString: cvips_message()))
        return lines.isEmpty ? "its content is damaged" : lines.prefix(2).joined(separator: "; ")
    }

    private func withInput<Result>(_ body: (UnsafePointer<cvips_input>) -> Result) -> Result {
        guard let copy else {
            var input = cvips_input(descriptor: descriptor, bytes: nil, byte_count: 0)
            return body(&input)
        }
        return copy.withUnsafeBytes { bytes in
            var input = cvips_input(descriptor: -1, bytes: bytes.baseAddress, byte_count: bytes.count)
            return body(&input)
        }
    }

    private static func block(_ header: OpaquePointer, _ name: String) -> [UInt8]? {
        var byteCount = 0
        guard let bytes = cvips_block(header, name, &byteCount) else { return nil }
        return Array(UnsafeRawBufferPointer(start: bytes, count: byteCount))
    }
}
