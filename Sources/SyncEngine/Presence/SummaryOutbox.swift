import AlbumModel
import WireFormat

/// Summaries that one peer is to be told, and is to be asked for: they have a share of the link, and photos the rest.
struct SummaryOutbox: Sendable {
    /// The peer is to be asked for all summaries that are newer than those here.
    var asksForAll = false
    /// Numbers of the summaries that are here of single devices, by their prefixes: newer ones are asked for.
    private var asked: [UInt64: UInt64] = [:]
    /// Devices whose summaries are to be told, and the number of the one that the peer most likely has.
    private(set) var waiting: [DeviceID: UInt64?] = [:]
    /// When the next summary may leave.
    private var leavesAt: MonotonicInstant
    /// What the peer asked to be told of, and when it is looked for.
    private var versions: SummaryVersions?
    private var versionsAt: MonotonicInstant
    private let limits: EngineLimits

    init(limits: EngineLimits, now: MonotonicInstant) {
        self.limits = limits
        let burst = UInt64(limits.summaryBurstSeconds * 1e9)
        leavesAt = MonotonicInstant(nanoseconds: now.nanoseconds - min(now.nanoseconds, burst))
        versionsAt = now
    }

    /// How many questions and summaries wait.
    var count: Int { questionCount + waiting.count }

    private var questionCount: Int { asked.count + (asksForAll ? 1 : 0) }

    /// Whether something may be told as far as time is concerned.
    func isDue(now: MonotonicInstant) -> Bool { questionCount > 0 || nextDeadline.map { $0 <= now } ?? false }

    /// When summaries that wait may leave, or be looked for; `nil` where there is no such.
    var nextDeadline: MonotonicInstant? {
        [waiting.isEmpty ? nil : leavesAt, versions == nil ? nil : versionsAt].compactMap { $0 }.min()
    }

    func mayTell(now: MonotonicInstant) -> Bool { !waiting.isEmpty && leavesAt <= now }

    // MARK: Input

    mutating func ask(_ numbers: [UInt64: UInt64]) {
        asked.merge(numbers) { min($0, $1) }
        // One message does not ask for more.
        guard asked.count > WireLimits.replicaCountMax else { return }
        asked = [:]
        asksForAll = true
    }

    /// The peer asks for summaries; a question that was not looked at yet is part of the next one.
    mutating func wasAsked(_ versions: SummaryVersions) {
        guard let waiting = self.versions, !versions.isWhole else {
            self.versions = versions
            return
        }
        let numbers = waiting.numbers.merging(versions.numbers) { min($0, $1) }
        let isTooLong = numbers.count > WireLimits.replicaCountMax
        self.versions = SummaryVersions(numbers: isTooLong ? [:] : numbers, isWhole: waiting.isWhole || isTooLong)
    }

    /// - Parameter base: the number of the one that the peer most likely has.
    mutating func add(_ device: DeviceID, base: UInt64?) {
        // Of two the one that waited first is what the peer still has.
        if waiting.index(forKey: device) == nil { waiting.updateValue(base, forKey: device) }
    }

    // MARK: Output

    /// What the peer asked for, if it may be looked for.
    ///
    /// - Parameter deviceCount: of how many devices there are summaries: all are looked at.
    mutating func takeVersions(deviceCount: Int, now: MonotonicInstant) -> SummaryVersions? {
        guard versionsAt <= now, let taken = versions.take() else { return nil }
        versionsAt = now + limits.secondsPerEntry * Double(deviceCount + taken.numbers.count)
        return taken
    }

    mutating func takeAsked() -> [UInt64: UInt64] {
        defer { asked = [:] }
        return asked
    }

    /// Summaries of one message leave.
    mutating func take(_ devices: [DeviceID], byteCount: Int, now: MonotonicInstant) {
        for device in devices { waiting.removeValue(forKey: device) }
        // After a quiet time some seconds' worth leave at once.
        let saved = now.seconds(since: leavesAt)
        let start = leavesAt + max(0, saved - limits.summaryBurstSeconds)
        leavesAt = start + Double(byteCount) / limits.summaryTellingByteRate
    }
}
