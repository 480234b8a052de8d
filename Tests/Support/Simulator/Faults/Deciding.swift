import AlbumModel
import SyncEngine

/// Somebody decides which originals of an album their laptop pulls, or asks for one photo whatever that says.
enum Policies {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        guard let index = simulation.anyRunning(&random) else { return }
        let albums = simulation.laptops[index].look { Set($0.catalog.albums.keys) } ?? []
        // Everybody would pull a thousand photos.
        guard let album = albums.subtracting([Simulation.bulkAlbum]).sorted().randomElement(using: &random) else {
            return
        }
        var policy = simulation.laptops[index].disk.fetching
        policy[album] = OriginalsPolicy.allCases.randomElement(using: &random)!
        let photos = simulation.laptops[index].look { $0.catalog.albums[album]?.livePhotos.map(\.key) ?? [] }
        if random.chance(0.3), let blob = photos?.sorted().randomElement(using: &random) {
            policy.asked.insert(PhotoKey(album: album, blob: blob))
        }
        try simulation.setPolicy(policy, index)
    }
}

/// Somebody does not want to see some photos on their laptop, or wants to again.
enum Hiding {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        guard let index = simulation.anyRunning(&random) else { return }
        let life = simulation.laptops[index].life
        if random.chance(0.4), let key = simulation.laptops[index].disk.hidden.sorted().randomElement(using: &random) {
            simulation.laptops[index].disk.hidden.remove(key)
            return try simulation.feed(index, life, .unhidden([key]))
        }
        let photos = simulation.laptops[index].look { engine in
            engine.catalog.albums.values.flatMap { album in
                album.livePhotos.map { PhotoKey(album: album.id, blob: $0.key) }
            }
        }
        let keys = (photos ?? []).sorted().shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
        guard !keys.isEmpty else { return }
        simulation.laptops[index].disk.hidden.formUnion(keys)
        try simulation.feed(index, life, .hidden(Array(keys)))
    }
}

/// Somebody pauses their laptop, it has room for little, or may take up a small part of its line.
enum Pause {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        let index = simulation.anyHonest(&random)
        let terms: PullTerms
        switch Int.random(in: 0..<3, using: &random) {
        case 0: terms = PullTerms(isPaused: true)
        case 1: terms = PullTerms(room: random.next() % 2_000_000)
        default: terms = PullTerms(byteRateMax: 50_000 + random.next() % 1_000_000)
        }
        try simulation.setTerms(terms, index)
        simulation.plan(.faultEnd(.terms(laptop: index)), after: random.seconds(in: 1...20))
    }
}

extension Simulation {
    mutating func setPolicy(_ policy: FetchPolicy, _ index: Int) throws(SimulationFailure) {
        laptops[index].disk.fetching = policy
        try feed(index, laptops[index].life, .fetchPolicy(policy))
    }

    mutating func setTerms(_ terms: PullTerms, _ index: Int) throws(SimulationFailure) {
        laptops[index].terms = terms
        try feed(index, laptops[index].life, .pullTerms(terms))
    }

    /// Once all is healed nobody pauses, and about half of the people take back what they decided; the agents go on.
    mutating func settleChoices() throws(SimulationFailure) {
        var random = SeededRandom(seed: options.seed, stream: "choices")
        for index in laptops.indices {
            if laptops[index].terms != PullTerms() { try setTerms(PullTerms(), index) }
            if random.chance(0.5) {
                let hidden = laptops[index].disk.hidden.sorted()
                laptops[index].disk.hidden = []
                if !hidden.isEmpty { try feed(index, laptops[index].life, .unhidden(hidden)) }
            }
            let bulk = laptops[index].disk.fetching[Self.bulkAlbum]
            if random.chance(0.5) { try setPolicy(FetchPolicy(albums: [Self.bulkAlbum: bulk]), index) }
        }
    }
}
