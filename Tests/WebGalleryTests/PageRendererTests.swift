import AlbumModel
import Foundation
import OutputFormats
import Testing

@testable import WebGallery

/// Pages as they are without scripts.
@Suite struct PageRendererTests {
    private let setting = PageSetting(gathering: "Kuh <reunion>", laptop: "Grandma's laptop")
    private let album = GridIndex.Album(id: "00ff", name: "Beach & \"sun\"")

    private func renderer() throws -> PageRenderer { try PageRenderer() }

    private static let voidElements: Set<Substring> = ["meta", "link", "img", "input", "br", "hr", "source"]

    /// Shows that every element of a page ends, in the order in which they begin.
    private func expectBalanced(_ page: HTMLMarkup) {
        var open: [Substring] = []
        for match in page.text.matches(of: /<(\/?)([a-zA-Z][a-zA-Z0-9]*)(?:\s[^>]*?)?(\/?)>/) {
            let (isEnd, name, endsItself) = (!match.1.isEmpty, match.2, !match.3.isEmpty)
            if Self.voidElements.contains(name) || endsItself { continue }
            if !isEnd {
                open.append(name)
            } else if open.popLast() != name {
                Issue.record("</\(name)> ends nothing in \(page.text)")
                return
            }
        }
        #expect(open == [])
    }

