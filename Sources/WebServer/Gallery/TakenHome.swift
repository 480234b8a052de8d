import AlbumModel
import WebGallery

/// Which photos browsers took home already, so that the next archive has what is new alone.
///
/// Of a photo the first 64 bits of its ID are remembered, and of all browsers a million photos: 11 MB of text at most.
/// Browsers that took nothing home for the longest time are forgotten first.
actor TakenHome {
    static let documentName = "taken-home"
    private static let browserCountMax = 1000
    /// As many photos does an album of a browser count, for what its line has besides them.
    private static let photoCountOfLine = 16

    private struct Key: Hashable {
        var browser: String
        var album: AlbumID
    }

    private let store: any DocumentStore
    private let photoCountMax: Int
    /// `nil` until it is needed.
    private var photos: [Key: Set<UInt64>]?
    /// Browsers, the one that came last at the end.
    private var order: [String] = []

    init(store: any DocumentStore, photoCountMax: Int = 1_000_000) {
        self.store = store
        self.photoCountMax = photoCountMax
    }

    /// A name that a browser drew for itself.
    static func isBrowser(_ text: String) -> Bool {
        (8...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { unit in
                switch unit {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// Those of an album that a browser has not yet.
    func missing(_ candidates: [BlobID], in album: AlbumID, for browser: String) async throws -> Set<BlobID> {
        let taken = try await load()[Key(browser: browser, album: album)] ?? []
        return Set(candidates.filter { !taken.contains(Self.short($0)) })
    }

    /// Durable when it returns.
    func note(_ taken: [PhotoKey], for browser: String) async throws {
        var photos = try await load()
        for photo in taken {
            photos[Key(browser: browser, album: photo.album), default: []].insert(Self.short(photo.blob))
        }
        order.removeAll { $0 == browser }
        order.append(browser)
        var count = photos.values.reduce(0) { $0 + $1.count + Self.photoCountOfLine }
        // A browser that took more than that home is forgotten, too: a longer document would not be read again.
        while order.count > Self.browserCountMax || count > photoCountMax {
            let oldest = order.removeFirst()
            for key in photos.keys where key.browser == oldest {
                count -= (photos.removeValue(forKey: key)?.count ?? 0) + Self.photoCountOfLine
            }
        }
        self.photos = photos
        try await store.keep(text(photos), as: Self.documentName)
    }

    private static func short(_ blob: BlobID) -> UInt64 {
        blob.withUnsafeBytes { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) }
    }

    // MARK: The document

    /// A line for each browser and album, the browser that came last at the end.
    private func text(_ photos: [Key: Set<UInt64>]) -> [UInt8] {
        var text: [UInt8] = []
        // Of a document that somebody changed a browser may have come twice.
        let places = Dictionary(order.enumerated().map { ($1, $0) }, uniquingKeysWith: max)
        let sorted = photos.sorted {
            (places[$0.key.browser] ?? 0, $0.key.album) < (places[$1.key.browser] ?? 0, $1.key.album)
        }
        for (key, blobs) in sorted {
            let bytes = blobs.sorted().flatMap { blob in withUnsafeBytes(of: blob.bigEndian) { Array($0) } }
            text += Array("\(key.browser) \(key.album.hex) \(Base64URL.text(bytes))\n".utf8)
        }
        return text
    }

    /// A line that cannot be read is left out: its browser takes home again what it has.
    private func load() async throws -> [Key: Set<UInt64>] {
        if let photos { return photos }
        let text = try await store.document(Self.documentName) ?? []
        // Another call may have read it meanwhile, and changed it.
        if let photos { return photos }
        var (photos, order): ([Key: Set<UInt64>], [String]) = ([:], [])
        for line in text.split(separator: UInt8(ascii: "\n")) {
            let parts = String(decoding: line, as: UTF8.self).split(separator: " ")
            guard parts.count == 3, let album = AlbumID(hex: parts[1]), let bytes = Base64URL.bytes(parts[2]),
                bytes.count % 8 == 0
            else { continue }
            let browser = String(parts[0])
            if order.last != browser { order.append(browser) }
            photos[Key(browser: browser, album: album)] = Set(
                stride(from: 0, to: bytes.count, by: 8).map { start in
                    bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
                })
        }
        self.photos = photos
        self.order = order
        return photos
    }
}
