import AlbumModel
import WireFormat

/// How new batches spread: Plumtree (Leitão, Pereira and Rodrigues, “Epidemic Broadcast Trees”, SRDS 2007). They are pushed
/// over eager links, which form a tree, and only announced over lazy ones. A value type without I/O.
///
/// It departs from the paper:
/// - While everybody is connected to everybody all links stay eager: a push then reaches all in one step.
/// - IHAVE names ends of chains (``AnnouncedHeads``), which stand for all batches before them.
/// - GRAFT does not name what is missing: a version vector follows it, and the answer brings whatever is. Nothing is pushed
///   before that, since the peer may lack what it follows.
/// - What came over a lazy link, since vectors were just compared over it, makes that link eager as well.
/// - The last eager link is not pruned.
/// - In place of an eager link that broke a random lazy one is grafted at once, on both sides. Nobody knows who is beyond
///   which link. But of a tree that was cut in two a random link leads to the larger part more often than not, and
///   whoever lost the link on the side of the smaller part takes one, too. One too many is pruned by the next batch.
/// - Links are not chosen by how many hops a batch took.
struct Broadcast: Sendable {
    enum Input: Sendable {
        /// A link was greeted and stays. It is eager.
        case opened(LinkID, DeviceID)
        /// What the peer knows is known; `isPeersVector`: since it told its vector, not since it answered.
        case compared(LinkID, isPeersVector: Bool)
        /// The peer asks for an eager link; it is one once the vector that follows tells what the peer lacks.
        case grafted(LinkID)
        case pruned(LinkID)
        case announced(LinkID, [ReplicaID: [Head]])
        /// Batches are durable, and may be passed on. A link that brought one is not offered it.
        ///
        /// `unsettled`: links over which something else may be sent now that they are known.
        case stored([AcceptedBatch], sources: [BatchID: LinkID], unsettled: Set<LinkID>, isMeshPartial: Bool)
        /// A page brought nothing new: another link was faster.
        case broughtNothing(LinkID, isMeshPartial: Bool)
        /// Either side ends the link.
        case closing(LinkID)
        /// `isLost`: there is no other link to the device.
        case disconnected(LinkID, isLost: Bool)
        /// What has gathered is to be announced now.
        case announce
        /// `unanswered`: links over which a vector was told that is not answered.
        case deadlineReached(unanswered: Set<LinkID>)
    }

    enum Directive: Sendable {
        /// Of these replicas something was stored, and these batches the peer may lack.
        case push(LinkID, [AcceptedBatch], replicas: Set<ReplicaID>)
        case graft(LinkID)
        case prune(LinkID)
        /// More was to be announced to the peer than is kept: it is told the vector instead.
        case tellVector(LinkID)
    }

    private struct Link: Sendable {
        let device: DeviceID
        /// New batches are pushed over the link as soon as they are stored; over a lazy one they are only announced.
        var isEager = true
        var isGrafted = false
        var isCompared = false
        var isClosing = false
        /// What the peer is to be told.
        var outbox = HeadsOutbox()
    }

    private var links: [LinkID: Link] = [:]
    /// Announced here, and expected along the tree.
    private var awaited: AnnouncedHeads
    /// To be announced over lazy links.
    private var announcements: [LinkID: [ReplicaID: Set<Head>]] = [:]

    private let headCountMax: Int

    init(limits: EngineLimits) {
        awaited = AnnouncedHeads(limits: limits)
        headCountMax = limits.announcedHeadCountMax
    }

    /// - Parameter log: batches that are known.
    mutating func handle(
        _ input: Input, log: BatchLog, now: MonotonicInstant, using rng: inout some RandomNumberGenerator
    ) -> [Directive] {
        switch input {
        case .opened(let link, let device): links[link] = Link(device: device)
        case .compared(let link, let isPeersVector):
            links[link]?.isCompared = true
            if isPeersVector, links[link]?.isGrafted == true { set(link, isEager: true) }
        case .grafted(let link): links[link]?.isGrafted = !PlantedFault.isPlanted(.graftIgnored)
        case .pruned(let link): if !PlantedFault.isPlanted(.pruneIgnored) { set(link, isEager: false) }
        case .announced(let link, let entries): note(entries, from: link, log: log, now: now)
        case .stored(let batches, let sources, let unsettled, let isMeshPartial):
            return spread(batches, sources: sources, unsettled: unsettled)
                + (isMeshPartial ? adopt(Set(sources.values)) : [])
        case .broughtNothing(let link, let isMeshPartial): return isMeshPartial ? prune(link) : []
        case .closing(let link): links[link]?.isClosing = true
        case .announce: return announce()
        case .disconnected(let link, let isLost): return disconnected(link, isLost: isLost, using: &rng)
        case .deadlineReached(let unanswered):
            let due = awaited.due(now: now, log: log) { unanswered.contains($0) }
            return PlantedFault.isPlanted(.announcedNeverFetched) ? [] : due.flatMap { graft($0) }
        }
        return []
    }

