/// How tags are compared and shown.
public enum TagName {
    /// Equal for tags that differ only in case, in Unicode normalisation or in space at the ends.
    public static func key(_ tag: some StringProtocol) -> String { AlbumName.key(tag) }

    /// As it is shown and sent: composed, without space at the ends.
    public static func tidy(_ tag: String) -> String { AlbumName.composed(AlbumName.trimmed(tag)) }
}

/// What people said about a photo in one album.
struct PhotoWords: Hashable, Sendable {
    struct TagAdd: ObservedAdd {
        var dot: Dot
        var clock: ClockReading
        var tag: String
    }

    struct Favour: ObservedAdd {
        var dot: Dot
        var clock: ClockReading
        var author: DeviceID
    }

    var caption = Register<String>()
    var tags = ObservedSet<TagAdd>()
    var favours = ObservedSet<Favour>()
}

extension Photo {
    /// What people wrote under it; an empty value is no caption.
    public var caption: Register<String> { words.caption }

    /// Each tag once, as the first who gave it wrote it; ordered by their keys.
    public var tags: [String] {
        var shown: [String: String] = [:]
        for add in words.tags.adds where shown[TagName.key(add.tag)] == nil {
            shown[TagName.key(add.tag)] = TagName.tidy(add.tag)
        }
        return shown.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(\.value)
    }

    /// What a change names that takes the tag away; empty where the photo has no such tag.
    public func tagDots(_ tag: String) -> [Dot] {
        let key = TagName.key(tag)
        return words.tags.adds.filter { TagName.key($0.tag) == key }.map(\.dot)
    }

    /// The devices whose people like it; ordered.
    public var favouredBy: [DeviceID] { Set(words.favours.adds.map(\.author)).sorted() }

    /// What a change names that takes the favour of these devices away.
    public func favourDots(where isBy: (DeviceID) -> Bool) -> [Dot] {
        words.favours.adds.filter { isBy($0.author) }.map(\.dot)
    }
}
