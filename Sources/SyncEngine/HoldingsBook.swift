public import AlbumModel
public import WireFormat

/// What every other device holds, as far as it said so itself: over a connection, or in a signed summary that others
/// passed on. Nothing is assumed.
public struct HoldingsBook: Sendable {
    struct Entry: Sendable {
        var holdings = Holdings()
        /// When the device said so, in microseconds since 1970; never later than this device learned of it.
        var saidAt: UInt64
        /// How far what it said over a connection goes.
        var position: PresencePosition?
        /// Its newest summary, as it signed it.
        var summary: Summary?
    }

    public struct Summary: Hashable, Sendable {
        public var number: UInt64
        public var statement: SignedStatement

        public init(number: UInt64, statement: SignedStatement) {
            self.number = number
            self.statement = statement
        }
    }

    /// A copy counts for so long after its device said that it has it: 7 days, in microseconds.
    public static let ageMax: UInt64 = 7 * 24 * 3600 * 1_000_000

    private(set) var entries: [DeviceID: Entry] = [:]
    /// Summaries that newer ones took the place of.
    private var former: FormerSummaries
    private let limits: EngineLimits

    public init(limits: EngineLimits = EngineLimits()) {
        self.limits = limits
        former = FormerSummaries(byteCountMax: limits.formerSummaryByteCountMax)
    }

    /// Every device that ever said something.
    public var devices: [DeviceID] { entries.keys.sorted() }

    public func summary(of device: DeviceID) -> Summary? { entries[device]?.summary }

    /// When a device last said what it holds, in microseconds since 1970; `nil` if it never did.
    public func saidAt(_ device: DeviceID) -> UInt64? { entries[device]?.saidAt }

    // MARK: What is said

    /// A connected device told everything that it holds.
    mutating func replace(_ device: DeviceID, _ presence: Presence, position: PresencePosition, wall: UInt64) {
        entries[device, default: Entry(saidAt: wall)].holdings = Holdings(presence)
        entries[device]!.position = position
        entries[device]!.saidAt = wall
    }

    /// A connected device told what came and went.
    mutating func change(
        _ device: DeviceID, _ change: PresenceChange, run: [UInt8], wall: UInt64, isKnown: (BlobID) -> Bool
    ) {
        var entry = entries.removeValue(forKey: device) ?? Entry(saidAt: wall)
        for blob in change.held { entry.holdings.gain(blob, limits: limits, isKnown: isKnown) }
        for blob in change.lost { entry.holdings.lose(blob, isKnown: isKnown(blob)) }
        entry.position = PresencePosition(run: run, counter: change.counter)
        entry.saidAt = wall
        entries[device] = entry
    }

    /// A device was asked and does not have a blob.
    mutating func lack(_ device: DeviceID, _ blob: BlobID) { entries[device]?.holdings.lack(blob) }

    /// A contributor says something new of a file: those who lacked it may have been asked for what does not exist.
    mutating func reconsider(_ blob: BlobID) {
        for device in entries.keys { entries[device]!.holdings.reconsider(blob) }
    }

    /// The most blobs that one device says it holds and no album here has.
    var unknownCount: Int { entries.values.map(\.holdings.unknownCount).max() ?? 0 }

    /// A device's summary, whose signature was checked, from whomever.
    ///
    /// - Parameter isConnected: what the device tells over a connection is newer than any summary.
    /// - Returns: whether it is news, to be passed on.
    mutating func take(
        _ summary: PresenceSummary, _ statement: SignedStatement, isConnected: Bool, wall: UInt64
    ) -> Bool {
        if let known = entries[summary.device]?.summary, known.number >= summary.number { return false }
        let saidAt = min(summary.number, wall)
        var entry = entries.removeValue(forKey: summary.device) ?? Entry(saidAt: saidAt)
        if let old = entry.summary { former.keep(old, of: summary.device) }
        entry.summary = Summary(number: summary.number, statement: statement)
        if !isConnected, saidAt >= entry.saidAt {
            // What is told later of changes since `position` stays right: it names their outcome.
            entry.holdings = Holdings(summary.presence)
            entry.saidAt = saidAt
        }
        entries[summary.device] = entry
        return true
    }

    /// What an earlier run of this agent knew.
    ///
    /// - Parameter at: when the device said so, in microseconds since 1970.
    public mutating func remember(_ summary: PresenceSummary, _ statement: SignedStatement, at: UInt64) {
        entries[summary.device] = Entry(
            holdings: Holdings(summary.presence), saidAt: at, position: nil,
            summary: Summary(number: summary.number, statement: statement))
    }

    // MARK: Questions

    /// Whether a device holds a blob, as far as it said and whenever that was.
    func contains(_ device: DeviceID, _ blob: BlobID, dots: [Dot]) -> Bool {
        entries[device]?.holdings.contains(blob, dots: dots) ?? false
    }

    /// Devices whose word counts, ordered: connected ones, and those that said something lately enough.
    ///
    /// - Parameter former: those instead that said so too long ago to count.
    func counting(
        connected: Set<DeviceID>, wall: UInt64, former: Bool = false
    ) -> [(device: DeviceID, holdings: Holdings)] {
        entries.filter { device, entry in
            (connected.contains(device) || entry.saidAt &+ Self.ageMax > wall) != former
        }.sorted { $0.key < $1.key }.map { ($0.key, $0.value.holdings) }
    }

    /// The newest summary of each device, for asking a peer for newer ones.
    var summaryNumbers: [UInt64: UInt64] {
        Dictionary(entries.compactMap { device, entry in entry.summary.map { (device.prefix, $0.number) } }) {
            max($0, $1)
        }
    }

    /// Summaries that are newer than the numbers, ordered by device.
    func summaries(newerThan versions: SummaryVersions) -> [NewerSummary] {
        entries.sorted { $0.key < $1.key }.compactMap { device, entry in
            guard let summary = entry.summary else { return nil }
            let number = versions.numbers[device.prefix]
            guard number.map({ summary.number > $0 }) ?? versions.isWhole else { return nil }
            return NewerSummary(device: device, base: number, statement: summary.statement)
        }
    }

    // MARK: Differences of summaries

    /// How the newest summary of a device differs from the one that its receiver has; `nil` where that is not known here,
    /// or little would be saved.
    func difference(_ newer: NewerSummary) -> SummaryDifference? {
        guard let number = entries[newer.device]?.summary?.number, let base = newer.base,
            let content = former.content(base, of: newer.device)
        else { return nil }
        let pieces = ContentDifference.pieces(of: newer.statement.content, from: content)
        guard 2 * pieces.reduce(0, { $0 + 8 + $1.added.count }) < newer.statement.content.count else { return nil }
        return SummaryDifference(
            device: newer.device.prefix, base: base, number: number, pieces: pieces,
            signature: newer.statement.signature)
    }

    /// The summary that was told so; `nil` where the newest one here is not its base. Its signature is still to be checked.
    func statement(_ difference: SummaryDifference) -> SignedStatement? {
        let device = entries.keys.filter { $0.prefix == difference.device }.min()
        guard let base = device.flatMap({ entries[$0]?.summary }), base.number == difference.base,
            let content = ContentDifference.content(difference.pieces, of: base.statement.content)
        else { return nil }
        return SignedStatement(content: content, signature: difference.signature)
    }
}
