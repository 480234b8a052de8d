public import AlbumModel
public import WireFormat

/// What every other device holds, as far as it said so itself: over a connection, or in a signed summary that others
/// passed on. Nothing is assumed.
///
/// Of two statements of a device the later one counts, and which that is does not depend on anybody's clock: within a run
/// of its agent the counter of its changes tells, and between runs the number of its summaries.
public struct HoldingsBook: Sendable {
    struct Entry: Sendable {
        var holdings = Holdings()
        /// When the device said so, in microseconds since 1970; never later than this device learned of it.
        var saidAt: UInt64
        /// How far what it said goes.
        var position: PresencePosition?
        /// Summaries up to this number, of other runs than that of ``position``, are older than what it said.
        var summaryFloor: UInt64 = 0
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

    /// What was known of a device when a connection to it began.
    struct Base: Sendable {
        var position: PresencePosition
        var holdings: Holdings
    }

    /// A copy counts for so long after its device said that it has it: 7 days, in microseconds.
    public static let ageMax: UInt64 = 7 * 24 * 3600 * 1_000_000
    /// What seems to have been said so much later than now, in microseconds, does not count: the clock was wrong then or is
    /// wrong now. Less is a clock that was put right.
    static let aheadMax: UInt64 = 24 * 3600 * 1_000_000

    private(set) var entries: [DeviceID: Entry] = [:]
    /// Devices from which others go on, which may be the same laptops: they count while they are connected, and after they
    /// were.
    private var retired: Set<DeviceID> = []
    /// Devices that are connected and have said what they hold since they are.
    private(set) var present: Set<DeviceID> = []
    /// Devices of which something changed that is to be remembered over restarts.
    private var unsaved: Set<DeviceID> = []
    /// Some of them said that they hold less: to forget that would be to count what is not there.
    private(set) var hasUnsavedLoss = false
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

    /// `nil` where the device has to tell everything.
    func base(of device: DeviceID) -> Base? {
        entries[device].flatMap { entry in entry.position.map { Base(position: $0, holdings: entry.holdings) } }
    }

    /// How far what a device said goes; `nil` if nobody knows.
    public func position(of device: DeviceID) -> PresencePosition? { entries[device]?.position }

    // MARK: What is said over a connection

    /// A connected device told everything that it holds.
    ///
    /// - Parameter summaryNumber: none of its summaries from earlier runs has a greater number.
    mutating func replace(
        _ device: DeviceID, _ presence: Presence, position: PresencePosition, summaryNumber: UInt64 = 0, wall: UInt64
    ) {
        var entry = entries.removeValue(forKey: device) ?? Entry(saidAt: wall)
        let holdings = Holdings(presence)
        note(device, isLoss: holdings.mayLack(claimsOf: entry.holdings))
        entry.holdings = holdings
        entry.position = position
        entry.summaryFloor = max(entry.summaryFloor, summaryNumber)
        entry.saidAt = wall
        entries[device] = entry
        retired.remove(device)
        present.insert(device)
    }

    /// A connected device told what came and went, which may be nothing.
    ///
    /// - Parameter base: what was known when it was asked for the changes since.
    /// - Returns: false where nobody knows what it is a change of, since another agent with this key said the rest, as
    ///   copies of a home do for a while: then it counts for nothing.
    mutating func change(
        _ device: DeviceID, _ change: PresenceChange, run: [UInt8], base: Base? = nil, summaryNumber: UInt64 = 0,
        wall: UInt64, isKnown: (BlobID) -> Bool
    ) -> Bool {
        guard var entry = entries[device] else { return false }
        if entry.position?.run != run {
            guard let base, base.position.run == run else { return false }
            entry.holdings = base.holdings
        }
        entries[device] = nil
        for blob in change.held { entry.holdings.gain(blob, limits: limits, isKnown: isKnown) }
        var isLoss = false
        for blob in change.lost {
            let wasNamed = entry.holdings.named.contains(blob)
            if entry.holdings.lose(blob, limits: limits) || wasNamed { isLoss = true }
        }
        entry.position = PresencePosition(run: run, counter: change.counter)
        entry.summaryFloor = max(entry.summaryFloor, summaryNumber)
        entry.saidAt = wall
        entries[device] = entry
        retired.remove(device)
        note(device, isLoss: isLoss)
        present.insert(device)
        return true
    }

    /// The connection over which a device spoke has ended: until now it would have told of a loss. Unless it was gone long before,
    /// and another run of its agent has signed something since.
    mutating func left(_ device: DeviceID, wall: UInt64) {
        guard present.remove(device) != nil, var entry = entries[device] else { return }
        entry.saidAt = wall
        if let statement = entry.summary?.statement, let summary = try? PresenceSummary(decoding: statement.content) {
            _ = follow(summary, &entry, wall: wall)
        }
        entries[device] = entry
        note(device, isLoss: false)
    }

    /// A device was asked and does not have a blob.
    mutating func deny(_ device: DeviceID, _ blob: BlobID) {
        if entries[device]?.holdings.deny(blob) == true { note(device, isLoss: true) }
    }

    /// A device sent a right piece of a blob.
    mutating func retractDenial(_ device: DeviceID, _ blob: BlobID) {
        if entries[device]?.holdings.retractDenial(blob) == true { note(device, isLoss: false) }
    }

    /// A contributor says something new of a file: those who denied it may have been asked for what does not exist.
    mutating func reconsider(_ blob: BlobID) {
        for device in entries.keys { retractDenial(device, blob) }
    }

    /// Another device goes on from this one.
    mutating func retire(_ device: DeviceID) {
        retired.insert(device)
    }

    /// What is kept of summaries that newer ones took the place of.
    var formerByteCount: Int { former.byteCount }

