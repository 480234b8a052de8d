/// One kind of things that go wrong. Each has a switch and a random stream of its own, so that a new family changes no
/// run of a seed that does not have it.
public enum FaultFamily: String, CaseIterable, Hashable, Comparable, Sendable {
    case absence
    case addressChange = "address-change"
    case bitRot = "bit-rot"
    case blobLoss = "blob-loss"
    case clock
    case clone
    case crash
    case cut
    case discovery
    case diskFull = "disk-full"
    case halfOpen = "half-open"
    case journalLoss = "journal-loss"
    case oneWay = "one-way"
    case partition
    case race
    case restore
    case slowness
    case stall
    case unknownKinds = "unknown-kinds"

    public static func < (left: FaultFamily, right: FaultFamily) -> Bool { left.rawValue < right.rawValue }

    /// How often a run has this family.
    var probability: Double {
        switch self {
        case .crash, .cut: 0.6
        case .partition, .stall, .oneWay, .diskFull, .clock: 0.35
        case .clone, .restore, .blobLoss, .journalLoss, .unknownKinds: 0.12
        case .absence, .addressChange, .bitRot, .discovery, .halfOpen, .race, .slowness: 0.25
        }
    }

    /// Between which values the mean time between two of the kind is drawn, in virtual seconds.
    var intervals: ClosedRange<Double> {
        switch self {
        case .clone, .restore, .blobLoss, .journalLoss, .unknownKinds, .absence: 10...40
        case .crash, .partition, .oneWay, .diskFull, .slowness, .addressChange: 4...25
        case .cut, .stall, .halfOpen, .race, .clock, .discovery, .bitRot: 2...15
        }
    }

    /// What happens at one of its times.
    func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        switch self {
        case .absence: try Absence.strike(&simulation, &random)
        case .addressChange: try AddressChange.strike(&simulation, &random)
        case .bitRot: BitRot.strike(&simulation, &random)
        case .blobLoss: try BlobLoss.strike(&simulation, &random)
        case .clock: ClockJump.strike(&simulation, &random)
        case .clone: try Clone.strike(&simulation, &random)
        case .crash: try Crash.strike(&simulation, &random)
        case .cut: Cut.strike(&simulation, &random)
        case .discovery: try WrongDiscovery.strike(&simulation, &random)
        case .diskFull: DiskFull.strike(&simulation, &random)
        case .halfOpen: HalfOpen.strike(&simulation, &random)
        case .journalLoss: try JournalLoss.strike(&simulation, &random)
        case .oneWay: OneWay.strike(&simulation, &random)
        case .partition: Partition.strike(&simulation, &random)
        case .race: try Race.strike(&simulation, &random)
        case .restore: try Restore.strike(&simulation, &random)
        case .slowness: Slowness.strike(&simulation, &random)
        case .stall: Stall.strike(&simulation, &random)
        case .unknownKinds: try UnknownKinds.strike(&simulation, &random)
        }
    }
}
