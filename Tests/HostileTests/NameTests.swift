import AlbumModel
import Foundation
import PotluckAPI
import PotluckAgent
import PotluckClient
import TestSupport
import Testing

extension HostileTests {
    /// A file that a member shares.
    private struct Shared {
        var name: String
        var bytes: [UInt8]
    }

    /// What opens by itself, or runs, where somebody double-clicks it; said to be photos.
    private static let pages: [Shared] = [
        Shared(name: "x.html", bytes: Array("<!doctype html><script>alert(1)</script>".utf8)),
        Shared(name: "y.svg", bytes: Array("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>".utf8)),
        Shared(name: "run.desktop", bytes: Array("[Desktop Entry]\nType=Application\nExec=sh -c true\n".utf8)),
        Shared(name: "evil.sh", bytes: Array("#!/bin/sh\ntrue\n".utf8)),
        Shared(name: "a.jpg.lnk", bytes: [0x4C, 0, 0, 0, 1, 0x14, 2, 0] + randomBytes(200)),
        Shared(name: "looks-right.jpg", bytes: Array("<html><body>not a photo</body></html>".utf8)),
        Shared(name: "program.jpg", bytes: [0x7F, 0x45, 0x4C, 0x46] + randomBytes(200)),
        Shared(name: "text.heic", bytes: Array("only words".utf8)),
    ]

    /// Names that lead elsewhere, mean something to a system, or read as another type than they are; of real photos.
    private static let names = [
        "x.html", "run.desktop", "a.jpg.exe", "a.jpg.lnk", "../../evil.jpg", "/etc/passwd", "CON.jpg", "NUL", "con",
        "aux.JPG", "a:b.jpg", "trailing. ", ".hidden.jpg", "a\u{202E}gpj.exe", "tab\tand\u{1B}[31mred.jpg",
        "a\u{0}b.jpg", String(repeating: "n", count: 1000) + ".jpg", "desktop.ini", "Thumbs.db", "~$a.jpg",
    ]

    /// Whoever receives them has no file of what is no photo, and is told why. Photos get the extension of what they are,
    /// in the album's folder, whatever their name.
    @Test func onlyPhotosBecomeFiles() async throws {
        try await Reunion.run { reunion in
            let album = AlbumName.identifier("Names")
            let photos = Self.names.map { Shared(name: $0, bytes: reunion.makePhoto().bytes) }
            let shared = Self.pages + photos
            var device = InventedDevice()
            let attacker = try await Member.connect(to: reunion.vera)
            for file in shared { attacker.hold(file.bytes) }
            let adds = shared.map { file in
                Change.photoAdded(
                    Nonsense.addition(
                        album, blobID(file.bytes), name: file.name, byteCount: UInt64(file.bytes.count),
                        mediaType: file.name.hasSuffix("html") ? "text/html" : "image/jpeg"))
            }
            try await reunion.endure("files that are no photos") {
                try await attacker.push([device.sign([.albumNamed(album, name: "Names", replaces: [])] + adds)])
            }
            for laptop in reunion.row {
                try await Self.expectPlaced(photos, on: laptop)
                try await Self.expectNotPlaced(on: laptop)
            }
        }
    }

    private static func expectPlaced(_ photos: [Shared], on laptop: Laptop) async throws {
        let listed = try await eventually("\(laptop.name) has all photos of the album") {
            let listed = try await laptop.photos(in: "Names")
            let files = Dictionary(listed.map { ($0.id, $0.file) }) { first, _ in first }
            let missing = photos.filter { (files[blobID($0.bytes).hex] ?? nil) == nil }
            return missing.isEmpty ? .done(files) : .notYet("no file has \(missing.map(\.name))")
        }
        for photo in photos {
            let file = (listed[blobID(photo.bytes).hex] ?? nil) ?? ""
            let parts = file.split(separator: "/", omittingEmptySubsequences: false)
            #expect(parts.count == 2 && parts.first == "Names", "\(file) is in the album's folder")
            #expect([".jpg", ".jpeg"].contains { file.lowercased().hasSuffix($0) }, "\(file) has its type's extension")
            let isPlain = file.unicodeScalars.allSatisfy { scalar in
                ![.control, .format].contains(scalar.properties.generalCategory) && scalar != ":" && scalar != "\\"
            }
            #expect(isPlain && !file.contains("/."), "\(file) can be read")
            let stem = parts.last?.split(separator: ".").first?.lowercased() ?? ""
            #expect(!["con", "nul", "aux"].contains(stem), "\(file) means nothing to Windows")
            #expect(FileManager.default.contents(atPath: "\(laptop.folder)/\(file)") == Data(photo.bytes))
        }
    }

    /// All of it has come, and no file of the home's folder has any of it.
    private static func expectNotPlaced(on laptop: Laptop) async throws {
        let items = try await eventually("\(laptop.name) lists what is no photo") {
            let items = try await laptop.control.status(skipped: false, all: true).notPlaced?.items ?? []
            return items.count == pages.count ? .done(items) : .notYet("\(items.count) are listed")
        }
        for page in pages {
            let item = items.first { $0.id == blobID(page.bytes).hex }
            #expect(item?.reason.isEmpty == false, "\(page.name) is listed with its reason")
        }
        let contents = Set(pages.map { Data($0.bytes) })
        let files = FileManager.default.enumerator(atPath: laptop.folder)?.compactMap { $0 as? String } ?? []
        #expect(!files.isEmpty, "the folder can be looked at")
        for file in files {
            let content = FileManager.default.contents(atPath: "\(laptop.folder)/\(file)")
            #expect(content.map { !contents.contains($0) } ?? true, "\(file) on \(laptop.name) is no photo")
        }
        for directory in [laptop.home, (laptop.home as NSString).deletingLastPathComponent] {
            let entries = try FileManager.default.contentsOfDirectory(atPath: directory)
            #expect(!entries.contains { $0.contains("evil") }, "nothing was written into \(directory)")
        }
    }
}
