import AlbumModel
import WireFormat

extension Engine {
    mutating func toBroadcast(_ input: Broadcast.Input, now: MonotonicInstant) {
        perform(broadcast.handle(input, log: log, now: now, using: &dice), now: now)
    }

    mutating func perform(_ directives: [Broadcast.Directive], now: MonotonicInstant) {
        for directive in directives {
            switch directive {
            case .push(let link, let batches, let replicas):
                toReconciliation(.push(link, batches, replicas: replicas), now: now)
            case .graft(let link): toReconciliation(.graft(link), now: now)
            case .prune(let link): emit(.send(link, .prune))
            case .tellVector(let link): toReconciliation(.owesVector(link), now: now)
            }
        }
    }

    /// Offers batches that are durable now to all who may lack them.
    mutating func spread(_ batches: [AcceptedBatch], sources: [BatchID: LinkID], now: MonotonicInstant) {
        let unsettled = reconciliation.unsettledLinks(Set(batches.map(\.batch.replica)))
        toBroadcast(.stored(batches, sources: sources, unsettled: unsettled, isMeshPartial: isMeshPartial), now: now)
    }

    /// Links over which news is pushed, ordered.
    var treeLinks: [LinkID] { broadcast.treeLinks }
}
