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

    // MARK: SVG

    /// Modules of the picture with its quiet ones: the side of its view box.
    public var fullSide: Int { side + 2 * Self.quietModuleCount }

    /// The dark modules as the value of a path's `d`: a rectangle for each run within a row.
    public var svgPath: String {
        var path = ""
        for row in 0..<side {
            var column = 0
            while column < side {
                let start = column
                while isDark(column: column, row: row) { column += 1 }
                if column > start {
                    let count = column - start
                    path += "M\(start + Self.quietModuleCount) \(row + Self.quietModuleCount)h\(count)v1h-\(count)z"
                }
                column += 1
            }
        }
        return path
    }

    /// Black on white whatever the page's colours are: many readers take nothing else.
    ///
    /// - Parameter label: What it is, for those who do not see it.
    public func svg(label: String) -> HTMLMarkup {
        let side = fullSide
        return HTMLMarkup(
            text: """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" role="img" \
                aria-label="\(HTMLText.escaped(label))" shape-rendering="crispEdges">\
                <path fill="#fff" d="M0 0h\(side)v\(side)H0z"/><path fill="#000" d="\(svgPath)"/></svg>
                """)
    }
}
