import AlbumModel
import WireFormat

extension Engine {
    mutating func toReconciliation(_ input: Reconciliation.Input, now: MonotonicInstant) {
        let directives = reconciliation.handle(
            input, catalog: catalog, log: log, own: storing.own.id, now: now, using: &dice)
        for directive in directives { perform(directive, now: now) }
    }

    private mutating func perform(_ directive: Reconciliation.Directive, now: MonotonicInstant) {
        switch directive {
        case .send(let link, let message): emit(.send(link, message))
        case .sendPage(let link, let ids, let page):
            emit(.sendPage(link, ids, lists: storing.listsToPush(ids), page: page))
        case .store(let link, let page): toStoring(.received(link, page), now: now)
        case .greeted(let link, let hello): greeted(link, hello, now: now)
        case .deliver(let link, let message): deliver(message, link, now: now)
        case .compared(let link, let isPeersVector):
            toBroadcast(.compared(link, isPeersVector: isPeersVector), now: now)
        case .peerCaughtUp(let link): toMembership(.caughtUp(link), now: now)
        case .peerLevel(let device): emit(.notify(.peerLevel(device)))
        case .level(let link): toPresence(.level(link), now: now)
        case .digestMismatch(let device, let albums): emit(.notify(.digestMismatch(device, albums)))
        case .ownReplicaDiverged(let replica): toStoring(.replicaDiverged(replica), now: now)
        case .close(let link, let device, let reason): closing(link, device, reason, now: now)
        case .round(let asked):
            if let asked { toPresence(.ask(asked), now: now) }
            toMembership(.turn, now: now)
        }
    }

    mutating func close(_ link: LinkID, _ reason: CloseReason, now: MonotonicInstant) {
        toReconciliation(.close(link, reason), now: now)
    }

    /// A message that is not about batches.
    private mutating func deliver(_ message: Message, _ link: LinkID, now: MonotonicInstant) {
        switch message {
        case .announced(let entries): toBroadcast(.announced(link, entries), now: now)
        case .graft: toBroadcast(.grafted(link), now: now)
        case .prune: toBroadcast(.pruned(link), now: now)
        case .presence(let presence, let counter):
            toPresence(.told(link, presence, counter: counter), now: now)
        case .presenceChanged(let change): toPresence(.changed(link, change), now: now)
        case .summaries(let statements):
            toPresence(.summaries(link, statements, tree: treeLinks), now: now)
        case .summaryDifferences(let differences):
            toPresence(.summaryDifferences(link, differences, tree: treeLinks), now: now)
        case .summaryVersions(let versions): toPresence(.asked(link, versions), now: now)
        case .partHeld(let part): toPull(.part(link, part), now: now)
        case .request(let request): toPull(.requested(link, request), now: now)
        case .refused(let number, let isPassing):
            toPull(.refused(link, number: number, isPassing: isPassing), now: now)
        case .cancelled(let number): toPull(.cancelled(link, number: number), now: now)
        case .pieceListRequest(let blob): toPull(.listRequested(link, blob), now: now)
        case .pieceList(let blob, let list): toPull(.list(link, blob, list), now: now)
        case .fetching(let notice): toPull(.fetching(link, notice), now: now)
        case .addresses(let statements): addressesArrived(statements, link, now: now)
        case .rulings(let statements, _, _): toRulings(.received(link, statements), now: now)
        case .seeds(let seeds): toRulings(.seeds(link, seeds), now: now)
        default: break
        }
    }
}
