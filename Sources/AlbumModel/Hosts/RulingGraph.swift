/// Rulings, and what each of them follows. A ruling joins after all that it follows.
public struct RulingGraph: Hashable, Sendable {
    struct Node: Hashable, Sendable {
        let id: RulingID
        let ruling: Ruling
        /// One more than the greatest height of what it follows; 0 of a founding.
        let height: Int
        /// What it follows, directly or not; never itself.
        let followed: PlaceSet
    }

    /// In the order in which they joined.
    private(set) var nodes: [Node] = []
    private var places: [RulingID: Int] = [:]
    /// By author.
    private(set) var authored: [DeviceID: PlaceSet] = [:]
    /// Namings of hosts, by the named device.
    private(set) var namings: [DeviceID: PlaceSet] = [:]
    private var notNewest = PlaceSet()
    /// Those that some other author's ruling follows.
    private var followedByOthers = PlaceSet()

    public init() {}

    /// All of these that lead to one founding, that of the smallest ID: by height, and then by ID.
    public init(_ rulings: [RulingID: Ruling]) {
        let foundings = rulings.filter { $0.value.founding != nil && $0.value.after.isEmpty }
        guard let founding = foundings.keys.min() else { return }
        var followers: [RulingID: [RulingID]] = [:]
        var missing: [RulingID: Int] = [:]
        for (id, ruling) in rulings where !ruling.after.isEmpty && ruling.founding == nil {
            let after = Set(ruling.after)
            missing[id] = after.count
            for followed in after { followers[followed, default: []].append(id) }
        }
        var next = [founding]
        while !next.isEmpty {
            // All of one height: what they follow has joined.
            for id in next.sorted() { append(rulings[id]!, id: id) }
            var higher: [RulingID] = []
            for follower in next.flatMap({ followers[$0] ?? [] }) {
                missing[follower]! -= 1
                if missing[follower] == 0 { higher.append(follower) }
            }
            next = higher
        }
    }

    public var count: Int { nodes.count }

    /// In the order in which they joined.
    public var ids: [RulingID] { nodes.map(\.id) }

    /// Whether some ruling of the author names the device host, valid or not.
    public func isNamed(_ device: DeviceID, by author: DeviceID) -> Bool {
        namings[device]?.places.contains { nodes[$0].ruling.author == author } ?? false
    }

    public func contains(_ id: RulingID) -> Bool { places[id] != nil }

    public subscript(id: RulingID) -> Ruling? { places[id].map { nodes[$0].ruling } }

    /// The founding; `nil` without rulings.
    public var founding: RulingID? { nodes.first?.id }

    /// Those that no other one follows, sorted.
    public var newest: [RulingID] { nodes.indices.filter { !notNewest.contains($0) }.map { nodes[$0].id }.sorted() }

    /// Whether the first ruling follows the second, directly or not. Both must be here.
    public func follows(_ later: RulingID, _ earlier: RulingID) -> Bool {
        follows(places[later]!, places[earlier]!)
    }

    func follows(_ later: Int, _ earlier: Int) -> Bool { nodes[later].followed.contains(earlier) }

    /// Rulings of a device that no other author's ruling follows.
    public func unfollowedCount(by author: DeviceID) -> Int {
        authored[author]?.subtracting(followedByOthers).count ?? 0
    }

    /// Whether a ruling that follows these may be a device's: it is the founder, the recovery key, or named host by
    /// something that they follow.
    public func isEntitled(_ author: DeviceID, after: [RulingID]) -> Bool {
        guard let first = nodes.first?.ruling else { return false }
        if author == first.author || author == first.founding?.recoveryDevice { return true }
        var known = PlaceSet()
        for id in after { if let place = places[id] { known.formUnion(withItself(place)) } }
        return namings[author]?.intersects(known) ?? false
    }

    /// The first naming of a host; `nil` for whom nobody named.
    public func naming(of host: DeviceID) -> RulingID? { namings[host]?.places.first.map { nodes[$0].id } }

    /// Adds a ruling; all that it follows must be here.
    public mutating func append(_ ruling: Ruling, id: RulingID) {
        var followed = PlaceSet()
        var height = 0
        for earlier in ruling.after.map({ places[$0]! }) {
            followed.formUnion(withItself(earlier))
            height = max(height, nodes[earlier].height + 1)
        }
        let place = nodes.count
        nodes.append(Node(id: id, ruling: ruling, height: height, followed: followed))
        places[id] = place
        authored[ruling.author, default: PlaceSet()].insert(place)
        if case .host(let device, _) = ruling.kind { namings[device, default: PlaceSet()].insert(place) }
        notNewest.formUnion(followed)
        followedByOthers.formUnion(followed.subtracting(authored[ruling.author]!))
    }

    private func withItself(_ place: Int) -> PlaceSet {
        var all = nodes[place].followed
        all.insert(place)
        return all
    }

    func place(of id: RulingID) -> Int? { places[id] }
}

extension Ruling.Founding {
    /// The author of rulings by the recovery key; no laptop.
    public var recoveryDevice: DeviceID { Ruling.device(of: recoveryKey) }
}
