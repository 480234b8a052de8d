import WireFormat

/// How much waits in an engine, for those who watch over its limits.
public struct QueueSizes: Hashable, Sendable {
    public var reconciliation: ReconciliationQueues
    public var presence: PresenceQueues
    public var pull: PullQueues
    /// Pages received and not yet durable, of all peers.
    public var waitingPages = 0
    /// Devices of which an address is known.
    public var knownDevices = 0
    /// Ends of chains that were announced and whose batches are waited for.
    public var announcedHeads = 0
    /// The most things that wait to be sent to one peer without having been asked for.
    public var owed = 0

    /// One queue, as it is and as it may be.
    struct Row {
        let name: String
        let count: Int
        let countMax: Int

        init(_ name: String, _ count: Int, _ countMax: Int) {
            self.name = name
            self.count = count
            self.countMax = countMax
        }
    }

    /// A sentence about the first that is above its limit; `nil` if none is.
    public func excess(over limits: EngineLimits) -> String? {
        let rows = [
            // Of a lost connection's pages those are kept that came before the limit was reached.
            Row("waiting pages", waitingPages, limits.waitingPageCountMax + limits.pageWindow),
            Row("known devices", knownDevices, limits.knownDeviceCountMax),
            Row("announced heads", announcedHeads, limits.announcedHeadCountMax),
            Row("things owed to one peer", owed, limits.owedCountMax),
        ]
        let all = rows + reconciliation.rows(limits) + presence.rows(limits) + pull.rows(limits)
        return all.first { $0.count > $0.countMax }.map { "\($0.count) \($0.name), and \($0.countMax) are the limit" }
    }
}

extension Engine {
    /// Counts everything: for tests and simulations.
    public var queueSizes: QueueSizes {
        QueueSizes(
            reconciliation: reconciliation.queueSizes, presence: presence.queueSizes, pull: pull.queueSizes,
            waitingPages: storing.waitingPageCount, knownDevices: book.count, announcedHeads: broadcast.awaitedCount,
            owed: owedCountMax)
    }
}
