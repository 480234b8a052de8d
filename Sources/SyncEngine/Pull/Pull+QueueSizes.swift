/// How much is being pulled.
public struct PullQueues: Hashable, Sendable {
    /// Blobs that are being pulled.
    public var workingSet = 0
    /// The most requests to one peer that are not answered.
    public var requestsPerLink = 0
    /// Bytes asked for that have not arrived.
    public var outstandingByteCount = 0

    func rows(_ limits: EngineLimits) -> [QueueSizes.Row] {
        [
            .init("blobs in the working set", workingSet, limits.openBlobCountMax),
            .init("requests to one peer", requestsPerLink, limits.requestsPerLinkMax),
            .init("requested bytes", outstandingByteCount, limits.outstandingByteCountMax),
        ]
    }
}

extension Pull {
    var queueSizes: PullQueues {
        PullQueues(
            workingSet: scheduler.wants.active.count,
            requestsPerLink: scheduler.links.values.map(\.outstandingCount).max() ?? 0,
            outstandingByteCount: scheduler.outstandingByteCount)
    }
}
