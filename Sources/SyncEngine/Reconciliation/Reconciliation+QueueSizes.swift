import WireFormat

/// How much waits between connected peers, and what is remembered of exchanges.
public struct ReconciliationQueues: Hashable, Sendable {
    /// The most pages of one session that are sent and not acknowledged.
    public var unacknowledgedPages = 0
    /// The most places in the log and batches that wait to be sent to one peer.
    public var peerBacklog = 0
    /// The most bytes that one peer was sent without having asked, and has not read.
    public var unreadByteCount = 0
    /// Vectors that are remembered of exchanges.
    public var sharedVectors = 0
    /// Of how many replicas these know heads, in sum.
    public var sharedReplicas = 0

    func rows(_ limits: EngineLimits) -> [QueueSizes.Row] {
        [
            .init("unacknowledged pages", unacknowledgedPages, limits.pageWindow),
            .init(
                "places that wait for one peer", peerBacklog, limits.pushedBatchCountMax + limits.samplesPerPeerMax + 1),
            // The last message may be as long as one can be.
            .init("unread bytes", unreadByteCount, limits.unreadByteCountMax + WireLimits.messageByteCountMax),
            .init("shared vectors", sharedVectors, limits.sharedVectorCountMax),
            .init("replicas in shared vectors", sharedReplicas, limits.sharedReplicaCountMax),
        ]
    }
}

extension Reconciliation {
    var queueSizes: ReconciliationQueues {
        ReconciliationQueues(
            unacknowledgedPages: sessions.values.map(\.unacknowledgedCount).max() ?? 0,
            peerBacklog: sessions.values.map(\.backlogCount).max() ?? 0,
            unreadByteCount: sessions.values.map(\.liveness.unreadByteCount).max() ?? 0,
            sharedVectors: sharedVectors.count, sharedReplicas: sharedVectors.replicaCount)
    }
}
