import AlbumModel
import WireFormat

/// How new batches spread: pushed along a tree of eager links, and only announced over the others (Plumtree).
///
/// While everybody is connected to everybody all links stay eager: a push then reaches all in one step.
extension Engine {
    /// Offers batches that are durable now to all who may lack them.
    mutating func spread(
        _ batches: [AcceptedBatch], sources: [BatchID: LinkID], now: MonotonicInstant,
        _ directives: inout [EngineDirective]
    ) {
        let replicas = Set(batches.map(\.batch.replica))
        for link in sessions.keys.sorted() {
            let fresh = batches.filter { sources[$0.id] != link && $0.author != sessions[link]!.device }
            guard !fresh.isEmpty || sessions[link]!.isUnsettled(replicas) else { continue }
            guard sessions[link]!.isEager else {
                for batch in fresh { announce(batch, over: link) }
                continue
            }
            perform(sessions[link]!.push(fresh, replicas: replicas, log: log), link, now: now, &directives)
        }
        if isMeshPartial { adopt(Set(sources.values), now: now, &directives) }
    }

    /// Something new came over lazy links, since vectors were just compared over them: these join the tree. Whoever is
    /// beyond an eager one mostly has it as well by now, and prunes that.
    private mutating func adopt(
        _ sources: Set<LinkID>, now: MonotonicInstant, _ directives: inout [EngineDirective]
    ) {
        for link in sources.sorted() {
            guard let session = sessions[link], !session.isEager, session.isReconciling else { continue }
            graft(link, now: now, &directives)
        }
    }

    private mutating func announce(_ batch: AcceptedBatch, over link: LinkID) {
        news.announce(batch.batch.replica, batch.end, over: link)
    }

    mutating func announcementArrived(_ entries: [ReplicaID: [Head]], _ link: LinkID, now: MonotonicInstant) {
        for (replica, heads) in entries.sorted(by: { $0.key < $1.key }) {
            for head in heads where !log.contains(head, of: replica) {
                announced.note(replica, head, from: link, now: now)
            }
        }
    }

    /// What was announced and did not come along the tree is asked for, and its link becomes part of the tree.
    mutating func askAnnouncers(now: MonotonicInstant, _ directives: inout [EngineDirective]) {
        let asked = Set(sessions.keys.filter { sessions[$0]!.isAsked })
        let due = announced.due(now: now, log: log) { asked.contains($0) }
        for link in due where !PlantedFault.isPlanted(.announcedNeverFetched) {
            graft(link, now: now, &directives)
        }
    }

    private mutating func graft(_ link: LinkID, now: MonotonicInstant, _ directives: inout [EngineDirective]) {
        guard sessions[link]?.isGreeted == true else { return }
        perform(sessions[link]!.graft(log: log), link, now: now, &directives)
    }

    /// A page brought nothing new: another link was faster, and this one leaves the tree.
    mutating func prune(_ link: LinkID, _ directives: inout [EngineDirective]) {
        guard isMeshPartial, let session = sessions[link], session.isEager, session.isReconciling,
            treeLinks.count > 1 || PlantedFault.isPlanted(.lastEagerLinkPruned)
        else { return }
        sessions[link]!.isEager = false
        directives.append(.send(link, .prune))
    }

    /// After a link broke: if it was part of the tree, a lazy one takes its place. Nobody knows who is beyond which link.
    /// But of a tree that was cut in two a random link leads to the larger part more often than not, and whoever lost the
    /// link on the side of the smaller part takes one, too. One too many is pruned by the next batch.
    mutating func keepTree(without lost: PeerSession, now: MonotonicInstant, _ directives: inout [EngineDirective]) {
        guard lost.isEager || treeLinks.isEmpty, !PlantedFault.isPlanted(.brokenTreeNotMended) else { return }
        let lazy = greetedLinks.filter { !sessions[$0]!.isEager }
        guard let link = lazy.randomElement(using: &dice) else { return }
        graft(link, now: now, &directives)
    }

    /// Links over which news is pushed, ordered.
    var treeLinks: [LinkID] { greetedLinks.filter { sessions[$0]!.isEager } }
}
