/// Which photos are listed: those that all of its conditions hold for.
public struct PhotoQuery: Hashable, Sendable {
    /// An ID or a name, as ``AlbumLookup`` reads it; `nil` for all albums, which takes at least one condition.
    public var album: String?
    /// Only these, each an ID of at least six digits or a file name, as ``PhotoLookup`` reads it; empty for all.
    public var photos: [String]
    /// What is searched for in names, captions, tags, people, cameras and names of albums; empty for no search. The best
    /// matches come first then.
    public var words: String
    /// A photo has all of these tags.
    public var tags: [String]
    /// One of these devices contributed it: names in any case, or IDs.
    public var by: [String]
    /// It was taken then or later, by the clock where it was taken.
    public var takenAfter: LocalTime?
    /// It was taken earlier.
    public var takenBefore: LocalTime?
    /// Make and model contain each of these words, in any case; empty for any camera.
    public var camera: String
    /// It is one of these; empty for all.
    public var kinds: [PhotosReport.Kind]
    /// Somebody marked it.
    public var isFavourite: Bool
    /// Several captions were written without knowledge of each other.
    public var hasConflict: Bool
    /// Leaves out what a listing for people does not show, which makes a long answer half as long.
    public var isBrief: Bool

    public init(
        album: String? = nil, photos: [String] = [], words: String = "", tags: [String] = [], by: [String] = [],
        takenAfter: LocalTime? = nil, takenBefore: LocalTime? = nil, camera: String = "",
        kinds: [PhotosReport.Kind] = [], isFavourite: Bool = false, hasConflict: Bool = false, isBrief: Bool = false
    ) {
        self.album = album
        self.photos = photos
        self.words = words
        self.tags = tags
        self.by = by
        self.takenAfter = takenAfter
        self.takenBefore = takenBefore
        self.camera = camera
        self.kinds = kinds
        self.isFavourite = isFavourite
        self.hasConflict = hasConflict
        self.isBrief = isBrief
    }

    /// Whether something besides the album narrows it.
    public var hasConditions: Bool {
        self != PhotoQuery(album: album, isBrief: isBrief)
    }
}

extension PhotoQuery: Codable {
    private enum CodingKeys: String, CodingKey {
        case album, photos, camera, type
        case words = "text"
        case tags = "tag"
        case by = "person"
        case takenAfter = "from"
        case takenBefore = "to"
        case isFavourite = "favourites"
        case hasConflict = "conflicts"
        case isBrief = "brief"
    }

    /// Every key may be missing.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func value<Value: Decodable>(_ key: CodingKeys, or standard: Value) throws -> Value {
            try container.decodeIfPresent(Value.self, forKey: key) ?? standard
        }
        self.init(
            album: try container.decodeIfPresent(String.self, forKey: .album), photos: try value(.photos, or: []),
            words: try value(.words, or: ""), tags: try value(.tags, or: []), by: try value(.by, or: []),
            takenAfter: try container.decodeIfPresent(LocalTime.self, forKey: .takenAfter),
            takenBefore: try container.decodeIfPresent(EndTime.self, forKey: .takenBefore)?.time,
            camera: try value(.camera, or: ""), kinds: try value(.type, or: []),
            isFavourite: try value(.isFavourite, or: false), hasConflict: try value(.hasConflict, or: false),
            isBrief: try value(.isBrief, or: false))
    }

    /// What says nothing is left out.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        func list<Element: Encodable>(_ elements: [Element], _ key: CodingKeys) throws {
            if !elements.isEmpty { try container.encode(elements, forKey: key) }
        }
        func text(_ text: String, _ key: CodingKeys) throws {
            if !text.isEmpty { try container.encode(text, forKey: key) }
        }
        func flag(_ flag: Bool, _ key: CodingKeys) throws {
            if flag { try container.encode(true, forKey: key) }
        }
        try container.encodeIfPresent(album, forKey: .album)
        try list(photos, .photos)
        try text(words, .words)
        try list(tags, .tags)
        try list(by, .by)
        try container.encodeIfPresent(takenAfter, forKey: .takenAfter)
        try container.encodeIfPresent(takenBefore, forKey: .takenBefore)
        try text(camera, .camera)
        try list(kinds, .type)
        try flag(isFavourite, .isFavourite)
        try flag(hasConflict, .hasConflict)
        try flag(isBrief, .isBrief)
    }
}

/// The end of a span of local time: a time is meant as it is, a day up to its midnight.
struct EndTime: Decodable {
    private static let dayByteCount = "2026-11-21".utf8.count

    var time: LocalTime

    init(time: LocalTime) {
        self.time = time
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard var time = LocalTime(parsing: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a local time")
        }
        if text.utf8.count == Self.dayByteCount { time.milliseconds += 86_400_000 }
        self.time = time
    }
}
