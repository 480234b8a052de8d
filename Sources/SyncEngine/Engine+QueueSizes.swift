import WireFormat

/// How much waits in an engine, for those who watch over its limits.
public struct QueueSizes: Hashable, Sendable {
    /// Pages received and not yet durable, of all peers.
    public var waitingPages = 0
    /// The most pages of one session that are sent and not acknowledged.
    public var unacknowledgedPages = 0
    /// The most requests to one peer that are not answered.
    public var requestsPerLink = 0
    /// Bytes asked for that have not arrived.
    public var outstandingByteCount = 0
    /// Blobs that are being pulled.
    public var workingSet = 0
    /// The most blobs that one peer says it holds and no album here has.
    public var unknownHeld = 0
    /// Devices of which an address is known.
    public var knownDevices = 0
    /// Ends of chains that were announced and whose batches are waited for.
    public var announcedHeads = 0
    /// Own changes of presence that are kept for peers that come back.
    public var keptChanges = 0
    /// Vectors that are remembered of exchanges.
    public var sharedVectors = 0
    /// Bytes of summaries that newer ones took the place of.
    public var formerSummaryByteCount = 0

    /// Of how many replicas these know heads, in sum.
    public var sharedReplicas = 0
    /// The most places in the log and batches that wait to be sent to one peer.
    public var peerBacklog = 0
    /// The most bytes that one peer was told without having asked, and has not read.
    public var unreadByteCount = 0
    /// The most things that wait to be told to one peer.
    public var owed = 0
    /// Bytes of what devices said that they hold.
    public var holdingsByteCount = 0
    /// Devices that said anything of what they hold.
    public var holdingDevices = 0

    /// A sentence about the first that is above its limit; `nil` if none is.
    public func excess(over limits: EngineLimits) -> String? {
        let rows = [
            // Of a lost connection's pages those are kept that came before the limit was reached.
            ("waiting pages", waitingPages, limits.waitingPageCountMax + limits.pageWindow),
            ("unacknowledged pages", unacknowledgedPages, limits.pageWindow),
            ("requests to one peer", requestsPerLink, limits.requestsPerLinkMax),
            ("requested bytes", outstandingByteCount, limits.outstandingByteCountMax),
            ("blobs in the working set", workingSet, limits.openBlobCountMax),
            ("unknown blobs of one peer", unknownHeld, 2 * limits.unknownHeldCountMax),
            ("known devices", knownDevices, limits.knownDeviceCountMax),
            ("announced heads", announcedHeads, limits.announcedHeadCountMax),
            ("changes of presence", keptChanges, limits.presenceChangeCountMax),
            ("shared vectors", sharedVectors, limits.sharedVectorCountMax),
            ("replicas in shared vectors", sharedReplicas, limits.sharedReplicaCountMax),
            ("places that wait for one peer", peerBacklog, limits.pushedBatchCountMax + limits.samplesPerPeerMax + 1),
            // The last message may be as long as one can be.
            ("unread bytes", unreadByteCount, limits.unreadByteCountMax + WireLimits.messageByteCountMax),
            ("things to be told to one peer", owed, limits.owedCountMax),
            ("bytes of holdings", holdingsByteCount, limits.holdingsByteCountMax),
            ("devices with holdings", holdingDevices, limits.summaryDeviceCountMax),
            ("bytes of older summaries", formerSummaryByteCount, limits.formerSummaryByteCountMax),
        ]
        return rows.first { $0.1 > $0.2 }.map { "\($0.1) \($0.0), and \($0.2) are the limit" }
    }
}

extension Engine {
    /// Counts everything: for tests and simulations.
    public var queueSizes: QueueSizes {
        QueueSizes(
            waitingPages: storing.waitingPageCount,
            unacknowledgedPages: reconciliation.sessions.values.map(\.unacknowledgedCount).max() ?? 0,
            requestsPerLink: pull.scheduler.links.values.map(\.outstandingCount).max() ?? 0,
            outstandingByteCount: pull.scheduler.outstandingByteCount,
            workingSet: pull.scheduler.wants.active.count, unknownHeld: holdings.unknownCount, knownDevices: book.count,
            announcedHeads: broadcast.awaitedCount, keptChanges: presence.own.keptChangeCount,
            sharedVectors: reconciliation.sharedVectors.count, formerSummaryByteCount: holdings.formerByteCount,
            sharedReplicas: reconciliation.sharedVectors.replicaCount,
            peerBacklog: reconciliation.sessions.values.map(\.backlogCount).max() ?? 0,
            unreadByteCount: reconciliation.sessions.values.map(\.liveness.unreadByteCount).max() ?? 0,
            owed: owedCountMax, holdingsByteCount: holdings.byteCount,
            holdingDevices: holdings.entries.count)
    }
}
