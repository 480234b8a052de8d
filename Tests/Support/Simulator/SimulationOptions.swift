import SyncEngine

/// What a run is made of: drawn from its seed, each option from a stream of its own, unless it is given.
public struct SimulationOptions: RunOptions {
    public var seed: UInt64
    /// Honest laptops at the start.
    public var laptopCount: Int
    /// How long faults happen, in virtual seconds.
    public var faultSeconds: Double
    /// What people do in that time: drop, name, remove.
    public var editCount: Int
    /// What they say meanwhile: facts, captions, tags, favours, covers, clocks.
    public var wordCount: Int
    /// What hosts decide meanwhile; 0 in a gathering without hosts.
    public var rulingCount: Int
    /// How many small photos one of them imports at once while nobody reaches it; mostly none.
    public var bulkCount: Int
    /// Within which the healed laptops must agree, in virtual seconds.
    public var healSeconds: Double
    /// Mean one-way delay, in virtual seconds.
    public var delay: Double
    /// Bytes a second that a laptop can send.
    public var rate: Double
    /// Real signatures instead of cheap ones.
    public var usesP256: Bool
    /// Whether one of the laptops speaks the protocol's first version only.
    public var hasFirstVersion: Bool
    /// Whether few photos may be pulled at a time, so that they take each other's places.
    public var hasTightSets: Bool
    /// The kinds of faults that happen, and the mean time between two of one kind, in virtual seconds.
    public var faults: [FaultFamily: Double]
    /// What one more laptop does other than it should; empty if there is no such laptop.
    public var lies: Set<Lie>
    /// How many such laptops there are.
    public var liarCount: Int
    /// Whether the laptops are watched for a while after they agree.
    public var hasQuietEnd: Bool
    /// What is wrong with every engine, for tests of the checkers. Never drawn from a seed.
    public var mutant: Mutant?

    public init(seed: UInt64) {
        func stream(_ name: String) -> SeededRandom { SeededRandom(seed: seed, stream: "option \(name)") }
        self.seed = seed
        var random = stream("world")
        laptopCount = Int.random(in: 2...6, using: &random)
        faultSeconds = random.seconds(in: 10...45).rounded()
        editCount = Int.random(in: 5...40, using: &random)
        delay = [0.0002, 0.002, 0.02, 0.2].randomElement(using: &random)!
        rate = [1e6, 12e6, 100e6].randomElement(using: &random)!
        healSeconds = 300
        liarCount = 1
        hasQuietEnd = seed % 10 == 1
        usesP256 = random.chance(0.01)
        var words = stream("words")
        wordCount = Int.random(in: 0...40, using: &words)
        var rulings = stream("rulings")
        rulingCount = rulings.chance(0.3) ? Int.random(in: 1...8, using: &rulings) : 0
        var version = stream("first version")
        hasFirstVersion = version.chance(0.1)
        var sets = stream("tight sets")
        hasTightSets = sets.chance(0.2)
        // What is rare and must be in every hundred seeds goes by their numbers.
        var bulk = stream("bulk")
        bulkCount = seed % 20 == 7 ? Int.random(in: 1100...1300, using: &bulk) : 0
        var mesh = stream("mesh")
        if seed % 25 == 4 {
            (laptopCount, faultSeconds) = (Int.random(in: 9...11, using: &mesh), min(faultSeconds, 25))
            (editCount, wordCount) = (min(editCount, 10), min(wordCount, 6))
        }
        // Few things happen among many laptops, so that the run takes about as long as others.
        if seed % 25 == 11 {
            laptopCount = Int.random(in: 12...20, using: &mesh)
            faultSeconds = min(faultSeconds, 15)
            (editCount, wordCount, bulkCount) = (min(editCount, 8), min(wordCount, 6), 0)
        }
        // One run in twenty is calm: what must hold under faults holds without them, too.
        let isCalm = random.chance(0.05)
        if isCalm { bulkCount = 0 }
        // A thousand photos over a slow line with a working set of a few take minutes.
        if bulkCount > 0 { healSeconds = 900 }
        faults = [:]
        for family in FaultFamily.allCases where !isCalm {
            var random = stream("fault \(family.rawValue)")
            guard random.chance(family.probability) else { continue }
            faults[family] = random.seconds(in: family.intervals).rounded()
        }
        if faults[.newPhrase] == nil, faults[.putOut] == nil {
            for family in FaultFamily.ofHosts { faults[family] = nil }
        }
        var guest = stream("liar")
        let hasLiar = !isCalm && guest.chance(0.3)
        lies = []
        for lie in Lie.allCases where hasLiar {
            var random = stream("lie \(lie.rawValue)")
            if random.chance(lie.probability) { lies.insert(lie) }
        }
        guard laptopCount >= 9 else { return }
        // Where not everyone is connected to everyone some may keep news to themselves.
        if mesh.chance(0.5) { (lies, liarCount) = (lies.union([.withholding]), Int.random(in: 1...3, using: &mesh)) }
    }

    /// Hosts change the phrase.
    var hasEpochs: Bool {
        faults[.newPhrase] != nil || faults[.putOut] != nil || faults[.letIn] != nil || endsHosts
    }

    /// Hosts go out, and others who keep to the rules.
    var endsHosts: Bool { faults[.hostsOut] != nil || faults[.recovery] != nil }

    /// Nobody comes, becomes another device or lies, so that mostly no replica begins but the first ones.
    var keepsReplicas: Bool {
        lies.isEmpty && [.clone, .join, .journalLoss, .move, .putOut, .restore].allSatisfy { faults[$0] == nil }
    }

    /// Nothing hinders anybody.
    var isCalm: Bool { faults.isEmpty && lies.isEmpty && bulkCount == 0 }

    /// Of every honest laptop.
    var limits: EngineLimits {
        var limits = EngineLimits()
        guard hasTightSets else { return limits }
        limits.workingPiecesPerLink = 2
        limits.openBlobCountMax = 4
        limits.pageWindow = 1
        return limits
    }
}
