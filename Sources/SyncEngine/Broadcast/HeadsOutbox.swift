import AlbumModel
import WireFormat

/// Ends of chains that are to be announced to one peer once it reads.
struct HeadsOutbox: Sendable {
    private var heads: [ReplicaID: Set<Head>] = [:]
    private(set) var count = 0

    /// - Returns: false where these are more than are kept, and none is.
    mutating func add(_ entries: [ReplicaID: Set<Head>], countMax: Int) -> Bool {
        for (replica, new) in entries {
            for head in new where heads[replica, default: []].insert(head).inserted { count += 1 }
        }
        guard count > countMax else { return true }
        (heads, count) = ([:], 0)
        return false
    }

    mutating func take() -> [ReplicaID: [Head]] {
        defer { (heads, count) = ([:], 0) }
        return heads.mapValues { $0.sorted() }
    }
}
