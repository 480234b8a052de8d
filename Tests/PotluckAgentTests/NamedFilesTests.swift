import FoundationEssentials
import Glibc
import PotluckAPI
import Testing

@testable import PotluckAgent

/// Directories that a person adds to an album.
@Suite(.timeLimit(.minutes(1))) struct NamedFilesTests {
    private static func withDirectory(_ body: (_ directory: String) async throws -> Void) async throws {
        let directory = "/tmp/potluck-named-\(UInt64.random(in: 0...UInt64.max))"
        try FileManager.default.createDirectory(atPath: directory + "/deep/er", withIntermediateDirectories: true)
        defer {
            // A leftover in /tmp is no reason to fail.
            try? FileManager.default.removeItem(atPath: directory)
        }
        for (number, name) in ["a.JPG", "deep/b.jpg", "deep/er/c.jpg"].enumerated() {
            try Data(SmallHome.bytes(number + 1)).write(to: URL(filePath: "\(directory)/\(name)"))
        }
        try Data("text".utf8).write(to: URL(filePath: directory + "/deep/notes.txt"))
        try Data([1]).write(to: URL(filePath: directory + "/.DS_Store"))
        try await body(directory)
    }

    /// What lies in a directory is found, but for what no camera makes, and links, which may lead in a circle.
    @Test func directoriesAreLookedThrough() async throws {
        try await Self.withDirectory { directory in
            try FileManager.default.createDirectory(atPath: directory + "/@eaDir", withIntermediateDirectories: false)
            #expect(symlink(directory, directory + "/deep/around") == 0)
            #expect(mkfifo(directory + "/pipe", 0o600) == 0)
            let named = NamedFiles([directory + "/a.JPG", directory, directory + "/none"])
            let found = ["a.JPG", "deep/b.jpg", "deep/er/c.jpg", "deep/notes.txt"].map { directory + "/" + $0 }
            #expect(named.files.filter(\.isFound).map(\.path) == found)
            #expect(
                named.files.filter { !$0.isFound }.map(\.path) == [directory + "/a.JPG", directory + "/none"])
            let left = [".DS_Store", "@eaDir", "deep/around", "pipe"].map { directory + "/" + $0 }
            #expect(named.leftOut.map(\.path) == left)
            #expect(named.unreadable.isEmpty)
        }
    }

    /// Photos of a directory are added; what else is in it is told and is no failure, unlike a file that was named.
    @Test func photosOfDirectoriesAreAdded() async throws {
        try await Self.withDirectory { directory in
            try await RunningAgent.withHome { home in
                try await RunningAgent.run(home) { running in
                    let named = [directory, directory + "/deep/notes.txt"]
                    let report = try await running.control().add(album: "Beach", files: named) { progress in
                        #expect(progress.total == 5)
                    }
                    #expect(report.photos.count == 3 && report.photos.allSatisfy(\.new))
                    #expect(
                        report.leftOut.map(\.path)
                            == [directory + "/.DS_Store", directory + "/deep/notes.txt"])
                    #expect(report.skipped.map(\.path) == [directory + "/deep/notes.txt"])
                }
            }
        }
    }
}
