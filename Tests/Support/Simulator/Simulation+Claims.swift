import AlbumModel
import SyncEngine
import WireFormat

/// After every event: what an honest laptop would tell its person about copies elsewhere is looked at where it may have
/// changed, and everything of it now and then.
extension Simulation {
    mutating func checkClaims(
        _ index: Int, after input: EngineInput, _ origin: Origin?, _ directives: [EngineDirective]
    ) throws(SimulationFailure) {
        guard laptops[index].isHonest else { return }
        if let number = laptops[index].look({ $0.holdings.summary(of: $0.device)?.number }) ?? nil {
            watch.claims.noteOwnSummary(number, laptops[index].id, of: index, now: now)
        }
        for directive in directives {
            guard case .notify(let event) = directive else { continue }
            switch event {
            case .peerLost(let device): watch.claims.disconnected(device, at: index)
            case .catalogChanged(let difference): try catalogChanged(difference, index)
            default: break
            }
        }
        if case .received(_, let message) = input, let origin { try stated(message, origin, index) }
        if let isThorough = watch.claims.roundIsThorough(index) {
            try checkAllClaims(index, isThorough: isThorough)
        }
    }

    private mutating func catalogChanged(_ difference: CatalogDifference, _ index: Int) throws(SimulationFailure) {
        if !difference.devices.isEmpty {
            watch.claims.followLineage(laptops[index])
            try checkDevices(index)
        }
        guard !difference.photos.isEmpty, let copies = copies(index) else { return }
        let blobs = Set(difference.photos.map(\.blob))
        try watch.claims.check(blobs, copies, at: laptops[index], laptops)
    }

    private mutating func stated(_ message: Message, _ origin: Origin, _ index: Int) throws(SimulationFailure) {
        switch message {
        case .presence, .presenceChanged:
            let isConnected = laptops[index].look { $0.connectedDevices.contains(origin.device) } ?? false
            let isKnown = laptops[index].look { $0.holdings.saidAt(origin.device) != nil } ?? false
            if isConnected { watch.claims.spoke(origin.device, to: index, isKnown: isKnown, now: now) }
        default: break
        }
        switch message {
        case .hello: try checkDevices(index)
        case .presence(_, let counter):
            guard noteStatement(origin, counter, [], index), let copies = copies(index) else { return }
            try watch.claims.check(laptops[index].disk.blobs, on: origin.device, copies, at: laptops[index], laptops)
        case .presenceChanged(let change):
            // A part of a long change is not all that the device had to say.
            guard change.held.count + change.lost.count < WireLimits.heldCountMax else { return }
            guard noteStatement(origin, change.counter, change.lost, index) else { return }
            let suspects = watch.claims.suspects(origin.device, said: change.held)
            guard !suspects.isEmpty, let copies = copies(index) else { return }
            try watch.claims.check(suspects, on: origin.device, copies, at: laptops[index], laptops)
        case .summaries, .summaryDifferences:
            let devices = watch.claims.noteSummaries(
                at: &laptops[index],
                troubled: Set(laptops.indices.filter { laptops[$0].troubledUntil.nanoseconds > 0 }))
            guard !devices.isEmpty, let copies = copies(index) else { return }
            for device in devices {
                try watch.claims.check(laptops[index].disk.blobs, on: device, copies, at: laptops[index], laptops)
            }
            try checkDevices(index)
        default: break
        }
    }

    /// - Returns: whether the engine took the statement in.
    private mutating func noteStatement(
        _ origin: Origin, _ counter: UInt64, _ losses: [BlobID], _ index: Int
    ) -> Bool {
        guard laptops[origin.laptop].isHonest else { return false }
        let position = laptops[index].look { $0.holdings.position(of: origin.device) } ?? nil
        guard position == PresencePosition(run: origin.run, counter: counter) else { return false }
        let isLoss = laptops[index].look { engine in losses.contains { engine.catalog.contains($0) } } ?? false
        watch.claims.noteStatement(origin, at: &laptops[index], withLosses: isLoss, now: now)
        return true
    }

    private func copies(_ index: Int) -> Copies? {
        let wall = wall(index)
        return laptops[index].look { $0.copies(wall: wall) }
    }

    private func checkDevices(_ index: Int) throws(SimulationFailure) {
        guard let copies = copies(index) else { return }
        let liars = Set(laptops.filter { !$0.isHonest }.map(\.id))
        try watch.claims.checkDevices(
            copies, laptops[index], isLiar: { liars.contains($0) }, wall: wall(index))
    }

    /// Everything that a laptop counts.
    ///
    /// - Parameter isThorough: by each of the questions that its shell asks.
    func checkAllClaims(_ index: Int, isThorough: Bool) throws(SimulationFailure) {
        guard let copies = copies(index) else { return }
        try checkDevices(index)
        let blobs = Array(laptops[index].disk.blobs)
        try watch.claims.check(blobs, copies, at: laptops[index], laptops)
        guard isThorough else { return }
        let wall = wall(index)
        let counts = copies.counts(of: blobs).photos
        for (blob, count) in zip(blobs, counts) {
            let isElsewhere = laptops[index].look { $0.isElsewhere(blob, wall: wall) }
            guard count == copies.holders(of: blob).count, isElsewhere == (count > 0) else {
                let sentence = "laptop \(index) comes to different answers about \(blob.hex.prefix(8))"
                throw SimulationFailure(.falseCopy, sentence)
            }
        }
    }
}
