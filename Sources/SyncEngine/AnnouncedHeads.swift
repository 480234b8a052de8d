import AlbumModel

/// Ends of chains that peers announced and whose batches should arrive along the tree; where they do not, an announcer
/// is asked (the lazy half of Plumtree).
struct AnnouncedHeads: Sendable {
    private struct Key: Hashable, Comparable {
        var replica: ReplicaID
        var head: Head

        static func < (left: Key, right: Key) -> Bool { (left.replica, left.head) < (right.replica, right.head) }
    }

    private struct Wait {
        var deadline: MonotonicInstant
        /// Who announced it and was not asked yet, in the order of their coming.
        var links: [LinkID]
    }

    private var waits: [Key: Wait] = [:]
    private let limits: EngineLimits

    init(limits: EngineLimits) {
        self.limits = limits
    }

    var count: Int { waits.count }

    /// Takes note of heads that are not known here.
    mutating func note(_ replica: ReplicaID, _ head: Head, from link: LinkID, now: MonotonicInstant) {
        let key = Key(replica: replica, head: head)
        // What does not fit is found when vectors are compared.
        guard waits[key] != nil || waits.count < limits.announcedHeadCountMax else { return }
        var wait = waits[key] ?? Wait(deadline: now + limits.treePatience, links: [])
        if wait.links.count < limits.announcerCountMax, !wait.links.contains(link) { wait.links.append(link) }
        waits[key] = wait
    }

    mutating func linkClosed(_ link: LinkID) {
        for key in waits.keys { waits[key]!.links.removeAll { $0 == link } }
    }

    /// Links that are to be asked now, each once.
    mutating func due(now: MonotonicInstant, log: BatchLog) -> [LinkID] {
        var links: [LinkID] = []
        for (key, wait) in waits.sorted(by: { $0.key < $1.key }) where wait.deadline <= now {
            guard !log.contains(key.head, of: key.replica), let first = wait.links.first else {
                waits[key] = nil
                continue
            }
            waits[key]!.links.removeFirst()
            waits[key]!.deadline = now + limits.treePatience
            if !links.contains(first) { links.append(first) }
        }
        return links
    }

    var nextDeadline: MonotonicInstant? { waits.values.map(\.deadline).min() }
}
