import AlbumExport
import AlbumModel
import FoundationEssentials
import PotluckAPI
import PotluckAgent
import Testing

@testable import PotluckCommands

/// How an album's listing becomes an export, and what is said about it.
@Suite(.timeLimit(.minutes(1))) struct ExportTests {
    /// Shows every form in which a listing tells a time, and that nothing else is one.
    @Test func timesAreRead() {
        let local: Int64 = 1_783_173_802_000
        func reading(_ text: String) -> ExportEntry.Reading? { TakenText.reading(text) }
        #expect(reading("2026-07-04T14:03:22") == .init(localMilliseconds: local, offsetMinutes: nil))
        #expect(reading("2026-07-04T14:03:22.250") == .init(localMilliseconds: local + 250, offsetMinutes: nil))
        #expect(reading("2026-07-04T14:03:22+02:00") == .init(localMilliseconds: local, offsetMinutes: 120))
        #expect(reading("2026-07-04T14:03:22-03:30") == .init(localMilliseconds: local, offsetMinutes: -210))
        // An instant of which no place is known is told by this laptop's clock.
        let instant = reading("2026-07-04T14:03:22Z")
        #expect(instant.map { $0.localMilliseconds - Int64($0.offsetMinutes ?? 0) * 60_000 } == local)
        for text in [
            "", "2026-07-04", "T", "2026-07-04T14:03:22+2", "2026-07-04T14:03:22+99:00", "+02:00",
            "2026-13-01T00:00:00", "2026-07-04T\u{301}14:03:22", "2026-07-04T14:03:22Z\u{301}",
            "2026-07-04T14:03:22+\u{301}02:00",
        ] {
            #expect(reading(text) == nil, "\(text)")
        }
    }

    /// Shows that a listing for people and the names of exported files tell one time for each photo, whatever is known
    /// of it.
    @Test func listingAndExportAgree() async throws {
        try await withTemporaryHome { home in
            let times = [
                "2026-08-01T12:00:00+03:00", "2026-08-01T21:10:56Z", "2026-08-02T00:10:56+03:00", "2026-08-01T12:00:00",
            ]
            var photos: [PhotosReport.Photo] = []
            for (number, time) in times.enumerated() {
                let id = try storeBlob("photo \(number)", home: home)
                var photo = PhotosReport.Photo(
                    id: id, name: "IMG_\(number).JPG", file: nil, bytes: 7, type: "image/jpeg", by: "Anna",
                    contributors: ["Anna"], here: true, copies: 1, where: [])
                photo.taken = time
                photos.append(photo)
            }
            let report = PhotosReport(
                album: "Beach day", albumID: AlbumName.identifier("Beach day").hex, photos: photos)
            let exporter = AlbumExporter(
                album: ExportAlbum(id: AlbumName.identifier("Beach day"), name: "Beach day"), options: ExportOptions(),
                pictures: nil)
            _ = try await exporter.export(ExportEntries(home: home)(report), to: .directory(home + "/out")) { _ in }
            let names = try FileManager.default.contentsOfDirectory(atPath: home + "/out")
            let lines = PhotoTable.text(report, cellCount: nil).split(separator: "\n")
            for photo in photos {
                let line = try #require(lines.first { $0.hasPrefix(photo.name) })
                let name = try #require(names.first { $0.hasSuffix("\(photo.name.dropLast(4)).jpg") })
                // To the minute; a name of a file has points for colons.
                let time = String(name.prefix(16).map { $0 == "." ? ":" : $0 })
                #expect(line.contains(time), "\(line), exported as \(name)")
            }
        }
    }

    /// Shows that a listing's photos become entries, with the path of those whose bytes are in the home.
    @Test func photosBecomeEntries() async throws {
        try await withTemporaryHome { home in
            let id = try storeBlob("a photo", home: home)
            func photo(_ id: String, _ type: String) -> PhotosReport.Photo {
                PhotosReport.Photo(
                    id: id, name: "IMG_1.JPG", file: nil, bytes: 7, type: type, by: "Anna", contributors: ["Anna"],
                    here: true, copies: 1, where: [])
            }
            let away = String(repeating: "ab", count: 32)
            let report = PhotosReport(
                album: "Beach day", albumID: AlbumName.identifier("Beach day").hex,
                photos: [photo(id, "image/jpeg"), photo(away, "video/mp4"), photo("no hash", "image/jpeg")])
            let entries = ExportEntries(home: home)(report)
            #expect(entries.map(\.lead.id.hex) == [id, away])
            #expect(entries.map { $0.lead.path != nil } == [true, false])
            #expect(entries.map(\.kind) == [.photo, .video] && entries[0].person == "Anna")

            let exporter = AlbumExporter(
                album: ExportAlbum(id: AlbumName.identifier("Beach day"), name: "Beach day"), options: ExportOptions(),
                pictures: nil)
            let summary = try await exporter.export(entries, to: .directory(home + "/out")) { _ in }
            #expect(summary.photos == 1)
            #expect(
                ExportListing.text(summary, path: "/x\u{1B}", hasGallery: true) == """
                    1 photo, 7 bytes, in /x\u{FFFD}.
                    To look at them, open /x\u{FFFD}/index.html in a browser.
                    Missing:
                      Undated Anna IMG_1.mp4: its bytes are not on this laptop

                    """)
            let json = try ReportJSON.text(ExportReport(report, path: "/x", summary))
            #expect(json.contains(#""missing":[{"id":"\#(away)","name":"IMG_1.JPG","reason":"#))
            #expect(json.contains(#""kept":0"#) && json.contains(#""set_aside":[]"#))
        }
    }

    /// Shows what else a listing tells of a photo, and that numbers from peers that mean nothing do no harm.
    @Test func whatIsKnownGoesAlong() throws {
        var photo = PhotosReport.Photo(
            id: String(repeating: "ab", count: 32), name: "IMG_1.HEIC", file: nil, bytes: 7, type: "image/heic",
            by: "Anna", contributors: ["Anna"], here: false, copies: 1, where: [])
        photo.kind = .live
        (photo.width, photo.height, photo.duration) = (3024, 4032, 2.25)
        photo.taken = "2026-07-04T14:03:22+02:00"
        photo.companions = [
            .init(id: String(repeating: "cd", count: 32), name: "IMG_1.MOV", bytes: 5, role: "video"),
            .init(id: String(repeating: "ef", count: 32), name: "IMG_1.XYZ", bytes: 3, role: "of a later version"),
        ]
        photo.thumbnail = String(repeating: "12", count: 32)
        var sidecar = photo
        sidecar.id = String(repeating: "34", count: 32)
        (sidecar.kind, sidecar.type, sidecar.companions) = (nil, "application/rdf+xml", [])
        sidecar.duration = Double(UInt64.max)
        let report = PhotosReport(album: "A", albumID: nil, photos: [photo, sidecar])
        let entries = ExportEntries(home: "/nonexistent")(report)
        #expect(entries.map(\.kind) == [.live, .sidecar])
        #expect(entries[0].size == PixelSize(width: 3024, height: 4032))
        #expect(entries.map(\.durationMilliseconds) == [2250, nil])
        #expect(entries[0].taken?.offsetMinutes == 120)
        #expect(entries[0].companions.map(\.role) == [.video])
        #expect(entries[0].thumbnail?.id.hex == photo.thumbnail)
    }

    /// Shows that people at a terminal see how far it is, and no program.
    @Test func progressIsForPeople() async throws {
        var photo = FakeAgent.photo
        photo.id = try blobID(of: "a photo")
        photo.bytes = 7
        let listing = PhotosReport(
            album: "Beach day", albumID: AlbumName.identifier("Beach day").hex, photos: [photo])
        try await withAgent(FakeAgent(listing: listing)) { home in
            _ = try storeBlob("a photo", home: home)
            let shown = await run("export", "Beach day", home + "/out", "--home", home, isTerminal: true)
            #expect(shown.status == 0)
            #expect(shown.progress?.last == "Exporting: 1 of 1 file, 7 bytes of 7 bytes", "\(shown)")
            let json = await run("export", "Beach day", home + "/out", "--json", "--home", home, isTerminal: true)
            #expect(json.status == 0 && json.errors.isEmpty, "\(json)")
            let piped = await run("export", "Beach day", home + "/out", "--home", home)
            #expect(piped.status == 0 && piped.errors.isEmpty, "\(piped)")
        }
    }

    /// Shows what is wrong usage, and that an album that is not there makes nothing.
    @Test func wrongUsageIsExplained() async throws {
        #expect(await run("export", "Beach day", "/tmp/a.zip").errors.contains("add --zip"))
        #expect(await run("export", "Beach day", "/tmp/a", "--zip").errors.contains("ends in .zip"))
        #expect(await run("export", "Beach day", "/tmp/a", "--size", "huge").status == 64)
        #expect(await run("export", "Beach day", "").status == 64)
        try await withAgent(FakeAgent()) { home in
            let outcome = await run("export", "Nowhere", home + "/out", "--home", home)
            #expect(outcome.status == 66)
            #expect(!FileManager.default.fileExists(atPath: home + "/out"))
        }
    }
}
