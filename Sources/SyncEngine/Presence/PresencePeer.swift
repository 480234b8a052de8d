import AlbumModel
import WireFormat

/// One connected peer: what it said of what it holds, and what it is to be told of that.
struct PresencePeer: Sendable {
    let device: DeviceID
    /// `nil` until the peer says hello.
    var hello: Hello?
    /// Either side ends the link.
    var isClosing = false
    /// What the own hello asks for the changes of, until the peer has answered.
    private(set) var base: HoldingsBook.Base?
    /// The peer has said over this connection what it holds.
    private(set) var hasSpoken = false
    /// The peer signed its summaries up to this number before it connected, or told of them itself.
    private var olderSummaryNumber: UInt64
    /// The peer told summaries that spoke of nothing that was known here, or has some of devices that were not …
    var hasPassedOverSummaries = false
    /// … and was asked for them again.
    private var hasAskedAgain = false
    /// How far the peer was told what is held here; `nil` where it is to be told everything.
    private(set) var told: UInt64?
    /// Something is to be said of what is held here, if only that nothing changed.
    var isPresenceDue = false
    var summaries: SummaryOutbox

    /// - Parameter known: what was known of the device.
    init(device: DeviceID, known: HoldingsBook, limits: EngineLimits, now: MonotonicInstant) {
        self.device = device
        base = known.base(of: device)
        olderSummaryNumber = known.newestNumber(of: device) ?? 0
        summaries = SummaryOutbox(limits: limits, now: now)
    }

    var isGreeted: Bool { hello != nil && !isClosing }

    // MARK: What the peer says

    mutating func spoke() {
        hasSpoken = true
        base = nil
    }

    /// The protocol's first version does not say which of its summaries are older than what it says.
    var tellsSummaryNumber: Bool { hello.map { $0.summaryNumber > 0 } ?? false }

    /// None of the peer's summaries up to this number, of other runs, is later than what it says over this connection.
    var summaryFloor: UInt64 { tellsSummaryNumber ? hello!.summaryNumber : olderSummaryNumber }

    mutating func noteOlder(_ number: UInt64) { olderSummaryNumber = max(olderSummaryNumber, number) }

    /// Everything is known now that the peer knew: summaries that were passed over are asked for again, once.
    mutating func askAgain() {
        guard hasPassedOverSummaries, !hasAskedAgain else { return }
        hasAskedAgain = true
        summaries.asksForAll = true
    }

    // MARK: What the peer is told

    /// How many things wait to be told.
    var owedCount: Int { summaries.count + (isPresenceDue ? 1 : 0) }

    func isDue(now: MonotonicInstant) -> Bool { isPresenceDue || summaries.isDue(now: now) }

    /// The peer learns what changed since this count; `nil` for everything. Where nothing changed it learns that: until
    /// then, what it knows may be a month old.
    mutating func owePresence(since told: UInt64?) {
        self.told = told
        isPresenceDue = true
    }

    /// - Parameter newest: the count of the latest change.
    mutating func told(upTo count: UInt64, newest: UInt64) {
        told = count
        isPresenceDue = count < newest
    }
}
