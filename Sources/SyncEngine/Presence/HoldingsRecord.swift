public import AlbumModel
public import WireFormat

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
