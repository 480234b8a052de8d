import AlbumModel
import SyncEngine

/// What one laptop knows, holds and was told, another one knows soon over a link that nothing hinders. Looked at once a
/// virtual second, for each link in each direction.
extension Simulation {
    static let lookInterval = 1.0
    /// A link over which nothing comes is given up within this time, in seconds: what came last may count when the next
    /// ping is due, 2.5 s later, and 8.5 s of silence follow.
    private static let silenceMax = 11.5
    /// A laptop with a link compares with somebody what both know within this time, in seconds.
    private static let comparingMax = 33.0
    /// A request for what is here is answered within this time, in seconds.
    private static let answeringMax = 1.0

    /// What a few pages take on the slowest line.
    private var paging: Double { 300_000 / options.rate }

    /// Batches that are only announced are asked for after a while, of one after the other.
    private var fetching: Double { (options.bulkCount > 0 ? 5 : 2.5) + 20 * options.delay + paging }

    /// Batches that are pushed come as soon as disks and cables allow.
    private var pushing: Double { 0.22 + 8 * options.delay + paging }

    private var stating: Double { 1.2 + 8 * options.delay + paging }

    mutating func look() throws(SimulationFailure) {
        plan(.look, after: Self.lookInterval)
        for index in laptops.indices where laptops[index].isHonest && laptops[index].isRunning {
            noteNumbers(index)
        }
        for index in laptops.indices where laptops[index].isHonest && laptops[index].isRunning {
            try watch.claims.checkRemembered(laptops[index], now: now)
            var hasOldLink = false
            for (_, number) in laptops[index].connections.sorted(by: { $0.key < $1.key }) {
                try look(index, number, &hasOldLink)
            }
            if hasOldLink, laptops[index].learned.comparedAt + Self.comparingMax < now {
                let sentence = "laptop \(index) compares with nobody what it knows"
                throw SimulationFailure(.lateNews, sentence)
            }
        }
        try watch.requests.check(self, patience: Self.answeringMax)
    }

    /// - Parameter end: of the laptop whose news the other one is to have.
    private mutating func look(_ index: Int, _ number: Int, _ hasOldLink: inout Bool) throws(SimulationFailure) {
        let connection = network.connections[number]
        let end = connection.index(of: index)
        let other = connection.ends[1 - end].laptop
        if let lost = connection.directions[1 - end].lostFrom {
            guard max(lost, connection.stalledUntil) + Self.silenceMax < now, !connection.isOver[end] else { return }
            throw SimulationFailure(.deadLink, "laptop \(index) keeps a link over which nothing comes")
        }
        guard laptops[other].isHonest, laptops[other].isRunning, isSound(number), connection.stalledUntil <= now,
            let ready = connection.views[end].readyAt
        else { return }
        if ready + Self.comparingMax < now { hasOldLink = true }
        let calm = max(connection.stalledUntil, laptops[index].troubledUntil, laptops[other].troubledUntil)
        try lookAtBatches(index, number, end, since: max(calm, ready), isPushed: calm <= now)
        if let stated = connection.views[end].statedAt {
            try lookAtBlobs(index, number, end, since: max(calm, stated))
        }
        // Summaries go along the tree alone.
        if let eager = connection.views[end].eagerSince {
            try lookAtSummaries(from: index, to: other, since: max(calm, ready, eager))
        }
    }

    func isSound(_ number: Int) -> Bool {
        let connection = network.connections[number]
        return connection.isOpen && connection.directions.allSatisfy { $0.lostFrom == nil }
            && zip(connection.ends, connection.views).allSatisfy { end, view in
                laptops[end.laptop].connections[end.link] == number && !view.isClosed
            }
    }

