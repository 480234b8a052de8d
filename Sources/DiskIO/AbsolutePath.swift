/// A path from the root, taken apart by bytes: as letters, a slash and an accent behind it may be one.
public enum AbsolutePath {
    /// The names on its way.
    public static func names(_ path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).compactMap { String($0) }
    }

    /// The directory that it is in; that of the root is the root.
    public static func parent(_ path: String) -> String { "/" + names(path).dropLast().joined(separator: "/") }
}
