import AlbumModel
import SyncEngine

/// Agents come up and go down; laptops join, and become other devices.
extension Simulation {
    /// - Parameter key: `nil` for a device of its own.
    /// - Returns: the laptop's index.
    @discardableResult
    mutating func addLaptop(key: (any BatchSigning)?) -> Int {
        let index = laptops.count
        var random = SeededRandom(seed: options.seed, stream: "laptop \(index)")
        let signing = key ?? Keys.pair(random.bytes(32), options)
        laptops.append(Laptop(index: index, signing: signing, limits: limits, random: random))
        network.reachability.add()
        return index
    }

    mutating func start(_ index: Int) throws(SimulationFailure) {
        do {
            try laptops[index].start(now: now, journal: firstJournal)
        } catch {
            throw SimulationFailure(.damagedJournal, "laptop \(index) cannot read its journal: \(error)")
        }
        if isWatched {
            laptops[index].learned = LearnedThings(laptops[index].disk, now: now)
            watch.claims.started(laptops[index])
            if laptops[index].isHonest { try checkAllClaims(index, isThorough: true) }
        }
        laptops[index].noteOut()
        forgetDeadline(index)
        let life = laptops[index].life
        for (device, addresses) in laptops[index].disk.remembered.sorted(by: { $0.key < $1.key }) {
            try feed(index, life, .learned(.device(device.prefix), addresses, .inbound))
        }
        try feed(index, life, .ownAddresses([laptops[index].address]))
        if laptops[index].terms != PullTerms() { try feed(index, life, .pullTerms(laptops[index].terms)) }
        try feed(index, life, .contribute(token: 0, .deviceName(Self.name(of: index))))
        events.plan(.announce(laptop: index), at: now + networkRandom.seconds(in: 0.1...1.5))
    }

    static func name(of index: Int) -> String { "Laptop \(index)" }

    mutating func restart(_ index: Int) throws(SimulationFailure) {
        guard !laptops[index].isRunning, laptops[index].awayUntil.map({ $0 <= now }) ?? true else { return }
        try start(index)
    }

    /// The agent dies at once. What its disk was about to finish may have been finished, or not; what was not synced
    /// is partly gone. A laptop that is down stays down for longer.
    mutating func crash(_ index: Int, away: Double, _ random: inout SeededRandom) throws(SimulationFailure) {
        stayAway(index, away)
        guard laptops[index].isRunning else { return }
        for (_, number) in laptops[index].connections.sorted(by: { $0.key < $1.key }) {
            let end = network.connections[number].index(of: index)
            network.connections[number].isOver[end] = true
            network.connections[number].directions[end].lose(from: now + options.delay)
            // The kernel resets the connection, or the machine is gone and nobody says so.
            guard random.chance(0.5) else { continue }
            events.plan(.over(connection: number, end: 1 - end), at: now + options.delay)
        }
        for number in laptops[index].pendingWrites.keys.sorted() where random.chance(0.5) {
            _ = try finish(laptops[index].pendingWrites[number]!, index)
        }
        goDown(index)
        laptops[index].disk.crash(using: &random)
    }

    /// The agent is stopped: it finishes what it writes, and keeps what it knows of what others hold.
    mutating func stop(_ index: Int, away: Double) throws(SimulationFailure) {
        stayAway(index, away)
        guard laptops[index].isRunning else { return }
        for (link, number) in laptops[index].connections.sorted(by: { $0.key < $1.key }) {
            end(link, of: index)
            network.connections[number].isOver[network.connections[number].index(of: index)] = true
        }
        for number in laptops[index].pendingWrites.keys.sorted() {
            _ = try finish(laptops[index].pendingWrites[number]!, index)
        }
        if !laptops[index].isDiskFull, !laptops[index].failsCommits {
            let devices = laptops[index].look { $0.holdings.devices } ?? []
            laptops[index].disk.holdings.merge(laptops[index].holdings(of: devices)) { $1 }
        }
        goDown(index)
    }

    private mutating func stayAway(_ index: Int, _ seconds: Double) {
        let until = now + seconds
        laptops[index].awayUntil = max(laptops[index].awayUntil ?? until, until)
        events.plan(.restart(laptop: index), at: laptops[index].awayUntil!)
    }

    private mutating func goDown(_ index: Int) {
        watch.claims.ended(&laptops[index], now: now)
        laptops[index].stop()
        oracle.crashed(index)
    }

    // MARK: Other devices

    /// A laptop whose agent is down gets another key.
    ///
    /// - Parameter knowsFormer: the former key's word goes with it.
    mutating func rekey(_ index: Int, _ key: any BatchSigning, knowsFormer: Bool) {
        let (former, signing) = (laptops[index].id, laptops[index].knownSigning)
        let lives = laptops[index].lives
        laptops[index].signing = knowsFormer ? SuccessorSigning(key, goingOnFrom: signing) : key
        guard laptops[index].id != former else { return }
        if !knowsFormer { laptops[index].forgottenLives.formUnion(lives) }
        watch.claims.gone(laptops[index].disk.blobs, former, from: index, now: now)
    }

    /// What a disk has no longer that it had.
    mutating func noteLosses(_ index: Int, since before: SimulatedDisk) {
        let lost = before.blobs.subtracting(laptops[index].disk.blobs)
        watch.claims.gone(lost, laptops[index].id, from: index, now: now)
    }

    /// Takes note of batches that were in the journal of a laptop and are in none now.
    mutating func journalChanged(from before: [SimulatedDisk.Row]) {
        let honest = honest
        rulingLedger.forget(allBut: Set(honest.flatMap(\.disk.rulings.keys)))
        for row in before where !honest.contains(where: { $0.disk.contains(row.id) }) {
            oracle.lost(row.signed)
            watch.leftOut.lost(row.id)
        }
    }
}
