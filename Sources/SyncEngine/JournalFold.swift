public import AlbumModel

/// Folds a journal at start: what is known, and where this device left off.
public struct JournalFold: Sendable {
    public private(set) var catalog = Catalog()
    public private(set) var log: BatchLog
    private var clocks: [DeviceID: HybridClock] = [:]
    private var observed = HybridClock()

    /// - Parameter cuts: as far as which batches of devices that are out count here.
    public init(cuts: Cuts = Cuts()) { self.init(log: BatchLog(cuts: cuts)) }

    private init(log: BatchLog) { self.log = log }

    /// An empty fold, to which all batches are to be added once more, since some were taken to count before it showed that
    /// they do not; `nil` where all is right. That fold is right in any case.
    public var corrected: JournalFold? { log.corrected.map { JournalFold(log: $0) } }

    /// Adds the journal's next batch, in the order in which it was stored.
    ///
    /// - Parameter received: microseconds since 1970.
    /// - Returns: what changed.
    /// - Throws: if the batch cannot be read or does not follow what was added before: the journal is damaged.
    @discardableResult
    public mutating func add(
        _ signed: SignedBatch, id: BatchID, received: UInt64
    ) throws(BatchRefusal) -> CatalogDifference {
        try add(ReadBatch(signed, id: id), received: received)
    }

    /// The same with a batch that was read ahead.
    @discardableResult
    public mutating func add(_ read: ReadBatch, received: UInt64) throws(BatchRefusal) -> CatalogDifference {
        let id = read.id
        var accepted = try log.readmit(read)
        accepted.received = received
        let counts = log.insert(accepted)
        clocks[accepted.author, default: HybridClock()].resume(from: accepted.batch.clock)
        observed.observe(accepted.batch.clock, wall: received)
        guard counts else { return CatalogDifference() }
        if PlantedFault.isPlanted(.removalsForgottenAtStart), case .photoRemoved? = accepted.batch.changes.first {
            return CatalogDifference()
        }
        return catalog.apply(accepted.batch, id: id, author: accepted.author, received: received)
    }

    func clock(of device: DeviceID) -> HybridClock {
        var clock = observed
        if let own = clocks[device], !PlantedFault.isPlanted(.ownClockNotResumed) { clock.resume(from: own.last) }
        return clock
    }
}
