import Synchronization
import TestSupport
import Testing

/// What was seen of others while somebody was attacked.
struct Observation: Sendable {
    /// From folder to folder, in both directions by turns.
    var drops: [Duration] = []
    /// Of pings to each laptop, over connections that do nothing else.
    var pings: [String: [Duration]] = [:]

    /// How much time an attack took, and everything after it until the last drop.
    var duration = Duration.zero

    static func median(_ durations: [Duration]) -> Duration { durations.sorted()[durations.count / 2] }

    fileprivate enum Part: Sendable {
        case drops([Duration])
        case pings(Laptop, [Duration])
    }

    fileprivate mutating func add(_ part: Part) {
        switch part {
        case .drops(let durations): drops = durations
        case .pings(let laptop, let durations): pings[laptop.name] = durations
        }
    }
}

/// Says across tasks that something is over.
final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
}

extension Reunion {
    /// People drop photos now and then.
    private static let dropPause = Duration.milliseconds(100)
    private static let pingPause = Duration.milliseconds(50)

    /// Lets an attack go on, and shows that the others do not notice: photos keep coming from one end of the row to the
    /// other, and every laptop answers.
    ///
    /// - Parameter lateDrops: photos that are dropped after it: what it left behind is worked off before they arrive.
    ///   Most attacks are over after a drop or two, so that there are as many as make a median.
    func endure(_ what: String, lateDrops: Int = 6, _ attack: () async throws -> Void) async throws {
        let observation = try await observe(lateDrops: lateDrops, attack)
        expectPromised(observation.drops, "drops during \(what)")
        for (name, pings) in observation.pings { expectPromised(pings, "pings to \(name) during \(what)") }
        for laptop in row { try expectLittleMemory(of: laptop, after: what) }
    }

    private func expectPromised(_ durations: [Duration], _ what: String) {
        let (median, longest) = (Observation.median(durations), durations.max()!)
        #expect(median <= Promise.usualDelay, "the median of \(what)")
        #expect(longest <= Promise.delayMax, "the longest of \(what)")
    }

    /// The same without judgement.
    func observe(lateDrops: Int = 6, _ attack: () async throws -> Void) async throws -> Observation {
        let isOver = Flag()
        let begin = ContinuousClock.now
        var observation = Observation()
        try await withThrowingTaskGroup(of: Observation.Part.self) { group in
            group.addTask { .drops(try await self.dropPhotos(until: isOver, lateDrops: lateDrops)) }
            for laptop in row { group.addTask { .pings(laptop, try await self.ping(laptop, until: isOver)) } }
            // What it throws ends the group, and what goes on in it.
            try await attack()
            isOver.set()
            for try await part in group { observation.add(part) }
        }
        observation.duration = .now - begin
        return observation
    }

    private func dropPhotos(until isOver: Flag, lateDrops: Int) async throws -> [Duration] {
        var durations: [Duration] = []
        var lateCount = 0
        while lateCount < lateDrops {
            if isOver.isSet { lateCount += 1 }
            let isForth = durations.count.isMultiple(of: 2)
            durations.append(try await drop(from: isForth ? anna : ben, to: isForth ? ben : anna))
            try await Task.sleep(for: Self.dropPause)
        }
        return durations
    }

    private func ping(_ laptop: Laptop, until isOver: Flag) async throws -> [Duration] {
        let member = try await Member.connect(to: laptop, as: pinger)
        defer { member.close() }
        var durations: [Duration] = []
        repeat {
            durations.append(try await member.ping())
            try await Task.sleep(for: Self.pingPause)
        } while !isOver.isSet
        return durations
    }
}
