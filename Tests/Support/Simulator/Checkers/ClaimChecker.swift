import AlbumModel
import SyncEngine

/// What laptops count as copies elsewhere, held against the disks.
///
/// A copy on a device may be counted if another laptop that is that device holds the blob, or held it at some time since
/// it made the last statement that is known at the counting one. Disks lose things: nobody can know of that at once. What
/// a liar says of its own disk is its own affair.
struct ClaimChecker {
    /// A laptop while it is a device: homes that are copied or moved make several of one.
    private struct Place: Hashable {
        var device: DeviceID
        var laptop: Int
    }

    private struct Denial: Hashable {
        var place: Place
        var blob: BlobID
    }

    private struct Summary: Hashable {
        var device: DeviceID
        var number: UInt64
    }

    /// A loss becomes known to its own agent, and is told to others, within this time, in seconds.
    private static let tellingMax = 0.1
    /// A record that is to be kept is written within this time, in seconds.
    private static let writingMax = 0.1
    /// What others hold is written within this time, in seconds.
    private static let rememberingMax = 12.0
    /// As long as this a copy counts on a word, in microseconds …
    private static let ageMax: UInt64 = 7 * 24 * 3600 * 1_000_000
    /// … and this far from the future it may come.
    private static let aheadMax: UInt64 = 24 * 3600 * 1_000_000
    /// So often everything is looked at that a laptop counts, in its inputs …
    private static let roundInterval = 250
    /// … and at so many of these times by each of the questions.
    private static let thoroughInterval = 8

    /// Until when blobs were there that are gone.
    private var lost: [Place: [BlobID: MonotonicInstant]] = [:]
    /// When each summary was signed, and by which laptop.
    private var summaries: [Summary: (laptop: Int, at: MonotonicInstant)] = [:]
    /// What was denied, by a laptop to a device's place, and not brought since.
    private var denials: Set<Denial> = []
    /// When what had been denied was brought: word of that is written as late as anything else that is no loss.
    private var retractions: [Denial: MonotonicInstant] = [:]
    private var runs: [Int: Run] = [:]

    /// What happened in the present run of a laptop's agent.
    private struct Run {
        var inputCount = 0
        /// Numbers of the summaries that are known, as of the last look.
        var numbers: [DeviceID: UInt64] = [:]
        /// Devices that spoke of what they hold over a connection that is not over.
        var present: Set<DeviceID> = []
        /// Devices that spoke in this run, and from which nobody is known to have gone on since.
        var heard: Set<DeviceID> = []
        /// When devices first spoke in this run, and something was known of what they hold.
        var firstHeard: [DeviceID: MonotonicInstant] = [:]
        var formers: Set<DeviceID> = []
        /// Statements of losses, which must be durable soon after they came.
        var losses: [(device: DeviceID, laptop: Int, madeAt: MonotonicInstant, cameAt: MonotonicInstant)] = []
    }

    // MARK: What happens

    mutating func started(_ laptop: Laptop) {
        var run = Run()
        run.formers = laptop.look { $0.catalog.formerDevices } ?? []
        for device in laptop.look({ $0.holdings.devices }) ?? [] {
            run.numbers[device] = laptop.look { $0.holdings.summary(of: device)?.number } ?? nil
        }
        runs[laptop.index] = run
        let retracted = retractions.keys.filter { $0.place.laptop == laptop.index }
        for denial in retracted {
            retractions[denial] = nil
            let record = laptop.disk.holdings[denial.place.device]?.record
            if record?.denied.contains(denial.blob) == true { denials.insert(denial) }
        }
    }

    /// The agent goes down: what it was told of losses is on its disk by now, whatever else is not. That it got what had
    /// been denied it may forget if that was lately.
    mutating func ended(_ laptop: inout Laptop, now: MonotonicInstant) {
        let canWrite = !laptop.isDiskFull && !laptop.failsCommits
        for loss in runs[laptop.index]?.losses ?? [] where canWrite && loss.cameAt + Self.writingMax <= now {
            guard var remembered = laptop.disk.holdings[loss.device] else { continue }
            let before = remembered.statements[loss.laptop] ?? loss.madeAt
            remembered.statements[loss.laptop] = max(before, loss.madeAt)
            laptop.disk.holdings[loss.device] = remembered
        }
        runs[laptop.index] = nil
        let troubledUntil = laptop.troubledUntil
        for (denial, at) in retractions where denial.place.laptop == laptop.index {
            if max(at, troubledUntil) + Self.rememberingMax < now { retractions[denial] = nil }
        }
    }

    /// A disk has a blob no longer, and its agent does not know that yet.
    mutating func lost(_ blob: BlobID, from laptop: Laptop, now: MonotonicInstant) {
        lost[Place(device: laptop.id, laptop: laptop.index), default: [:]][blob] = now + Self.tellingMax
    }

