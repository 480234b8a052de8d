import CGalleryFiles
import OutputFormats

/// The gallery's own modules, styles and icons, which are part of the binary, as parts of one page without a laptop
/// behind it.
enum GalleryResources {
    private static let styles = [
        "style/tokens.css", "style/base.css", "style/components.css", "gallery/album.css", "gallery/viewer.css",
        "exported/page.css",
    ]

    /// Modules that ask the laptop, and those that know the same from the page.
    private static let standIns = [
        "shared/addresses.js": "exported/addresses.js", "shared/api.js": "exported/api.js",
        "shared/icons.js": "exported/icons.js", "shared/live.js": "exported/live.js",
        "gallery/picture-loader.js": "exported/picture-loader.js",
    ]

    static let style = styles.map(text).joined()

    static let script: String = {
        do {
            return try ScriptBundle.script(of: "exported/page.js", standIns: standIns, source: file)
        } catch {
            preconditionFailure("the gallery's modules do not fit together: \(error)")
        }
    }()

    /// The sprite as an element of a page, where its name needs no address.
    static let icons: String = {
        let sprite = text("icons.svg")
        guard let end = sprite.firstIndex(of: ">") else { preconditionFailure("icons.svg is no picture") }
        return "<svg id=\"icons\" hidden>" + sprite[end...].dropFirst()
    }()

    private static func text(_ path: String) -> String {
        guard let text = file(path) else { preconditionFailure("the binary lacks \(path)") }
        return text
    }

    private static func file(_ path: String) -> String? {
        UnsafeBufferPointer(start: gallery_files(), count: gallery_file_count())
            .first { String(cString: $0.path) == path }
            .map { String(decoding: UnsafeBufferPointer(start: $0.bytes, count: $0.byte_count), as: UTF8.self) }
    }
}
