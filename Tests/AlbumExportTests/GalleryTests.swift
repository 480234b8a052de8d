import AlbumModel
import Crypto
import Foundation
import Testing

@testable import AlbumExport

/// Galleries: what their pages say, and what hostile words cannot make them do.
@Suite struct GalleryTests {
    private func item(_ number: UInt8, name: String = "a.jpg", caption: String = "", at seconds: Int64? = 0)
        -> GalleryItem
    {
        GalleryItem(
            id: BlobID(bytes: [UInt8](repeating: number, count: 32))!, kind: .photo, isVideo: false, file: name,
            small: "gallery/a.webp", name: name, caption: caption, person: "Anna", tags: [],
            time: seconds.map { FileTime(reading($0)) }, size: PixelSize(width: 3000, height: 4000))
    }

    /// Shows a page's parts: heading, people, days, pictures with their shape, texts and links.
    @Test func aPageShowsTheAlbum() {
        var video = item(2, name: "50% #1?.mp4", at: 86_400)
        video.isVideo = true
        video.durationMilliseconds = 83_600
        let page = GalleryPage.text(album: "Beach day", [item(1, caption: "Sand"), video, item(3, at: nil)])
        #expect(page.contains("<h1>Beach day</h1>\n<p>2 photos and 1 video by Anna</p>"))
        #expect(page.contains("<h2><time datetime=\"2026-07-04\">Saturday, 4 July 2026</time> <span>1</span></h2>"))
        #expect(page.contains("<h2>Without a date <span>1</span></h2>"))
        #expect(page.contains("alt=\"Sand. Photo by Anna, 14:03\""))
        #expect(page.contains("width=\"360\" height=\"480\""))
        #expect(page.contains("href=\"50%25%20%231%3F.mp4\""))
        #expect(page.contains("▶ 1:24"))
        video.durationMilliseconds = .max
        #expect(video.badge == "▶ 307445734561825:52")
        #expect(page.contains("data-id=\"\(String(repeating: "01", count: 8))\""))
    }

    /// Shows that a page names nothing outside itself, and allows nothing but its own script and style.
    @Test func aPageNeedsNoNetwork() throws {
        let page = GalleryPage.text(album: "Beach day", [item(1)])
        #expect(!page.contains("http:") && !page.contains("https:") && !page.contains("//www"))
        #expect(!page.contains("fetch(") && !page.contains("XMLHttpRequest") && !page.contains("innerHTML"))
        for name in ["style", "script"] {
            let start = try #require(page.range(of: "<\(name)>")?.upperBound)
            let end = try #require(page.range(of: "</\(name)>", range: start..<page.endIndex)?.lowerBound)
            let hash = Data(SHA256.hash(data: Data(page[start..<end].utf8))).base64EncodedString()
            #expect(page.contains("\(name)-src 'sha256-\(hash)'"))
            #expect(page.components(separatedBy: "<\(name)").count == 2)
        }
        #expect(page.contains("default-src 'none'"))
    }

    /// Shows that the gallery's modules fit together as one script: Node parses it, finds every name and reaches its end,
    /// in a page without pictures.
    @Test func theScriptRuns() throws {
        let workshop = try Workshop()
        try workshop.write("globalThis.document = { querySelectorAll: () => [] };\n", to: "document.cjs")
        try workshop.write(GalleryResources.script, to: "page.cjs")
        let (status, output) = try workshop.run("node", "--require", "./document.cjs", "page.cjs")
        #expect(status == 0, "\(output)")
        for module in ["gallery/layout.js", "gallery/grid.js", "gallery/viewer.js", "exported/api.js"] {
            #expect(GalleryResources.script.contains("\n// \(module)\n"))
        }
        for module in ["shared/api.js", "shared/live.js", "gallery/album-page.js"] {
            #expect(!GalleryResources.script.contains("\n// \(module)\n"), "\(module) needs a laptop")
        }
    }

    /// Shows that a page has the styles of the gallery in light and dark, and all icons without an address.
    @Test func aPageLooksLikeTheGallery() {
        let page = GalleryPage.text(album: "Beach day", [item(1)])
        for part in ["--ground: #fbfaf8;", "--ground: #121110;", ".viewer {", ".grid .tile", "<symbol id=\"left\""] {
            #expect(page.contains(part), "\(part)")
        }
        #expect(page.contains("<div class=\"photos\" id=\"photos\">\n<section class=\"plain-day\">"))
    }

