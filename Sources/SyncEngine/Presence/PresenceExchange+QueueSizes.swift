/// How much is kept of what devices hold.
public struct PresenceQueues: Hashable, Sendable {
    /// Own changes of presence that are kept for peers that come back.
    public var keptChanges = 0
    /// The most blobs that one device announced as held and no album here has.
    public var unknownHeld = 0
    /// Devices that announced anything of what they hold.
    public var holdingDevices = 0
    /// Bytes of what devices announced as held.
    public var holdingsByteCount = 0
    /// Bytes of summaries that newer ones took the place of.
    public var formerSummaryByteCount = 0

    func rows(_ limits: EngineLimits) -> [QueueSizes.Row] {
        [
            .init("changes of presence", keptChanges, limits.presenceChangeCountMax),
            .init("unknown blobs of one peer", unknownHeld, 2 * limits.unknownHeldCountMax),
            .init("devices with holdings", holdingDevices, limits.summaryDeviceCountMax),
            .init("bytes of holdings", holdingsByteCount, limits.holdingsByteCountMax),
            .init("bytes of older summaries", formerSummaryByteCount, limits.formerSummaryByteCountMax),
        ]
    }
}

extension PresenceExchange {
    var queueSizes: PresenceQueues {
        PresenceQueues(
            keptChanges: own.keptChangeCount, unknownHeld: holdings.unknownCount,
            holdingDevices: holdings.entries.count, holdingsByteCount: holdings.byteCount,
            formerSummaryByteCount: holdings.formerByteCount)
    }
}
