/// A file's or directory's path below the folder, as the bytes that the file system has.
///
/// Bytes, not text: two names that Unicode calls equal are two files, and a name need not be UTF-8 at all.
public struct FolderPath: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Components joined by `/`, without one at either end; empty for the folder itself.
    public let bytes: [UInt8]

    /// The folder itself.
    public static let root = FolderPath(bytes: [])

    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    public init(_ text: some StringProtocol) {
        bytes = Array(text.utf8)
    }

    /// For people and for calls that take text; bytes that are not UTF-8 come out as U+FFFD.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    public var description: String { text }

    /// The last component.
    public var name: ArraySlice<UInt8> {
        guard let slash = bytes.lastIndex(of: Self.separator) else { return bytes[...] }
        return bytes[(slash + 1)...]
    }

    /// The directory that the path is in.
    public var parent: FolderPath {
        guard let slash = bytes.lastIndex(of: Self.separator) else { return .root }
        return FolderPath(bytes: Array(bytes[..<slash]))
    }

    /// The first-level directory; ``root`` for what lies directly in the folder.
    public var albumDirectory: FolderPath {
        guard let slash = bytes.firstIndex(of: Self.separator) else { return .root }
        return FolderPath(bytes: Array(bytes[..<slash]))
    }

    public var components: [ArraySlice<UInt8>] { bytes.split(separator: Self.separator) }

    /// `name` must hold no separator.
    public func appending(_ name: some Collection<UInt8>) -> FolderPath {
        FolderPath(bytes: bytes.isEmpty ? Array(name) : bytes + [Self.separator] + name)
    }

    /// Whether the path lies in `directory`, however deep; every path but the root's own lies in the root.
    public func isBelow(_ directory: FolderPath) -> Bool {
        if directory.bytes.isEmpty { return !bytes.isEmpty }
        return bytes.count > directory.bytes.count && bytes[directory.bytes.count] == Self.separator
            && bytes.starts(with: directory.bytes)
    }

    /// Whether the path is `other`, or lies below it.
    public func isWithin(_ other: FolderPath) -> Bool { self == other || isBelow(other) }

    public static func < (left: FolderPath, right: FolderPath) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }

    private static let separator = UInt8(ascii: "/")
}
