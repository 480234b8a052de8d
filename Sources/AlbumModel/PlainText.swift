@_spi(_Unicode) import Swift

/// Texts as searches compare them.
public enum PlainText {
    /// Equal for texts that differ only in case, in accents or in Unicode normalisation. Letters that only look as if they
    /// had an accent, such as ø and ł, count as the plain ones, and æ, œ, ß and þ as two letters each.
    ///
    /// The index keeps what comes of it, and takes out of it what comes of it then: whoever changes it counts up the
    /// index's version.
    public static func folded(_ text: String) -> String {
        // Upper before lower, as in keys of names.
        let text = text.uppercased().lowercased()
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text._nfd where !accents.contains(scalar) {
            if let plain = plainLetters[scalar] {
                scalars.append(contentsOf: plain.unicodeScalars)
            } else {
                scalars.append(scalar)
            }
        }
        // What other scripts write with marks of their own is whole again.
        return AlbumName.composed(String(scalars))
    }

    /// The block Combining Diacritical Marks: accents of Latin, Greek and Cyrillic.
    private static let accents: ClosedRange<Unicode.Scalar> = "\u{300}"..."\u{36F}"

    /// Small letters that Unicode does not take apart.
    private static let plainLetters: [Unicode.Scalar: String] = [
        "æ": "ae", "ð": "d", "đ": "d", "ħ": "h", "ı": "i", "ł": "l", "ŋ": "n", "œ": "oe", "ø": "o", "ß": "ss",
        "þ": "th", "ŧ": "t",
    ]
}
