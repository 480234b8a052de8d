/// How tags are compared and shown.
public enum TagName {
    /// Equal for tags that differ only in case, in Unicode normalisation or in space at the ends.
    public static func key(_ tag: some StringProtocol) -> String { AlbumName.key(tag) }

    /// As it is shown and sent: composed, without space at the ends.
    public static func tidy(_ tag: String) -> String { AlbumName.composed(AlbumName.trimmed(tag)) }
}

/// What people said about a photo in one album.
struct PhotoWords: Hashable, Sendable {
    struct TagAdd: TimedElement {
        var dot: Dot
        var clock: ClockReading
        var tag: String

        var group: String? { TagName.key(tag) }

        func update(_ hasher: inout ManifestHasher) {
            hasher.update(dot)
            hasher.update(text: tag)
        }
    }

    struct Favour: TimedElement {
        var dot: Dot
        var clock: ClockReading
        var author: DeviceID

        var group: DeviceID? { author }

        func update(_ hasher: inout ManifestHasher) {
            hasher.update(dot)
            hasher.update(author)
        }
    }

    /// A guest's, signed by the device at whose door it was.
    struct GuestFavour: TimedElement {
        var dot: Dot
        var clock: ClockReading
        var person: Person

        var group: Person? { person }

        func update(_ hasher: inout ManifestHasher) {
            hasher.update(dot)
            hasher.update(person)
        }
    }

    var caption = Register<String>()
    var tags = ObservedSet<TagAdd>()
    var favours = ObservedSet<Favour>()
    var guestFavours = ObservedSet<GuestFavour>()
    var comments = ObservedSet<PhotoComment>()
}

extension Photo {
    /// What people wrote under it; an empty value is no caption.
    public var caption: Register<String> { words.caption }

    /// Each tag once, as the first who gave it wrote it; ordered by their keys. At most
    /// ``CatalogLimits/shownTagCountMax``.
    public var tags: [String] {
        words.tags.adds.firstOfGroups(limit: CatalogLimits.shownTagCountMax)
            .map { (key: TagName.key($0.tag), tag: TagName.tidy($0.tag)) }
            .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(\.tag)
    }

    /// What a change names that takes the tag away, as far as one may; empty where the photo has no such tag.
    public func tagDots(_ tag: String) -> [Dot] {
        words.tags.adds.elements(of: TagName.key(tag), limit: CatalogLimits.dotCountMax).map(\.dot)
    }

    /// The devices whose people like it; ordered. At most ``CatalogLimits/favourerCountMax``.
    public var favouredBy: [DeviceID] {
        words.favours.adds.firstOfGroups(limit: CatalogLimits.favourerCountMax).map(\.author).sorted()
    }

    /// What a change names that takes the favour of these devices away, as far as one may.
    public func favourDots(where isBy: (DeviceID) -> Bool) -> [Dot] {
        Array(words.favours.adds.filter { isBy($0.author) }.prefix(CatalogLimits.dotCountMax).map(\.dot))
    }
}

// MARK: - Guests' favours, and comments

/// What somebody wrote below a photo.
public struct PhotoComment: TimedElement {
    /// Names it.
    public var dot: Dot
    /// When it was written, as the device's clock had it.
    public var clock: ClockReading
    public var person: Person
    public var text: String

    public var group: Never? { nil }

    public func update(_ hasher: inout ManifestHasher) {
        hasher.update(dot)
        hasher.update(clock.microseconds)
        hasher.update(person)
        hasher.update(text: text)
    }
}

extension Photo {
    /// The guests who like it, each with the device at whose door they said so; ordered. At most
    /// ``CatalogLimits/favouringGuestCountMax``.
    public var favouringGuests: [Person] {
        words.guestFavours.adds.firstOfGroups(limit: CatalogLimits.favouringGuestCountMax).map(\.person).sorted()
    }

    /// What a change names that takes a guest's favour away, at whosever door it was given, as far as one may.
    public func favourDots(of guest: GuestID) -> [Dot] {
        Array(words.guestFavours.adds.filter { $0.person.guest == guest }.prefix(CatalogLimits.dotCountMax).map(\.dot))
    }

    /// In the order of time, at most ``CatalogLimits/shownCommentCountMax``: the latest.
    public var comments: [PhotoComment] {
        words.comments.adds.latest(CatalogLimits.shownCommentCountMax).reversed()
    }

    /// The comment that a change made, shown or not; `nil` for one that was withdrawn.
    public func comment(_ dot: Dot) -> PhotoComment? { words.comments.adds.find(dot) }
}
