import CQRencode

/// A QR code of ISO/IEC 18004, error correction M, as a square of modules.
public struct QRPicture: Hashable, Sendable {
    /// Light modules that have to stand around it.
    public static let quietModuleCount = 4

    /// Modules in a row, without the quiet ones.
    public let side: Int
    private let modules: [Bool]

    /// `nil` where the text is too long for any QR code, or empty.
    public init?(_ content: String) {
        guard !content.isEmpty, !content.utf8.contains(0),
            let code = QRcode_encodeString8bit(content, 0, QR_ECLEVEL_M)
        else { return nil }
        defer { QRcode_free(code) }
        guard let data = code.pointee.data else { return nil }
        side = Int(code.pointee.width)
        modules = (0..<side * side).map { data[$0] & 1 == 1 }
    }

    /// Light for everything outside.
    public func isDark(column: Int, row: Int) -> Bool {
        (0..<side).contains(column) && (0..<side).contains(row) && modules[row * side + column]
    }
}
