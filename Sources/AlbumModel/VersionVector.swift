/// The end of one branch of a replica.
public struct Head: Hashable, Comparable, Sendable {
    /// The number of the last change.
    public var sequence: UInt64
    /// ``BatchID/prefix`` of the batch that ends there.
    public var branch: UInt64

    public init(sequence: UInt64, branch: UInt64) {
        self.sequence = sequence
        self.branch = branch
    }

    public static func < (left: Head, right: Head) -> Bool {
        (left.sequence, left.branch) < (right.sequence, right.branch)
    }
}

/// What a device knows: of each replica the last change, and the batch there, which tells forks apart.
///
/// A replica has one head unless it forked.
public struct VersionVector: Hashable, Sendable {
    /// Sorted heads of each replica, never empty.
    public private(set) var heads: [ReplicaID: [Head]]

    public init(heads: [ReplicaID: [Head]] = [:]) {
        self.heads = heads.mapValues { $0.sorted() }.filter { !$0.value.isEmpty }
    }
}
