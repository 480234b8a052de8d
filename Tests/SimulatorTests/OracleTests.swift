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

    /// What was brought after it had been denied is written after some seconds, and forgotten by a crash before.
    @Test func aCrashForgetsWhatWasBroughtLately() throws {
        let simulation = try Self.gathering()
        let other = simulation.laptops[1].id
        let blob = try #require(simulation.laptops[0].disk.blobs.min())
        func isDenied(onDisk: Bool, secondsLater: Double) -> Bool {
            var laptop = simulation.laptops[0]
            if onDisk { laptop.disk.holdings[other]?.record.denied.insert(blob) }
            var claims = simulation.watch.claims
            claims.refused(blob, by: other, to: 0)
            claims.brought(blob, by: other, to: 0, now: simulation.now)
            claims.ended(&laptop, now: simulation.now + secondsLater)
            claims.started(laptop)
            return claims.isDenied(blob, by: other, to: 0)
        }
        #expect(isDenied(onDisk: true, secondsLater: 5))
        #expect(!isDenied(onDisk: false, secondsLater: 5))
        #expect(!isDenied(onDisk: true, secondsLater: 15))
    }

    /// Words over a link that was just closed are passed over, and nobody has to remember them.
    @Test func onlyWhatWasTakenMustBeRemembered() throws {
        let simulation = try Self.gathering()
        let other = simulation.laptops[1].id
        var forgetful = simulation.laptops[0]
        forgetful.disk.holdings[other] = nil
        let laptop = forgetful
        var claims = ClaimChecker()
        claims.started(laptop)
        claims.spoke(other, to: 0, isKnown: false, now: simulation.now)
        try claims.checkRemembered(laptop, now: simulation.now + 20)
        claims.spoke(other, to: 0, isKnown: true, now: simulation.now)
        let taken = claims
        let failure = #expect(throws: SimulationFailure.self) {
            try taken.checkRemembered(laptop, now: simulation.now + 20)
        }
        #expect(failure?.property == .uncountedCopy)
    }

    /// Every kind of fault and lie is in the first hundred seeds, and what is rare by their numbers too.
    @Test func everythingOccursInAHundredSeeds() {
        let runs = (1...100 as ClosedRange<UInt64>).map { SimulationOptions(seed: $0) }
        for family in FaultFamily.allCases { #expect(runs.contains { $0.faults[family] != nil }, "\(family.rawValue)") }
        // A liar that returns comes with hosts that put it out.
        for lie in Lie.allCases where ![.otherVersion, .returns].contains(lie) {
            #expect(runs.contains { $0.lies.contains(lie) }, "\(lie.rawValue)")
        }
        #expect(runs.contains { $0.bulkCount > 1024 })
        #expect(runs.contains { $0.laptopCount >= 12 })
        #expect(runs.contains { $0.isCalm })
    }
}
