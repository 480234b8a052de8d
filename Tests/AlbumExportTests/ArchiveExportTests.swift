import AlbumModel
import Foundation
import Testing

@testable import AlbumExport

/// Exports into archives.
@Suite(.timeLimit(.minutes(1))) struct ArchiveExportTests {
    /// Shows an archive with one directory of photos, whose list is found true after unpacking, and that a photo that is
    /// damaged leaves no trace in it.
    @Test func anArchiveHoldsTheAlbum() async throws {
        let workshop = try Workshop()
        let large = String(repeating: "0123456789abcdef", count: 200_000)
        let damaged = try workshop.file("damaged.jpg", "as shared")
        try Data("otherwise".utf8).write(to: URL(fileURLWithPath: try #require(damaged.path)))
        let entries = [
            entry(try workshop.file("ä.jpg", large)), entry(damaged, at: 1),
            entry(try workshop.file("c.jpg", "3"), at: 2),
        ]
        let summary = try await AlbumExporter.run(
            entries, to: .archive(workshop.path + "/a.zip"), ExportOptions(hasGallery: true), pictures: FakePictures())
        #expect(summary.photos == 2 && summary.missing.count == 1)
        #expect(try workshop.names("") == ["a.zip", "blobs"])
        #expect(try workshop.run("unzip", "-tq", "a.zip").status == 0)
        #expect(try workshop.run("unzip", "-q", "a.zip").status == 0)
        #expect(try workshop.names("").contains("Beach day"))
        #expect(
            try workshop.names("Beach day") == [
                "2026-07-04 14.03.22 Anna ä.jpg", "2026-07-04 14.03.24 Anna c.jpg", "CHECKSUMS", "MISSING.txt",
                "gallery",
                "index.html",
            ])
        #expect(try workshop.passesChecksums("Beach day"))
        #expect(try workshop.text("Beach day/2026-07-04 14.03.22 Anna ä.jpg") == large)
    }

    /// Shows that equal albums make equal archives, and that a file that exists is never replaced.
    @Test func archivesAreReproducible() async throws {
        let workshop = try Workshop()
        var entries = [entry(try workshop.file("a.jpg", "1")), entry(try workshop.file("b.jpg", "2"), at: nil)]
        entries[0].thumbnail = try workshop.file("t", "small")
        let options = ExportOptions(hasGallery: true)
        _ = try await AlbumExporter.run(entries, to: .archive(workshop.path + "/a.zip"), options)
        let blob = try #require(entries[0].thumbnail?.path)
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: blob)
        _ = try await AlbumExporter.run(entries.reversed(), to: .archive(workshop.path + "/b.zip"), options)
        #expect(try workshop.text("a.zip") == workshop.text("b.zip"))
        let error = await #expect(throws: ExportError.self) {
            try await AlbumExporter.run([], to: .archive(workshop.path + "/a.zip"))
        }
        #expect(error?.code == .destination)
        #expect(try workshop.text("a.zip") == workshop.text("b.zip"))
    }

    /// Shows that copies made without places are packed, and that the files they were made as are gone.
    @Test func copiesWithoutPlacesArePacked() async throws {
        let workshop = try Workshop()
        let entries = [entry(try workshop.file("a.jpg", "1")), entry(try workshop.file("broken.jpg", "2"), at: 1)]
        let summary = try await AlbumExporter.run(
            entries, to: .archive(workshop.path + "/a.zip"), ExportOptions(stripsPlace: true), pictures: FakePictures())
        #expect(summary.photos == 1)
        #expect(try workshop.names("") == ["a.zip", "blobs"])
        let listing = try workshop.run("unzip", "-p", "a.zip", "Beach day/2026-07-04 14.03.22 Anna a.jpg")
        #expect(listing.output == "no place in a.jpg")
    }
}
