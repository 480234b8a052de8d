import AlbumModel
import SyncEngine

/// Many devices on a network on which nothing fails, of which only speed and effort are asked: all takes as long as it does
/// on average, one cable carries what a device sends and one what it receives, and no checker looks on.
extension Simulation {
    /// All have each other's first batches, as in a gathering that has met before, and no address of anybody. They come
    /// one after the other.
    init(_ scale: ScaleOptions) throws(SimulationFailure) {
        var options = SimulationOptions(seed: scale.seed)
        (options.laptopCount, options.delay, options.rate) = (scale.deviceCount, scale.delay, scale.rate)
        (options.faults, options.lies, options.bulkCount, options.rulingCount) = ([:], [], 0, 0)
        (options.hasFirstVersion, options.usesP256) = (false, false)
        var limits = EngineLimits()
        limits.summaryInterval = scale.summaryInterval
        self.init(options: options, limits: limits)
        measures = ScaleMeasures(deviceCount: scale.deviceCount)
        (networkRandom.place, diskRandom.place) = (0.5, 0.5)
        network.hasMulticast = scale.joining == .multicast
        try meet()
        planJoining(scale)
    }

    /// Every device names itself: its replica begins, and its key is known to all.
    private mutating func meet() throws(SimulationFailure) {
        var common = SimulatedDisk()
        var replicas: [ReplicaID?] = []
        for index in laptops.indices {
            var author = Engine(
                signing: laptops[index].signing, journal: JournalFold(), held: [], holdings: HoldingsBook(),
                replica: nil, run: laptops[index].random.bytes(16), port: laptops[index].address.port)
            let said = author.handle(
                .contribute(token: 0, .deviceName(Self.name(of: index))), now: now, wall: wall(index),
                using: &laptops[index].random)
            for case .store(let batches, let replica) in said {
                for batch in batches { common.append(batch, received: batch.received) }
                replicas.append(replica)
            }
        }
        for index in laptops.indices {
            laptops[index].disk = common
            laptops[index].disk.goOn(as: replicas[index])
        }
        do {
            firstJournal = try common.fold()
        } catch {
            throw SimulationFailure(.damagedJournal, "first batches cannot be read: \(error)")
        }
    }

    private mutating func planJoining(_ scale: ScaleOptions) {
        for index in laptops.indices {
            let seconds = scale.joinSeconds * Double(index) / Double(max(1, laptops.count - 1))
            plan(.restart(laptop: index), after: seconds)
            var known: [Int] = []
            switch scale.joining {
            case .hub: known = index > 0 ? [0] : []
            case .invited: known = (0..<min(2, index)).map { _ in Int.random(in: 0..<index, using: &peopleRandom) }
            case .multicast: break
            }
            for other in known {
                let address = laptops[other].address
                let input = EngineInput.learned(.fixed(address), [address], .fixed)
                plan(.input(laptop: index, life: 1, input), after: seconds)
            }
        }
    }

    /// A photo is dropped on a device.
    mutating func drop(byteCount: UInt64, on index: Int) throws(SimulationFailure) -> BlobID {
        let blob = SimulatedBlob(content: nextToken, byteCount: byteCount)
        let file = takeIn(blob, called: "\(nextToken).jpeg", index)
        try contribute(.photo(albumName: "Reunion", file), index)
        return blob.id
    }

    var awake: [Bool] { laptops.map(\.isAwake) }

    // MARK: Sleep

    /// A laptop is closed: its agent notices nothing until it is opened again, some seconds later.
    /// - Parameter isTold: its connections are ended; otherwise it is only missed.
    mutating func sleep(_ index: Int, for seconds: Double, isTold: Bool) {
        if isTold { endAll(index) }
        laptops[index].wakesAt = now + seconds
        plan(.faultEnd(.sleep(laptop: index)), after: seconds)
    }

    /// The connections that it had are found broken.
    mutating func wake(_ index: Int) throws(SimulationFailure) {
        laptops[index].wakesAt = nil
        endAll(index)
        forgetDeadline(index)
        try feed(index, laptops[index].life, .deadlineReached)
    }

    private mutating func endAll(_ index: Int) {
        for link in laptops[index].connections.keys.sorted() { end(link, of: index) }
    }

    /// The laptop that does by itself what happens: while it sleeps that waits.
    func doer(of event: Event) -> Int? {
        switch event {
        case .input(let laptop, _, _), .written(let laptop, _, _), .lineFree(let laptop, _), .announce(let laptop),
            .admission(let laptop, _, _, _):
            laptop
        case .admitted(let connection, _, _): network.connections[connection].ends[0].laptop
        default: nil
        }
    }
}