    /// Shows that the list has what the viewer tells of a photo.
    @Test func theListTellsTheFacts() {
        var photo = item(1, name: "IMG_1.jpg", caption: "Sand")
        photo.tags = ["beach", "sun"]
        let page = GalleryPage.text(album: "Beach day", [photo])
        let facts = [
            "data-width=\"3000\"", "data-height=\"4000\"", "data-taken=\"2026-07-04T14:03\"", "data-name=\"IMG_1.jpg\"",
            "data-person=\"Anna\"", "data-caption=\"Sand\"", "data-tags=\"beach\nsun\"",
        ]
        for fact in facts { #expect(page.contains(" \(fact)"), "\(fact)") }
        photo.isVideo = true
        photo.durationMilliseconds = 83_600
        #expect(GalleryPage.text(album: "Beach day", [photo]).contains(" data-seconds=\"84\""))
    }

    /// Shows that words of others stay words: nothing of them is a tag, ends an attribute or becomes an address.
    @Test(arguments: [
        "</script><script>alert(1)</script>", "\" onerror=\"alert(1)", "' onmouseover='alert(1)",
        "<img src=x onerror=alert(1)>",
        "javascript:alert(1)", "data:text/html,<script>alert(1)</script>", "&lt;script&gt;", "<!--", "]]>",
        "\u{0}<\u{8}",
        "${alert(1)}", "\\\"", "\u{202E}evil", "//evil.example/x.jpg", "../../secret.jpg",
    ])
    func hostileWordsStayWords(words: String) {
        func made(_ words: String) -> String {
            var first = item(1, name: words, caption: words)
            first.person = words
            first.tags = [words]
            first.small = nil
            return GalleryPage.text(album: words, [first, item(2, name: "2026 \(words)", caption: words)])
        }
        let (page, plain) = (made(words), made("plain"))
        // As many tags and attributes as with words that mean nothing.
        for mark in ["<", ">", "\"", "'"] as [Character] {
            #expect(page.count { $0 == mark } == plain.count { $0 == mark })
        }
        #expect(!page.unicodeScalars.contains { $0 == "\u{0}" || $0 == "\u{8}" || $0 == "\u{202E}" })
        for attribute in ["href=\"", "src=\""] {
            for part in page.components(separatedBy: attribute).dropFirst() {
                let value = part.prefix { $0 != "\"" }
                #expect(value.allSatisfy { $0.isASCII && !"<>:&'? #".contains($0) }, "\(value)")
            }
        }
    }

    /// Shows that a gallery has the pictures that are there, makes the others, and what browsers do not show, and shows
    /// the rest by name; that a second export makes none again, and that one without the option follows the album.
    @Test func picturesAreCopiedOrMade() async throws {
        let workshop = try Workshop()
        let small = try workshop.file("t", "a small picture", type: "image/webp")
        var forged = small
        forged.id = BlobID(bytes: [UInt8](repeating: 7, count: 32))!
        var entries = [
            entry(try workshop.file("a.jpg", "1")), entry(try workshop.file("b.heic", "2", type: "image/heic"), at: 1),
            entry(try workshop.file("broken.jpg", "3"), at: 2), entry(try workshop.file("d.jpg", "4"), at: 3),
            entry(try workshop.file("e.xmp", "5", type: ""), at: 4, kind: .sidecar),
        ]
        entries[0].thumbnail = small
        entries[3].thumbnail = forged
        let (out, pictures) = (ExportDestination.directory(workshop.path + "/out"), FakePictures())
        let options = ExportOptions(hasGallery: true)
        let summary = try await AlbumExporter.run(entries, to: out, options, pictures: pictures)
        #expect(summary.missing.isEmpty && summary.photos == 5 && summary.files == 5)
        let names = try workshop.names("out/gallery")
        #expect(names.count == 3)
        #expect(try workshop.text("out/gallery/\(entries[0].lead.id.hex.prefix(16)).webp") == "a small picture")
        #expect(try workshop.text("out/gallery/\(entries[1].lead.id.hex.prefix(16))-large.webp") == "2048 of b.heic")
        let page = try workshop.text("out/index.html")
        #expect(page.components(separatedBy: "class=\"tile\"").count == 5)
        #expect(page.contains("data-view=\"gallery/\(entries[1].lead.id.hex.prefix(16))-large.webp\""))
        #expect(page.contains("<span class=\"blank\">broken.jpg</span>"))
        #expect(try workshop.passesChecksums("out"))

        let count = pictures.callCount
        let later = Array(entries[1...])
        _ = try await AlbumExporter.run(later, to: out, ExportOptions(), pictures: pictures)
        #expect(pictures.callCount == count + 1, "only the broken one is tried again")
        #expect(try workshop.names("out/gallery").count == 2, "pictures of photos that left go")
        #expect(try !workshop.text("out/index.html").contains("a.jpg"))
        #expect(try workshop.passesChecksums("out"))
    }

    /// Shows that a Live Photo brings its moving half to the page.
    @Test func aLivePhotoMoves() async throws {
        let workshop = try Workshop()
        let movie = try workshop.file("a.mov", "2", type: "video/quicktime")
        let photo = entry(try workshop.file("a.jpg", "1"), kind: .live, companions: [.init(file: movie, role: .video)])
        _ = try await AlbumExporter.run(
            [photo], to: .directory(workshop.path + "/out"), ExportOptions(hasGallery: true))
        let page = try workshop.text("out/index.html")
        #expect(page.contains("data-moving=\"2026-07-04%2014.03.22%20Anna%20a.mov\""))
        #expect(page.contains(">Live</span>"))
    }
}
