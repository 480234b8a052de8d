import AlbumModel

/// Paths as people name them, which begin with `/`.
enum Paths {
    static func parent(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    static func lastPart(_ path: String) -> String { path.split(separator: "/").last.map { String($0) } ?? path }
}

/// Names of files that are being written; one without a process is a crash's.
struct PartNames {
    private static let madeMark = "made-"
    private static let digitCountMax = 16

    /// What all of them begin with.
    let prefix: String

    func numbered(_ number: Int) -> String { prefix + String(number) }

    /// For a file that somebody else makes. Nobody can have put anything there, since nobody can guess it.
    func made() -> String {
        prefix + Self.madeMark + Hexadecimal.text(BigEndian.bytes(UInt64.random(in: 0...UInt64.max)))
    }

    func contains(_ name: String) -> Bool {
        guard name.hasPrefix(prefix) else { return false }
        var rest = name.dropFirst(prefix.count)
        if rest.hasPrefix(Self.madeMark) { rest = rest.dropFirst(Self.madeMark.count) }
        return (1...Self.digitCountMax).contains(rest.utf8.count)
            && rest.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            }
    }
}
