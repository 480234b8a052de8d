/// What a page offers to filter by, with how many photos each choice leaves: `GET /albums/{album}/filters`.
public struct FilterChoices: Codable, Hashable, Sendable {
    public struct Choice: Codable, Hashable, Sendable {
        public var name: String
        public var count: Int

        public init(name: String, count: Int) {
            self.name = name
            self.count = count
        }
    }

    /// Choices of each list; a page with more would be no help.
    static let countMax = 500

    /// Each list has the most frequent choice first.
    public var people: [Choice]
    public var tags: [Choice]
    public var cameras: [Choice]
    /// The names are those of ``GalleryFilter/Kind``; without those that nothing is.
    public var types: [Choice]

    public init(_ photos: some Sequence<GalleryPhoto>) {
        var (people, tags, cameras) = (Tally(), Tally(), Tally())
        var kinds: [GridEntry.Kind: Int] = [:]
        for photo in photos {
            people.add(photo.people, photo.foldedPeople)
            tags.add(photo.tags, photo.foldedTags)
            if !photo.camera.isEmpty { cameras.add([photo.camera], [photo.foldedCamera]) }
            kinds[photo.entry.kind, default: 0] += 1
        }
        self.people = people.choices
        self.tags = tags.choices
        self.cameras = cameras.choices
        types = GalleryFilter.Kind.allCases.compactMap { kind in
            let count = kinds.reduce(0) { $0 + (kind.contains($1.key) ? $1.value : 0) }
            return count == 0 ? nil : Choice(name: kind.rawValue, count: count)
        }
    }

    /// Counts names that people would call the same, under the spelling that came first.
    private struct Tally {
        private var byKey: [String: Choice] = [:]

        mutating func add(_ names: [String], _ folded: [String]) {
            // One photo counts once for a name that it has in two spellings.
            for (index, key) in folded.enumerated() where !folded[..<index].contains(key) {
                byKey[key, default: Choice(name: names[index], count: 0)].count += 1
            }
        }

        var choices: [Choice] {
            let sorted = byKey.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
            return Array(sorted.map(\.value).prefix(FilterChoices.countMax))
        }
    }
}
