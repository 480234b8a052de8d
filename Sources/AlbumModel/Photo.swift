import Crypto

/// One photo of one album: who contributed it, what it is called there, what is known and said about it.
public struct Photo: Hashable, Sendable {
    /// A contribution of one device's person, or of a guest at its door.
    public struct Add: TimedElement {
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
        // Few adds have one, and there may be a million of them.
        private var boxedGuest: Boxed<GuestID>?

        init(_ addition: PhotoAddition, _ origin: Catalog.Origin) {
            (dot, author, clock, order) = (origin.dot, origin.author, origin.clock, origin.order)
            byteCount = addition.byteCount
            pieceListHash = addition.pieceListHash
            mediaType = addition.mediaType
            modified = addition.modified
            boxedGuest = addition.guest.map { .value($0) }
        }

        /// Who brought it to the device's door; `nil` where the device's own person added it.
        public var guest: GuestID? { boxedGuest?.value }

        public var person: Person { Person(author, guest: guest) }

        public var group: Person? { person }

        public func update(_ hasher: inout ManifestHasher) {
            hasher.update(dot)
            hasher.update(author)
            hasher.update(clock.microseconds)
            hasher.update(byteCount)
            if let guest { hasher.update(guest) }
        }
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
    public var adds: TimedSet<Add> { additions.adds }

    public var isLive: Bool { !additions.adds.isEmpty }

    /// The changes that added the photo and were withdrawn, in no order.
    public var withdrawnAdds: some Sequence<Dot> { additions.withdrawnDots }

    /// Whether ``withdrawnAdds`` has any.
    public var hasWithdrawnAdds: Bool { additions.hasWithdrawnDots }

    /// Whether a change added the photo and was withdrawn.
    public func isWithdrawn(_ add: Dot) -> Bool { additions.isWithdrawn(add) }

    /// Whether somebody withdrew what a change added, even where that change has not come.
    func withdraws(_ add: Dot) -> Bool { additions.withdraws(add) }

    /// The live add that a change made.
    public func add(_ dot: Dot) -> Add? { additions.adds.find(dot) }

    /// Whether a device has a live add, of its own person or of a guest.
    public func isTakenIn(by device: DeviceID) -> Bool {
        // A device's own person comes before its guests.
        additions.adds.firstGroup(notBefore: Person(device))?.device == device
    }

    /// Live adds of one device's own person, the first in time first, at most `max`.
    public func adds(by device: DeviceID, max: Int) -> [Add] { adds(by: Person(device), max: max) }

    /// Live adds of a device's own person or of one guest there, the first in time first, at most `max`.
    public func adds(by person: Person, max: Int) -> [Add] { additions.adds.elements(of: person, limit: max) }

    /// At most `max` live adds, the latest first. Of more, some that stand for all of them: the latest, and the first of
    /// some contributors.
    public func sampleAdds(max: Int) -> [Add] {
        let adds = additions.adds
        guard adds.count > max else { return adds.reversed() }
        let latest = adds.latest(max / 2)
        let known = Set(latest.map(\.dot))
        return latest + adds.firstOfGroups(limit: max - latest.count).reversed().filter { !known.contains($0.dot) }
    }

    /// When the photo was last added; of many adds only the latest are looked at.
    public var latestOrder: ClockReading {
        additions.adds.latest(CatalogLimits.sampleAddCountMax).map(\.order).max() ?? .zero
    }

    /// People with a live add, each once, the first to contribute first. Of more than
    /// ``CatalogLimits/contributorCountMax`` the first of all and some others.
    public var contributingPeople: [Person] {
        additions.adds.firstOfGroups(limit: CatalogLimits.contributorCountMax).map(\.person)
    }

    /// The devices of ``contributingPeople``, each once.
    public var contributors: [DeviceID] {
        var seen: Set<DeviceID> = []
        return contributingPeople.map(\.device).filter { seen.insert($0).inserted }
    }

    /// The device whose add is the oldest; `nil` for a removed photo.
    public var firstContributor: DeviceID? { additions.adds.first?.author }

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
        let add = Add(addition, origin)
        if additions.insert(add) { return }
        // Its withdrawal came first.
        guard var departure else { return }
        departure.keep(add)
        update(departure)
    }

    mutating func withdraw(_ dots: [Dot], _ origin: Catalog.Origin) {
        let last = dots.compactMap { add($0) }.max { ($0.clock, $0.dot) < ($1.clock, $1.dot) }
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

    /// - Returns: the facts that are not shown: the former ones, or these; `nil` where these are the first.
    mutating func read(_ facts: PhotoFacts, _ origin: Catalog.Origin) -> PhotoFacts? {
        let new = Reading(facts: facts, dot: origin.dot, clock: origin.clock)
        guard let known = reading?.value else {
            reading = .value(new)
            return nil
        }
        guard new.isShown(before: known) else { return facts }
        reading = .value(new)
        return known.facts
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
        update(&hasher, blob)
        return hasher.finalize()
    }

    /// A bounded number of bytes, whatever was said of the photo.
    func update(_ hasher: inout ManifestHasher, _ blob: BlobID) {
        hasher.update(blob)
        additions.adds.update(&hasher)
        hasher.update(name)
        if let reading = reading?.value { hasher.update(reading) }
        guard let words = rarities?.value.words else { return }
        hasher.update(raw: "words".utf8)
        hasher.update(words.caption)
        words.tags.adds.update(&hasher)
        words.favours.adds.update(&hasher)
        words.guestFavours.adds.update(&hasher)
        words.comments.adds.update(&hasher)
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
}
