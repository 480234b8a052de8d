public import AlbumModel
public import WireFormat

/// What every other device holds, as far as it said so itself: over a connection, or in a signed summary that others
/// passed on. Nothing is assumed.
///
/// Of two statements of a device the later one counts, and which that is does not depend on anybody's clock: within a run
/// of its agent the counter of its changes tells, and between runs the number of its summaries.
public struct HoldingsBook: Sendable {
    /// A copy counts for so long after its device said that it has it: 7 days, in microseconds.
    public static let ageMax: UInt64 = 7 * 24 * 3600 * 1_000_000
    /// What seems to have been said so much later than now, in microseconds, does not count: the clock was wrong then or is
    /// wrong now. Less is a clock that was put right.
    static let aheadMax: UInt64 = 24 * 3600 * 1_000_000

    private(set) var entries: [DeviceID: Entry] = [:]
    /// What the entries take in memory, in sum.
    private(set) var byteCount = 0
    /// This device, whose own summary is kept here as well.
    private var own: DeviceID?
    private var ownNumbers = SummaryNumbers(reserved: 0)
    /// Devices from which others go on, which may be the same laptops: they count while they are connected, and after they
    /// were.
    private var retired: Set<DeviceID> = []
    /// Devices that hosts put out.
    private(set) var out: Set<DeviceID> = []
    /// Devices that are connected and have said what they hold since they are.
    private(set) var present: Set<DeviceID> = []
    /// Devices of which something changed that is to be remembered over restarts.
    private var unsaved: Set<DeviceID> = []
    /// Some of them said that they hold less: to forget that would be to count what is not there.
    private(set) var hasUnsavedLoss = false
    /// Summaries that newer ones took the place of.
    private(set) var former: FormerSummaries
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
        guard let entry = entries[device], entry.holdings.isWhole, let position = entry.position else { return nil }
        return Base(position: position, holdings: entry.holdings)
    }

    /// The number of the newest summary of a device that came here, kept or not; `nil` for none.
    func newestNumber(of device: DeviceID) -> UInt64? {
        entries[device].flatMap { entry in
            let number = max(entry.summary?.number ?? 0, entry.droppedNumber)
            return number > 0 ? number : nil
        }
    }

    /// Whether a device said that it holds anything.
    func claimsAnything(_ device: DeviceID) -> Bool { entries[device].map { !$0.holdings.isEmpty } ?? false }

    /// How far what a device said goes; `nil` if nobody knows.
    public func position(of device: DeviceID) -> PresencePosition? { entries[device]?.position }

    // MARK: What is said over a connection

    /// A connected device told everything that it holds.
    ///
    /// - Parameter summaryNumber: none of its summaries from earlier runs has a greater number.
    mutating func replace(
        _ device: DeviceID, _ presence: Presence, position: PresencePosition, summaryNumber: UInt64 = 0, wall: UInt64
    ) {
        var entry = takeOut(device) ?? Entry(saidAt: wall)
        // A summary that others passed on may have overtaken it.
        if !entry.holdings.isWhole || entry.position?.run != position.run
            || entry.position!.counter <= position.counter
        {
            let holdings = Holdings(presence)
            note(device, isLoss: holdings.mayLack(claimsOf: entry.holdings))
            entry.holdings = holdings
            entry.position = position
        }
        entry.summaryFloor = max(entry.summaryFloor, summaryNumber)
        entry.saidAt = wall
        retired.remove(device)
        present.insert(device)
        putBack(entry, device)
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
        guard let position = entries[device]?.position ?? base?.position, entries.keys.contains(device),
            position.run == run || base?.position.run == run, var entry = takeOut(device)
        else { return false }
        if entry.position?.run != run { entry.holdings = base!.holdings }
        var isLoss = false
        // A summary that others passed on may have overtaken it, and said all this and what became of it.
        if entry.position?.run != run || entry.position!.counter < change.counter {
            for blob in change.held { entry.holdings.gain(blob, limits: limits, isKnown: isKnown) }
            for blob in change.lost {
                let wasNamed = entry.holdings.named.contains(blob)
                if entry.holdings.lose(blob, limits: limits) || wasNamed { isLoss = true }
            }
            entry.position = PresencePosition(run: run, counter: change.counter)
        }
        entry.summaryFloor = max(entry.summaryFloor, summaryNumber)
        entry.saidAt = wall
        retired.remove(device)
        note(device, isLoss: isLoss)
        present.insert(device)
        putBack(entry, device)
        return true
    }

    /// The connection over which a device spoke has ended: until now it would have told of a loss. Unless it was gone long before,
    /// and another run of its agent has signed something since.
    ///
    /// - Parameters:
    ///   - summaryNumber: none of its summaries up to this number, of other runs than the one that spoke, is later than
    ///     what it said.
    ///   - isNumberTold: it said so itself. Else, as with the protocol's first version, what has a greater number may be
    ///     earlier or later than what it said, and nothing of either counts.
    mutating func left(_ device: DeviceID, summaryNumber: UInt64 = 0, isNumberTold: Bool = true, wall: UInt64) {
        guard present.remove(device) != nil, var entry = takeOut(device) else { return }
        entry.saidAt = wall
        entry.summaryFloor = max(entry.summaryFloor, summaryNumber)
        var isLoss = false
        if let statement = entry.summary?.statement, let summary = try? PresenceSummary(decoding: statement.content) {
            if isNumberTold || entry.position?.run == summary.position?.run {
                _ = follow(summary, &entry, wall: wall)
            } else if isLater(summary, than: entry) {
                (entry.holdings, entry.position, isLoss) = (Holdings(), nil, true)
                entry.summaryFloor = summary.number
            }
        }
        note(device, isLoss: isLoss)
        putBack(entry, device)
    }

    /// A device was asked and does not have a blob.
    mutating func deny(_ device: DeviceID, _ blob: BlobID) {
        guard entries[device]?.holdings.deny(blob) == true else { return }
        byteCount += Holdings.nameByteCount
        note(device, isLoss: true)
    }

    /// A device sent a right piece of a blob.
    mutating func retractDenial(_ device: DeviceID, _ blob: BlobID) {
        guard entries[device]?.holdings.retractDenial(blob) == true else { return }
        byteCount -= Holdings.nameByteCount
        note(device, isLoss: false)
    }

    /// A contributor says something new of a file: those who denied it may have been asked for what does not exist.
    mutating func reconsider(_ blob: BlobID) {
        for device in entries.keys { retractDenial(device, blob) }
    }

    /// These are out, and no others.
    mutating func setOut(_ devices: Set<DeviceID>) { out = devices }

    /// Another device goes on from this one.
    mutating func retire(_ device: DeviceID) {
        retired.insert(device)
    }

    /// What is kept of summaries that newer ones took the place of.
    var formerByteCount: Int { former.byteCount }

    /// The most blobs that one device says it holds and no album here has.
    var unknownCount: Int { entries.values.map(\.holdings.unknownCount).max() ?? 0 }

    // MARK: What is said in summaries

    /// A run of the agent of this device begins, with what was remembered.
    mutating func begin(as own: DeviceID) {
        self.own = own
        ownNumbers = SummaryNumbers(reserved: max(entries[own]?.summaryFloor ?? 0, newestNumber(of: own) ?? 0))
    }

    /// The number of this device's next summary; `nil` where that is not on the disk yet, and is to be asked again after
    /// ``numbersWritten(_:)``.
    mutating func nextNumber(wall: UInt64) -> UInt64? {
        let next = ownNumbers.next(after: ownNewest, wall: wall)
        reserve(next, wall: wall)
        return ownNumbers.isUsable(next) ? next : nil
    }

    /// What this device says over a connection is newer than all summaries of its earlier runs, which have no greater
    /// numbers than this.
    mutating func toldNumber(wall: UInt64) -> UInt64 {
        reserve(ownNumbers.next(after: ownNewest, wall: wall), wall: wall)
        return ownNumbers.told(newest: ownNewest, wall: wall)
    }

    /// The next run of the agent knows that numbers up to this one may have been used.
    mutating func numbersWritten(_ reserved: UInt64) { ownNumbers.written(reserved) }

    private var ownNewest: UInt64 { own.flatMap { newestNumber(of: $0) } ?? 0 }

    private mutating func reserve(_ next: UInt64, wall: UInt64) {
        guard let own, ownNumbers.reserve(next, wall: wall) else { return }
        if entries[own] == nil { putBack(Entry(saidAt: wall), own) }
        // Soon: a summary waits for it.
        note(own, isLoss: true)
    }

    /// A device's summary, whose signature was checked, from whomever.
    ///
    /// - Returns: whether it is news, to be passed on.
    mutating func take(_ summary: PresenceSummary, _ statement: SignedStatement, wall: UInt64) -> Bool {
        if let known = newestNumber(of: summary.device), known >= summary.number { return false }
        let isNew = entries[summary.device] == nil
        // Those that said something over a connection are there, however many others are invented.
        guard !isNew || entries.count < limits.summaryDeviceCountMax || summary.device == own else { return false }
        let saidAt = min(summary.number, wall)
        var entry = takeOut(summary.device) ?? Entry(saidAt: saidAt)
        if let old = entry.summary { former.keep(old, of: summary.device) }
        entry.summary = Summary(number: summary.number, statement: statement)
        let isLoss = follow(summary, &entry, isNew: isNew, wall: wall)
        note(summary.device, isLoss: isLoss)
        putBack(entry, summary.device)
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

    /// A summary, whose signature was checked, that is longer than one may be: nobody is asked for it again, and what the
    /// device said before is not what it says now.
    mutating func drop(_ summary: PresenceSummary) {
        guard entries.keys.contains(summary.device) || entries.count < limits.summaryDeviceCountMax else { return }
        if !present.contains(summary.device) { forgetContents(of: summary.device, isLoss: true) }
        var entry = takeOut(summary.device) ?? Entry(saidAt: 0, summaryFloor: summary.number)
        entry.droppedNumber = max(entry.droppedNumber, summary.number)
        putBack(entry, summary.device)
    }

    // MARK: Room

    private mutating func takeOut(_ device: DeviceID) -> Entry? {
        let entry = entries.removeValue(forKey: device)
        byteCount -= entry?.byteCount ?? 0
        return entry
    }

    private mutating func putBack(_ entry: Entry, _ device: DeviceID) {
        entries[device] = entry
        byteCount += entry.byteCount
        while byteCount > limits.holdingsByteCountMax, let longest = longest() {
            forgetContents(of: longest, isLoss: false)
        }
        if entries.count > limits.summaryDeviceCountMax, let shortest = shortest(besides: device) {
            _ = takeOut(shortest)
        }
    }

    /// Whose word is given up where there is no room, never that of a connected device: an honest laptop's is short, and who
    /// invents devices gains nothing by long ones.
    private func longest() -> DeviceID? {
        let others = entries.lazy.filter { isForgettable($0.key) && $0.value.byteCount > 0 }
        return others.max { ($0.value.byteCount, $0.key) < ($1.value.byteCount, $1.key) }?.key
    }

    /// Who makes room for a device that is there itself: whoever says least.
    private func shortest(besides device: DeviceID) -> DeviceID? {
        let others = entries.lazy.filter { isForgettable($0.key) && $0.key != device }
        return others.min { ($0.value.byteCount, $0.key) < ($1.value.byteCount, $1.key) }?.key
    }

    private func isForgettable(_ device: DeviceID) -> Bool { device != own && !present.contains(device) }

    /// Nothing counts of the device any longer, and nobody is asked again for what it said.
    ///
    /// - Parameter isLoss: the device itself may have said that it holds less.
    private mutating func forgetContents(of device: DeviceID, isLoss: Bool) {
        guard var entry = takeOut(device) else { return }
        entry.droppedNumber = max(entry.droppedNumber, entry.summary?.number ?? 0)
        entry.summaryFloor = max(entry.summaryFloor, entry.droppedNumber)
        entry.summary = nil
        entry.position = nil
        entry.holdings = Holdings()
        entries[device] = entry
        note(device, isLoss: isLoss)
    }

    // MARK: Questions

    /// Whether a device said that it holds a blob, whenever that was.
    func claims(_ device: DeviceID, _ blob: BlobID, dots: [Dot]) -> Bool {
        entries[device]?.holdings.claims(blob, dots: dots) ?? false
    }

    /// Whether what a device said counts for safety: it is connected and has spoken, or spoke lately enough.
    func counts(_ device: DeviceID, wall: UInt64) -> Bool {
        guard let entry = entries[device] else { return false }
        if out.contains(device), !PlantedFault.isPlanted(.outCopyCounts) { return false }
        if present.contains(device) { return true }
        let isOld = entry.saidAt &+ Self.ageMax <= wall && !PlantedFault.isPlanted(.oldWordsCount)
        let isRetired = retired.contains(device) && !PlantedFault.isPlanted(.retiredDeviceCounts)
        return !isRetired && !isOld && entry.saidAt <= wall &+ Self.aheadMax
    }

    /// A span of time around `wall`, in microseconds since 1970, throughout which the words of the same devices count as at
    /// `wall`, as long as nobody says anything.
    public func span(around wall: UInt64) -> Range<UInt64> {
        let turns = entries.values.flatMap { [$0.saidAt - min($0.saidAt, Self.aheadMax), $0.saidAt &+ Self.ageMax] }
        return (turns.filter { $0 <= wall }.max() ?? 0)..<(turns.filter { $0 > wall }.min() ?? .max)
    }
}

