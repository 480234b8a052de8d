import AlbumModel
import Crypto
import FoundationEssentials
import OutputFormats

/// The page of a gallery: one file that opens from a USB stick, asks no network, and shows hostile names as text.
///
/// Its list of pictures is whole without scripts; the gallery's own modules, bundled, read it and show it as the gallery
/// shows an album.
enum GalleryPage {
    static let name = "index.html"
    /// Where its pictures are.
    static let directory = "gallery"
    static let key = FileKey(source: name, treatment: .text)

    /// - Parameter items: In the order in which they are shown; those of one day stand together.
    static func text(album: String, _ items: [GalleryItem]) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="\(policy)">
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
        <meta name="referrer" content="no-referrer">
        <meta name="color-scheme" content="light dark">
        <title>\(HTMLText.escaped(album))</title>
        <style>\(GalleryResources.style)</style>
        </head>
        <body data-page="album">
        \(GalleryResources.icons)<header class="top" id="head">
        <div class="top-titles">
        <h1>\(HTMLText.escaped(album))</h1>
        <p>\(HTMLText.escaped(summary(items)))</p>
        </div>
        </header>
        <main>
        <div class="photos" id="photos">
        \(days(items))</div>
        </main>
        <footer class="made">Made with Potluck. The photos are the files beside this page.</footer>
        <script>\(GalleryResources.script)</script>
        </body>
        </html>

        """
    }

    // MARK: The policy

    /// Runs nothing but this page's own script, and loads nothing but pictures and videos beside it. Browsers disagree
    /// whether `'self'` means anything for files, so their scheme is named too.
    private static let policy = [
        "default-src 'none'", "img-src 'self' file:", "media-src 'self' file:",
        "style-src '\(hash(GalleryResources.style))'",
        "script-src '\(hash(GalleryResources.script))'", "base-uri 'none'", "form-action 'none'",
    ].joined(separator: "; ")

    private static func hash(_ text: String) -> String {
        "sha256-" + Data(SHA256.hash(data: Array(text.utf8))).base64EncodedString()
    }

    // MARK: The album's

    /// `298 photos and 12 videos by Anna, Ben and Grandma`.
    private static func summary(_ items: [GalleryItem]) -> String {
        let videos = items.count { $0.isVideo }
        let photos = items.count - videos
        let counts = [
            photos > 0 || videos == 0 ? "\(photos) photo\(photos == 1 ? "" : "s")" : "",
            videos > 0 ? "\(videos) video\(videos == 1 ? "" : "s")" : "",
        ]
        let people = Set(items.map(\.person)).subtracting([""]).sorted()
        let counted = counts.filter { !$0.isEmpty }.sentenceList
        return people.isEmpty ? counted : "\(counted) by \(people.sentenceList)"
    }

    private static func days(_ items: [GalleryItem]) -> String {
        var text = ""
        var rest = items[...]
        while let first = rest.first {
            let date = first.time?.clock.dateText
            let day = rest.prefix { $0.time?.clock.dateText == date }
            rest = rest.dropFirst(day.count)
            let heading =
                first.time.map { "<time datetime=\"\($0.clock.dateText)\">\($0.dayText)</time>" } ?? "Without a date"
            text += "<section class=\"plain-day\">\n<h2>\(heading) <span>\(day.count)</span></h2>\n"
            text += "<ul class=\"plain-photos\" role=\"list\">\n"
            for item in day { text += tile(item) }
            text += "</ul>\n</section>\n"
        }
        return text
    }

    private static func tile(_ item: GalleryItem) -> String {
        var attributes = [("class", "tile"), ("data-id", String(item.id.hex.prefix(16)))]
        if let file = item.file { attributes.append(("href", HTMLText.address(file))) }
        if item.isVideo { attributes.append(("data-kind", "video")) }
        if let view = item.view { attributes.append(("data-view", HTMLText.address(view))) }
        if let moving = item.moving { attributes.append(("data-moving", HTMLText.address(moving))) }
        if let seconds = item.seconds { attributes.append(("data-seconds", String(seconds))) }
        if let size = item.size {
            attributes += [("data-width", String(size.width)), ("data-height", String(size.height))]
        }
        if let time = item.time {
            attributes.append(("data-taken", "\(time.clock.dateText)T\(time.shortClockText)"))
        }
        let texts = [
            ("data-name", item.name), ("data-person", item.person), ("data-caption", item.caption),
            ("data-tags", item.tags.joined(separator: "\n")),
        ]
        attributes += texts.filter { !$0.1.isEmpty }
        let badge =
            item.badge.map { "<span class=\"mark mark-kind\" aria-hidden=\"true\">\(HTMLText.escaped($0))</span>" }
            ?? ""
        return "<li><a\(text(attributes))>\(picture(item))\(badge)</a></li>\n"
    }

    private static func picture(_ item: GalleryItem) -> String {
        guard let small = item.small else {
            return "<span class=\"blank\">\(HTMLText.escaped(item.name.isEmpty ? item.description : item.name))</span>"
        }
        let (width, height) = item.frame
        let attributes = [
            ("src", HTMLText.address(small)), ("width", String(width)), ("height", String(height)),
            ("alt", item.alternative), ("loading", "lazy"), ("decoding", "async"),
        ]
        return "<img\(text(attributes))>"
    }

    private static func text(_ attributes: [(name: String, value: String)]) -> String {
        attributes.map { " \($0.name)=\"\(HTMLText.escaped($0.value))\"" }.joined()
    }
}
