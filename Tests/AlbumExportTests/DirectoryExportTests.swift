import AlbumModel
import Foundation
import Glibc
import Testing

@testable import AlbumExport

/// Exports into directories.
@Suite(.timeLimit(.minutes(1))) struct DirectoryExportTests {
    /// Shows what an export is: the bytes, the names, the dates, and a list that sha256sum finds true.
    @Test func photosBecomeFiles() async throws {
        let workshop = try Workshop()
        let large = String(repeating: "0123456789abcdef", count: 200_000)
        let entries = [
            entry(try workshop.file("b.jpg", "second"), by: "Ben", at: 5), entry(try workshop.file("a.jpg", large)),
        ]
        let summary = try await AlbumExporter.run(entries, to: .directory(workshop.path + "/out"))
        #expect(summary.photos == 2 && summary.files == 2 && summary.kept == 0 && summary.missing.isEmpty)
        #expect(summary.bytes == 3_200_006)
        #expect(
            try workshop.names("out") == [
                ".potluck-export", "2026-07-04 14.03.22 Anna a.jpg", "2026-07-04 14.03.27 Ben b.jpg", "CHECKSUMS",
            ])
        #expect(try workshop.text("out/2026-07-04 14.03.22 Anna a.jpg") == large)
        #expect(try workshop.passesChecksums("out"))
        var info = stat()
        #expect(stat(workshop.path + "/out/2026-07-04 14.03.27 Ben b.jpg", &info) == 0)
        // 14:03:27 at two hours east of Greenwich.
        #expect(info.st_mtim.tv_sec == 1_783_173_807 - 7200)
        #expect(info.st_mode & 0o777 == 0o644)
    }

    /// Shows how far an export is, growing to all of it.
    @Test func progressIsTold() async throws {
        let workshop = try Workshop()
        let entries = [entry(try workshop.file("a.jpg", "12345")), entry(try workshop.file("b.jpg", "678"), at: 1)]
        let (stream, continuation) = AsyncStream.makeStream(of: ExportProgress.self)
        _ = try await AlbumExporter(album: beachDay, options: ExportOptions(), pictures: nil)
            .export(entries, to: .directory(workshop.path + "/out")) { continuation.yield($0) }
        continuation.finish()
        var last = ExportProgress()
        for await progress in stream {
            #expect(progress.bytes >= last.bytes && progress.files >= last.files)
            last = progress
        }
        #expect(last == ExportProgress(files: 2, fileTotal: 2, bytes: 8, byteTotal: 8))
    }

    /// Shows that a second export writes nothing that is there, and only what is new.
    @Test func anExportIsBroughtUpToDate() async throws {
        let workshop = try Workshop()
        var entries = [entry(try workshop.file("a.jpg", "1"))]
        let out = ExportDestination.directory(workshop.path + "/out")
        _ = try await AlbumExporter.run(entries, to: out)
        var before = stat()
        #expect(stat(workshop.path + "/out/2026-07-04 14.03.22 Anna a.jpg", &before) == 0)
        entries.append(entry(try workshop.file("b.jpg", "2"), at: 9))
        let summary = try await AlbumExporter.run(entries, to: out)
        #expect(summary.files == 2 && summary.kept == 1)
        var after = stat()
        #expect(stat(workshop.path + "/out/2026-07-04 14.03.22 Anna a.jpg", &after) == 0)
        #expect(before.st_ino == after.st_ino)
        #expect(try workshop.passesChecksums("out"))
        #expect(try workshop.text("out/CHECKSUMS").split(separator: "\n").count == 2)
    }

    /// Shows that an export that was killed goes on: files without a line in the record, files with a line and without a
    /// name, half lines and half files.
    @Test func anInterruptedExportGoesOn() async throws {
        let workshop = try Workshop()
        let entries = try (0..<4).map { entry(try workshop.file("\($0).jpg", "photo \($0)"), at: Int64($0)) }
        let out = ExportDestination.directory(workshop.path + "/out")
        _ = try await AlbumExporter.run(Array(entries[..<2]), to: out)
        try workshop.write("photo", to: "out/.potluck-part-3")
        try FileManager.default.removeItem(atPath: workshop.path + "/out/2026-07-04 14.03.22 Anna 0.jpg")
        try FileManager.default.removeItem(atPath: workshop.path + "/out/CHECKSUMS")
        // Renamed, and killed before its line was written, the line before cut off.
        try workshop.write("photo 2", to: "out/2026-07-04 14.03.24 Anna 2.jpg")
        let record = try workshop.text("out/.potluck-export")
        try workshop.write(String(record.dropLast(30)), to: "out/.potluck-export")
        let summary = try await AlbumExporter.run(entries, to: out)
        #expect(summary.files == 4 && summary.kept == 2 && summary.setAside.isEmpty)
        #expect(
            try workshop.names("out") == [".potluck-export"]
                + (0..<4).map { "2026-07-04 14.03.\(22 + $0) Anna \($0).jpg" } + ["CHECKSUMS"])
        #expect(try workshop.passesChecksums("out"))
    }

    /// Shows that files follow a corrected clock without being written anew, also where they change places, and that what
    /// the album lost stays and is named.
    @Test func filesAreRenamedNotCopied() async throws {
        let workshop = try Workshop()
        var entries = [
            entry(try workshop.file("a.jpg", "1"), at: 0), entry(try workshop.file("a.jpg", "2"), at: 1),
            entry(try workshop.file("gone.jpg", "3"), at: 2),
        ]
        let out = ExportDestination.directory(workshop.path + "/out")
        _ = try await AlbumExporter.run(entries, to: out)
        for index in 0..<2 {
            // What is in the home no more cannot be copied again.
            entries[index].lead.path = nil
            entries[index].taken = reading(index == 0 ? 1 : 0)
        }
        let summary = try await AlbumExporter.run(Array(entries[..<2]), to: out)
        #expect(summary.missing.isEmpty && summary.kept == 2)
        #expect(summary.stale == ["2026-07-04 14.03.24 Anna gone.jpg"])
        #expect(try workshop.text("out/2026-07-04 14.03.22 Anna a.jpg") == "2")
        #expect(try workshop.text("out/2026-07-04 14.03.23 Anna a.jpg") == "1")
        #expect(try workshop.names("out").count == 5)
        #expect(try workshop.passesChecksums("out"))
    }

    /// Shows that a file that a person changed or put there is set aside, never overwritten, also while files move.
    @Test func whatOthersWroteIsKept() async throws {
        let workshop = try Workshop()
        var entries = [entry(try workshop.file("a.jpg", "1")), entry(try workshop.file("b.jpg", "2"), at: 1)]
        let out = ExportDestination.directory(workshop.path + "/out")
        _ = try await AlbumExporter.run(entries, to: out)
        try workshop.write("edited", to: "out/2026-07-04 14.03.22 Anna a.jpg")
        try workshop.write("edited too", to: "out/2026-07-04 14.03.23 Anna b.jpg")
        try workshop.write("mine", to: "out/2026-07-04 14.03.31 Anna b.jpg")
        entries[1].taken = reading(9)
        let summary = try await AlbumExporter.run(entries, to: out)
        #expect(
            summary.setAside.sorted() == [
                "2026-07-04 14.03.22 Anna a (other).jpg", "2026-07-04 14.03.23 Anna b.jpg",
                "2026-07-04 14.03.31 Anna b (other).jpg",
            ])
        #expect(try workshop.text("out/2026-07-04 14.03.22 Anna a (other).jpg") == "edited")
        #expect(try workshop.text("out/2026-07-04 14.03.23 Anna b.jpg") == "edited too")
        #expect(try workshop.text("out/2026-07-04 14.03.31 Anna b (other).jpg") == "mine")
        #expect(try workshop.text("out/2026-07-04 14.03.22 Anna a.jpg") == "1")
        #expect(try workshop.text("out/2026-07-04 14.03.31 Anna b.jpg") == "2")
        #expect(try workshop.passesChecksums("out"))
    }

    /// Shows which directories are refused, with words, and left as they are.
    @Test func otherDirectoriesAreRefused() async throws {
        let workshop = try Workshop()
        let entries = [entry(try workshop.file("a.jpg", "1"))]
        func refusal(_ name: String, _ options: ExportOptions = ExportOptions()) async -> String? {
            do {
                _ = try await AlbumExporter.run(
                    entries, to: .directory("\(workshop.path)/\(name)"), options, pictures: FakePictures())
                return nil
            } catch {
                return (error as? ExportError)?.message
            }
        }
        #expect(await refusal("blobs")?.contains("holds other files already") == true)
        #expect(try workshop.names("blobs").count == 1)
        #expect(await refusal("no/such")?.contains("There is no directory") == true)
        #expect(await refusal("out") == nil)
        #expect(await refusal("out", ExportOptions(stripsPlace: true))?.contains("other options") == true)
        let other = try workshop.text("out/.potluck-export").replacing(beachDay.id.hex, with: "00")
        try workshop.write(other, to: "out/.potluck-export")
        #expect(await refusal("out")?.contains("another album") == true)
        try workshop.write("potluck export 9\n", to: "out/.potluck-export")
        #expect(await refusal("out")?.contains("another version") == true)
    }

    /// Shows that photos that are not here, or damaged, are left out with the reason, and that the rest is exported; and
    /// that the list goes when nothing is missing any more.
    @Test func whatIsMissingIsListed() async throws {
        let workshop = try Workshop()
        let whole = entry(try workshop.file("a.jpg", "1"))
        var away = entry(try workshop.file("away.jpg", "2"), at: 1)
        let blob = try #require(away.lead.path)
        away.lead.path = nil
        let damaged = entry(try workshop.file("damaged.jpg", "3"), at: 2)
        let lost = entry(try workshop.file("lost.jpg", "4"), at: 3)
        try Data("X".utf8).write(to: URL(fileURLWithPath: try #require(damaged.lead.path)))
        unlink(try #require(lost.lead.path))
        let out = ExportDestination.directory(workshop.path + "/out")
        let summary = try await AlbumExporter.run([whole, away, damaged, lost], to: out)
        #expect(summary.photos == 1 && summary.files == 1)
        #expect(summary.missing.map(\.file.name) == ["away.jpg", "damaged.jpg", "lost.jpg"])
        #expect(try workshop.names("out").filter { $0.hasSuffix(".jpg") } == ["2026-07-04 14.03.22 Anna a.jpg"])
        #expect(try !workshop.names("out").contains { $0.hasPrefix(".potluck-part") })
        let list = try workshop.text("out/MISSING.txt")
        #expect(list.contains("2026-07-04 14.03.24 Anna damaged.jpg\n    its bytes on this laptop are not those"))
        #expect(try workshop.passesChecksums("out"))

        away.lead.path = blob
        let second = try await AlbumExporter.run([whole, away], to: out)
        #expect(second.missing.isEmpty && second.photos == 2)
        #expect(try !workshop.names("out").contains("MISSING.txt"))
    }

    /// Shows that other pictures of photos are made once, and kept, also under other names; that what cannot be made is
    /// left out rather than given away with its place.
    @Test(arguments: [ExportOptions(stripsPlace: true), ExportOptions(size: .large)])
    func otherPicturesAreExported(options: ExportOptions) async throws {
        let workshop = try Workshop()
        var entries = [
            entry(try workshop.file("a.heic", "1", type: "image/heic")),
            entry(try workshop.file("broken.jpg", "2"), at: 1),
        ]
        let out = ExportDestination.directory(workshop.path + "/out")
        let pictures = FakePictures()
        let summary = try await AlbumExporter.run(entries, to: out, options, pictures: pictures)
        #expect(summary.missing.map(\.reason) == ["its image data are broken"])
        let name = options.stripsPlace ? "2026-07-04 14.03.22 Anna a.heic" : "2026-07-04 14.03.22 Anna a.webp"
        #expect(try workshop.names("out") == [".potluck-export", name, "CHECKSUMS", "MISSING.txt"])
        #expect(try workshop.text("out/" + name) == (options.stripsPlace ? "no place in a.heic" : "2048 of a.heic"))
        #expect(pictures.callCount == 2)
        entries[0].taken = reading(1)
        let second = try await AlbumExporter.run([entries[0]], to: out, options, pictures: pictures)
        #expect(second.kept == 1 && pictures.callCount == 2)
        #expect(try workshop.names("out").contains(name.replacing(".22", with: ".23")))
        #expect(try workshop.passesChecksums("out"))
        await #expect(throws: ExportError.self) { try await AlbumExporter.run(entries, to: out, options) }
    }

    /// Shows that an export ends at once where no picture can be made.
    @Test func whatIsImpossibleEndsIt() async throws {
        let workshop = try Workshop()
        let error = await #expect(throws: ExportError.self) {
            try await AlbumExporter.run(
                [entry(try workshop.file("impossible.jpg", "1"))], to: .directory(workshop.path + "/out"),
                ExportOptions(size: .large), pictures: FakePictures())
        }
        #expect(error?.message == "A program is missing. Install it.")
    }
}
