import AlbumModel
import Crypto
import Foundation
import Testing

@testable import WebGallery

/// Fields of tus that browsers fill.
@Suite struct UploadFieldsTests {
    private let album = AlbumName.identifier("Kuh reunion")

    private func field(_ values: (String, String)...) -> String {
        values.map { "\($0.0) \(Data($0.1.utf8).base64EncodedString())" }.joined(separator: ",")
    }

    @Test func metadataIsRead() throws {
        let full = field(
            ("filename", "Größe.jpg"), ("album", album.hex), ("lastmodified", "1783173802000"),
            ("sha256", blob(1).hex), ("colour", "red"))
        let metadata = try UploadMetadata(parsing: full)
        #expect(
            metadata
                == UploadMetadata(name: "Größe.jpg", album: album, lastModified: 1_783_173_802_000, sha256: blob(1)))
        #expect(try JSONDecoder().decode(UploadMetadata.self, from: try JSONEncoder().encode(metadata)) == metadata)
        let least = try UploadMetadata(parsing: "is_confidential, " + field(("album", album.hex)) + " ,")
        #expect(least == UploadMetadata(name: "Photo", album: album))
    }

    /// Shows how a field names an album: by its ID, by a name under which it may be made, or by both.
    @Test func albumsAreNamed() throws {
        let named = field(("filename", "a.jpg"), ("album_name", " Sunday at the lake\n"))
        let destination = UploadMetadata.Destination(album: nil, name: "Sunday at the lake")
        #expect(try UploadMetadata.destination(parsing: named) == destination)
        #expect(throws: UploadMetadata.Failure.withoutAlbum) { try UploadMetadata(parsing: named) }
        let made = try UploadMetadata(parsing: named, into: album)
        #expect(made == UploadMetadata(name: "a.jpg", album: album, newAlbum: "Sunday at the lake"))
        #expect(try JSONDecoder().decode(UploadMetadata.self, from: try JSONEncoder().encode(made)) == made)
        let both = field(("album", album.hex), ("album_name", "Lake"))
        #expect(try UploadMetadata.destination(parsing: both) == .init(album: album, name: "Lake"))
        #expect(try UploadMetadata(parsing: both).newAlbum == "Lake")
        for name in ["", " \n", String(repeating: "a", count: 1025)] {
            #expect(throws: UploadMetadata.Failure.wrongValue("album_name")) {
                try UploadMetadata.destination(parsing: field(("album", album.hex), ("album_name", name)))
            }
        }
    }

    @Test func brokenMetadataIsRefused() {
        func failure(_ text: String) -> UploadMetadata.Failure? {
            do throws(UploadMetadata.Failure) {
                _ = try UploadMetadata(parsing: text)
                return nil
            } catch { return error }
        }
        let good = field(("album", album.hex))
        #expect(failure("") == .withoutAlbum)
        #expect(failure(field(("filename", "a"))) == .withoutAlbum)
        #expect(failure(field(("album", "all"))) == .wrongValue("album"))
        #expect(failure(good + ",sha256 " + Data("ab".utf8).base64EncodedString()) == .wrongValue("sha256"))
        for text in ["x", "1e9", "253402300800000", "9223372036854775808"] {
            #expect(failure(good + "," + field(("lastmodified", text))) == .wrongValue("lastmodified"))
        }
        #expect(failure(good + ",filename %%%") == .malformed)
        #expect(failure(good + ",filename /w==") == .malformed)
        #expect(failure(good + "," + good) == .malformed)
        #expect(failure(good + ",größe YQ==") == .malformed)
        #expect(failure(good + "," + (0..<16).map { "k\($0) YQ==" }.joined(separator: ",")) == .malformed)
        #expect(failure(good + ",filename " + String(repeating: "A", count: 4096)) == .tooLong)
    }

    /// Shows that no name leads out of a folder, hides, or pretends to be another.
    @Test func namesBecomeLabels() {
        let labels = [
            "../../etc/passwd": "passwd", "C:\\fakepath\\IMG_1.JPG": "IMG_1.JPG", "": "Photo", "..": "Photo",
            "/": "Photo",
            ".htaccess": "htaccess", " a.jpg ": "a.jpg", "a\u{202E}gpj.exe": "agpj.exe", "a\u{0}\n.jpg": "a__.jpg",
            "a<b>|?*\":.jpg": "a_b______.jpg", "Gro\u{308}ße.jpg": "Größe.jpg", "👨‍👩‍👧.jpg": "👨‍👩‍👧.jpg", "a.jpg.": "a.jpg",
        ]
        for (name, label) in labels { #expect(FileLabel.cleaned(name) == label, "\(name)") }
        let long = FileLabel.cleaned(String(repeating: "ä", count: 400) + ".heic")
        #expect(long.utf8.count <= 255 && long.hasSuffix("ä.heic") && long.hasPrefix("ä"))
        #expect(FileLabel.cleaned(long) == long)
        let accents = FileLabel.cleaned("a" + String(repeating: "\u{301}", count: 999) + ".jpg")
        #expect(accents.utf8.count <= 255 && !accents.isEmpty)
    }

    /// Shows that names in an archive stay, but for those that a disk would take for one.
    @Test func namesInAnArchiveAreDistinct() {
        let names = ["a.jpg", "A.JPG", "a.jpg", "a (2).jpg", "b/../a.jpg", "b", "b"]
        #expect(
            ArchiveNames.distinct(names)
                == ["a.jpg", "A (3).JPG", "a (4).jpg", "a (2).jpg", "a (5).jpg", "b", "b (2)"])
        let many = ArchiveNames.distinct([String](repeating: "IMG.jpg", count: 3000))
        #expect(Set(many.map { AlbumName.key($0) }).count == 3000 && many[2999] == "IMG (3000).jpg")
    }

    /// Shows both algorithms with bytes that come in parts.
    @Test func checksumsAreChecked() throws {
        let bytes = Array("hello world".utf8)
        // The protocol's own example.
        for field in ["sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=", "sha256 uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek="] {
            let checksum = try #require(UploadChecksum(parsing: field))
            for cut in 0...bytes.count {
                var check = UploadChecksum.Check(checksum)
                bytes[..<cut].withUnsafeBytes { check.update($0) }
                #expect(check.matches == (cut == bytes.count))
                bytes[cut...].withUnsafeBytes { check.update($0) }
                #expect(check.matches)
            }
        }
        #expect(UploadChecksum.algorithms == "sha1,sha256")
        for field in [
            "", "sha256", "md5 XrY7u+Ae7tCTyyK7j1rNww==", "sha256 Kq5sNclPz7QV2+lfQIuc6R7oRu0=", "sha1 %",
            "sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0= x",
        ] {
            #expect(UploadChecksum(parsing: field) == nil, "\(field)")
        }
    }
}