    private mutating func lookAtBatches(
        _ index: Int, _ number: Int, _ end: Int, since: MonotonicInstant, isPushed: Bool
    ) throws(SimulationFailure) {
        let view = network.connections[number].views[end]
        let other = network.connections[number].ends[1 - end].laptop
        var count = view.batchCount
        defer { network.connections[number].views[end].batchCount = count }
        while count < laptops[index].learned.batches.count {
            let learned = laptops[index].learned.batches[count]
            guard max(learned.at, since) + fetching <= now else { return }
            count += 1
            // What two laptops added to one replica they learn of each other step by step.
            if watch.sequences.isForkable(learned.replica) { continue }
            // Nobody is told of its own batches, which it lost or a copy of its home made, but when it connects.
            let author = laptops[index].look { $0.log.author(of: learned.replica) } ?? nil
            if author == laptops[other].id { continue }
            guard let came = laptops[other].learned.batchAt[learned.id] else {
                let sentence = "laptop \(other) has not heard what laptop \(index) knows, over a link in peace"
                throw SimulationFailure(.lateNews, sentence)
            }
            guard isPushed, options.bulkCount == 0, let eager = view.eagerSince,
                max(eager, since) <= learned.at, learned.at + pushing < came
            else { continue }
            let seconds = came.seconds(since: learned.at)
            let sentence = "laptop \(other) heard after \(seconds) s of \(learned.id.hex.prefix(8))"
            throw SimulationFailure(.lateNews, sentence + ", which laptop \(index) knew, over an eager link")
        }
    }

    private mutating func lookAtBlobs(
        _ index: Int, _ number: Int, _ end: Int, since: MonotonicInstant
    ) throws(SimulationFailure) {
        let other = network.connections[number].ends[1 - end].laptop
        var count = network.connections[number].views[end].blobCount
        let blobs = laptops[index].learned.blobs
        guard count < blobs.count, max(blobs[count].at, since) + stating <= now else { return }
        defer { network.connections[number].views[end].blobCount = count }
        let device = laptops[index].id
        // Of several agents with one key nobody can tell which one spoke.
        let isAlone = laptops.filter { $0.id == device }.count == 1 && !laptops[index].mayFork
        let wall = wall(other)
        guard isAlone, let copies = laptops[other].look({ $0.copies(wall: wall) }) else {
            count = blobs.count
            return
        }
        while count < blobs.count, max(blobs[count].at, since) + stating <= now {
            let blob = blobs[count].blob
            // What was lost and came again counts from then on.
            let isHeld =
                laptops[index].learned.blobAt[blob] == blobs[count].at && laptops[index].disk.blobs.contains(blob)
                && laptops[index].look { $0.held.contains(blob) } == true
            let isPhoto = laptops[other].look { !$0.catalog.liveAlbums(of: blob).isEmpty } == true
            if isHeld, isPhoto, !copies.holders(of: blob).contains(device),
                !watch.claims.isDenied(blob, by: device, to: other)
            {
                // What proves it may be on its way.
                let vector = laptops[index].look { $0.log.vector }
                guard vector == laptops[other].look({ $0.log.vector }) else { return }
                let sentence = "laptop \(other) does not count \(blob.hex.prefix(8)) on laptop \(index)"
                throw SimulationFailure(.uncountedCopy, sentence + ", over a link in peace")
            }
            count += 1
        }
    }

    private mutating func noteNumbers(_ index: Int) {
        // Of many laptops the tree changes all the time.
        guard laptops.count <= 7 else { return }
        let numbers = laptops[index].look { engine in
            engine.holdings.devices.reduce(into: [DeviceID: UInt64]()) { numbers, device in
                numbers[device] = engine.holdings.summary(of: device)?.number
            }
        }
        laptops[index].learned.numbers.append((now, numbers ?? [:]))
        if laptops[index].learned.numbers.count > 10 { laptops[index].learned.numbers.removeFirst() }
    }

    private func lookAtSummaries(
        from index: Int, to other: Int, since: MonotonicInstant
    ) throws(SimulationFailure) {
        guard laptops.count <= 7, !options.lies.contains(.summaries), !laptops.contains(where: \.mayFork) else {
            return
        }
        let told = laptops[index].learned.numbers.last { $0.at + fetching <= now && since <= $0.at }
        guard let told, let known = laptops[other].learned.numbers.last?.numbers else { return }
        // What was known when the link came into the tree is told when they compare again, and so is what nobody believes
        // whose key is not known.
        let first = laptops[index].learned.numbers.first { since <= $0.at }?.numbers ?? [:]
        let before = laptops[other].learned.numbers.last { $0.at <= told.at }?.numbers ?? [:]
        for (device, number) in told.numbers where device != laptops[other].id && known[device] ?? 0 < number {
            guard before[device] != nil, first[device] ?? 0 < number,
                laptops.contains(where: { $0.id == device && $0.isHonest })
            else { continue }
            let sentence = "laptop \(other) has not heard what \(device.hex.prefix(8)) signed, and laptop \(index) has"
            throw SimulationFailure(.lateNews, sentence)
        }
    }
}
