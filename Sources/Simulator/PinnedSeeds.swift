import Foundation

/// Seeds that once found something, kept in text files.
public enum PinnedSeeds {
    /// - Parameter path: a file, or a directory of files ending in `.seeds`.
    /// - Throws: if it cannot be read, or a line is no seed.
    public static func read(_ path: String) throws -> [UInt64] {
        var isDirectory: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        guard isDirectory.boolValue else { return try seeds(in: path) }
        let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        return try names.filter { $0.hasSuffix(".seeds") }.flatMap { try seeds(in: "\(path)/\($0)") }
    }

    private static func seeds(in file: String) throws -> [UInt64] {
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(whereSeparator: \.isNewline)
        return try lines.compactMap { line in
            let text = line.prefix { $0 != "#" }.filter { !$0.isWhitespace }
            guard !text.isEmpty else { return nil }
            guard let seed = UInt64(text) else { throw UnreadableSeed(file: file, line: String(line)) }
            return seed
        }
    }

    struct UnreadableSeed: Error, CustomStringConvertible {
        var file: String
        var line: String
        var description: String { "\(file): \"\(line)\" is no seed" }
    }
}
