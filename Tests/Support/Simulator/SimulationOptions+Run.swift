extension SimulationOptions {
    public func run() -> RunOutcome {
        var simulation = Simulation(options: self)
        var outcome = RunOutcome(eventCount: 0, virtualSeconds: 0, trace: "")
        do throws(SimulationFailure) {
            outcome.trace = try simulation.run()
        } catch {
            outcome.failure = error
        }
        outcome.eventCount = simulation.eventCount
        outcome.virtualSeconds = simulation.virtualSeconds
        return outcome
    }

    public var simpler: [Self] {
        faults.keys.sorted().flatMap { family in changed { $0.faults[family] = nil } }
            + Lie.allCases.flatMap { lie in changed { $0.lies.remove(lie) } }
            + changed { $0.hasFirstVersion = false } + changed { $0.hasTightSets = false }
            + changed { $0.bulkCount = 0 } + changed { $0.hasQuietEnd = false } + changed { $0.liarCount = 1 }
            + changed { $0.laptopCount = max(2, $0.laptopCount - 1) }
            + changed { $0.rulingCount /= 2 } + changed { $0.editCount -= $0.editCount / 2 }
            + changed { $0.wordCount /= 2 }
    }
}
