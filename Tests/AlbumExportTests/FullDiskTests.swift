import AlbumModel
import DiskIO
import Foundation
import Glibc
import TestSupport
import Testing

@testable import AlbumExport

/// What is left where a disk is full.
@Suite struct FullDiskTests {
    private func write(_ text: String, _ name: String, to sink: any ExportSink) throws {
        let key = FileKey(source: name, treatment: .large)
        _ = try sink.write(
            key, name: name, .bytes(Array(text.utf8)), expected: nil, time: nil
        ) { _ in }
    }

    /// Shows that a directory keeps what was whole and has nothing that is half, and that the error says that the disk is
    /// full.
    @Test func aDirectoryHasNoHalfFile() throws {
        let workshop = try Workshop()
        let sink = try DirectorySink(
            path: workshop.path + "/out", subject: "s", write: LimitedDisk(byteCount: 15).write)
        try write("0123456789", "a", to: sink)
        let error = #expect(throws: FileError.self) { try write("0123456789", "b", to: sink) }
        #expect(error?.isFull == true)
        #expect(try workshop.names("out") == [".potluck-export", "a"])
        #expect(try workshop.text("out/a") == "0123456789")
    }

    /// Shows that an archive that does not fit leaves nothing.
    @Test func anArchiveLeavesNothing() throws {
        let workshop = try Workshop()
        var sink: ArchiveSink? = try ArchiveSink(
            path: workshop.path + "/a.zip", directory: "A", write: LimitedDisk(byteCount: 80).write)
        #expect(throws: FileError.self) {
            for name in ["a", "b"] { try write("0123456789", name, to: try #require(sink)) }
        }
        sink = nil
        #expect(try workshop.names("") == ["blobs"])
    }

    /// Shows that a disk that takes no large files costs these files alone, said in words.
    @Test func largeFilesAreLeftOut() async throws {
        let workshop = try Workshop()
        let writer = ExportWriter { _ in }
        let disk = LimitedDisk(byteCount: 15, failure: EFBIG)
        _ = try await writer.begin { try DirectorySink(path: workshop.path + "/out", subject: "s", write: disk.write) }
        let plan = ExportPlan(
            [entry(try workshop.file("a.mp4", "01234567890123456789", type: "video/mp4"), kind: .video)],
            ExportOptions())
        try await writer.prepare(for: plan.files, besides: [:], destination: "")
        let path = try #require(plan.files[0].source.path)
        try await writer.add(plan.files[0], .content(.file(path), ending: ".mp4"))
        #expect(await writer.missing.first?.reason.contains("no files above 4 GB") == true)
        #expect(try workshop.names("out") == [".potluck-export"])
    }

    /// Shows the whole way on a small file system of its own, where one can be made: the sentence before anything is
    /// written, and that the export goes on when there is room.
    @Test func theSentenceSaysWhatToDo() async throws {
        let workshop = try Workshop()
        var photo = entry(try workshop.file("a.jpg", "1"))
        photo.lead.byteCount = 1 << 60
        do {
            _ = try await AlbumExporter.run([photo], to: .directory(workshop.path + "/out"))
            Issue.record("no disk has that much room")
        } catch let error as ExportError {
            #expect(error.code == .diskFull && error.message.contains("needs 1152921504.6 GB"))
        }
        photo.lead.byteCount = 1
        #expect(try await AlbumExporter.run([photo], to: .directory(workshop.path + "/out")).photos == 1)
    }
}
