import CGalleryFiles
import Crypto

/// Modules, styles and icons of the pages, which are part of the binary.
public struct StaticFiles: Sendable {
    public struct File: Hashable, Sendable {
        public let bytes: [UInt8]
        /// With its charset.
        public let mediaType: String
        public let entityTag: EntityTag
    }

    /// A file and how long a browser may keep it.
    public struct Answer: Hashable, Sendable {
        public let file: File
        public let cacheControl: String
    }

    /// Templates become pages, and are not files that anybody fetches.
    private static let templates = "templates/"
    private static let root = "/static/"
    /// Half a SHA-256's worth would be waste: the version only has to differ from those of other agents in the house.
    private static let versionByteCount = 9

    /// Twelve characters that change with any byte of any file.
    public let version: String
    private let files: [String: File]
    private let templateTexts: [String: String]

    /// Those of this binary.
    public static let embedded = StaticFiles(
        Dictionary(
            uniqueKeysWithValues: UnsafeBufferPointer(start: gallery_files(), count: gallery_file_count()).map { file in
                (String(cString: file.path), Array(UnsafeBufferPointer(start: file.bytes, count: file.byte_count)))
            }))

    /// - Parameter files: By their paths below the folder of resources.
    public init(_ files: [String: [UInt8]]) {
        var (served, templateTexts): ([String: File], [String: String]) = ([:], [:])
        var hash = SHA256()
        for (path, bytes) in files.sorted(by: { $0.key < $1.key }) {
            // Lengths, so that no two sets of files run together to the same bytes.
            hash.update(data: Array("\(path.utf8.count) \(bytes.count) \(path)".utf8))
            hash.update(data: bytes)
            if path.hasPrefix(Self.templates) {
                templateTexts[String(path.dropFirst(Self.templates.count))] = String(decoding: bytes, as: UTF8.self)
            } else {
                served[path] = File(
                    bytes: bytes, mediaType: Self.mediaType(of: path), entityTag: EntityTag(hashing: bytes))
            }
        }
        self.files = served
        self.templateTexts = templateTexts
        version = Base64URL.text(Array(hash.finalize()).prefix(Self.versionByteCount))
    }

    /// What pages put before the paths of files: `/static/<version>/`.
    public var prefix: String { "\(Self.root)\(version)/" }

    public var paths: [String] { files.keys.sorted() }

    /// The file at a path such as `/static/<version>/style/base.css`; `nil` where there is none.
    ///
    /// A page of an agent before an update asks by another version, and gets what there is, to be asked for again.
    public func answer(to path: some StringProtocol) -> Answer? {
        guard path.hasPrefix(Self.root) else { return nil }
        let parts = path.dropFirst(Self.root.count).split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let file = files[String(parts[1])] else { return nil }
        let isCurrent = parts[0] == version
        return Answer(
            file: file, cacheControl: isCurrent ? "public, max-age=31536000, immutable" : "no-cache")
    }

    /// The text of `templates/<name>`.
    func template(_ name: String) -> String? { templateTexts[name] }

    static func mediaType(of path: String) -> String {
        let ending = path.split(separator: ".").last.map { String($0) } ?? ""
        return mediaTypes[ending] ?? "application/octet-stream"
    }

    static let mediaTypes = [
        "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml; charset=utf-8",
        "html": "text/html; charset=utf-8", "json": "application/json", "webmanifest": "application/manifest+json",
        "png": "image/png", "jpg": "image/jpeg", "ico": "image/x-icon", "txt": "text/plain; charset=utf-8",
    ]
}
