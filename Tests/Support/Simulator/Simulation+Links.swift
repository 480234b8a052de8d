import AlbumModel
import SyncEngine
import WireFormat

/// What the protocol says of links is so: who asks for an eager one gets one, nobody cuts itself off from the tree, and of
/// two links to a laptop the one stays that leads to an agent that runs.
extension Simulation {
    /// So long after a link became eager announcements may still leave that waited, in seconds.
    private static let announcingMax = 0.25
    /// So long after a link became lazy, or its peer told what it knows, pages may still leave, in seconds.
    private var pushingMax: Double { 3 + 20 * options.delay }

    private func place(_ index: Int, _ link: LinkID) -> (number: Int, end: Int)? {
        laptops[index].connections[link].map { ($0, network.connections[$0].index(of: index)) }
    }

    mutating func noteReceived(_ message: Message, _ index: Int, _ link: LinkID) {
        guard let (number, end) = place(index, link) else { return }
        var view = network.connections[number].views[end]
        guard !view.isClosed else { return }
        switch message {
        case .hello: view.isGreeted = true
        case .graft: view.isGraftPending = true
        case .prune:
            view.isGraftPending = false
            view.set(isEager: false, now: now)
        case .vector, .vectorDifference:
            if view.isGraftPending { view.set(isEager: true, now: now) }
            view.isGraftPending = false
            view.askedAt = now
            view.readyAt = view.readyAt ?? now
        case .vectorReply:
            view.unansweredCount = max(0, view.unansweredCount - 1)
            view.askedAt = now
            if view.unansweredCount == 0 { view.readyAt = view.readyAt ?? now }
        case .chainSample: view.askedAt = now
        default: return
        }
        network.connections[number].views[end] = view
    }

    mutating func noteSent(_ message: Message, _ index: Int, _ link: LinkID) throws(SimulationFailure) {
        guard let (number, end) = place(index, link) else { return }
        var view = network.connections[number].views[end]
        switch message {
        case .graft:
            view.set(isEager: true, now: now)
            view.readyAt = nil
        case .prune:
            view.set(isEager: false, now: now)
            guard otherViews(index, link).contains(where: \.isEager) else {
                throw SimulationFailure(.brokenTree, "laptop \(index) prunes its only eager link")
            }
        case .announced:
            if let since = view.eagerSince, since + Self.announcingMax < now {
                throw SimulationFailure(.brokenTree, "laptop \(index) announces news where it is to push them")
            }
        case .batches:
            let since = max(view.changedAt, view.askedAt ?? view.changedAt)
            let other = network.connections[number].ends[1 - end].laptop
            // What a full disk did not let in is acknowledged late, and makes room for the next page.
            if !view.isEager, max(since, laptops[other].troubledUntil) + pushingMax < now {
                throw SimulationFailure(.brokenTree, "laptop \(index) pushes news over a link that was pruned")
            }
        case .vector, .vectorDifference:
            view.unansweredCount += 1
            laptops[index].learned.comparedAt = now
        case .presence, .presenceChanged: view.statedAt = view.statedAt ?? now
        default: return
        }
        network.connections[number].views[end] = view
    }

    /// How a laptop sees its links but one.
    private func otherViews(_ index: Int, _ link: LinkID) -> [LinkView] {
        laptops[index].connections.filter { $0.key != link }.map { _, number in
            network.connections[number].views[network.connections[number].index(of: index)]
        }.filter { $0.isGreeted && !$0.isClosed }
    }

    /// An agent closes a link.
    mutating func noteClosed(_ index: Int, _ link: LinkID, _ reason: CloseReason) throws(SimulationFailure) {
        guard let (number, end) = place(index, link) else { return }
        network.connections[number].views[end].isClosed = true
        guard reason == .duplicate, laptops[index].isHonest, leadsToAgent(number, from: end) else { return }
        let other = network.connections[number].ends[1 - end].laptop
        let kept = laptops[index].connections.values.filter { candidate in
            let connection = network.connections[candidate]
            let own = connection.index(of: index)
            return connection.ends[1 - own].laptop == other && !connection.views[own].isClosed
        }
        let isDead = kept.allSatisfy { kept in
            let connection = network.connections[kept]
            return connection.lives[1 - connection.index(of: index)] != laptops[other].life
        }
        guard !kept.isEmpty, isDead else { return }
        let sentence = "laptop \(index) closes its link to laptop \(other) for one to an agent that is gone"
        throw SimulationFailure(.deadLink, sentence)
    }

    /// Whether what one end sends comes to the agent that the connection was made with.
    private func leadsToAgent(_ number: Int, from end: Int) -> Bool {
        let connection = network.connections[number]
        let other = connection.ends[1 - end].laptop
        return laptops[other].isRunning && connection.lives[1 - end] == laptops[other].life && connection.isOpen
            && connection.directions.allSatisfy { $0.lostFrom == nil }
    }

    mutating func checkGraft(_ directives: [EngineDirective], _ index: Int) throws(SimulationFailure) {
        awaitsGraft = false
        let isMended = directives.contains { directive in
            if case .send(_, .graft) = directive { true } else { false }
        }
        guard !isMended else { return }
        throw SimulationFailure(.brokenTree, "laptop \(index) lost a link of the tree and took no other into it")
    }

    /// Whether a laptop that loses a link must take another one into the tree.
    func mustGraft(_ index: Int, _ link: LinkID, without lost: LinkView, to device: DeviceID) -> Bool {
        guard laptops[index].isHonest, lost.isGreeted, lost.statedAt != nil else { return false }
        let isStillThere = laptops[index].connections.values.contains { number in
            let connection = network.connections[number]
            return connection.devices[1 - connection.index(of: index)] == device
        }
        let others = otherViews(index, link)
        guard !isStillThere, others.contains(where: { !$0.isEager }) else { return false }
        return lost.isEager || !others.contains(where: \.isEager)
    }
}
