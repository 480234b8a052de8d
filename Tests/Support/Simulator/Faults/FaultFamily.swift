/// One kind of things that go wrong, or that people do meanwhile. Each has a switch and a random stream of its own, so that a new family changes no
/// run of a seed that does not have it.
public enum FaultFamily: String, CaseIterable, Hashable, Comparable, Sendable {
    case absence
    case addressChange = "address-change"
    case apart
    case bitRot = "bit-rot"
    case blobLoss = "blob-loss"
    case breakOff = "break-off"
    case clock
    case clone
    case copiedOutsider = "copied-outsider"
    case crash
    case cut
    case discovery
    case diskFull = "disk-full"
    case equalClocks = "equal-clocks"
    case failedCommit = "failed-commit"
    case halfOpen = "half-open"
    case hiding
    case hostsOut = "hosts-out"
    case join
    case journalLoss = "journal-loss"
    case letIn = "let-in"
    case loss
    case move
    case newPhrase = "new-phrase"
    case oldRefusal = "old-refusal"
    case oneWay = "one-way"
    case pack
    case partition
    case pause
    case policy
    case putOut = "put-out"
    case race
    case recovery
    case restore
    case skew
    case slowness
    case stall
    case stop
    case trash
    case unknownKinds = "unknown-kinds"
    case unreadable

    public static func < (left: FaultFamily, right: FaultFamily) -> Bool { left.rawValue < right.rawValue }

    /// How often a run has this family.
    var probability: Double {
        switch self {
        case .crash, .cut: 0.6
        case .partition, .stall, .oneWay, .diskFull, .clock: 0.35
        case .clone, .restore, .blobLoss, .journalLoss, .unknownKinds, .move, .join: 0.12
        case .oldRefusal, .pause, .policy, .pack, .failedCommit: 0.15
        case .absence, .addressChange, .bitRot, .discovery, .halfOpen, .race, .slowness: 0.25
        case .equalClocks, .hiding, .stop, .trash, .unreadable: 0.2
        case .apart, .breakOff, .loss, .skew: 0.15
        case .newPhrase, .putOut: 0.1
        case .copiedOutsider, .hostsOut, .letIn, .recovery: 0.25
        }
    }

    /// Families that a seed draws only where hosts change the phrase: all other runs stay as they were before there were these.
    static let ofHosts: Set<FaultFamily> = [.copiedOutsider, .hostsOut, .letIn, .recovery]

    /// Between which values the mean time between two of the kind is drawn, in virtual seconds.
    var intervals: ClosedRange<Double> {
        switch self {
        case .clone, .restore, .blobLoss, .journalLoss, .unknownKinds, .absence, .move, .oldRefusal, .apart, .join:
            10...40
        case .crash, .partition, .oneWay, .diskFull, .slowness, .addressChange, .failedCommit, .pause, .stop, .skew,
            .loss, .breakOff:
            4...25
        case .cut, .stall, .halfOpen, .race, .clock, .discovery, .bitRot, .unreadable, .pack, .policy: 2...15
        case .equalClocks, .hiding, .trash: 2...10
        case .newPhrase, .putOut, .copiedOutsider, .hostsOut, .letIn, .recovery: 3...15
        }
    }

    /// What happens at one of its times.
    func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        switch self {
        case .absence: try Absence.strike(&simulation, &random)
        case .addressChange: try AddressChange.strike(&simulation, &random)
        case .apart: try Apart.strike(&simulation, &random)
        case .bitRot: BitRot.strike(&simulation, &random)
        case .blobLoss: try BlobLoss.strike(&simulation, &random)
        case .breakOff: BreakOff.strike(&simulation, &random)
        case .clock: ClockJump.strike(&simulation, &random)
        case .clone: try Clone.strike(&simulation, &random)
        case .copiedOutsider: try CopiedOutsider.strike(&simulation, &random)
        case .crash: try Crash.strike(&simulation, &random)
        case .cut: Cut.strike(&simulation, &random)
        case .discovery: try WrongDiscovery.strike(&simulation, &random)
        case .diskFull: DiskFull.strike(&simulation, &random)
        case .equalClocks: try EqualClocks.strike(&simulation, &random)
        case .failedCommit: FailedCommit.strike(&simulation, &random)
        case .halfOpen: HalfOpen.strike(&simulation, &random)
        case .hiding: try Hiding.strike(&simulation, &random)
        case .hostsOut: try HostsOut.strike(&simulation, &random)
        case .join: try Join.strike(&simulation, &random)
        case .journalLoss: try JournalLoss.strike(&simulation, &random)
        case .letIn: try LetIn.strike(&simulation, &random)
        case .loss: try Loss.strike(&simulation, &random)
        case .move: try Move.strike(&simulation, &random)
        case .newPhrase: try NewPhrase.strike(&simulation, &random)
        case .oldRefusal: OldRefusal.strike(&simulation, &random)
        case .oneWay: OneWay.strike(&simulation, &random)
        case .pack: try Pack.strike(&simulation, &random)
        case .partition: Partition.strike(&simulation, &random)
        case .pause: try Pause.strike(&simulation, &random)
        case .policy: try Policies.strike(&simulation, &random)
        case .putOut: try PutOut.strike(&simulation, &random)
        case .race: try Race.strike(&simulation, &random)
        case .recovery: try Recovery.strike(&simulation, &random)
        case .restore: try Restore.strike(&simulation, &random)
        case .skew: Skew.strike(&simulation, &random)
        case .slowness: Slowness.strike(&simulation, &random)
        case .stall: Stall.strike(&simulation, &random)
        case .stop: try Stop.strike(&simulation, &random)
        case .trash: try Trash.strike(&simulation, &random)
        case .unknownKinds: try UnknownKinds.strike(&simulation, &random)
        case .unreadable: Unreadable.strike(&simulation, &random)
        }
    }
}