    private mutating func set(_ link: LinkID, isEager: Bool) {
        links[link]?.isEager = isEager
        links[link]?.isGrafted = false
    }

    /// Offers batches to all who may lack them.
    private mutating func spread(
        _ batches: [AcceptedBatch], sources: [BatchID: LinkID], unsettled: Set<LinkID>
    ) -> [Directive] {
        let replicas = Set(batches.map(\.batch.replica))
        var directives: [Directive] = []
        for (link, state) in links.sorted(by: { $0.key < $1.key }) {
            let fresh = batches.filter { sources[$0.id] != link && $0.author != state.device }
            guard !fresh.isEmpty || unsettled.contains(link) else { continue }
            if state.isEager {
                directives.append(.push(link, fresh, replicas: replicas))
            } else {
                for batch in fresh {
                    announcements[link, default: [:]][batch.batch.replica, default: []].insert(batch.end)
                }
            }
        }
        return directives
    }

    /// Something new came over lazy links: these join the tree. Whoever is beyond an eager one mostly has it as well by now,
    /// and prunes that.
    private mutating func adopt(_ sources: Set<LinkID>) -> [Directive] {
        sources.sorted().flatMap { link -> [Directive] in
            guard let state = links[link], !state.isEager, state.isCompared else { return [] }
            return graft(link)
        }
    }

    private mutating func graft(_ link: LinkID) -> [Directive] {
        guard links[link]?.isClosing == false else { return [] }
        links[link]!.isEager = true
        links[link]!.isCompared = false
        return [.graft(link)]
    }

    private mutating func prune(_ link: LinkID) -> [Directive] {
        guard let state = links[link], state.isEager, state.isCompared, !state.isClosing,
            treeLinks.count > 1 || PlantedFault.isPlanted(.lastEagerLinkPruned)
        else { return [] }
        links[link]!.isEager = false
        return [.prune(link)]
    }

    private mutating func note(
        _ entries: [ReplicaID: [Head]], from link: LinkID, log: BatchLog, now: MonotonicInstant
    ) {
        for (replica, heads) in entries.sorted(by: { $0.key < $1.key }) {
            for head in heads where !log.contains(head, of: replica) {
                awaited.note(replica, head, from: link, now: now)
            }
        }
    }

    private mutating func disconnected(
        _ link: LinkID, isLost: Bool, using rng: inout some RandomNumberGenerator
    ) -> [Directive] {
        announcements[link] = nil
        awaited.linkClosed(link)
        let gone = links.removeValue(forKey: link)
        guard isLost, gone?.isEager == true || treeLinks.isEmpty, !PlantedFault.isPlanted(.brokenTreeNotMended) else {
            return []
        }
        let lazy = links.keys.sorted().filter { !links[$0]!.isEager && !links[$0]!.isClosing }
        return lazy.randomElement(using: &rng).map { graft($0) } ?? []
    }

    // MARK: Announcements

    var hasAnnouncements: Bool { !announcements.isEmpty }

    private mutating func announce() -> [Directive] {
        defer { announcements.removeAll() }
        return announcements.sorted { $0.key < $1.key }.flatMap { owe($0.value, over: $0.key) }
    }

    mutating func owe(_ heads: [ReplicaID: Set<Head>], over link: LinkID) -> [Directive] {
        links[link]?.outbox.add(heads, countMax: headCountMax) == false ? [.tellVector(link)] : []
    }

    /// How many ends of chains wait to be told to a peer.
    func owedCount(_ link: LinkID) -> Int { links[link]?.outbox.count ?? 0 }

    /// What a peer is told next.
    mutating func nextMessage(for link: LinkID) -> Message? {
        guard let heads = links[link]?.outbox.take(), !heads.isEmpty else { return nil }
        return .announced(heads)
    }

    // MARK: Questions

    /// Links over which news is pushed, ordered.
    var treeLinks: [LinkID] { links.keys.sorted().filter { links[$0]!.isEager && !links[$0]!.isClosing } }

    /// Ends of chains that are expected along the tree.
    var awaitedCount: Int { awaited.count }

    /// When something that was announced should have come.
    var nextDeadline: MonotonicInstant? { awaited.nextDeadline }
}