    /// The most blobs that one device says it holds and no album here has.
    var unknownCount: Int { entries.values.map(\.holdings.unknownCount).max() ?? 0 }

    // MARK: What is said in summaries

    /// A device's summary, whose signature was checked, from whomever.
    ///
    /// - Returns: whether it is news, to be passed on.
    mutating func take(_ summary: PresenceSummary, _ statement: SignedStatement, wall: UInt64) -> Bool {
        if let known = entries[summary.device]?.summary, known.number >= summary.number { return false }
        let isNew = entries[summary.device] == nil
        let saidAt = min(summary.number, wall)
        var entry = entries.removeValue(forKey: summary.device) ?? Entry(saidAt: saidAt)
        if let old = entry.summary { former.keep(old, of: summary.device) }
        entry.summary = Summary(number: summary.number, statement: statement)
        let isLoss = follow(summary, &entry, isNew: isNew, wall: wall)
        entries[summary.device] = entry
        note(summary.device, isLoss: isLoss)
        return true
    }

    /// Has an entry say what a summary says, if that is later.
    ///
    /// - Returns: whether it may say less than before.
    private func follow(
        _ summary: PresenceSummary, _ entry: inout Entry, isNew: Bool = false, wall: UInt64
    ) -> Bool {
        guard isNew || isLater(summary, than: entry) else { return false }
        // What the device denied it does not name anew by counting it among others.
        let holdings = Holdings(summary.presence, denied: entry.holdings.denied)
        let isLoss = holdings.mayLack(claimsOf: entry.holdings)
        entry.holdings = holdings
        entry.position = summary.position
        entry.saidAt = max(entry.saidAt, min(summary.number, wall))
        entry.summaryFloor = max(entry.summaryFloor, summary.number)
        return isLoss
    }

    private func isLater(_ summary: PresenceSummary, than entry: Entry) -> Bool {
        if let said = entry.position, let position = summary.position, said.run == position.run {
            // With equal counters both say the same, and the summary says it in fewer bytes.
            return position.counter >= said.counter
        }
        let floor = PlantedFault.isPlanted(.summariesComparedByReceipt) ? entry.saidAt : entry.summaryFloor
        return !present.contains(summary.device) && summary.number > floor
    }

    // MARK: Questions

    /// Whether a device said that it holds a blob, whenever that was.
    func claims(_ device: DeviceID, _ blob: BlobID, dots: [Dot]) -> Bool {
        entries[device]?.holdings.claims(blob, dots: dots) ?? false
    }

    /// Whether what a device said counts for safety: it is connected and has spoken, or spoke lately enough.
    func counts(_ device: DeviceID, wall: UInt64) -> Bool {
        guard let entry = entries[device] else { return false }
        if present.contains(device) { return true }
        let isOld = entry.saidAt &+ Self.ageMax <= wall && !PlantedFault.isPlanted(.oldWordsCount)
        let isRetired = retired.contains(device) && !PlantedFault.isPlanted(.retiredDeviceCounts)
        return !isRetired && !isOld && entry.saidAt <= wall &+ Self.aheadMax
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

// MARK: - Over restarts

/// What is remembered of a device over restarts of this agent.
public struct HoldingsRecord: Hashable, Sendable {
    /// When the device said so, in microseconds since 1970.
    public var saidAt: UInt64
    public var position: PresencePosition?
    public var summaryFloor: UInt64
    public var presence: Presence
    /// What it lost since, and what it denied.
    public var lost: Set<BlobID>
    public var denied: Set<BlobID>
    public var summary: HoldingsBook.Summary?

    public init(
        saidAt: UInt64, position: PresencePosition?, summaryFloor: UInt64, presence: Presence, lost: Set<BlobID>,
        denied: Set<BlobID>, summary: HoldingsBook.Summary?
    ) {
        self.saidAt = saidAt
        self.position = position
        self.summaryFloor = summaryFloor
        self.presence = presence
        self.lost = lost
        self.denied = denied
        self.summary = summary
    }
}

extension HoldingsBook {
    /// Blobs that are remembered one by one: those that a device got since it last told all are some of a gathering.
    private static let namedCountMax = WireLimits.presenceBlobCountMax

    /// What an earlier run of this agent knew.
    public mutating func remember(_ device: DeviceID, _ record: HoldingsRecord) {
        entries[device] = Entry(
            holdings: Holdings(record.presence, lost: record.lost, denied: record.denied), saidAt: record.saidAt,
            position: record.position, summaryFloor: record.summaryFloor, summary: record.summary)
    }

    /// What the next run is to know of a device; `nil` where it never said anything.
    ///
    /// - Parameter wall: the time at which a device that is connected would have told of a loss.
    public func record(of device: DeviceID, wall: UInt64) -> HoldingsRecord? {
        entries[device].map { entry in
            // Where names are left out the device has to tell everything again.
            let isWhole = entry.holdings.named.count <= Self.namedCountMax
            return HoldingsRecord(
                saidAt: present.contains(device) ? wall : entry.saidAt, position: isWhole ? entry.position : nil,
                summaryFloor: entry.summaryFloor, presence: entry.holdings.presence(namedCountMax: Self.namedCountMax),
                lost: entry.holdings.lost, denied: entry.holdings.denied, summary: entry.summary)
        }
    }

    var hasUnsaved: Bool { !unsaved.isEmpty }

    /// Devices whose records differ from those of the last call, ordered.
    mutating func takeUnsaved() -> [DeviceID] {
        defer {
            unsaved.removeAll()
            hasUnsavedLoss = false
        }
        return unsaved.sorted()
    }

    private mutating func note(_ device: DeviceID, isLoss: Bool) {
        unsaved.insert(device)
        if isLoss { hasUnsavedLoss = true }
    }
}