    /// Blobs are gone from a laptop whose agent is down, or are another device's now.
    mutating func gone(_ blobs: Set<BlobID>, _ device: DeviceID, from laptop: Int, now: MonotonicInstant) {
        for blob in blobs { lost[Place(device: device, laptop: laptop), default: [:]][blob] = now }
    }

    mutating func refused(_ blob: BlobID, by device: DeviceID, to laptop: Int) {
        denials.insert(Denial(place: Place(device: device, laptop: laptop), blob: blob))
    }

    /// A home was copied, and what was denied to it with it.
    mutating func copied(from laptop: Int, to copy: Int) {
        for denial in denials where denial.place.laptop == laptop {
            let place = Place(device: denial.place.device, laptop: copy)
            denials.insert(Denial(place: place, blob: denial.blob))
        }
    }

    mutating func brought(_ blob: BlobID, by device: DeviceID, to laptop: Int, now: MonotonicInstant) {
        let denial = Denial(place: Place(device: device, laptop: laptop), blob: blob)
        if denials.remove(denial) != nil { retractions[denial] = now }
    }

    /// Whether a device denied a blob to a laptop, and did not bring it since.
    func isDenied(_ blob: BlobID, by device: DeviceID, to laptop: Int) -> Bool {
        denials.contains(Denial(place: Place(device: device, laptop: laptop), blob: blob))
    }

    // MARK: What is known

    /// - Returns: whether everything is to be looked at, and whether by each question; `nil` for nothing.
    mutating func roundIsThorough(_ laptop: Int) -> Bool? {
        runs[laptop, default: Run()].inputCount += 1
        let count = runs[laptop]!.inputCount
        guard count % Self.roundInterval == 0 else { return nil }
        return count % (Self.roundInterval * Self.thoroughInterval) == 0
    }

    /// The laptop may have signed a summary.
    ///
    /// - Parameter number: of the newest one of its device.
    mutating func noteOwnSummary(_ number: UInt64, _ device: DeviceID, of laptop: Int, now: MonotonicInstant) {
        guard runs[laptop]?.numbers[device] != number else { return }
        runs[laptop]?.numbers[device] = number
        let summary = Summary(device: device, number: number)
        if summaries[summary] == nil { summaries[summary] = (laptop, now) }
    }

    /// A connected device says something about what it holds, whatever becomes of it.
    ///
    /// - Parameter isKnown: whether anything is known now of what it holds. What comes over a link that was just closed is
    ///   passed over.
    mutating func spoke(_ device: DeviceID, to laptop: Int, isKnown: Bool, now: MonotonicInstant) {
        if isKnown, runs[laptop]?.firstHeard[device] == nil { runs[laptop]?.firstHeard[device] = now }
        runs[laptop]?.present.insert(device)
        runs[laptop]?.heard.insert(device)
    }

    /// A device told the laptop over a connection what it holds.
    mutating func noteStatement(_ origin: Origin, at laptop: inout Laptop, withLosses: Bool, now: MonotonicInstant) {
        note(origin.laptop, origin.at, of: origin.device, at: &laptop)
        guard withLosses, !laptop.isDiskFull, !laptop.failsCommits else { return }
        runs[laptop.index]?.losses.append((origin.device, origin.laptop, origin.at, now))
    }

    /// Summaries came.
    ///
    /// - Parameter troubled: laptops whose disks refused writes, or whose homes went back, at some time. After a restart such a one does not know any
    ///   more up to which number it spoke, and signs with a lower one if its clock was set back meanwhile as well.
    /// - Returns: the devices of which there are new ones.
    mutating func noteSummaries(at laptop: inout Laptop, troubled: Set<Int>) -> [DeviceID] {
        var changed: [DeviceID] = []
        for device in laptop.look({ $0.holdings.devices }) ?? [] where device != laptop.id {
            guard let number = laptop.look({ $0.holdings.summary(of: device)?.number }) ?? nil,
                runs[laptop.index]?.numbers[device] != number
            else { continue }
            runs[laptop.index]?.numbers[device] = number
            changed.append(device)
            guard let made = summaries[Summary(device: device, number: number)] else { continue }
            let floor = laptop.look { $0.holdingsRecord(of: device)?.summaryFloor } ?? nil
            if troubled.contains(made.laptop), number < floor ?? 0 { continue }
            note(made.laptop, made.at, of: device, at: &laptop)
        }
        return changed
    }

    private func note(_ maker: Int, _ at: MonotonicInstant, of device: DeviceID, at laptop: inout Laptop) {
        let before = laptop.statements[device]?[maker] ?? at
        laptop.statements[device, default: [:]][maker] = max(before, at)
    }

