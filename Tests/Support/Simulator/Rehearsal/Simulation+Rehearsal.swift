import AlbumModel
import SyncEngine
import WireFormat

/// Laptops that a test leads step by step: it adds them, joins them by cables and feeds them. Nothing takes time but what
/// engines wait for, nothing fails but what the test cuts or holds back, no dial succeeds, and no checker looks on.
extension Simulation {
    static func rehearsal() -> Simulation {
        var options = SimulationOptions(seed: 1)
        (options.laptopCount, options.delay, options.rate) = (0, 0, .infinity)
        (options.faults, options.lies, options.bulkCount, options.rulingCount) = ([:], [], 0, 0)
        (options.hasFirstVersion, options.usesP256) = (false, false)
        var simulation = Simulation(options: options, limits: EngineLimits())
        simulation.rehearsal = Rehearsal()
        (simulation.networkRandom.place, simulation.diskRandom.place) = (0, 0)
        return simulation
    }

    /// Adds a laptop with this disk, and starts its agent.
    mutating func add(
        _ signing: any BatchSigning, _ disk: SimulatedDisk, at address: PeerAddress, limits: EngineLimits
    ) throws(BatchRefusal) {
        let index = laptops.count
        let random = SeededRandom(seed: options.seed, stream: "laptop \(index)")
        var laptop = Laptop(index: index, signing: signing, limits: limits, random: random)
        laptop.disk = disk
        laptop.address = address
        try laptop.start(now: now, journal: nil)
        laptops.append(laptop)
        rehearsal?.laptops.append(Rehearsal.Laptop())
        network.reachability.add()
        // What a journal of another network names is known here, too.
        for album in laptop.engine?.catalog.albums.values.map(\.livePhotos) ?? [] {
            for (blob, photo) in album { photo.adds.first.map { know(blob, byteCount: $0.byteCount, nil) } }
        }
    }

    private mutating func know(_ blob: BlobID, byteCount: UInt64, _ list: PieceList?) {
        if contents[blob] == nil { contents[blob] = SimulatedBlob(blob, byteCount: byteCount, list) }
    }

    /// Plans an input, which comes before time goes on. What is contributed is on the disk, and what is lost is not.
    mutating func give(_ input: EngineInput, to index: Int) {
        switch input {
        case .contribute(_, .photo(_, let file)), .contribute(_, .photoInAlbum(_, let file)):
            know(file.blob, byteCount: file.byteCount, file.pieceList)
            laptops[index].disk.takeIn(file.blob)
        case .contribute(_, .photoFacts(_, _, let facts)):
            guard let thumbnail = facts.thumbnail else { break }
            know(thumbnail.blob, byteCount: UInt64(thumbnail.byteCount), nil)
            laptops[index].disk.takeIn(thumbnail.blob)
        case .blobCarried(let blob): laptops[index].disk.takeIn(blob)
        case .blobLost(let blob): laptops[index].disk.lose(blob)
        default: break
        }
        plan(.input(laptop: index, life: laptops[index].life, input), after: 0)
    }

    /// Joins two laptops by a cable, as if `first` had dialled.
    mutating func join(_ first: Int, _ second: Int) {
        let ends = join([first, second])
        let (dialler, acceptor) = (laptops[first], laptops[second])
        let key = PeerKey.device(acceptor.id.prefix)
        let peers = (admitted(second, at: first, provenUnder: nil), admitted(first, at: second, provenUnder: nil))
        give(.connected(ends[0].link, peers.0, address: acceptor.address, key: key), to: first)
        give(.connected(ends[1].link, peers.1, address: dialler.address, key: nil), to: second)
    }

    /// Pulls all cables of two laptops; both notice at once.
    mutating func cut(_ first: Int, _ second: Int) {
        for number in laptops[first].connections.values.sorted()
        where network.connections[number].ends.contains(where: { $0.laptop == second }) {
            for end in 0...1 { plan(.over(connection: number, end: end), after: 0) }
        }
    }

    /// Lets out what a laptop held back.
    mutating func release(_ index: Int) {
        laptops[index].uplink.release()
        fillLine(index)
    }

    /// Runs until nothing is left to do within so many seconds.
    mutating func settle(within seconds: Double) throws(SimulationFailure) {
        for _ in 0..<1000 {
            guard let next = events.nextTime, next <= now + seconds else { return }
            try advance(until: max(now, next))
        }
    }
}