// MARK: - Over restarts

extension HoldingsBook {
    /// Blobs that are remembered one by one: those that a device got since it last told all are some of a gathering.
    private static let namedCountMax = WireLimits.presenceBlobCountMax

    /// What an earlier run of this agent knew.
    public mutating func remember(_ device: DeviceID, _ record: HoldingsRecord) {
        _ = takeOut(device)
        let presence = record.presence.cut(to: limits.presenceByteCountMax)
        let entry = Entry(
            holdings: Holdings(presence, lost: record.lost, denied: record.denied), saidAt: record.saidAt,
            position: record.position, summaryFloor: record.summaryFloor, summary: record.summary)
        putBack(entry, device)
        // An earlier version kept them however long they were.
        let byteCount = record.summary?.statement.content.count ?? 0
        if byteCount > limits.summaryByteCountMax { forgetContents(of: device, isLoss: false) }
    }

    /// What the next run is to know of a device; `nil` where it never said anything.
    ///
    /// - Parameter wall: the time at which a device that is connected would have told of a loss.
    public func record(of device: DeviceID, wall: UInt64) -> HoldingsRecord? {
        entries[device].map { entry in
            // Where something is left out the device has to tell everything again.
            let isWhole = entry.holdings.isWhole && entry.holdings.named.count <= Self.namedCountMax
            return HoldingsRecord(
                saidAt: present.contains(device) ? wall : entry.saidAt, position: isWhole ? entry.position : nil,
                summaryFloor: device == own ? max(entry.summaryFloor, ownNumbers.reserved) : entry.summaryFloor,
                presence: entry.holdings.presence(namedCountMax: Self.namedCountMax),
                lost: PlantedFault.isPlanted(.lossesForgottenOverRestart) ? [] : entry.holdings.lost,
                denied: entry.holdings.denied, summary: entry.summary)
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
