import Foundation
import TestSupport
import Testing

/// Agents that are killed again and again while people drop photos.
///
/// Everything that is drawn comes from one seed; what an agent does at the moment of a kill does not.
struct Storm {
    static let albums = ["Beach", "Dinner", "Town"]
    private static let interval = Duration.seconds(2)
    /// The longest time between what people drop and the kill, and between that and the next start: then some kills
    /// strike an agent that is about to start.
    private static let pauseMax = Duration.milliseconds(900)

    let laptops: [Laptop]
    private(set) var agents: [Agent]
    /// What was dropped: by the laptop's place in `laptops`, then by album.
    private(set) var dropped: [[String: [String]]]
    /// How many kills struck an agent that photos were on their way to, or that left something half done behind.
    private(set) var hitCount = 0
    private var random: SplitMix

    init(laptops: [Laptop], agents: [Agent], seed: UInt64) {
        self.laptops = laptops
        self.agents = agents
        dropped = laptops.map { _ in [:] }
        random = SplitMix(state: seed)
    }

    /// Kills an agent every two seconds, so many times. With each kill a part of the photos is dropped: two thirds of it
    /// on two laptops just before, whoever is struck then, and the last third on the one whose agent is dead.
    mutating func rage(strikes: Int, dropping photos: [String]) async throws {
        var next = ContinuousClock.now
        for strike in 0..<strikes {
            try await Task.sleep(until: next)  // The storm has a rhythm: that is the test.
            next = max(next + Self.interval, .now)
            let part = photos[strike * photos.count / strikes..<(strike + 1) * photos.count / strikes]
            try await self.strike(dropping: Array(part))
        }
        for (laptop, agent) in zip(laptops, agents) { try await laptop.served(by: agent) }
    }

    /// By album, on whatever laptop they were dropped.
    var everything: [String: [String]] {
        dropped.reduce(into: [:]) { all, own in all.merge(own) { $0 + $1 } }
    }

    private mutating func strike(dropping photos: [String]) async throws {
        let third = photos.count / 3
        let victim = Int.random(in: laptops.indices, using: &random)
        try drop(photos[..<third], on: Int.random(in: laptops.indices, using: &random))
        try drop(photos[third..<2 * third], on: Int.random(in: laptops.indices, using: &random))
        try await pause()
        try laptops[victim].expectRunning(agents[victim])
        try await agents[victim].kill()
        if try await wasBusy(laptops[victim]) { hitCount += 1 }
        try drop(photos[(2 * third)...], on: victim)
        try await pause()
        agents[victim] = try laptops[victim].start()
    }

    private func wasBusy(_ laptop: Laptop) async throws -> Bool {
        if !(try await laptop.entries(of: "\(laptop.home)/staging").isEmpty) { return true }
        let there = Set(try await laptop.entries(of: laptop.folder).map { ($0 as NSString).lastPathComponent })
        return !everything.values.joined().allSatisfy { there.contains(($0 as NSString).lastPathComponent) }
    }

    private mutating func drop(_ photos: ArraySlice<String>, on index: Int) throws {
        let album = Self.albums.randomElement(using: &random)!
        try laptops[index].drop(Array(photos), into: album)
        dropped[index][album, default: []] += photos
    }

    private mutating func pause() async throws {
        try await Task.sleep(for: Self.pauseMax * Double.random(in: 0...1, using: &random))
    }
}