    mutating func disconnected(_ device: DeviceID, at laptop: Int) { runs[laptop]?.present.remove(device) }

    /// Devices may be known now to have gone on from others.
    mutating func followLineage(_ laptop: Laptop) {
        let formers = laptop.look { $0.catalog.formerDevices } ?? []
        guard let known = runs[laptop.index]?.formers, formers != known else { return }
        runs[laptop.index]!.formers = formers
        runs[laptop.index]!.heard.subtract(formers.subtracting(known))
    }

    /// Of what a device lost, or said that it holds: what may be counted wrongly after its word.
    func suspects(_ device: DeviceID, said: [BlobID]) -> Set<BlobID> {
        var suspects = Set(said)
        for (place, blobs) in lost where place.device == device { suspects.formUnion(blobs.keys) }
        return suspects
    }

    // MARK: Judging

    /// What a device said is remembered for the next run, after some seconds.
    func checkRemembered(_ laptop: Laptop, now: MonotonicInstant) throws(SimulationFailure) {
        guard laptop.troubledUntil <= now else { return }
        for (device, since) in runs[laptop.index]?.firstHeard ?? [:]
        where since + Self.rememberingMax < now && laptop.disk.holdings[device] == nil {
            // What nobody knows the beginning of counts for nothing.
            guard laptop.look({ $0.holdings.saidAt(device) != nil }) == true else { continue }
            let sentence = "laptop \(laptop.index) would forget over a crash what \(device.hex.prefix(8)) holds"
            throw SimulationFailure(.uncountedCopy, sentence)
        }
    }

    /// Nobody is counted who is this laptop, or may be, or was silent for too long.
    func checkDevices(
        _ copies: Copies, _ laptop: Laptop, isLiar: (DeviceID) -> Bool, wall: UInt64
    ) throws(SimulationFailure) {
        for device in copies.devices {
            if device == laptop.id {
                throw SimulationFailure(.falseCopy, "laptop \(laptop.index) counts itself as another laptop")
            }
            guard let run = runs[laptop.index], !run.present.contains(device), !isLiar(device) else { continue }
            if run.formers.contains(device), !run.heard.contains(device) {
                let sentence = "laptop \(laptop.index) counts \(device.hex.prefix(8)), from which another one goes on"
                throw SimulationFailure(.falseCopy, sentence)
            }
            guard let saidAt = laptop.look({ $0.holdings.saidAt(device) }) ?? nil else { continue }
            guard saidAt &+ Self.ageMax > wall, saidAt <= wall &+ Self.aheadMax else {
                let sentence = "laptop \(laptop.index) counts \(device.hex.prefix(8)), which was not heard of lately"
                throw SimulationFailure(.falseCopy, sentence)
            }
        }
    }

    /// - Parameter device: `nil` for all.
    func check(
        _ blobs: some Sequence<BlobID>, on device: DeviceID? = nil, _ copies: Copies, at laptop: Laptop,
        _ laptops: [Laptop]
    ) throws(SimulationFailure) {
        let devices = copies.devices.filter { device == nil || $0 == device }
        // Mostly all disks have all: then nobody is asked.
        let places = devices.map { device in
            (device, laptops.indices.filter { laptops[$0].id == device && $0 != laptop.index })
        }
        for blob in blobs {
            let doubtful = places.filter { place in
                !place.1.contains { laptops[$0].disk.blobs.contains(blob) }
                    && !isExcused(blob, place.0, laptop, laptops)
            }
            guard !doubtful.isEmpty else { continue }
            let holders = copies.holders(of: blob)
            for (device, _) in doubtful where holders.contains(device) {
                guard !laptops.contains(where: { !$0.isHonest && $0.id == device }) else { continue }
                let sentence = "laptop \(laptop.index) counts \(blob.hex.prefix(8)) on \(device.hex.prefix(8))"
                throw SimulationFailure(.falseCopy, sentence + ", which has it not, and told so since it had it")
            }
        }
    }

    /// Whether a laptop that is, or was, the device lost the blob after its last word.
    private func isExcused(_ blob: BlobID, _ device: DeviceID, _ laptop: Laptop, _ laptops: [Laptop]) -> Bool {
        let statements = laptop.statements[device] ?? [:]
        return laptops.indices.contains { index in
            // Nobody tells a laptop that it was another device, once it has lost that device's key.
            guard index != laptop.index || laptop.forgottenLives.contains(device),
                let moment = lost[Place(device: device, laptop: index)]?[blob]
            else { return index == laptop.index && laptop.forgottenLives.contains(device) }
            return statements[index].map { $0 <= moment } ?? true
        }
    }
}
