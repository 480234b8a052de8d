import AlbumModel
import Foundation
import Glibc
import TestSupport
import Testing

@testable import AlbumExport

/// Directories that somebody has prepared for an export: everything that can stand in every place, and records that say
/// what no export would.
@Suite(.timeLimit(.minutes(2))) struct PreparedDirectoryTests {
    /// A place in an export with a gallery, of which one photo is not here.
    enum Place: String, CaseIterable, Sendable {
        case record, newRecord, photo, checksums, missing, page, gallery, picture, part, moved

        func name(_ photo: ExportFile) -> String {
            switch self {
            case .record: RecordFile.name
            case .newRecord: RecordFile.name + ".new"
            case .photo: "2026-07-04 14.03.22 Anna a.jpg"
            case .checksums: AlbumExporter.checksumsName
            case .missing: AlbumExporter.missingName
            case .page: GalleryPage.name
            case .gallery: GalleryPage.directory
            case .picture: "\(GalleryPage.directory)/\(photo.id.hex.prefix(16)).jpg"
            case .part: ".potluck-part-1"
            case .moved: ".potluck-moved-original-\(photo.id.hex)"
            }
        }

        func isFit(_ odd: OddFile) -> Bool { self == .gallery && odd == .directory }

        /// Whether the export ends: a plain file is set aside, or was a crash's.
        func endsExport(_ odd: OddFile) -> Bool { odd != .hugeFile || self == .record || self == .gallery }
    }

    private struct Album {
        let entries: [ExportEntry]
        var photo: ExportFile { entries[0].lead }

        init(_ workshop: Workshop) throws {
            var first = entry(try workshop.file("a.jpg", "1"))
            first.thumbnail = try workshop.file("t", "small")
            var away = entry(try workshop.file("away.jpg", "2"), at: 1)
            away.lead.path = nil
            entries = [first, away]
        }
    }

    /// Shows that what no export put there is neither read, waited for, followed, moved nor removed: the export ends with
    /// a sentence that names it and says what to do, or sets a file aside, and nothing outside changes.
    @Test(arguments: Place.allCases, OddFile.allCases)
    func oddFilesAreLeftAlone(place: Place, odd: OddFile) async throws {
        let workshop = try Workshop()
        let outside = try OutsideTree(in: workshop.path)
        let album = try Album(workshop)
        let options = ExportOptions(hasGallery: true)
        let out = ExportDestination.directory(workshop.path + "/out")
        _ = try await AlbumExporter.run(album.entries, to: out, options)
        let path = "\(workshop.path)/out/\(place.name(album.photo))"
        rename(path, workshop.path + "/aside")
        guard !place.isFit(odd), try odd.place(at: path, outside: outside) else { return }
        let before = try outside.state()
        let error = try await ending { () -> ExportError? in
            do {
                _ = try await AlbumExporter.run(album.entries, to: out, options)
                return nil
            } catch {
                return error as? ExportError
            }
        }
        #expect((error != nil) == place.endsExport(odd), "\(place) \(odd): \(String(describing: error))")
        if let error {
            #expect(error.message.contains(path) || error.message.contains("is no record"), "\(error)")
            #expect(error.message.hasSuffix("name another directory."), "\(error)")
            #expect(odd.stands(at: path))
        }
        #expect(try outside.state() == before)
    }

    /// Shows the same for an archive: what stands under its temporary names.
    @Test(arguments: OddFile.allCases) func archivesLeaveOddFilesAlone(odd: OddFile) async throws {
        let workshop = try Workshop()
        let outside = try OutsideTree(in: workshop.path)
        let album = try Album(workshop)
        let before = try outside.state()
        for name in ["a.zip", ".a.zip.potluck-part", ".a.zip.potluck-part-made-0123456789abcdef"] {
            let path = "\(workshop.path)/\(name)"
            guard try odd.place(at: path, outside: outside) else { return }
            let destination = ExportDestination.archive(workshop.path + "/a.zip")
            let error = try await ending { () -> ExportError? in
                do {
                    _ = try await AlbumExporter.run(album.entries, to: destination)
                    return nil
                } catch {
                    return error as? ExportError
                }
            }
            #expect((error != nil) == (odd != .hugeFile || name == "a.zip"), "\(name) \(odd)")
            if error != nil { #expect(odd.stands(at: path)) }
            // Whichever of these it is that goes.
            if unlink(path) != 0 { try? FileManager.default.removeItem(atPath: path) }
            unlink(workshop.path + "/a.zip")
        }
        #expect(try outside.state() == before)
    }

    // MARK: Records

    /// Names that no export gives: ways out, names of others, and what only looks like one.
    static let foreignNames = [
        "../outside/known.txt", "../../outside/known.txt", "gallery/../../outside/known.txt", "/etc/passwd", "..", ".",
        "", "notes.txt", ".bashrc", ".potluck-part-1", ".potluck-export", "a\0b", "sub/known.txt", "linked/known.txt",
        "2026-07-04 14.03.22 Anna/../../outside/known.txt", "2026-07-04 14.03.22 Anna a\0.jpg", "Undated/../notes.txt",
        "2026-07-04 14.03.22", "gallery/0123.jpg", "index.html/x",
    ]

    /// Shows that a record's lines are believed for names only that this export can have given: neither a key of
    /// somebody's nor a file whose bytes are known is moved into the export, renamed, overwritten or deleted, inside of
    /// the directory nor outside.
    @Test(arguments: foreignNames) func recordsLeadNowhere(name: String) async throws {
        let workshop = try Workshop()
        let outside = try OutsideTree(in: workshop.path)
        let album = try Album(workshop)
        let out = workshop.path + "/out"
        let known = try workshop.file("k", OutsideTree.knownText).id.hex
        for directory in ["", "/sub", "/gallery"] {
            try FileManager.default.createDirectory(atPath: out + directory, withIntermediateDirectories: true)
        }
        for path in ["notes.txt", ".bashrc", "sub/known.txt", "gallery/0123.jpg"] {
            try workshop.write(OutsideTree.knownText, to: "out/" + path)
        }
        try #require(symlink(outside.path, out + "/linked") == 0)
        let (photo, byteCount) = (album.photo.id.hex, OutsideTree.knownText.utf8.count)
        var record = RecordFile.subject(beachDay, ExportOptions())
        record = "potluck export 1\n\(record)\n"
        // As what is to be renamed, what is stale, and what the next export removes.
        for (key, treatment) in [
            (photo, "original"), (photo, "placeless"), (photo, "large"), (known, "original"), (photo, "small"),
            (photo, "view"), (name, "text"), ("CHECKSUMS", "text"), ("MISSING.txt", "text"), ("", "text"),
            ("..", "original"),
        ] {
            record += "\(known) \(byteCount) \(treatment) \(key)/\(name)\n"
        }
        try workshop.write(record, to: "out/.potluck-export")
        let before = try outside.state()
        let summary = try await ending {
            try await AlbumExporter.run(album.entries, to: .directory(out), ExportOptions())
        }
        #expect(try outside.state() == before)
        #expect(summary.stale.isEmpty && summary.setAside.isEmpty)
        for path in ["notes.txt", ".bashrc", "sub/known.txt", "gallery/0123.jpg"] {
            #expect(try workshop.text("out/" + path) == OutsideTree.knownText)
        }
        #expect(
            try workshop.names("out") == [
                ".bashrc", ".potluck-export", "2026-07-04 14.03.22 Anna a.jpg", "CHECKSUMS", "MISSING.txt", "gallery",
                "linked", "notes.txt", "sub",
            ])
        #expect(try workshop.text("out/2026-07-04 14.03.22 Anna a.jpg") == "1")
        #expect(try !workshop.text("out/.potluck-export").contains("known"))
    }

    /// Shows that absurd sizes in a record are no numbers, or no size of the file: nothing is read for hours, and what
    /// stands there is somebody else's.
    @Test(
        arguments: [
            "-9223372036854775808", "9223372036854775807", "18446744073709551615", "18446744073709551616", "-1",
            "9007199254740992", "1e308", "null", "\"7\"", "", "1099511627776",
        ])
    func absurdSizesAreNone(number: String) async throws {
        let workshop = try Workshop()
        let outside = try OutsideTree(in: workshop.path)
        let album = try Album(workshop)
        let (out, photo) = (workshop.path + "/out", album.photo.id.hex)
        let name = "2026-07-04 14.03.22 Anna a.jpg"
        try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
        guard try OddFile.hugeFile.place(at: "\(out)/\(name)", outside: outside) else { return }
        let record = """
            potluck export 1
            \(RecordFile.subject(beachDay, ExportOptions()))
            \(photo) \(number) original \(photo)/\(name)

            """
        try workshop.write(record, to: "out/.potluck-export")
        let summary = try await ending {
            try await AlbumExporter.run(album.entries, to: .directory(out), ExportOptions())
        }
        #expect(summary.setAside == ["2026-07-04 14.03.22 Anna a (other).jpg"])
        #expect(try workshop.text("out/\(name)") == "1")
    }

    /// Shows that a record of anything else ends at once, however large it is, and that long lines are no lines.
    @Test func recordsAreBounded() async throws {
        let workshop = try Workshop()
        let album = try Album(workshop)
        let out = workshop.path + "/out"
        try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
        let zeros = open(out + "/.potluck-export", O_WRONLY | O_CREAT, 0o600)
        try #require(zeros >= 0 && ftruncate(zeros, 512 << 20) == 0)
        close(zeros)
        let error = try await ending {
            await #expect(throws: ExportError.self) { try await AlbumExporter.run(album.entries, to: .directory(out)) }
        }
        #expect(error?.message.contains("another version") == true)

        let line = String(repeating: "x", count: 3 << 20)
        let record = "potluck export 1\n\(RecordFile.subject(beachDay, ExportOptions()))\n\(line)\n\(line)"
        try workshop.write(record, to: "out/.potluck-export")
        let summary = try await AlbumExporter.run(album.entries, to: .directory(out))
        #expect(summary.photos == 1)
        #expect(try workshop.text("out/.potluck-export").utf8.count < 1000)
    }

    /// Shows that a photo that changes while it is copied is left out with the reason; where the disk shares bytes, the
    /// copy is of one moment, and whole.
    @Test func changingPhotosAreLeftOut() async throws {
        let workshop = try Workshop()
        let photo = entry(try workshop.file("a.jpg", String(repeating: "photo", count: 1 << 20)))
        let path = try #require(photo.lead.path)
        let summary = try await AlbumExporter(album: beachDay, options: ExportOptions(), pictures: nil)
            .export([photo], to: .directory(workshop.path + "/out")) { _ in truncate(path, 1 << 20) }
        let names = try workshop.names("out").filter { $0.hasSuffix(".jpg") }
        if let missing = summary.missing.first {
            #expect(missing.reason.contains("changed while it was read"))
            #expect(summary.photos == 0 && names.isEmpty)
        } else {
            #expect(summary.bytes == 5 << 20 && names.count == 1)
        }
    }
}
