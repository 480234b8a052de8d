extension String {
    /// Bytes of a text in UTF-8 that facts have room for.
    static let factByteCountMax = 256

    /// The text as people may see it: without controls, marks that turn the direction of writing or show nothing, and
    /// blanks at its ends, cut to whole characters that fit.
    ///
    /// Otherwise as in the file: `NIKON CORPORATION` and `RICOH IMAGING COMPANY, LTD.` stay what they are.
    var cleaned: String {
        let visible = String(String.UnicodeScalarView(unicodeScalars.prefix(1 << 16).filter(\.isForPeople)))
        var rest = Self.factByteCountMax
        return visible.trimmed.prefix { character in
            rest -= character.utf8.count
            return rest >= 0
        }.trimmed
    }
}

extension StringProtocol {
    /// Without blanks at either end.
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}

extension Unicode.Scalar {
    fileprivate var isForPeople: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate: false
        default: true
        }
    }
}
