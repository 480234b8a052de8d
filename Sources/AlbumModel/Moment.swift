/// Photos of one album that are one entry: a photo and what belongs to it.
public struct Moment: Hashable, Sendable {
    /// What a companion is to the lead. The raw values are on disk and in reports.
    public enum Role: String, Hashable, Sendable, CaseIterable {
        /// The moving half of a Live Photo.
        case video
        /// What the sensor saw, beside the camera's own picture.
        case raw
        /// A file that describes the photo.
        case sidecar
    }

    public struct Companion: Hashable, Sendable {
        public var blob: BlobID
        public var role: Role

        public init(blob: BlobID, role: Role) {
            self.blob = blob
            self.role = role
        }
    }

    public var lead: BlobID
    /// By name, then by blob; empty for a photo that stands alone.
    public var companions: [Companion]

    public init(lead: BlobID, companions: [Companion]) {
        self.lead = lead
        self.companions = companions
    }
}

/// What is looked at to tell which photos belong together.
public struct MomentPart: Hashable, Sendable {
    public var blob: BlobID
    public var name: MomentName
    /// The first one.
    public var contributor: Person
    /// `nil` until somebody has read the photo.
    public var kind: MediaKind?
    public var contentIdentifier: String
    /// What the camera's clock showed; `nil` where only the file's own date is known.
    public var takenMilliseconds: Int64?
    public var model: String

    public init(
        blob: BlobID, name: String, contributor: Person, kind: MediaKind?, contentIdentifier: String,
        taken: CaptureTime?, model: String
    ) {
        self.blob = blob
        self.name = MomentName(name)
        self.contributor = contributor
        self.kind = kind
        self.contentIdentifier = contentIdentifier
        self.model = model
        if let taken, taken.source != .modification { takenMilliseconds = taken.localMilliseconds }
    }

    public var isSidecar: Bool { name.isSidecar && (kind ?? .sidecar) == .sidecar }

    var isStill: Bool { kind == .photo || kind == .motion }
}

/// A file's name as moments look at it: case and normalisation do not count.
public struct MomentName: Hashable, Sendable {
    /// Without the extension; of `IMG_1.jpg.xmp` it is `img_1.jpg`.
    public let stem: String
    public let fileExtension: String

    public init(_ name: String) {
        let key = AlbumName.key(name)
        let dot = key.lastIndex(of: ".") ?? key.endIndex
        stem = String(key[..<dot])
        fileExtension = String(key[dot...].dropFirst())
    }

    var full: String { fileExtension.isEmpty ? stem : "\(stem).\(fileExtension)" }

    var isSidecar: Bool { fileExtension == "xmp" || fileExtension == "aae" }

    /// Equal for all names that may belong together: no extension, none before a sidecar's, and Apple's letters for
    /// what was edited (`IMG_E1234`) and for what it was before (`IMG_O1234`) left out.
    public var family: String {
        guard isSidecar else { return Self.withoutApplesLetter(stem) }
        let described = MomentName(stem)
        return Self.withoutApplesLetter(
            Self.describedExtensions.contains(described.fileExtension) ? described.stem : stem)
    }

    private static func withoutApplesLetter(_ stem: String) -> String {
        let start = Array(stem.utf8.prefix(6))
        guard start.count == 6, start.prefix(4).elementsEqual("img_".utf8),
            start[4] == UInt8(ascii: "e") || start[4] == UInt8(ascii: "o"),
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(start[5])
        else { return stem }
        return "img_" + String(decoding: stem.utf8.dropFirst(5), as: UTF8.self)
    }

    /// Of files whose sidecars keep the whole name.
    private static let describedExtensions: Set<String> = [
        "3fr", "arw", "avif", "avi", "cr2", "cr3", "dng", "erf", "gif", "heic", "heif", "jpeg", "jpg", "jxl", "m4v",
        "mov", "mp4", "mrw", "nef", "nrw", "orf", "pef", "png", "raf", "raw", "rw2", "rwl", "sr2", "srf", "srw", "tif",
        "tiff", "webp", "x3f",
    ]
}

/// What sort of entry a photo is in lists. The raw values are on disk and in reports.
public enum PhotoKind: String, Hashable, Sendable, CaseIterable {
    case photo
    case video
    /// A photo whose moving half is another file.
    case live
    /// A photo with a short video embedded.
    case motion
    case raw
    case sidecar

    /// Of a photo by itself, and by its media type until somebody has read it.
    public init(_ kind: MediaKind?, mediaType: String) {
        self =
            switch kind {
            case .photo: .photo
            case .video: .video
            case .motion: .motion
            case .raw: .raw
            case .sidecar: .sidecar
            case nil: mediaType.hasPrefix("video/") ? .video : .photo
            }
    }
}
