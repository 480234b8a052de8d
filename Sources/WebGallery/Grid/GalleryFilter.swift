import AlbumModel
import Glibc

/// Which photos of an album a page shows: those that all conditions hold for.
public struct GalleryFilter: Hashable, Sendable {
    /// What a page offers as a type.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case photo, video, live, raw

        func contains(_ kind: GridEntry.Kind) -> Bool {
            switch (self, kind) {
            // Live photos and RAW files are photos too.
            case (.photo, .photo), (.photo, .live), (.photo, .raw), (.video, .video), (.live, .live), (.raw, .raw): true
            default: false
            }
        }
    }

    /// Bytes of a search; longer ones are cut.
    private static let textByteCountMax = 512

    /// Folded words that all occur somewhere.
    private var words: [[UInt8]] = []
    private var person: String?
    private var tag: String?
    private var camera: String?
    private var kind: Kind?
    /// Anybody's, as in listings.
    private var isFavourite = false
    private var from: GridTime?
    private var to: GridTime?

    /// Everything.
    public init() {}

    /// Reads the query of an address; keys of other parts are ignored.
    ///
    /// - Parameter query: Decoded keys and values, in their order; of several for one key the last counts.
    /// - Throws: ``Failure`` for a value that is none of its key's.
    public init(_ query: some Sequence<(name: String, value: String)>) throws(Failure) {
        for (name, value) in query {
            let end = value.utf8.index(
                value.startIndex, offsetBy: Self.textByteCountMax, limitedBy: value.endIndex)
            // Where it would end within a letter's bytes, it ends before them.
            let key = AlbumName.key(value[..<(end ?? value.endIndex)])
            switch name {
            case "text": words = PlainText.folded(key).split(whereSeparator: \.isWhitespace).map { Array($0.utf8) }
            case "person": person = key.isEmpty ? nil : key
            case "tag": tag = key.isEmpty ? nil : key
            case "camera": camera = key.isEmpty ? nil : key
            case "type":
                kind = Kind(rawValue: value)
                if kind == nil, !value.isEmpty { throw Failure(name: name) }
            case "favourites":
                guard ["", "0", "1"].contains(value) else { throw Failure(name: name) }
                isFavourite = value == "1"
            case "from": from = try Self.day(value, name, time: "00:00:00")
            case "to": to = try Self.day(value, name, time: "23:59:59.999")
            default: break
            }
        }
    }

    /// Which part of a query cannot be understood.
    public struct Failure: Error, Hashable, Sendable {
        public var name: String
    }

    private static func day(_ text: String, _ name: String, time: String) throws(Failure) -> GridTime? {
        if text.isEmpty { return nil }
        guard text.utf8.count == 10, let day = GridTime(parsing: "\(text)T\(time)") else { throw Failure(name: name) }
        return day
    }

    /// Whether it leaves out anything at all.
    public var isEmpty: Bool { self == GalleryFilter() }

    /// - Parameter album: The album that the photo is in, where several are searched.
    public func contains(_ photo: GalleryPhoto, in album: SearchedAlbum? = nil) -> Bool {
        if isFavourite, !photo.entry.isFavourite { return false }
        if let kind, !kind.contains(photo.entry.kind) { return false }
        if from != nil || to != nil {
            // A photo without a date is in no span.
            guard let taken = photo.entry.taken else { return false }
            if let from, taken < from { return false }
            if let to, taken > to { return false }
        }
        if let person, !photo.foldedPeople.contains(person) { return false }
        if let tag, !photo.foldedTags.contains(tag) { return false }
        if let camera, photo.foldedCamera != camera { return false }
        return words.allSatisfy { word in
            Self.occurs(word, in: photo.searched) || album.map { Self.occurs(word, in: $0.name) } ?? false
        }
    }

    /// Looks for the word's first byte, which the system does fast, and compares the rest there.
    private static func occurs(_ word: [UInt8], in text: [UInt8]) -> Bool {
        guard let first = word.first else { return true }
        return text.withUnsafeBytes { text in
            var offset = 0
            while let start = text.baseAddress, text.count - offset >= word.count,
                let found = memchr(start + offset, Int32(first), text.count - offset - word.count + 1)
            {
                if memcmp(found, word, word.count) == 0 { return true }
                offset = UnsafeRawPointer(found) - start + 1
            }
            return false
        }
    }
}
