@_spi(_Unicode) import Swift
import Crypto

/// How names of albums are compared and turned into identifiers.
public enum AlbumName {
    /// The album of files that lie directly in the folder.
    public static let unsorted = "Photos"

    /// Equal for names that differ only in case, in Unicode normalisation or in space at the ends.
    public static func key(_ name: some StringProtocol) -> String {
        // Upper before lower: the only difference to case folding that the standard library leaves is in exotic scripts.
        composed(trimmed(String(name)).uppercased().lowercased())
    }

    /// Unicode normalisation form C.
    public static func composed(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var scalars = String.UnicodeScalarView()
        // The standard library's own normaliser: Foundation's would bring 40 MB of tables along.
        for scalar in text._nfc { scalars.append(scalar) }
        return String(scalars)
    }

    /// Without white space at the ends.
    public static func trimmed(_ text: String) -> String {
        var rest = Substring(text)
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }

    /// A name as a new album gets it: composed, without white space at the ends; `nil` where no album can be called so.
    public static func usable(_ name: String) -> String? {
        let tidy = composed(trimmed(name))
        return key(tidy).isEmpty || tidy.utf8.count > CatalogLimits.nameByteCountMax ? nil : tidy
    }

    /// The identifier of an album that is created under `name`; `ordinal` 1 unless that one is taken.
    public static func identifier(_ name: String, ordinal: Int = 1) -> AlbumID {
        var text = "potluck album 1" + key(name)
        if ordinal > 1 { text += String(ordinal) }
        return AlbumID(digest: SHA256.hash(data: Array(text.utf8)))
    }
}
