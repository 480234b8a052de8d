import Foundation

/// Runs that once found something, kept in text files.
public enum PinnedRuns {
    /// - Parameter path: a file, or a directory of files ending in `.seeds`.
    /// - Throws: if it cannot be read, or a line is neither a seed nor options.
    public static func read(_ path: String) throws -> [SimulationOptions] {
        var isDirectory: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        guard isDirectory.boolValue else { return try runs(in: path) }
        let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        return try names.filter { $0.hasSuffix(".seeds") }.flatMap { try runs(in: "\(path)/\($0)") }
    }

    private static func runs(in file: String) throws -> [SimulationOptions] {
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(whereSeparator: \.isNewline)
        return try lines.compactMap { line in
            let text = line.prefix { $0 != "#" }.trimmingCharacters(in: .whitespaces)
            guard !text.isEmpty else { return nil }
            guard let options = SimulationOptions(text) else { throw UnreadableLine(file: file, line: String(line)) }
            return options
        }
    }

    struct UnreadableLine: Error, CustomStringConvertible {
        var file: String
        var line: String
        var description: String { "\(file): \"\(line)\" is neither a seed nor a run's options" }
    }
}
