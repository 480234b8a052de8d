/// What an export is to hold.
public struct ExportOptions: Hashable, Sendable {
    public var size: Size
    /// Whether what says where a photo was taken is left out of the copies.
    public var stripsPlace: Bool
    /// Whether pages to look at the photos are made.
    public var hasGallery: Bool

    public init(size: Size = .original, stripsPlace: Bool = false, hasGallery: Bool = false) {
        self.size = size
        self.stripsPlace = stripsPlace
        self.hasGallery = hasGallery
    }

    public enum Size: String, CaseIterable, Hashable, Sendable {
        /// The bytes that were shared.
        case original
        /// Pictures of at most ``largeSide`` pixels; videos as they are. What only belongs to originals, RAW halves and
        /// sidecars, is left out.
        case large
    }

    /// The longer side of a large picture, in pixels.
    public static let largeSide = 2048
    /// Both sides of a small picture, in pixels, at most.
    public static let smallSide = 480
}

/// Where an export goes; paths are absolute.
public enum ExportDestination: Hashable, Sendable {
    /// A directory, which is made if it is missing. It must be empty, or hold an earlier export of the same album.
    case directory(String)
    /// A ZIP archive, which must not exist.
    case archive(String)

    public var path: String {
        switch self {
        case .directory(let path), .archive(let path): path
        }
    }
}

/// How far an export is.
public struct ExportProgress: Hashable, Sendable {
    public var files = 0
    public var fileTotal = 0
    /// Of the files in the home, whatever is made of them.
    public var bytes: UInt64 = 0
    public var byteTotal: UInt64 = 0

    public init(files: Int = 0, fileTotal: Int = 0, bytes: UInt64 = 0, byteTotal: UInt64 = 0) {
        self.files = files
        self.fileTotal = fileTotal
        self.bytes = bytes
        self.byteTotal = byteTotal
    }
}

/// What an export came to.
public struct ExportSummary: Hashable, Sendable {
    /// Moments whose files are all there.
    public var photos = 0
    /// Files in the export that have to do with photos: companions count, pages and small pictures do not.
    public var files = 0
    public var bytes: UInt64 = 0
    /// How many of ``files`` an earlier export had left, unchanged.
    public var kept = 0
    /// What could not be exported; also in the file `MISSING.txt`.
    public var missing: [Missing] = []
    /// Names under which files were set aside that stood where one of ours belongs and were changed by somebody.
    public var setAside: [String] = []
    /// Names of files from an earlier export that the album no longer has; they stay.
    public var stale: [String] = []

    public struct Missing: Hashable, Sendable {
        public var file: ExportFile
        /// The name that it would have.
        public var exportName: String
        /// Why, as the end of a sentence without a full stop.
        public var reason: String
    }
}

/// Why an export ended before it was done. What is complete stays, and nothing that is half.
public struct ExportError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// The destination cannot be used as it is; another one can.
        case destination
        case diskFull
        case failed
    }

    public var code: Code
    /// One or two sentences that say what is wrong and what to do.
    public var message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
