import AlbumModel
@testable import Simulator
import SyncEngine
import Testing

/// What laptops count as copies is held against the disks, and a crash leaves no more than an agent has written.
@Suite struct OracleTests {
    /// A gathering in peace, at its end.
    private static func gathering() throws -> Simulation {
        var options = SimulationOptions(seed: 13)
        (options.laptopCount, options.faultSeconds, options.editCount, options.bulkCount) = (3, 15, 12, 0)
        (options.faults, options.lies, options.hasFirstVersion) = ([:], [], false)
        var simulation = Simulation(options: options)
        try simulation.run()
        return simulation
    }

    /// A copy that is gone although its device spoke since is found; one that was just lost is nobody's mistake.
    @Test func copiesThatAreNotThereAreFound() throws {
        let simulation = try Self.gathering()
        try simulation.checkAllClaims(0, isThorough: true)
        let catalog = try #require(simulation.laptops[0].engine).catalog
        // Thumbnails, which anybody can make again, are not counted.
        let both = simulation.laptops[0].disk.blobs.intersection(simulation.laptops[1].disk.blobs)
            .filter { !catalog.liveAlbums(of: $0).isEmpty }
        let blob = try #require(both.min())
        var losing = simulation
        losing.lose([blob], 1)
        try losing.checkAllClaims(0, isThorough: true)
        var lacking = simulation
        lacking.laptops[1].disk.lose(blob)
        let damaged = lacking
        let failure = #expect(throws: SimulationFailure.self) { try damaged.checkAllClaims(0, isThorough: true) }
        #expect(failure?.property == .falseCopy)
    }

    /// An agent that is stopped keeps what all others hold; one that crashes what it had asked its disk to keep.
    @Test func aCrashKeepsWhatWasWritten() throws {
        var stopped = try Self.gathering()
        stopped.laptops[0].disk.holdings = [:]
        stopped.laptops[0].pendingWrites = [:]
        var crashed = stopped
        let others = Set(stopped.laptops[1...].map(\.id))
        try stopped.stop(0, away: 1)
        #expect(others.isSubset(of: stopped.laptops[0].disk.holdings.keys))
        var random = SeededRandom(seed: 1)
        try crashed.crash(0, away: 1, &random)
        #expect(crashed.laptops[0].disk.holdings.isEmpty)
    }

    /// Every kind of fault and lie is in the first hundred seeds, and what is rare by their numbers too.
    @Test func everythingOccursInAHundredSeeds() {
        let runs = (1...100 as ClosedRange<UInt64>).map { SimulationOptions(seed: $0) }
        for family in FaultFamily.allCases { #expect(runs.contains { $0.faults[family] != nil }, "\(family.rawValue)") }
        for lie in Lie.allCases where lie != .otherVersion {
            #expect(runs.contains { $0.lies.contains(lie) }, "\(lie.rawValue)")
        }
        #expect(runs.contains { $0.bulkCount > 1024 })
        #expect(runs.contains { $0.laptopCount >= 12 })
        #expect(runs.contains { $0.isCalm })
    }
}
