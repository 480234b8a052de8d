public import AlbumModel

/// What the run of a simulated folder is made of.
public struct FolderOptions: RunOptions {
    /// What may go wrong in a run.
    public enum Trouble: String, CaseIterable, Sendable {
        case crashes, failures, disk, card, clock, table, lostEvents, commits, power, home, undoing, damage, renaming,
            naming

        /// Added later, and drawn apart: seeds give the others as before.
        static let later: Set<Trouble> = [.power, .home, .undoing, .damage, .renaming, .naming]
    }

    public var seed: UInt64
    /// In every eighth run there are none.
    public var troubles: Set<Trouble>
    /// How long the time of troubles lasts: a step is a person's act, a fault, or one directive.
    public var stepCount = 1000
    /// A mistake that is planted. Never drawn from a seed.
    public var planted: PlantedFault?

    public init(seed: UInt64) {
        self.seed = seed
        troubles = Self.drawn(seed).troubles
    }

    /// What a seed gives, and the numbers that follow.
    private static func drawn(_ seed: UInt64) -> (troubles: Set<Trouble>, random: SeededRandom) {
        var random = SeededRandom(seed: seed)
        let isCalm = Int.random(in: 0..<8, using: &random) == 0
        var other = SeededRandom(seed: ~seed)
        let troubles = Trouble.allCases.filter { trouble in
            Trouble.later.contains(trouble) ? Bool.random(using: &other) : Bool.random(using: &random)
        }
        return (isCalm ? [] : Set(troubles), random)
    }

    /// What a run draws from.
    var random: SeededRandom { Self.drawn(seed).random }

    public func run() -> RunOutcome {
        let simulation = FolderSimulation.run(self)
        var trace = Trace()
        simulation.story.forEach { trace.add($0) }
        return RunOutcome(
            eventCount: simulation.step, virtualSeconds: simulation.virtualSeconds, trace: trace.text,
            failure: simulation.violation.map { SimulationFailure(.wrongFolder, $0) })
    }

    public var simpler: [Self] {
        Trouble.allCases.flatMap { trouble in changed { $0.troubles.remove(trouble) } }
            + changed { $0.stepCount -= $0.stepCount / 4 }
    }

    public var description: String {
        let fault = planted.map { " fault=\($0.rawValue)" } ?? ""
        return "seed=\(seed) steps=\(stepCount) troubles=" + Self.text(troubles) + fault
    }

    public mutating func read(_ key: Substring, _ value: Substring) -> Bool {
        switch key {
        case "steps": Self.set(&stepCount, Int(value).flatMap { $0 > 0 ? $0 : nil })
        case "troubles": Self.set(&troubles, Self.names(value))
        case "fault": Self.set(&planted, PlantedFault(rawValue: String(value)).map(Optional.some))
        default: false
        }
    }
}
