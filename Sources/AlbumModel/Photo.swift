import Crypto

/// One photo of one album: who contributed it, what it is called there, what is known and said about it.
public struct Photo: Hashable, Sendable {
    /// One device's contribution.
    public struct Add: Hashable, Sendable, ObservedAdd {
        public var dot: Dot
        public var author: DeviceID
        public var clock: ClockReading
        /// The clock, but never later than this device learned of it: what lists and pulls are ordered by.
        public var order: ClockReading
        public var byteCount: UInt64
        public var pieceListHash: BlobID?
        public var mediaType: String
        /// Nanoseconds since 1970, UTC.
        public var modified: Int64
    }

    /// Facts, and the change that they came in.
    struct Reading: Hashable, Sendable {
        var facts: PhotoFacts
        var dot: Dot
        var clock: ClockReading

        func isShown(before other: Reading) -> Bool {
            let isBetter = (facts.readerVersion, clock, dot) > (other.facts.readerVersion, other.clock, other.dot)
            return isBetter != PlantedFault.isPlanted(.factsOfWorseReader)
        }
    }

    /// What few photos have.
    private struct Rarities: Hashable, Sendable {
        var words: PhotoWords?
        var departure: Departure?
    }

    private var additions = ObservedSet<Add>()
    public internal(set) var name = Register<String>()
    // Most photos have no words and never left their album, and those that have just come have no facts.
    private var reading: Boxed<Reading>?
    private var rarities: Boxed<Rarities>?

    /// Adds that were not withdrawn, the first in time first.
    public var adds: [Add] { additions.adds }

    public var isLive: Bool { !adds.isEmpty }

    /// The changes that added the photo and were withdrawn, in no order.
    public var withdrawnAdds: some Sequence<Dot> { additions.withdrawnDots }

    /// Devices with a live add, each once, the first to contribute first.
    public var contributors: [DeviceID] {
        var seen: [DeviceID] = []
        for add in adds where !seen.contains(add.author) { seen.append(add.author) }
        return seen
    }

    /// The device whose add is the oldest; `nil` for a removed photo.
    public var firstContributor: DeviceID? { adds.first?.author }

    /// The shared name; every add writes one, so only a photo that was never added has none.
    public var shownName: String { name.shown?.value ?? "" }

    /// What is shown of what readers found: that of the highest reader version, of equal ones the latest. `nil` until
    /// somebody has read the photo.
    public var facts: PhotoFacts? { reading?.value.facts }

    /// The change that ``facts`` came in.
    public var factsDot: Dot? { reading?.value.dot }

    /// The last withdrawal of an add, whether or not others remain; `nil` where nobody has ever withdrawn one.
    public var departure: Departure? { rarities?.value.departure }

    var words: PhotoWords { rarities?.value.words ?? PhotoWords() }

    mutating func add(_ addition: PhotoAddition, _ origin: Catalog.Origin) {
        name.write(addition.name, dot: origin.dot, clock: origin.clock, replaces: [])
        let add = Add(
            dot: origin.dot, author: origin.author, clock: origin.clock,
            order: origin.order, byteCount: addition.byteCount,
            pieceListHash: addition.pieceListHash, mediaType: addition.mediaType, modified: addition.modified)
        if additions.insert(add) { return }
        // Its withdrawal came first.
        guard var departure else { return }
        departure.keep(add)
        update(departure)
    }

    mutating func withdraw(_ dots: [Dot], _ origin: Catalog.Origin) {
        let last = adds.filter { dots.contains($0.dot) }.max { ($0.clock, $0.dot) < ($1.clock, $1.dot) }
        additions.withdraw(PlantedFault.isPlanted(.removalTakesUnseenAdds) ? dots + adds.map(\.dot) : dots)
        var departure = Departure(author: origin.author, clock: origin.clock, dot: origin.dot, add: last)
        if let known = self.departure { departure.follow(known) }
        update(departure)
    }

    private mutating func update(_ departure: Departure) {
        var rare = rarities?.value ?? Rarities()
        rare.departure = departure
        rarities = .value(rare)
    }

    mutating func read(_ facts: PhotoFacts, _ origin: Catalog.Origin) {
        let new = Reading(facts: facts, dot: origin.dot, clock: origin.clock)
        if reading.map({ new.isShown(before: $0.value) }) ?? true { reading = .value(new) }
    }

    mutating func updateWords(_ body: (inout PhotoWords) -> Void) {
        var rare = rarities?.value ?? Rarities()
        var words = rare.words ?? PhotoWords()
        // Nobody else refers to its arrays while it changes.
        rare.words = nil
        rarities = nil
        body(&words)
        rare.words = words
        rarities = .value(rare)
    }

    /// A hash of everything that is shared about a live photo.
    func fingerprint(_ blob: BlobID) -> SHA256Digest {
        var hasher = ManifestHasher()
        hasher.update(blob)
        for add in adds {
            hasher.update(add.dot)
            hasher.update(add.author)
            hasher.update(add.clock.microseconds)
            hasher.update(add.byteCount)
        }
        for write in name.writes { hasher.update(write) }
        if let reading = reading?.value { hasher.update(reading) }
        if let words = rarities?.value.words { hasher.update(words) }
        return hasher.finalize()
    }
}

extension ManifestHasher {
    /// The dot names the change, and so all that it says.
    fileprivate mutating func update(_ reading: Photo.Reading) {
        update(raw: "facts".utf8)
        update(reading.dot)
        update(reading.clock.microseconds)
        update(reading.facts.readerVersion)
    }

    fileprivate mutating func update(_ words: PhotoWords) {
        update(raw: "words".utf8)
        update(words.caption)
        update(UInt64(words.tags.adds.count))
        for add in words.tags.adds {
            update(add.dot)
            update(text: add.tag)
        }
        update(UInt64(words.favours.adds.count))
        for favour in words.favours.adds {
            update(favour.dot)
            update(favour.author)
        }
    }
}
