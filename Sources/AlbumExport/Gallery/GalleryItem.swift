import AlbumModel
import Glibc

/// A photo of a gallery, with names of files below the page.
struct GalleryItem: Hashable {
    var id: BlobID
    var kind: ExportEntry.Kind
    var isVideo: Bool
    /// The file itself; `nil` where it is missing.
    var file: String?
    /// What is shown in a wall of pictures.
    var small: String?
    /// What is shown alone, where that is not the file.
    var view: String?
    /// The moving half of a Live Photo.
    var moving: String?
    var name: String
    var caption: String
    var person: String
    var tags: [String]
    var time: FileTime?
    var size: PixelSize?
    var durationMilliseconds: UInt64?
}

extension GalleryItem {
    /// What browsers show by themselves.
    static let shownMediaTypes: Set<String> = [
        "image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", "image/bmp",
    ]

    /// `Photo by Anna, 14:03`.
    var description: String {
        let what = isVideo ? "Video" : "Photo"
        return [person.isEmpty ? what : "\(what) by \(person)", time?.shortClockText].compactMap { $0 }
            .joined(separator: ", ")
    }

    /// What is read out for the picture.
    var alternative: String { caption.isEmpty ? description : "\(caption). \(description)" }

    /// Something in a corner of the picture: `▶ 0:34`.
    var badge: String? {
        switch kind {
        case .live, .motion: return moving == nil ? nil : "Live"
        case .raw: return "RAW"
        default:
            guard isVideo else { return nil }
            guard let seconds else { return "▶" }
            let rest = seconds % 60
            return "▶ \(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
        }
    }

    /// How long a video is, rounded.
    var seconds: UInt64? { durationMilliseconds.map { $0 / 1000 + ($0 % 1000 >= 500 ? 1 : 0) } }

    /// Width and height in pixels that give the picture its place before it is loaded: only their ratio counts.
    var frame: (width: UInt32, height: UInt32) {
        guard let size, size.width > 0, size.height > 0 else { return (640, 480) }
        // Nothing is wider than four times its height in a wall, or narrower than half.
        let width = (UInt64(size.width) * 480 + UInt64(size.height) / 2) / UInt64(size.height)
        return (UInt32(min(max(width, 240), 1920)), 480)
    }
}

extension FileTime {
    private static let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// `Saturday, 4 July 2026`.
    var dayText: String {
        let clock = clock
        return
            "\(Self.days[Int(clock.tm_wday)]), \(clock.tm_mday) \(Self.months[Int(clock.tm_mon)]) \(clock.tm_year + 1900)"
    }

    /// `14:03`.
    var shortClockText: String { "\(clock.tm_hour.padded(to: 2)):\(clock.tm_min.padded(to: 2))" }
}