    /// Shows every page of the templates that are in the binary: no place is left, nothing that people wrote is markup,
    /// and no script or style stands in it.
    @Test func everyPageIsFilled() throws {
        let renderer = try renderer()
        let photo = entry(1)
        let hostile = "<img src=x onerror=alert(1)>\" {{name}}"
        let pages = [
            renderer.albums(
                AlbumsPage(albums: [.init(id: "00ff", name: hostile, photoCount: 1234, covers: [blob(1), blob(2)])]),
                setting),
            renderer.album(AlbumPage(album: album, photoCount: 200, photos: [photo], number: 2), setting),
            renderer.photo(
                PhotoPage(
                    album: album, photo: photo, name: hostile, by: hostile, caption: hostile,
                    comments: [.init(by: hostile, text: hostile)], newer: blob(2), older: blob(3)), setting),
            renderer.join(JoinPage(name: hostile, message: hostile), setting),
            renderer.message(
                MessagePage(title: hostile, sentence: hostile, actions: [.init(address: "/", words: hostile)]), setting),
            renderer.wall(link: hostile, setting), renderer.owner(setting), renderer.cards(link: hostile, setting),
            renderer.probe(setting), renderer.onward(to: hostile), renderer.firstRun(),
            renderer.firstRun(
                FirstRunForm(.start, gathering: hostile, laptop: hostile, folder: hostile), message: hostile),
            renderer.firstRun(
                FirstRunForm(.join(comesByLink: true), phrase: hostile, laptop: hostile, folder: hostile),
                message: hostile),
            renderer.firstRunEntered(
                gathering: hostile, phrase: hostile, link: hostile, recoveryCode: hostile, message: hostile),
        ]
        for page in pages {
            #expect(page.text.hasPrefix("<!doctype html>"))
            #expect(!page.text.replacing("&quot; {{name}}", with: "").contains("{{"))
            #expect(!page.text.contains("<img src=x"))
            #expect(!page.text.contains("Kuh <reunion>"))
            #expect(
                !page.text.contains("<style") && !page.text.contains(" style=") && !page.text.contains("javascript:"))
            #expect(page.text.matches(of: /<script[^>]*>/).allSatisfy { $0.output.contains("src=\"/static/") })
            #expect(page.text.matches(of: /\son[a-z]+="/).isEmpty)
            expectBalanced(page)
            for match in page.text.matches(of: /(?:src|href)="(\/static\/[^"#]*)/) {
                #expect(StaticFiles.embedded.answer(to: match.1) != nil, "\(match.1) is not there")
            }
        }
    }

    /// Shows the plain list: a section a day, pictures with their places and addresses, links to the pages around.
    @Test func theAlbumIsAListWithoutScripts() throws {
        let entries = (0..<150).map { entry($0, $0 < 3 ? nil : "2026-08-\(10 + $0 % 3)T10:00:00") }
        let index = GridIndex(entries)
        let first = AlbumPage(of: index, album: album, number: 1, query: "type=photo&text=a")
        #expect(first.photos.count == 60)
        let page = try renderer().album(first, setting).text
        #expect(page.contains("<p id=\"summary\">150 photos</p>"))
        #expect(page.matches(of: /<img data-photo="[0-9a-f]{64}"/).count == 60)
        #expect(page.contains("<h2 class=\"day\">Wednesday, 12 August 2026</h2>"))
        #expect(
            page.contains("<a class=\"button\" href=\"/album/00ff?page=2&amp;type=photo&amp;text=a\">Older photos</a>"))
        #expect(!page.contains("Newer photos"))
        let photo = first.photos[0]
        #expect(page.contains("href=\"/album/00ff/photo/\(photo.photo.hex)?type=photo&amp;text=a\""))
        let address = "/api/v1/photos/\(photo.photo.hex)/thumbnail?v=\(PhotoAddress.version(photo.thumbnail!))"
        #expect(page.contains("src=\"\(address)\""))
        #expect(page.contains("alt=\"Photo, Wednesday, 12 August 2026\""))

        let last = AlbumPage(of: index, album: album, number: 99)
        #expect(last.number == 3 && last.photos.count == 30)
        let end = try renderer().album(last, setting).text
        #expect(end.contains("<h2 class=\"day\">Without a date</h2>"))
        #expect(end.contains("href=\"/album/00ff?page=2\">Newer photos</a>") && !end.contains("Older photos"))
        #expect(AlbumPage(of: GridIndex(), album: album, number: 5).number == 1)
    }

    /// Shows that a video is a video, and that a small picture's pixels have the shape of the photo.
    @Test func photosHaveTheirShape() throws {
        var photo = entry(1, nil, 3000, 4000)
        let list = try renderer().album(AlbumPage(album: album, photoCount: 1, photos: [photo], number: 1), setting)
            .text
        #expect(list.contains("width=\"360\" height=\"480\""))
        #expect(list.contains("<p id=\"summary\">1 photo</p>"))
        let still = try renderer().photo(PhotoPage(album: album, photo: photo, name: "IMG_1.jpg"), setting).text
        #expect(still.contains("src=\"/api/v1/photos/\(photo.photo.hex)/preview?wait=1\" width=\"1536\""))
        #expect(still.contains("height=\"2048\""))
        #expect(still.contains("<h2>IMG_1.jpg</h2>"))
        photo.kind = .video
        photo.taken = clock("2026-08-14T18:40:00")
        let film = try renderer().photo(PhotoPage(album: album, photo: photo, name: "IMG_1.MOV"), setting).text
        #expect(
            film.contains("<video data-photo=\"\(photo.photo.hex)\" src=\"/api/v1/photos/\(photo.photo.hex)/video\""))
        #expect(film.contains("<h2>Friday, 14 August 2026, 18:40</h2>"))
    }

    /// Shows that who came by a search goes back to it, and that whoever is signed in is led on at the door.
    @Test func linksWithoutScriptsLeadOn() throws {
        let renderer = try renderer()
        let searched = renderer.photo(
            PhotoPage(album: album, photo: entry(1), name: "IMG_1.jpg", query: "type=photo&text=a"), setting)
        #expect(searched.text.contains("href=\"/album/00ff?type=photo&amp;text=a\" aria-label=\"Back to"))
        let plain = renderer.photo(PhotoPage(album: album, photo: entry(1), name: "IMG_1.jpg"), setting)
        #expect(plain.text.contains("href=\"/album/00ff\" aria-label=\"Back to"))
        let door = renderer.join(JoinPage(session: .guest), setting)
        #expect(door.text.contains("data-session=\"guest\""))
        #expect(door.text.contains(/<noscript>.*<a [^>]*href="\/">/))
    }

    /// Shows that a template that the code cannot fill ends the agent's start, not a guest's visit.
    @Test func templatesAreCheckedAtTheStart() {
        let missing = StaticFiles(["templates/albums.html": Array("{{summary}}".utf8)])
        #expect(throws: HTMLTemplateError(description: "album.html: there is no such template")) {
            try PageRenderer(missing)
        }
        let unknown = StaticFiles(["templates/albums.html": Array("{{weather}}".utf8)])
        #expect(throws: HTMLTemplateError(description: "albums.html: nothing is known of the place {{weather}}")) {
            try PageRenderer(unknown)
        }
    }

    /// Shows the policy's words, and that no other laptop's address can say more than it is.
    @Test func headersBindPages() throws {
        func fields(_ list: [PageHeaders.Field]) -> [String: String] {
            Dictionary(list.map { ($0.name, $0.value) }) { one, _ in
                Issue.record("a field stands there twice")
                return one
            }
        }
        let page = fields(PageHeaders.page(isLoopback: false))
        let policy = try #require(page["content-security-policy"]).split(separator: "; ")
        #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"))
        #expect(policy.contains("connect-src 'self'") && policy.contains("frame-ancestors 'none'"))
        #expect(!policy.contains { $0.contains("unsafe") || $0.contains("*") })
        #expect(page["referrer-policy"] == "no-referrer" && page["x-content-type-options"] == "nosniff")
        #expect(page["cross-origin-opener-policy"] == nil)
        #expect(fields(PageHeaders.page(isLoopback: true))["cross-origin-opener-policy"] == "same-origin")
        let origins = [
            "http://10.0.0.6:4712", "http://[fe80::1]:4712", "http://x; script-src *", "https://10.0.0.7", "*",
            "http://",
            "http://a b", "http://a,b",
        ]
        let probe = try #require(fields(PageHeaders.probe(origins: origins))["content-security-policy"])
        #expect(probe.contains("connect-src 'self' http://10.0.0.6:4712 http://[fe80::1]:4712;"))
        #expect(probe.contains("frame-ancestors 'self'") && !probe.contains("*"))
        #expect(fields(PageHeaders.content)["content-security-policy"]?.hasSuffix("sandbox") == true)
    }
}
