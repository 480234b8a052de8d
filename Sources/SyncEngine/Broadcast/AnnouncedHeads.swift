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
    ///
    /// - Parameter isAsked: who has not answered the last question yet is not asked again: whoever announces what does not
    ///   exist is asked as fast as it answers.
    mutating func due(now: MonotonicInstant, log: BatchLog, isAsked: (LinkID) -> Bool) -> [LinkID] {
        var links: [LinkID] = []
        for (key, wait) in waits.sorted(by: { $0.key < $1.key }) where wait.deadline <= now {
            guard !log.contains(key.head, of: key.replica), !wait.links.isEmpty else {
                waits[key] = nil
                continue
            }
            waits[key]!.deadline = now + limits.treePatience
            guard let first = wait.links.first(where: { !isAsked($0) }) else { continue }
            waits[key]!.links.removeAll { $0 == first }
            if !links.contains(first) { links.append(first) }
        }
        return links
    }

    var nextDeadline: MonotonicInstant? { waits.values.map(\.deadline).min() }
}
