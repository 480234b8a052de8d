import AlbumModel
public import WireFormat

extension HoldingsBook {
    /// What is known of one device.
    struct Entry: Sendable {
        var holdings = Holdings()
        /// When the device said so, in microseconds since 1970; never later than this device learned of it.
        var saidAt: UInt64
        /// How far what it said goes.
        var position: PresencePosition?
        /// Summaries up to this number, of other runs than that of ``position``, are older than what it said.
        var summaryFloor: UInt64 = 0
        /// Its newest summary, as it signed it.
        var summary: Summary?
        /// The number of the newest summary that was not kept, for want of room or as too long.
        var droppedNumber: UInt64 = 0

        /// About how much memory it takes.
        var byteCount: Int { holdings.byteCount + (summary?.statement.content.count ?? 0) }
    }

    public struct Summary: Hashable, Sendable {
        public var number: UInt64
        public var statement: SignedStatement

        public init(number: UInt64, statement: SignedStatement) {
            self.number = number
            self.statement = statement
        }
    }

    /// What was known of a device when a connection to it began.
    struct Base: Sendable {
        var position: PresencePosition
        var holdings: Holdings
    }
}
