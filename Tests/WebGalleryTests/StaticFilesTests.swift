import Foundation
import Testing

@testable import WebGallery

/// Modules, styles and icons, which are part of the binary.
@Suite struct StaticFilesTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Sources/WebGallery/Resources").standardizedFileURL

    /// Shows that the binary has every file of the folder, byte for byte, under its path, and none besides.
    @Test func theBinaryHasThemAll() throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path).filter { path in
            var isDirectory: ObjCBool = false
            let isThere = FileManager.default.fileExists(
                atPath: Self.folder.appendingPathComponent(path).path, isDirectory: &isDirectory)
            return isThere && !isDirectory.boolValue
        }
        #expect(paths.count > 50, "the resources are not where this test looks for them")
        let files = StaticFiles.embedded
        let served = Set(paths.filter { !$0.hasPrefix("templates/") })
        let known = Set(files.paths)
        #expect(known.subtracting(served) == [], "gallery-files.c lists files that are not there")
        #expect(served.subtracting(known) == [], "gallery-files.c does not list these files")
        for path in served.intersection(known) {
            let bytes = try Data(contentsOf: Self.folder.appendingPathComponent(path))
            let answer = try #require(files.answer(to: files.prefix + path))
            #expect(answer.file.bytes == Array(bytes), "\(path) has changed since gallery-files.c was compiled")
            #expect(answer.file.mediaType != "application/octet-stream", "\(path) has an ending without a media type")
        }
        for path in paths where path.hasPrefix("templates/") {
            let name = String(path.dropFirst("templates/".count))
            let text = try String(contentsOf: Self.folder.appendingPathComponent(path), encoding: .utf8)
            #expect(files.template(name) == text, "gallery-files.c does not have \(path) as it is")
        }
    }

    /// Shows that any change makes a new version, which is what lets browsers keep files for ever.
    @Test func theVersionIsThatOfAllBytes() {
        func version(_ files: [String: String]) -> String { StaticFiles(files.mapValues { Array($0.utf8) }).version }
        let plain = version(["a.js": "1", "b.js": "2"])
        #expect(plain.utf8.count == 12)
        #expect(version(["b.js": "2", "a.js": "1"]) == plain)
        for other in [
            ["a.js": "1"], ["a.js": "1", "b.js": "3"], ["a.js": "1", "c.js": "2"], ["a.js": "12", "b.js": ""],
        ] {
            #expect(version(other) != plain)
        }
    }

    /// Shows answers: for ever by the version of today, to be asked again by another one; templates are no files.
    @Test func filesAreFoundByVersion() throws {
        let files = StaticFiles(["style/base.css": Array("a{}".utf8), "templates/a.html": Array("a".utf8)])
        let now = try #require(files.answer(to: "/static/\(files.version)/style/base.css"))
        #expect(now.cacheControl == "public, max-age=31536000, immutable")
        #expect(now.file.mediaType == "text/css; charset=utf-8")
        #expect(!now.file.entityTag.isWeak)
        let old = try #require(files.answer(to: "/static/AAAAAAAAAAAA/style/base.css"))
        #expect(old.cacheControl == "no-cache" && old.file == now.file)
        for path in [
            "templates/a.html", "../style/base.css", "style//base.css", "style", "", "style/base.css/",
        ] {
            #expect(files.answer(to: files.prefix + path) == nil, "\(path)")
        }
        #expect(files.answer(to: "/static/style") == nil)
        #expect(files.paths == ["style/base.css"])
    }
}
