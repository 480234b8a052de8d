import AlbumModel
import WireFormat

/// What one peer is to be told besides batches and answers: names of things, whose newest state becomes a message when
/// the peer has read what it was told before. What changes meanwhile takes the place of what waits.
struct PeerOutbox: Sendable {
    /// How far the peer was told what is held here; `nil` where it is to be told everything.
    var presenceTold: UInt64?
    /// Something is to be said of what is held here, if only that nothing changed.
    var isPresenceDue = false
    /// Blobs of which parts came, or went.
    private(set) var parts: Set<BlobID> = []
    var isFetchingDue = false
    /// Devices whose addresses are to be told, this one among them.
    private(set) var addresses: Set<DeviceID> = []
    /// The peer is to be asked for all summaries that are newer than those here.
    var asksForSummaries = false
    /// Numbers of the summaries that are here of single devices, by their prefixes: newer ones are asked for.
    private(set) var askedSummaries: [UInt64: UInt64] = [:]
    /// Devices whose summaries are to be told, and the number of the one that the peer most likely has.
    private(set) var summaries: [DeviceID: UInt64?] = [:]
    /// When the next summary may leave: they have a share of the link, and photos the rest.
    private(set) var summariesAt: MonotonicInstant
    /// What the peer asked to be told of summaries, and when it is looked for.
    private var versions: SummaryVersions?
    private var versionsAt: MonotonicInstant
    /// Ends of chains that are to be announced.
    private(set) var heads: [ReplicaID: Set<Head>] = [:]
    private var headCount = 0
    /// More was to be announced than is kept: the peer is told the vector instead.
    var comparesVectors = false
    var isDigestDue = false
    var areDigestsDue = false
    private let limits: EngineLimits

    init(limits: EngineLimits, now: MonotonicInstant) {
        self.limits = limits
        let burst = UInt64(limits.summaryBurstSeconds * 1e9)
        summariesAt = MonotonicInstant(nanoseconds: now.nanoseconds - min(now.nanoseconds, burst))
        versionsAt = now
    }

    /// How many things wait to be told.
    var count: Int {
        parts.count + addresses.count + askedSummaries.count + summaries.count + headCount
            + [isPresenceDue, isFetchingDue, asksForSummaries, comparesVectors, isDigestDue, areDigestsDue].count { $0 }
    }

    /// Whether something may be told as far as time is concerned.
    func isDue(now: MonotonicInstant) -> Bool {
        count > summaries.count || nextDeadline.map { $0 <= now } ?? false
    }

    /// When summaries that wait may leave, or be looked for; `nil` where there is no such.
    var nextDeadline: MonotonicInstant? {
        [summaries.isEmpty ? nil : summariesAt, versions == nil ? nil : versionsAt].compactMap { $0 }.min()
    }

    func mayTellSummaries(now: MonotonicInstant) -> Bool { !summaries.isEmpty && summariesAt <= now }

    // MARK: What comes in

    /// - Parameter isWanted: whether a blob is still pulled here: of others a peer is told in other ways.
    mutating func addPart(_ blob: BlobID, isWanted: (BlobID) -> Bool) {
        if parts.count >= limits.toldPartCountMax { parts = parts.filter(isWanted) }
        // A peer that does not know of a part asks others, and is refused what is not there any more.
        if parts.count < limits.toldPartCountMax { parts.insert(blob) }
    }

    mutating func addAddresses(_ devices: [DeviceID]) { addresses.formUnion(devices) }

    mutating func ask(_ numbers: [UInt64: UInt64]) {
        askedSummaries.merge(numbers) { min($0, $1) }
        // One message does not ask for more.
        guard askedSummaries.count > WireLimits.replicaCountMax else { return }
        askedSummaries = [:]
        asksForSummaries = true
    }

    /// The peer asks for summaries; a question that was not looked at yet is part of the next one.
    mutating func asked(_ versions: SummaryVersions) {
        guard let waiting = self.versions, !versions.isWhole else {
            self.versions = versions
            return
        }
        let numbers = waiting.numbers.merging(versions.numbers) { min($0, $1) }
        let isTooLong = numbers.count > WireLimits.replicaCountMax
        self.versions = SummaryVersions(numbers: isTooLong ? [:] : numbers, isWhole: waiting.isWhole || isTooLong)
    }

    /// What the peer asked for, if it may be looked for.
    ///
    /// - Parameter deviceCount: of how many devices there are summaries: all are looked at.
    mutating func takeVersions(deviceCount: Int, now: MonotonicInstant) -> SummaryVersions? {
        guard versionsAt <= now, let taken = versions.take() else { return nil }
        versionsAt = now + limits.secondsPerEntry * Double(deviceCount + taken.numbers.count)
        return taken
    }

    /// - Parameter base: the number of the one that the peer most likely has.
    mutating func addSummary(of device: DeviceID, base: UInt64?) {
        // Of two the one that waited first is what the peer still has.
        if summaries.index(forKey: device) == nil { summaries.updateValue(base, forKey: device) }
    }

    mutating func announce(_ entries: [ReplicaID: [Head]]) {
        for (replica, new) in entries {
            for head in new where heads[replica, default: []].insert(head).inserted { headCount += 1 }
        }
        guard headCount > limits.announcedHeadCountMax else { return }
        (heads, headCount) = ([:], 0)
        comparesVectors = true
    }

    // MARK: What goes out

    mutating func takePart() -> BlobID? {
        let first = parts.min()
        if let first { parts.remove(first) }
        return first
    }

    /// As many as one message tells, this device first.
    mutating func takeAddresses(own: DeviceID) -> [DeviceID] {
        let taken = addresses.sorted { ($0 == own ? 0 : 1, $0) < ($1 == own ? 0 : 1, $1) }
            .prefix(WireLimits.statementCountMax)
        addresses.subtract(taken)
        return Array(taken)
    }

    mutating func takeAsked() -> [UInt64: UInt64] {
        defer { askedSummaries = [:] }
        return askedSummaries
    }

    mutating func takeHeads() -> [ReplicaID: [Head]] {
        defer { (heads, headCount) = ([:], 0) }
        return heads.mapValues { $0.sorted() }
    }

    /// Summaries of one message leave.
    mutating func takeSummaries(_ devices: [DeviceID], byteCount: Int, now: MonotonicInstant) {
        for device in devices { summaries.removeValue(forKey: device) }
        // After a quiet time some seconds' worth leave at once.
        let saved = now.seconds(since: summariesAt)
        let start = summariesAt + max(0, saved - limits.summaryBurstSeconds)
        summariesAt = start + Double(byteCount) / limits.summaryTellingByteRate
    }
}
