import CVipsShim
import MediaWorkerProtocol

/// libvips, for one file: by its descriptor, or by a repaired copy.
struct Decoder: ~Copyable {
    /// Enough for pictures that are looked at on a screen; the measurements are on the page MediaReader.
    private static let quality: Int32 = 80

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
    }

    struct Fitted {
        var picture: Report.Picture
        var isDamaged: Bool
    }

    /// Reads the header, and then, if `isWanted` says so, makes a JPEG that fits a square.
    ///
    /// - Returns: `nil` where there is no header to read; ``message(of:)`` says why, and why there is no picture.
    func read(side: UInt16, orientation: UInt8, isWanted: (Header) -> Bool) -> (header: Header, fitted: Fitted?)? {
        withInput { input in
            guard let opened = cvips_open(input) else { return nil }
            defer { cvips_close(opened) }
            let header = Self.header(opened)
            return (header, isWanted(header) ? Self.fit(input, opened, side: side, orientation: orientation) : nil)
        }
    }

    private static func header(_ opened: OpaquePointer) -> Header {
        Header(
            width: UInt32(max(0, cvips_width(opened))), height: UInt32(max(0, cvips_height(opened))),
            orientation: UInt8(clamping: cvips_orientation(opened)), exif: block(opened, "exif-data"),
            xmp: block(opened, "xmp-data"))
    }

    private static func fit(
        _ input: UnsafePointer<cvips_input>, _ opened: OpaquePointer, side: UInt16, orientation: UInt8
    ) -> Fitted? {
        var made = cvips_picture()
        defer { cvips_free(&made) }
        guard cvips_fit(input, opened, Int32(side), quality, Int32(orientation), &made) == 0 else { return nil }
        let bytes = [UInt8](UnsafeBufferPointer(start: made.bytes, count: made.byte_count))
        let picture = Report.Picture(width: UInt32(made.width), height: UInt32(made.height), bytes: bytes)
        return Fitted(picture: picture, isDamaged: made.is_damaged != 0)
    }

    /// Why the last call failed: the library's last word on it in brackets, where it has one.
    ///
    /// libheif refuses many a file that later releases of it read, so that its word alone does not mean damage.
    static func message(of container: Container) -> String {
        let lines = Text.lines(String(cString: cvips_message()))
        if lines.contains(where: { $0.lowercased().contains("memory") }) {
            return "it takes more memory than is allowed"
        }
        let telling = lines.last { $0.contains(where: \.isLetter) && !$0.contains("bad seek") }
        if [.heif, .avif].contains(container) {
            return telling.map { "libheif refuses it (\($0))" } ?? "libheif refuses it"
        }
        return telling.map { "it is damaged (\($0))" } ?? "it is damaged or cut short"
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
