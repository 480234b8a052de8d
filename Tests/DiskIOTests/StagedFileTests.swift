import DiskIO
import FoundationEssentials
import Glibc
import Testing

/// Files that grow piece by piece.
@Suite(.timeLimit(.minutes(1))) struct StagedFileTests {
    private func with(_ body: (OpenDirectory, String) throws -> Void) throws {
        let path = "/tmp/potluck-staged-\(UInt64.random(in: 0...UInt64.max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        // A leftover in /tmp is no reason to fail.
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(try OpenDirectory(path: path), path)
    }

    private func write(_ text: String, at offset: UInt64, to file: StagedFile) throws {
        try Array(text.utf8).withUnsafeBytes { try file.write($0, at: offset) }
        try file.synchronize()
    }

    /// A second opening goes on with what the first one left, and writes over what it is told to.
    @Test func aFileIsGoneOnWith() throws {
        try with { directory, path in
            try write("sea and", at: 0, to: try StagedFile(in: directory, name: "a.part", mode: 0o600))
            try write(" sand", at: 7, to: try StagedFile(in: directory, name: "a.part", mode: 0o600))
            try write("S", at: 8, to: try StagedFile(in: directory, name: "a.part", mode: 0o600))
            #expect(try String(contentsOfFile: path + "/a.part", encoding: .utf8) == "sea and Sand")
            var info = stat()
            #expect(stat(path + "/a.part", &info) == 0 && info.st_mode & 0o777 == 0o600)
        }
    }

    /// What a link leads to is not written to; a full disk says so.
    @Test func whatIsNoFileIsRefused() throws {
        try with { directory, path in
            try Data("mine".utf8).write(to: URL(filePath: path + "/other"))
            #expect(symlink(path + "/other", path + "/a.part") == 0)
            #expect(throws: FileError.self) { try StagedFile(in: directory, name: "a.part", mode: 0o600) }
            #expect(try String(contentsOfFile: path + "/other", encoding: .utf8) == "mine")
            #expect(throws: FileError.self) { try StagedFile(in: directory, name: "../b.part", mode: 0o600) }
        }
    }
}
