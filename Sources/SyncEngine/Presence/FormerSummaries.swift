import AlbumModel
import DequeModule
import WireFormat

/// A summary that a peer may lack.
struct NewerSummary: Sendable {
    var device: DeviceID
    /// The number of the one that the peer has, or most likely has; `nil` for none.
    var base: UInt64?
    var statement: SignedStatement

    var byteCount: Int { statement.content.count + statement.signature.count }
}

/// Contents of summaries that newer ones took the place of: whoever still has one is told the difference.
struct FormerSummaries: Sendable {
    private struct Key: Hashable {
        var device: DeviceID
        var number: UInt64
    }

    private var contents: [Key: [UInt8]] = [:]
    /// The oldest first.
    private var order: Deque<Key> = []
    private(set) var byteCount = 0
    private let byteCountMax: Int

    init(byteCountMax: Int) { self.byteCountMax = byteCountMax }

    func content(_ number: UInt64, of device: DeviceID) -> [UInt8]? {
        contents[Key(device: device, number: number)]
    }

    mutating func keep(_ summary: HoldingsBook.Summary, of device: DeviceID) {
        let key = Key(device: device, number: summary.number)
        guard contents[key] == nil else { return }
        contents[key] = summary.statement.content
        order.append(key)
        byteCount += summary.statement.content.count
        while byteCount > byteCountMax, let oldest = order.popFirst() {
            byteCount -= contents.removeValue(forKey: oldest)?.count ?? 0
        }
    }
}
