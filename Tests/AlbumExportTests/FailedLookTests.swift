import DiskIO
import Foundation
import Glibc
import Testing

@testable import AlbumExport

/// Destinations that nobody can look at. A link that leads to itself stands for a disk that does not answer, for root as
/// well.
@Suite(.timeLimit(.minutes(1))) struct FailedLookTests {
    /// Shows that a record keeps the lines of files that nobody can look at: they are still the export's own.
    @Test func recordsKeepWhatTheyCannotSee() throws {
        let workshop = try Workshop()
        let directory = workshop.path + "/out"
        try #require(mkdir(directory, 0o755) == 0)
        let record = try RecordFile(directory: OpenDirectory(path: directory), subject: "album")
        let key = FileKey(source: "1", treatment: .original)
        let digest = try workshop.file("a.jpg", "1").id
        try record.note(NamedFile(name: "a.jpg", written: Written(digest: digest, byteCount: 1)), for: key)
        let isUnknown: (String) throws(FileError) -> Bool = { name throws(FileError) in
            throw FileError(errno: EIO, "look at", name)
        }
        #expect(throws: FileError.self) { try record.compact(where: isUnknown) }
        #expect(record.lines[key] != nil)
        let isGone: (String) throws(FileError) -> Bool = { _ throws(FileError) in false }
        try record.compact(where: isGone)
        #expect(record.lines.isEmpty)
    }
}
