import AlbumModel
import WireFormat

/// What one peer is to be told besides batches, presence, parts and answers: names of things, whose newest state becomes a
/// message when the peer has read what it was told before. What changes meanwhile takes the place of what waits.
struct PeerOutbox: Sendable {
    /// Devices whose addresses are to be told, this one among them.
    private(set) var addresses: Set<DeviceID> = []
    /// Ends of chains that are to be announced.
    private(set) var heads: [ReplicaID: Set<Head>] = [:]
    private var headCount = 0
    /// More was to be announced than is kept: the peer is told the vector instead.
    var comparesVectors = false
    var isDigestDue = false
    var areDigestsDue = false
    private let limits: EngineLimits

    init(limits: EngineLimits) { self.limits = limits }

    /// How many things wait to be told.
    var count: Int {
        addresses.count + headCount + [comparesVectors, isDigestDue, areDigestsDue].count { $0 }
    }

    // MARK: What comes in

    mutating func addAddresses(_ devices: [DeviceID]) { addresses.formUnion(devices) }

    mutating func announce(_ entries: [ReplicaID: [Head]]) {
        for (replica, new) in entries {
            for head in new where heads[replica, default: []].insert(head).inserted { headCount += 1 }
        }
        guard headCount > limits.announcedHeadCountMax else { return }
        (heads, headCount) = ([:], 0)
        comparesVectors = true
    }

    // MARK: What goes out

    /// As many as one message tells, this device first.
    mutating func takeAddresses(own: DeviceID) -> [DeviceID] {
        let taken = addresses.sorted { ($0 == own ? 0 : 1, $0) < ($1 == own ? 0 : 1, $1) }
            .prefix(WireLimits.statementCountMax)
        addresses.subtract(taken)
        return Array(taken)
    }

    mutating func takeHeads() -> [ReplicaID: [Head]] {
        defer { (heads, headCount) = ([:], 0) }
        return heads.mapValues { $0.sorted() }
    }
}
